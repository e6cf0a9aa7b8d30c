"""The policy `steady`: what brings most victory points a turn; the Dragon where that wins the game (section 10)."""

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple
from uuid import UUID

from games.engine.game_state import Prompt
from games.engine.kernel import Command
from games.engine.policies import RULE, Look
from games.forgeborn.rules.boons.commands import GiveUpDie
from games.forgeborn.rules.bots.bargaining import help_for, is_in_favour
from games.forgeborn.rules.bots.common import acting_character, careful_pool, routes, smith_command, whole_pool
from games.forgeborn.rules.bots.planning import STORE, Plan, Stakes, plans_of
from games.forgeborn.rules.bots.player import player_policy
from games.forgeborn.rules.conflict.commands import ChooseGain, ChoosePool
from games.forgeborn.rules.conflict.pool import largest_dice
from games.forgeborn.rules.state.dice import dice_of, larger
from games.forgeborn.rules.state.records import Character
from games.forgeborn.rules.state.schema_types import Asked, CharacterKind, Deed, Size, WayKind
from games.forgeborn.rules.state.state import State
from games.forgeborn.rules.turns.commands import EndTurn, Journey, TakeBackArtifact, UseCharacter
from games.forgeborn.rules.vault.rules import open_vote

OPENINGS = (
    (*[Size.D12] * 5, *[Size.D4] * 3),
    (*[Size.D12] * 5, Size.D8, Size.D4),
    (*[Size.D12] * 4, Size.D10, Size.D8, Size.D6),
)
"""The dice that it begins with: the payment of one artifact, or none and larger dice."""

LATER = Fraction(1, 2)
"""What a turn on the way counts beside itself: much may happen meanwhile."""


class Option(NamedTuple):
    """A plan, what it is worth a turn, and how far it is, in halves of turns."""

    rate: Fraction
    halves: int
    plan: Plan


def _smith(look: Look[State], prompt: Prompt) -> Command:
    return smith_command(look, prompt, look.tray.draw(f"{look.use_for(prompt)}/opening", OPENINGS, RULE))


def _turn(look: Look[State], prompt: Prompt) -> Command:
    """The deed that is worth most for the turns that it takes: there, or on the way to it."""
    state = look.state
    acting = state.acting_character()
    if acting is None:
        return EndTurn()
    if taken := _to_take_back(state, acting.seat):
        return TakeBackArtifact(artifact=taken)
    able = [acting] if state.course.roads else state.characters_of(look.seat)
    options = [found for each in able for found in _options(state, each)]
    if not options:
        return EndTurn()
    plan = max(options, key=lambda found: (found.rate, -found.halves)).plan
    if plan.character.id != acting.id:
        return UseCharacter(character=plan.character.id)
    if plan.place == acting.place:
        return plan.command
    return _on_the_way(state, acting, plan)


def _options(state: State, character: Character) -> Iterator[Option]:
    """What a character could do before the end that is worth anything."""
    ways = routes(state, character.place, state.course.roads)
    left = Stakes(state, character.seat).turns_left
    for plan in plans_of(state, character):
        way = ways.get(plan.place)
        if way is not None and plan.worth > 0 and (left is None or way.turns <= left):
            yield Option(plan.worth / (way.turns + LATER * (way.turns - 1)), way.halves, plan)


def _on_the_way(state: State, character: Character, plan: Plan) -> Command:
    """A move towards a plan, or a deed here that puts it off by nothing."""
    roads = state.course.roads
    way = routes(state, character.place, roads)[plan.place]
    if 1 + routes(state, character.place, 0)[plan.place].turns <= way.turns:
        here = [each for each in plans_of(state, character) if each.place == character.place and each.worth > 0]
        if here:
            return max(here, key=lambda each: each.worth).command
    if way.first is None:
        return EndTurn()
    is_trail = dict(state.ways_from(character.place))[way.first] is WayKind.TRAIL
    return EndTurn() if is_trail and roads else Journey(to=way.first)


def _to_take_back(state: State, seat: UUID) -> UUID | None:
    """An artifact that a Heroine of the seat holds beside its Smith, who faces the Dragon with all there is."""
    smith = state.smith_of(seat)
    beside = [c for c in state.characters_of(seat) if smith is not None and c.place == smith.place]
    held = [a.id for c in beside if c.kind is CharacterKind.HEROINE for a in state.artifacts_of(c.id)]
    return next(iter(held), None)


def _pool(look: Look[State], prompt: Prompt) -> Command:
    """All at the Dragon; else the three largest, and artifacts."""
    action = look.state.require_action()
    roller = look.state.characters[action.character]
    if action.kind is Deed.FACE_DRAGON:
        return ChoosePool(pool=whole_pool(look.state, roller))
    careful = careful_pool(look.state, roller)
    return ChoosePool(pool=careful.model_copy(update={"artifacts": ()}) if action.kind is Deed.TAKE_TEST else careful)


def _gain(look: Look[State], prompt: Prompt) -> Command:
    """A d4, which pays for something; with enough of them the least of the three largest dice rises."""
    roller = look.state.characters[look.state.require_action().character]
    rising = [die for die in largest_dice(roller) if larger(die) is not None]
    return ChooseGain.model_validate({"raise": min(rising) if rising and roller.d4 >= STORE // 2 else None})


def _has_help(look: Look[State], prompt: Prompt) -> tuple[Size, ...]:
    smith, maker = look.state.smith_of(look.seat), look.state.course.active
    return help_for(look.state, smith, maker) if smith is not None and maker is not None else ()


def _votes_yes(look: Look[State], prompt: Prompt) -> bool:
    vote = open_vote(look.state)
    return vote is not None and is_in_favour(look.state, look.seat, vote.seat, look.state.artifacts[vote.artifact])


steady = player_policy(
    {
        Asked.SMITHS: _smith,
        Asked.TURN: _turn,
        Asked.POOL: _pool,
        Asked.GAIN: _gain,
        Asked.FOREST: lambda look, prompt: GiveUpDie(die=dice_of(acting_character(look))[0]),
    },
    help_offered=_has_help,
    is_in_favour=_votes_yes,
    is_bold=lambda look, prompt: True,
)
