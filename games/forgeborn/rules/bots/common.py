"""What all bots look at: where to go, what to roll, how often they look."""

from collections.abc import Callable, Sequence
from datetime import timedelta
from heapq import heappop, heappush
from uuid import UUID

from games.engine.game_state import Prompt
from games.engine.kernel import Command
from games.engine.policies import RULE, Look
from games.forgeborn.rules.conflict.pool import PoolChoice
from games.forgeborn.rules.setup.commands import DefineSmith
from games.forgeborn.rules.state.constants import FREE_DICE
from games.forgeborn.rules.state.dice import dice_of
from games.forgeborn.rules.state.names import free_name
from games.forgeborn.rules.state.records import Character
from games.forgeborn.rules.state.schema_types import CharacterKind, Helping, ListName, Size, WayKind
from games.forgeborn.rules.state.state import State
from games.forgeborn.rules.story.lists import LISTS
from games.forgeborn.rules.turns.commands import Journey

THINGS = ("Ember", "Night Thread", "Loud Bell", "Long Splinter", "Cold Ring", "Third Key", "Wren's Coat", "Old Hammer")
"""Names of artifacts."""
ROAD_COST, TRAIL_COST = 1, 2
"""What a way costs on a journey, in halves of a turn."""


def pause(state: State) -> timedelta:
    """When a bot looks again though nobody has asked it anything."""
    return state.window("answer") / 2


def acting_character(look: Look[State]) -> Character:
    """The character of the turn that runs. Raises RuntimeError where nobody has one."""
    character = look.state.acting_character()
    if character is None:
        raise RuntimeError("nobody has a turn")
    return character


def whole_pool(state: State, character: Character) -> PoolChoice:
    """All that a character can roll: the three largest dice free, the rest as Sacrifices, all artifacts."""
    own = sorted(dice_of(character), reverse=True)
    helping = tuple(Helping(artifact=a.id, how=f"{a.name} is at hand") for a in state.artifacts_of(character.id))
    return PoolChoice(free=tuple(own[:FREE_DICE]), sacrifice=tuple(own[FREE_DICE:]), artifacts=helping)


def free_pool(character: Character) -> PoolChoice:
    """The three largest dice, none of them at risk."""
    return PoolChoice(free=tuple(sorted(dice_of(character), reverse=True)[:FREE_DICE]))


def heroine_name(state: State, seat: UUID, names: tuple[str, ...]) -> str:
    """A name that no Heroine bears."""
    taken = [c.name for c in state.characters.values() if c.kind is CharacterKind.HEROINE]
    return free_name(names[(len(taken) + state.players().index(state.seats[seat])) % len(names)], taken)


def artifact_name(state: State) -> str:
    """A name that no artifact bears."""
    taken = [artifact.name for artifact in state.artifacts.values()]
    return free_name(THINGS[len(taken) % len(THINGS)], taken)


def smith_command(look: Look[State], prompt: Prompt, dice: Sequence[Size]) -> Command:
    """A Smith with these dice, and a name of the list that nobody bears."""
    name = look.tray.draw(f"{look.use_for(prompt)}/name", LISTS[ListName.NAMES], RULE)
    taken = [plate.name for plate in look.state.nameplates.values()]
    return DefineSmith(name=free_name(name, taken), text="", dice=tuple(dice))


def next_step(state: State, character: Character, is_goal: Callable[[UUID], bool]) -> Journey | None:
    """The next move towards the nearest place that is a goal; None where the character stands there, or must wait."""
    queue: list[tuple[int, str, UUID, UUID | None]] = [(0, "", character.place, None)]
    seen = set[UUID]()
    while queue:
        cost, _, place, first = heappop(queue)
        if place in seen:
            continue
        seen.add(place)
        if is_goal(place):
            return _move(state, character, first)
        for other, kind in state.ways_from(place):
            step = cost + (ROAD_COST if kind is WayKind.ROAD else TRAIL_COST)
            heappush(queue, (step, str(other), other, first or other))
    return None


def _move(state: State, character: Character, first: UUID | None) -> Journey | None:
    if first is None:
        return None
    kind = dict(state.ways_from(character.place))[first]
    return None if kind is WayKind.TRAIL and state.course.roads else Journey(to=first)
