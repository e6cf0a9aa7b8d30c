"""The map of a state of The Gods II, drawn by `worlds.drawing.map_svg` (pure): the Earth of any century (G2-MAP-1 to
7)."""

from collections import Counter
from collections.abc import Mapping
from uuid import UUID

import numpy as np

from games.engine.board.board import NOBODY, Square
from games.gods2.rules.state.constants import TERRAINS
from games.gods2.rules.state.records import CityKind
from games.gods2.rules.state.state import State
from worlds.drawing.map_view import NOBODY as NO_RACE
from worlds.drawing.map_view import MapPlan, PlanCity, PlanLand, PlanMark, PlanRace
from worlds.ids import colour_of


def plan_of(state: State, colours: Mapping[UUID, str]) -> MapPlan:
    """The plan of a state as somebody may see it. colours: "#rrggbb" of races, chosen, or made distinct.

    The same as that of the rows: races by units, most first, extinct ones last.
    """
    board, cities = state.board, Counter(city.race for city in state.cities.values())
    races = sorted(
        (
            PlanRace(r.id, r.name, colours.get(r.id) or colour_of(r.id), board.units_of(r.id), cities[r.id], r.extinct)
            for r in state.races.values()
        ),
        key=lambda race: (race.extinct, -race.units, race.name, race.id),
    )
    place_in_legend = {race.id: index for index, race in enumerate(races)}
    # One more entry, so that NOBODY, the last index, is nobody.
    numbers = np.array([*(place_in_legend.get(people, NO_RACE) for people in board.peoples), NO_RACE], dtype=np.int32)
    owner = np.where(board.owner == NOBODY, NO_RACE, numbers[board.owner])
    return MapPlan(
        width=board.width,
        height=board.height,
        terrain=tuple(TERRAINS[number] for number in board.terrain.ravel().tolist()),
        owner=tuple(owner.ravel().tolist()),
        units=tuple(board.units.ravel().tolist()),
        races=tuple(races),
        cities=tuple(
            PlanCity(*_xy(city.square), name=city.name, great=city.kind is CityKind.GREAT, id=city.id)
            for city in sorted(state.cities.values(), key=lambda c: c.square)
        ),
        marks=tuple(
            PlanMark(*_xy(feature.square), kind=feature.kind, name=feature.name)
            for feature in sorted(state.features.values(), key=lambda f: (f.square, f.kind, f.name))
        ),
        lands=tuple(
            PlanLand(land.name, tuple(_xy(square) for square in sorted(land.squares)))
            for land in sorted(state.lands.values(), key=lambda e: (e.name, e.id))
            if land.squares
        ),
    )


def _xy(square: Square) -> tuple[int, int]:
    return square.column, square.row
