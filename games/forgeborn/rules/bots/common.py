"""What all bots look at: ways, pools, names, how often they look."""

from collections.abc import Sequence
from datetime import timedelta
from heapq import heappop, heappush
from typing import NamedTuple
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

THINGS = ("Ember", "Night Thread", "Loud Bell", "Long Splinter", "Cold Ring", "Third Key", "Wren's Coat", "Old Hammer")
"""Names of artifacts."""
HEROINES = ("Hele", "Bandi", "Olis", "Pina", "Nyca", "Adia", "Viloa", "Gunna")
HALVES = 2
"""Halves of a turn: a Road takes one, a Trail the whole turn, an action what is left of one (FB-TRN-2)."""


class Route(NamedTuple):
    """The way to a place: halves of turns until the character is there, and the first place on it."""

    halves: int
    first: UUID | None

    @property
    def turns(self) -> int:
        """The turns until a deed is done there, that of the deed included; the one that runs is the first."""
        return self.halves // HALVES + 1


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


def careful_pool(state: State, character: Character) -> PoolChoice:
    """The three largest dice and all artifacts; nothing of it is at risk."""
    return whole_pool(state, character).model_copy(update={"sacrifice": ()})


def free_pool(character: Character) -> PoolChoice:
    """The three largest dice, none of them at risk, without artifacts."""
    return PoolChoice(free=tuple(sorted(dice_of(character), reverse=True)[:FREE_DICE]))


def heroine_name(state: State, seat: UUID) -> str:
    """A name that no Heroine bears."""
    taken = [c.name for c in state.characters.values() if c.kind is CharacterKind.HEROINE]
    return free_name(HEROINES[(len(taken) + state.players().index(state.seats[seat])) % len(HEROINES)], taken)


def artifact_name(state: State) -> str:
    """A name that no artifact bears."""
    taken = [artifact.name for artifact in state.artifacts.values()]
    return free_name(THINGS[len(taken) % len(THINGS)], taken)


def smith_command(look: Look[State], prompt: Prompt, dice: Sequence[Size]) -> Command:
    """A Smith with these dice, and a name of the list that nobody bears."""
    name = look.tray.draw(f"{look.use_for(prompt)}/name", LISTS[ListName.NAMES], RULE)
    taken = [plate.name for plate in look.state.nameplates.values()]
    return DefineSmith(name=free_name(name, taken), text="", dice=tuple(dice))


def routes(state: State, start: UUID, roads: int) -> dict[UUID, Route]:
    """The shortest way to every place that can be reached. roads: Road moves that this turn has had."""
    queue: list[tuple[int, str, UUID, UUID | None]] = [(roads, "", start, None)]
    found = dict[UUID, Route]()
    while queue:
        halves, _, place, first = heappop(queue)
        if place in found:
            continue
        found[place] = Route(halves, first)
        for other, kind in state.ways_from(place):
            there = halves + 1 if kind is WayKind.ROAD else halves + halves % HALVES + HALVES
            heappush(queue, (there, str(other), other, first or other))
    return found
