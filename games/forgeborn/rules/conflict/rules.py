"""How a conflict goes: described, pooled, ruled, rolled, and what follows (FB-CON-3 to 8); a recruiting goes alike."""

from collections.abc import Iterator, Sequence
from uuid import UUID

from games.engine.audience import PUBLIC
from games.engine.errors import Refused
from games.engine.game_state import Prompt
from games.engine.kernel import Actor, Command, Context, Event
from games.engine.prompts.prompt import owner_for
from games.engine.prompts.questions import ask_row, close_question, require_question
from games.forgeborn.rules.conflict.deeds import power_of, win
from games.forgeborn.rules.conflict.events import (
    ActionDeclared,
    ArtifactsRuled,
    ConflictFailed,
    ConflictWon,
    OppositionRolled,
    PoolChosen,
    PoolRolled,
    PoolSent,
)
from games.forgeborn.rules.conflict.failure import bring_failure
from games.forgeborn.rules.conflict.pool import GainChoice, PoolChoice, largest_dice, require_able, require_pool
from games.forgeborn.rules.conflict.purchases import settle_sum
from games.forgeborn.rules.gains.events import Loss
from games.forgeborn.rules.gains.rules import lose_dice, require_gain
from games.forgeborn.rules.state.constants import OPPOSING_DIE
from games.forgeborn.rules.state.dice import dice_of
from games.forgeborn.rules.state.records import Action, Artifact, Character, Place
from games.forgeborn.rules.state.schema_types import Asked, Deed, Helping
from games.forgeborn.rules.state.state import State
from games.forgeborn.rules.turns.rules import TURNS


def answerable(state: State, actor: Actor, command: type[Command]) -> Prompt:
    """The open question that a command answers, which an actor may answer.

    Raises `phase.closed`, `prompt.closed`, `prompt.not_yours`.
    """
    prompt = require_open(state, command)
    owner_for(state, prompt, actor)
    return prompt


def require_open(state: State, command: type[Command]) -> Prompt:
    """The open question that a command answers. Raises `phase.closed`, `prompt.closed`."""
    state.require(*TURNS)
    return require_question(state, command, rules=("FB-CON-7",))


def require_sent(
    state: State,
    character: Character,
    deed: Deed,
    pool: PoolChoice | None,
    gain: GainChoice | None,
    artifact: UUID | None = None,
) -> None:
    """Refuse an action of a character without dice, and what was sent along but could not be used (FB-CON-8)."""
    require_able(character)
    if pool is not None:
        require_pool(state, character, pool, deed, artifact=artifact)
    if gain is not None:
        require_gain(character, gain.raise_)


def begin_action(
    state: State,
    ctx: Context,
    deed: Deed,
    character: Character,
    place: Place,
    *,
    artifact: Artifact | None = None,
    pool: PoolChoice | None = None,
    gain: GainChoice | None = None,
    name: str = "",
    text: str = "",
) -> Iterator[Event]:
    """Declare a conflict or a recruiting; all that could refuse it has been asked. Then DESCRIBE, POOL, or the dice."""
    action = ctx.mint(PUBLIC)
    yield ActionDeclared(
        conflict=action,
        seat=character.seat,
        character=character.id,
        action=deed,
        place=place.id,
        artifact=artifact.id if artifact is not None else None,
        power=None if deed is Deed.RECRUIT_HEROINE else power_of(state, deed, place, artifact),
        name=name,
        text=text,
    )
    is_kept = state.has_referee and pool is not None
    if is_kept or (gain is not None and (state.has_referee or pool is None)):
        yield _sent_event(action, character.seat, pool, gain)
    if state.has_referee:
        yield from ask_row(state, ctx, Asked.DESCRIBE, action, character=character.name, place=place.name)
    else:
        yield from _go_on_with_pool(state, ctx, state.actions[action], pool, gain)


def go_on_after_description(state: State, ctx: Context) -> Iterator[Event]:
    """The danger is described, or not: the pool that was sent along, if it can still be rolled; else it is asked."""
    action = state.require_action()
    ctx.open_secret_of(action.seat)
    sent = state.sent_pools.get(action.id)
    pool = None
    if sent is not None and sent.has_pool:
        pool = PoolChoice(free=sent.free, sacrifice=sent.sacrifice, artifacts=sent.artifacts, text=sent.text)
        try:
            require_pool(state, state.characters[action.character], pool, action.kind, artifact=action.artifact)
        except Refused:  # a correction has changed the dice meanwhile: the player chooses anew
            pool = None
    yield from _go_on_with_pool(state, ctx, action, pool, None)


def choose_pool(
    state: State, ctx: Context, action: Action, pool: PoolChoice, *, again: bool = False, gain: GainChoice | None = None
) -> Iterator[Event]:
    """Lay a pool on the table; the game-master rules on named artifacts once, then the dice fall.

    again: whether it is the new pool after a refusal.
    """
    yield PoolChosen(
        character=action.character,
        free=pool.free,
        sacrifice=pool.sacrifice,
        artifacts=_with_tested(action, pool.artifacts),
        text=pool.text,
    )
    for kind in (Asked.POOL, Asked.REPOOL):
        yield from close_question(state, kind, "chosen")
    if state.has_referee and pool.artifacts and not again and action.kind is not Deed.TAKE_TEST:
        character = state.characters[action.character].name
        yield from ask_row(state, ctx, Asked.RULING, action.id, character=character)
    else:
        yield from _roll(state, ctx, state.actions[action.id], gain)


def rule_artifacts(state: State, ctx: Context, refused: tuple[UUID, ...], reason: str) -> Iterator[Event]:
    """The game-master's ruling: with a refusal the player sends one new pool, else the dice fall."""
    action = state.require_action()
    yield ArtifactsRuled(refused=refused, reason=reason)
    yield from close_question(state, Asked.RULING, "ruled")
    if not refused:
        yield from _roll(state, ctx, state.actions[action.id])
        return
    yield from ask_row(state, ctx, Asked.REPOOL, action.id)


def default_pool(state: State, action: Action) -> PoolChoice:
    """What silence rolls: at POOL the three largest dice; at REPOOL the same pool without what was refused."""
    former = state.pools.get(action.id)
    if former is None:
        return PoolChoice(free=largest_dice(state.characters[action.character]))
    rest = tuple(each for each in former.artifacts if each.artifact not in former.refused)
    return PoolChoice(free=former.free, sacrifice=former.sacrifice, artifacts=rest, text=former.text)


def artifact_dice(state: State, helping: Sequence[Helping]) -> list[tuple[UUID, int]]:
    """The dice of artifacts in the order in which they fall: as stated, inside one by rising size (FB-CON-3)."""
    return [(each.artifact, size) for each in helping for size in dice_of(state.artifacts[each.artifact])]


def _go_on_with_pool(
    state: State, ctx: Context, action: Action, pool: PoolChoice | None, gain: GainChoice | None
) -> Iterator[Event]:
    """The pool that is there, or a question for it."""
    if pool is not None:
        yield from choose_pool(state, ctx, action, pool, gain=gain)
        return
    yield from ask_row(state, ctx, Asked.POOL, action.id, character=state.characters[action.character].name)


def _roll(state: State, ctx: Context, action: Action, gain: GainChoice | None = None) -> Iterator[Event]:
    """The dice fall: the character's, the artifacts', then the d12s (FB-CON-3)."""
    pool = state.pools[action.id]
    own, rule = f"conflict/{action.id}/own", "FB-CON-3"
    total = sum(ctx.roll(own, size, rule) for size in (*pool.free, *pool.sacrifice))
    for artifact, size in artifact_dice(state, pool.artifacts):
        total += ctx.roll(f"conflict/{action.id}/artifact/{artifact}", size, rule)
    yield PoolRolled(
        character=action.character,
        free=pool.free,
        sacrifice=pool.sacrifice,
        artifacts=tuple(each.artifact for each in pool.artifacts),
        total=total,
    )
    if action.power is None:
        yield from settle_sum(state, ctx, state.actions[action.id], gain)
        return
    against = sum(ctx.tray.pool(f"conflict/{action.id}/against", action.power, OPPOSING_DIE, rule))
    yield OppositionRolled(power=action.power, total=against)
    outcome = ConflictWon if total >= against else ConflictFailed
    yield outcome(character=action.character, action=action.kind, total=total, against=against)
    if outcome is ConflictWon:
        yield from lose_dice(action.character, pool.sacrifice, Loss.SACRIFICE)
        yield from win(state, ctx, action)
    else:
        yield from bring_failure(state, ctx, action, gain)


def _with_tested(action: Action, named: tuple[Helping, ...]) -> tuple[Helping, ...]:
    """In a Test the tested artifact is in the roll whether the pool names it or not (FB-AMB-57)."""
    if action.kind is Deed.TAKE_TEST and action.artifact is not None and not named:
        return (Helping(artifact=action.artifact),)
    return named


def _sent_event(action: UUID, seat: UUID, pool: PoolChoice | None, gain: GainChoice | None) -> PoolSent:
    """The secret of a seat: what it has sent along."""
    return PoolSent(
        conflict=action,
        seat=seat,
        has_pool=pool is not None,
        free=pool.free if pool is not None else (),
        sacrifice=pool.sacrifice if pool is not None else (),
        artifacts=pool.artifacts if pool is not None else (),
        text=pool.text if pool is not None else "",
        has_gain=gain is not None,
        raised=gain.raise_ if gain is not None else None,
    )
