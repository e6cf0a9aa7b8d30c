"""What mana sources count (section 4.7 of the rulebook, G2-MANA-3, 7): things on the map, and events of the century.

What happens is entered in the source lines as it happens (`mana.worksheet`); what is, is counted when the worksheet
is opened. Deaths are in the boxes, worshippers in the race lines; both are multiplied in `mana`.
"""

from collections.abc import Callable, Mapping

import numpy as np

from games.gods2.rules.geometry.stats import stat
from games.gods2.rules.pack.pack import ManaSource
from games.gods2.rules.state.constants import LAND, number
from games.gods2.rules.state.mana_sources import happens, split_counter
from games.gods2.rules.state.records import CityKind, Level
from games.gods2.rules.state.state import State


def count(state: State, source: ManaSource) -> int:
    """What a source counts at the end of a century, deaths and worshippers apart."""
    if happens(source):
        line = state.lines.get(("source", source.id))
        return line.count if line else 0
    name, argument = split_counter(source.counter)
    return COUNTERS[name](state, argument)


def deaths(state: State, argument: str) -> int:
    """Units in the boxes that have one of these elements or causes, each once; `all` is every box (G2-CALC-1)."""
    wanted = set(argument.split(","))
    boxes = [line for line in state.lines.values() if line.kind == "box"]
    return sum(box.count for box in boxes if argument == "all" or wanted & set(box.key.split("+")))


def _squares(state: State, terrain: str) -> int:
    return int(np.count_nonzero(state.board.terrain == number(terrain)))


def _empty_land(state: State, _: str) -> int:
    land = np.isin(state.board.terrain, [number(t) for t in LAND])
    return int(np.count_nonzero(land & (state.board.units == 0)))


def _cities(kind: CityKind) -> Callable[[State, str], int]:
    return lambda state, _: sum(1 for city in state.cities.values() if city.kind is kind)


def _total(name: str) -> Callable[[State, str], int]:
    return lambda state, _: sum(int(stat(state, race.id, name).value) for race in state.living())


def _civilized_units(state: State, _: str) -> int:
    return sum(state.board.units_of(race.id) for race in state.living() if race.level is Level.CIVILIZED)


def _military_races(state: State, least: str) -> int:
    return sum(1 for race in state.living() if int(stat(state, race.id, "military").value) >= int(least))


def _races_in_turmoil(state: State, begun: str) -> int:
    """Races that were in turmoil. begun: `power` for those whose last turmoil no member began at will; "" for all."""
    troubled = [race for race in state.living() if race.turmoil or race.troubled]
    return sum(1 for race in troubled if begun != "power" or not race.turmoil_at_will)


def _unnamed_squares(state: State, _: str) -> int:
    named = {thing.square for table in (state.features, state.cities) for thing in table.values() if thing.name}
    named |= {square for land in state.lands.values() for square in land.squares}
    return int(state.board.terrain.size) - len(named)


COUNTERS: Mapping[str, Callable[[State, str], int]] = {
    "squares": _squares,
    "empty_land": _empty_land,
    "cities": _cities(CityKind.CITY),
    "great_cities": _cities(CityKind.GREAT),
    "wealth": _total("wealth"),
    "knowledges_known": lambda state, _: sum(len(race.knowledges) for race in state.living()),
    "civilized_units": _civilized_units,
    "races_military_gte": _military_races,
    "races_in_turmoil": _races_in_turmoil,
    "races_not_in_turmoil": lambda state, _: sum(1 for r in state.living() if not r.turmoil),
    "races_without": lambda state, member: sum(1 for r in state.living() if (r.id, member) not in state.shares),
    "features": lambda state, kind: sum(1 for feature in state.features.values() if feature.kind == kind),
    "unnamed_squares": _unnamed_squares,
}
"""Counters of what is: the state and the counter's argument -> how many."""
