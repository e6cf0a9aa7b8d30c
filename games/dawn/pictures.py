"""The map of a state of Dawn, to be drawn by `worlds.drawing.map_svg` (pure): land, climates, regions, peoples,
armies."""

from collections import Counter
from collections.abc import Iterator, Mapping
from uuid import UUID

from core.names import is_among
from games.dawn.rules.state.constants import WATER
from games.dawn.rules.state.schema_types import Climate, Life, Terrain
from games.dawn.rules.state.state import State
from worlds.drawing.map_view import NOBODY, MapPlan, PlanCity, PlanLand, PlanMark, PlanRace, PlanShade
from worlds.ids import colour_of

WORDS = {"fantastic": "fantastic land", "floating": "floating land"}
"""What the legend calls the qualities of land that are no climate."""
TERRAINS = frozenset(terrain.value for terrain in Terrain)
PLAIN = Climate.TEMPERATE
"""The climate that is drawn as nothing."""


def plan_of(state: State, colours: Mapping[UUID, str]) -> MapPlan | None:
    """The plan of a state, None before it has squares; all of it is public. colours: "#rrggbb" of races.

    A square of several races is owned by the one with a city on it, else by the one that comes first in the legend;
    the others stand in `shared`. Races come by the squares of their territory, most first, extinct ones last.
    """
    if not state.squares:
        return None
    width, height = state.course.width, state.course.height
    land, cities = Counter(t.race for t in state.territory.values()), Counter(c.race for c in state.cities.values())
    races = sorted(
        (
            PlanRace(r.id, r.name, colours.get(r.id) or colour_of(r.id), land[r.id], cities[r.id], _extinct(r.life))
            for r in state.races.values()
        ),
        key=lambda race: (race.extinct, -race.units, race.name, race.id),
    )
    place_in_legend = {race.id: index for index, race in enumerate(races)}
    owner = [NOBODY] * (width * height)
    for city in state.cities.values():
        owner[city.y * width + city.x] = place_in_legend[city.race]
    shared: list[tuple[int, int, int]] = []
    for race, x, y in sorted((place_in_legend[t.race], t.x, t.y) for t in state.territory.values()):
        running = y * width + x
        if owner[running] == NOBODY:
            owner[running] = race
        elif owner[running] != race:
            shared.append((x, y, race))
    squares = [state.squares[x, y] for y in range(height) for x in range(width)]
    return MapPlan(
        width=width,
        height=height,
        terrain=tuple(square.terrain.value for square in squares),
        owner=tuple(owner),
        units=(0,) * (width * height),
        races=tuple(races),
        cities=tuple(
            PlanCity(c.x, c.y, c.name, id=c.id) for c in sorted(state.cities.values(), key=lambda c: (c.y, c.x))
        ),
        marks=tuple(sorted(_marks(state), key=lambda m: (m.y, m.x, m.kind, m.name))),
        lands=regions_of(state),
        shades=tuple(_shades(state)),
        shared=tuple(shared),
        counted="squares",
        terrain_names=tuple((terrain.value, terrain.value) for terrain in Terrain),
        water=frozenset(terrain.value for terrain in WATER),
    )


def regions_of(state: State) -> tuple[PlanLand, ...]:
    """The regions that squares belong to still, by name; one that is called by its terrain has no name."""
    squares: dict[UUID, list[tuple[int, int]]] = {}
    for square in state.squares.values():
        if square.region is not None and not is_among(state.regions[square.region].name, TERRAINS):
            squares.setdefault(square.region, []).append((square.x, square.y))
    found = sorted((state.regions[region].name, region, held) for region, held in squares.items())
    return tuple(PlanLand(name, tuple(sorted(held))) for name, _, held in found)


def _extinct(life: Life) -> bool:
    return life is Life.EXTINCT


def _marks(state: State) -> Iterator[PlanMark]:
    """Armies in their cities, those of one city as one mark; living avatars; miracles that save a city."""
    garrisons: dict[UUID, list[UUID]] = {}
    for army in state.armies.values():
        garrisons.setdefault(army.city, []).append(army.id)
    for city, armies in sorted(garrisons.items()):
        home = state.cities[city]
        yield PlanMark(home.x, home.y, "army", f"{len(armies)} of {home.name}", tuple(sorted(armies)))
    for avatar in state.avatars.values():
        if avatar.alive:
            yield PlanMark(avatar.x, avatar.y, "avatar", avatar.name, (avatar.id,))
    for saved in (city for city in state.cities.values() if city.saved_by):
        yield PlanMark(saved.x, saved.y, "miracle", f"{saved.name} is saved")


def _shades(state: State) -> Iterator[PlanShade]:
    """Climates but the plain one, then fantastic and floating land."""
    held: dict[str, list[tuple[int, int]]] = {climate.value: [] for climate in Climate if climate is not PLAIN}
    held |= {key: [] for key in WORDS}
    for at, square in sorted(state.squares.items()):
        if square.climate is not PLAIN:
            held[square.climate.value].append(at)
        for key in WORDS:
            if getattr(square, key):
                held[key].append(at)
    return (PlanShade(key, WORDS.get(key, key), tuple(squares)) for key, squares in held.items() if squares)
