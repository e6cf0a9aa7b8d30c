"""The map for those who look at it (FB-MAP-16): places, ways, the range, the woods, and who stands where."""

from dataclasses import dataclass
from uuid import UUID

from games.forgeborn.rules.realm.geometry import Segment
from games.forgeborn.rules.realm.realm import lines_of
from games.forgeborn.rules.realm.rows import realm_of
from games.forgeborn.rules.state.schema_types import CharacterKind, PlaceKind, WayKind
from games.forgeborn.rules.state.sheet import Point
from games.forgeborn.rules.state.state import State


@dataclass(frozen=True, slots=True)
class PlaceView:
    """A place on the sheet."""

    id: UUID
    kind: PlaceKind
    name: str
    power: int
    point: Point
    is_spent: bool
    threat: str


@dataclass(frozen=True, slots=True)
class WayView:
    """A Road or a Trail, from point to point."""

    kind: WayKind
    line: Segment


@dataclass(frozen=True, slots=True)
class WoodView:
    """A patch of forest: its points, and what joins them."""

    points: tuple[Point, ...]
    lines: tuple[Segment, ...]


@dataclass(frozen=True, slots=True)
class CharacterView:
    """Who stands at a place."""

    name: str
    kind: CharacterKind
    seat: UUID
    place: UUID
    artifacts: int
    id: UUID


@dataclass(frozen=True, slots=True)
class RealmView:
    """The map of one game as it is now; the same for everybody."""

    width: int
    height: int
    places: tuple[PlaceView, ...]
    ways: tuple[WayView, ...]
    peaks: tuple[Point, ...]
    range: tuple[Segment, ...]
    woods: tuple[WoodView, ...]
    characters: tuple[CharacterView, ...]
    seats: tuple[tuple[UUID, str], ...]
    """The players' seats with their names, in seat order."""
    vault: tuple[str, ...]
    """The names of what lies in the Vault."""


def realm_view(state: State) -> RealmView | None:
    """The map as it is now; None before dice have fallen."""
    if not state.places:
        return None
    realm = realm_of(state)
    points = {die.name: die.point for die in realm.dice}
    sites = {site.key: site.point for site in realm.sites}
    places = sorted(state.places.values(), key=lambda place: (place.kind, place.number))
    return RealmView(
        width=realm.options.width,
        height=realm.options.height,
        places=tuple(PlaceView(p.id, p.kind, p.name, p.power, Point(p.x, p.y), p.is_spent, p.threat) for p in places),
        ways=tuple(WayView(link.kind, Segment(sites[link.a], sites[link.b])) for link in realm.links),
        peaks=tuple(points[name] for name in realm.mountains),
        range=tuple(line for ridge in realm.ridges for line in lines_of(ridge, points)),
        woods=tuple(
            WoodView(
                tuple(points[die] for die in patch.dice),
                tuple(Segment(points[ridge.a], points[ridge.b]) for ridge in patch.ridges),
            )
            for patch in realm.patches
        ),
        characters=tuple(
            CharacterView(c.name, c.kind, c.seat, c.place, len(state.artifacts_of(c.id)), c.id)
            for seat in state.players()
            for c in state.characters_of(seat.id)
        ),
        seats=tuple((seat.id, seat.name) for seat in state.players()),
        vault=tuple(artifact.name for artifact in state.vault()),
    )
