"""The survey: rows of a world become a plan to draw, in a fixed number of queries whatever the size of the map."""

from collections import Counter
from uuid import UUID

from worlds.atlas import terrain_keys
from worlds.drawing.map_view import NOBODY, MapPlan, PlanCity, PlanLand, PlanMark, PlanRace
from worlds.ids import colours_apart, square_xy
from worlds.models import Army, Avatar, City, CityKind, Feature, Place, PlaceSquare, Presence, Race, World


def plan_of(world: World, *, title: str = "", subtitle: str = "") -> MapPlan:
    """The plan of a world as its rows are now; the caller has made sure that the viewer may see the world.

    Nine queries. Where several races stand on a square the one with most units owns it (ties: the
    name that comes first) and its units are shown. Races come by units, most first, extinct ones last.
    AtlasError `map.incomplete` when squares are missing.
    """
    terrain = terrain_keys(world)
    cities = _cities(world)
    races, standing = _peoples(world, Counter(race for race, _ in cities))
    place_in_legend = {race.id: index for index, race in enumerate(races)}
    owner = [NOBODY] * len(terrain)
    units = [0] * len(terrain)
    for race, square, count in standing:
        x, y = square_xy(square, world.width)
        running = y * world.width + x
        rival = owner[running]
        index = place_in_legend[race]
        if rival == NOBODY or (-count, races[index].name) < (-units[running], races[rival].name):
            owner[running], units[running] = index, count
    return MapPlan(
        width=world.width,
        height=world.height,
        terrain=tuple(terrain),
        owner=tuple(owner),
        units=tuple(units),
        races=tuple(races),
        cities=tuple(city for _, city in cities),
        marks=_marks(world),
        lands=_lands(world),
        title=title or world.name,
        subtitle=subtitle,
        attribution=world.attribution,
    )


def _peoples(world: World, cities: Counter[UUID]) -> tuple[list[PlanRace], list[tuple[UUID, int, int]]]:
    rows = list(Race.objects.filter(world=world).values_list("id", "name", "colour", "extinct"))
    colours = colours_apart({race: colour for race, _, colour, _ in rows})
    standing = list(Presence.objects.filter(race__world=world).values_list("race_id", "square_id", "units"))
    units: dict[UUID, int] = {}
    for race, _, count in standing:
        units[race] = units.get(race, 0) + count
    races = [
        PlanRace(race, name, colours[race], units.get(race, 0), cities[race], extinct)
        for race, name, _, extinct in rows
    ]
    return sorted(races, key=lambda race: (race.extinct, -race.units, race.name, race.id)), standing


def _cities(world: World) -> list[tuple[UUID, PlanCity]]:
    rows = (
        City.objects.filter(world=world).order_by("square_id").values_list("race_id", "square_id", "name", "kind", "id")
    )
    return [
        (race, PlanCity(*square_xy(square, world.width), name=name, great=kind == CityKind.GREAT, id=city))
        for race, square, name, kind, city in rows
    ]


def _marks(world: World) -> tuple[PlanMark, ...]:
    features = Feature.objects.filter(world=world).values_list("square_id", "kind", "name")
    armies = Army.objects.filter(race__world=world).values_list("square_id", "name", "id")
    avatars = Avatar.objects.filter(deity__world=world, square__isnull=False).values_list("square_id", "name", "id")
    found: list[tuple[int, str, str, tuple[UUID, ...]]] = [
        *((square, kind, name, ()) for square, kind, name in features),
        *((square, "army", name, (army,)) for square, name, army in armies),
        *((square, "avatar", name, (avatar,)) for square, name, avatar in avatars),
    ]
    return tuple(
        PlanMark(*square_xy(square, world.width), kind=kind, name=name, ids=ids)
        for square, kind, name, ids in sorted(found)
    )


def _lands(world: World) -> tuple[PlanLand, ...]:
    names = dict(Place.objects.filter(world=world).order_by("name", "id").values_list("id", "name"))
    squares: dict[UUID, list[tuple[int, int]]] = {place: [] for place in names}
    rows = PlaceSquare.objects.filter(place__world=world).order_by("square_id").values_list("place_id", "square_id")
    for place, square in rows:
        squares[place].append(square_xy(square, world.width))
    return tuple(PlanLand(name, tuple(squares[place])) for place, name in names.items() if squares[place])
