"""A war, from its declaration to its end (DW-WAR-4, 8, 9, 11, 12): what happens, and who is asked next.

Whom the war waits for follows from its row: gods of residing avatars one by one, then both sides in secret, then the
dice, then the attacker whether to go on. `course` takes the steps; the commands are in `war.commands`.
"""

from collections.abc import Iterator, Sequence
from uuid import UUID

from games.dawn.rules.state.records import War
from games.dawn.rules.state.schema_types import Asked, WarEnd, WarSide
from games.dawn.rules.state.state import State
from games.dawn.rules.war.battle_events import ArmiesCommitted, ArmiesRevealed, Commitment, CommitSealed, value_of
from games.dawn.rules.war.battles import (
    Committed,
    battle,
    commitments,
    defenders_of,
    defending_god,
    remaining_attackers,
    remaining_defenders,
    side_of,
    stand_in_of,
)
from games.dawn.rules.war.events import AvatarStoodIn, BattleOpened, StandInWaived, WarEnded
from games.engine.audience import reader, seats
from games.engine.game_state import Prompt
from games.engine.kernel import Context, Event
from games.engine.prompts.prompt import answers_to, close
from games.engine.prompts.questions import ask_row
from games.engine.prompts.sealed import seal_value


def _march(state: State, war: War) -> str:
    left = len(remaining_attackers(state, war))
    return "An avatar is" if war.alone is not None else "One army is" if left == 1 else f"{left} armies are"


def war_open(state: State) -> bool:
    """Whether a war waits for its next step."""
    return bool(state.wars)


def war_goes_on(state: State, ctx: Context) -> Iterator[Event]:
    """One step of the war: it ends, the next god is asked, or what nobody is asked about is fought."""
    war = next(iter(state.wars.values()))
    over = end_of(state, war)
    if over is not None:
        yield WarEnded(war=war.id, reason=over)
    elif war.fought:
        owners = [reader(war.attacker)]
        yield from ask_row(state, ctx, Asked.CONTINUE, war.id, owners=owners, march=_march(state, war))
    elif seat := next_resident(state, war):
        yield from ask_row(state, ctx, Asked.STAND_IN, war.id, owners=[reader(seat)], city=state.title(war.city))
    else:
        owners = [reader(seat) for seat in committing(state, war)]
        target = state.title(war.city or war.avatar)
        yield from ask_row(state, ctx, Asked.COMMIT, war.id, owners=owners, target=target)


def end_of(state: State, war: War) -> WarEnd | None:
    """Why a war is over; None while it goes on."""
    city = state.cities.get(war.city) if war.city is not None else None
    avatar = state.avatars.get(war.avatar) if war.avatar is not None else None
    if city is None and avatar is None:
        return WarEnd.VOID
    if city is not None and city.controller == war.attacker:
        return WarEnd.CAPTURED
    if avatar is not None and not avatar.alive:
        return WarEnd.SLAIN
    if not remaining_attackers(state, war):
        return WarEnd.BEATEN
    return WarEnd.STOPPED if state.has_left(war.attacker) else None


def next_resident(state: State, war: War) -> UUID | None:
    """The next god, in turn order, who is asked for a stand-in; None where there is no need or nobody (DW-WAR-8)."""
    if war.city is None or remaining_defenders(state, war) or stand_in_of(state, war) is not None:
        return None
    owners = state.present(a.owner for a in defenders_of(state, war))
    return next((seat for seat in owners if seat not in war.waived), None)


def committing(state: State, war: War) -> tuple[UUID, ...]:
    """Who commits: the attacker, and the defender if still with armies and in the game (DW-WAR-4)."""
    defender = (defending_god(state, war),) if remaining_defenders(state, war) else ()
    return tuple(state.present((war.attacker, *defender)))


def war_of(state: State, prompt: Prompt) -> War:
    """The war that a question is asked in."""
    if prompt.subject is None:
        raise RuntimeError("a question about no war")
    return state.wars[prompt.subject]


def stood_in(state: State, prompt: Prompt, seat: UUID, avatar: UUID | None) -> Iterator[Event]:
    """A god's answer for the city: one of their residing avatars, or none."""
    war = war_of(state, prompt)
    yield from close(state, prompt.id, "settled")
    if avatar is None:
        yield StandInWaived(war=war.id, seat=seat)
    else:
        yield AvatarStoodIn(war=war.id, avatar=avatar)


def commit(state: State, ctx: Context, prompt: Prompt, seat: UUID, armies: tuple[UUID, ...]) -> Iterator[Event]:
    """A side's choice; when both are in, the battle."""
    war = war_of(state, prompt)
    sealed = seal_value(state, ctx, prompt, seat, value_of(armies), seats(seat))
    yield ArmiesCommitted(
        war=war.id, prompt=prompt.id, seat=seat, armies=armies, salt=sealed.salt, digest=sealed.digest
    )
    if sealed.first:
        yield CommitSealed(war=war.id, side=side_of(war, seat), digest=sealed.digest)
    if len(answers_to(state, prompt.id)) == len(prompt.owners):
        yield from _fight(state, ctx, war, prompt)


def _fight(state: State, ctx: Context, war: War, prompt: Prompt) -> Iterator[Event]:
    """Both are in: shown together, and fought unless the attacker retreats."""
    made = commitments(state, war, prompt)
    shown = _fighting(state, war, made)
    yield from close(state, prompt.id, "settled")
    ours, theirs = shown[WarSide.ATTACKER], shown[WarSide.DEFENDER]
    yield ArmiesRevealed(war=war.id, attacker_armies=ours, defender_armies=theirs, commitments=made)
    if not ours:
        yield WarEnded(war=war.id, reason=WarEnd.RETREAT)
        return
    yield from battle(state, ctx, war, shown)
    over = end_of(state, state.wars[war.id])
    if over is not None:
        yield WarEnded(war=war.id, reason=over)


def _fighting(state: State, war: War, made: tuple[Commitment, ...]) -> Committed:
    """What both sides commit, of what is still there; a defender who was not asked, or has nothing else left, all."""
    there = {WarSide.ATTACKER: remaining_attackers(state, war), WarSide.DEFENDER: remaining_defenders(state, war)}
    chosen = {each.side: each.armies for each in made}
    shown = {side: tuple(army for army in there[side] if army in chosen.get(side, ())) for side in WarSide}
    return {**shown, WarSide.DEFENDER: shown[WarSide.DEFENDER] or there[WarSide.DEFENDER]}


def war_silent(state: State, ctx: Context, prompt: Prompt, late: Sequence[UUID]) -> Iterator[Event]:
    """Silence: no stand-in; the attacker commits nothing, the defender everything; no further battle (section 9)."""
    war = war_of(state, prompt)
    for seat in late:
        if prompt.kind == Asked.STAND_IN:
            yield from stood_in(state, prompt, seat, None)
        elif prompt.kind == Asked.CONTINUE:
            yield from stop_war(state, prompt)
        else:
            everything = () if side_of(war, seat) is WarSide.ATTACKER else remaining_defenders(state, war)
            yield from commit(state, ctx, prompt, seat, everything)


def stop_war(state: State, prompt: Prompt) -> Iterator[Event]:
    """The attacker stops; their armies are at home (DW-WAR-9)."""
    war = war_of(state, prompt)
    yield from close(state, prompt.id, "settled")
    yield WarEnded(war=war.id, reason=WarEnd.STOPPED)


def attack_again(state: State, prompt: Prompt) -> Iterator[Event]:
    """The attacker goes on with who is left."""
    war = war_of(state, prompt)
    yield from close(state, prompt.id, "settled")
    yield BattleOpened(war=war.id, battle=war.battle + 1, armies=remaining_attackers(state, war))
