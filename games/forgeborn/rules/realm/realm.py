"""What a map is made of: places, ways, mountains and woods, and the order of places (FB-MAP-14).

That order is City, Villages, Citadel, Ruins; then the Lair and the Forest. A way names the earlier of its places first.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise

from games.forgeborn.rules.realm.geometry import Segment
from games.forgeborn.rules.state.options import ForgebornOptions
from games.forgeborn.rules.state.schema_types import PlaceKind, WayKind
from games.forgeborn.rules.state.sheet import MapDie, Point

ORDER = (
    PlaceKind.CITY,
    PlaceKind.VILLAGE,
    PlaceKind.CITADEL,
    PlaceKind.RUINS,
    PlaceKind.LAIR,
    PlaceKind.FOREST,
)
SETTLEMENTS = frozenset({PlaceKind.CITY, PlaceKind.VILLAGE, PlaceKind.CITADEL})
"""FB-MAP-10."""
FOREST = PlaceKind.FOREST.value
CITADEL = PlaceKind.CITADEL.value


@dataclass(frozen=True, slots=True)
class Site:
    """A place of the map. Its key stays when the map is built anew: `city`, `village-2`, `ruins-1` (FB-MAP-15)."""

    key: str
    kind: PlaceKind
    number: int
    """Which of its kind it is, from 1; 0 where there is one alone."""
    die: str
    """The die that it stands for; for the Forest the forest point where its Trail begins (FB-AMB-55)."""
    power: int
    """0 for the Forest, which has none."""
    point: Point

    @property
    def rank(self) -> tuple[int, int]:
        """Where it stands in the order of places."""
        return ORDER.index(self.kind), self.number


@dataclass(frozen=True, slots=True)
class Link:
    """A Road or a Trail between two places, by their keys; `link_between` puts them in order."""

    a: str
    b: str
    kind: WayKind

    @property
    def ends(self) -> tuple[str, str]:
        """The keys of its places."""
        return self.a, self.b


@dataclass(frozen=True, slots=True)
class Ridge:
    """What joins two dice of the range, or of a patch of forest; the earlier one first."""

    a: str
    b: str
    bends: tuple[Point, ...] = ()
    """Where it turns around places, from a to b (FB-MAP-9)."""


@dataclass(frozen=True, slots=True)
class Patch:
    """A patch of forest: its dice in drop order, and what joins them."""

    dice: tuple[str, ...]
    ridges: tuple[Ridge, ...]


@dataclass(frozen=True, slots=True)
class Realm:
    """A whole map."""

    options: ForgebornOptions
    dice: tuple[MapDie, ...]
    """The fifteen in drop order, then those of new Ruins."""
    sites: tuple[Site, ...]
    """The places in their order."""
    links: tuple[Link, ...]
    """The ways, by the order of their places."""
    mountains: tuple[str, ...]
    """The dice that are mountain points."""
    ridges: tuple[Ridge, ...]
    """What joins them."""
    patches: tuple[Patch, ...]
    """The woods; the largest is the place Forest."""
    winds: bool = True
    """Whether the range winds around places and Roads keep off third ones; not on maps of before (FB-AMB-63)."""

    def by_key(self) -> dict[str, Site]:
        """The places by their keys."""
        return {site.key: site for site in self.sites}

    def range(self) -> tuple[Segment, ...]:
        """The range: its mountain points, and the segments between them (FB-MAP-9)."""
        points = {die.name: die.point for die in self.dice}
        return range_of({name: points[name] for name in self.mountains}, self.ridges)


def key_of(kind: PlaceKind, number: int) -> str:
    """What a place is called on the map, whatever name it is given: `city`, `village-2`, `ruins-1`."""
    return f"{kind.value}-{number}" if number else kind.value


def range_of(mountains: Mapping[str, Point], ridges: Iterable[Ridge]) -> tuple[Segment, ...]:
    """The range of these mountain points: the points themselves, and the segments between them."""
    peaks = (Segment(point, point) for point in mountains.values())
    return (*peaks, *(line for ridge in ridges for line in lines_of(ridge, mountains)))


def lines_of(ridge: Ridge, points: Mapping[str, Point]) -> tuple[Segment, ...]:
    """The segments of a ridge, from bend to bend."""
    turns = (points[ridge.a], *ridge.bends, points[ridge.b])
    return tuple(Segment(one, other) for one, other in pairwise(turns))


def link_between(one: Site, other: Site, kind: WayKind) -> Link:
    """The way between two places."""
    first, second = sorted((one, other), key=lambda site: site.rank)
    return Link(first.key, second.key, kind)


def in_order(links: Iterable[Link], sites: Iterable[Site]) -> tuple[Link, ...]:
    """Ways by the order of their places."""
    ranks = {site.key: site.rank for site in sites}
    return tuple(sorted(links, key=lambda link: (ranks[link.a], ranks[link.b])))
