"""Roads and Trails (FB-MAP-10 to 14): each settlement's Road, what joins the networks, the Trails to all else."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product

from games.forgeborn.rules.realm.geometry import Segment, is_crossed, is_passed, squared_distance
from games.forgeborn.rules.realm.network import Networks
from games.forgeborn.rules.realm.realm import FOREST, Link, Patch, Site, link_between
from games.forgeborn.rules.state.constants import CLEARANCE
from games.forgeborn.rules.state.schema_types import PlaceKind, WayKind
from games.forgeborn.rules.state.sheet import Point

Range = Sequence[Segment]


@dataclass(frozen=True, slots=True)
class Ground:
    """What the links of settlements go across."""

    range: Range
    places: Sequence[Site]
    """Those that a Road keeps off, but for its own two."""

    def is_barred(self, one: Site, other: Site) -> bool:
        """Whether the link of two places crosses the range."""
        return is_crossed(Segment(one.point, other.point), self.range)

    def takes_road(self, one: Site, other: Site) -> bool:
        """Whether their link is free for a Road: not across the range, 6 units off every third place (FB-MAP-10)."""
        link, own = Segment(one.point, other.point), (one.key, other.key)
        thirds = (place.point for place in self.places if place.key not in own)
        return not self.is_barred(one, other) and not any(is_passed(point, link, CLEARANCE) for point in thirds)


def nearest(point: Point, sites: Sequence[Site]) -> Site:
    """The nearest of these places; the first of equals (FB-MAP-14)."""
    return min(sites, key=lambda site: squared_distance(point, site.point))


def free_sites(point: Point, sites: Sequence[Site], mountain_range: Range) -> list[Site]:
    """Those places whose straight link does not cross the range."""
    return [site for site in sites if not is_crossed(Segment(point, site.point), mountain_range)]


def ways_of_settlements(settlements: Sequence[Site], mountain_range: Range, places: Sequence[Site]) -> list[Link]:
    """The Roads of the settlements, and what joins their networks; each way once (FB-MAP-10, 11).

    places: those that Roads keep off.
    """
    ground = Ground(mountain_range, places)
    found = dict.fromkeys(_own_roads(settlements, ground))
    number = {site.key: place for place, site in enumerate(settlements)}
    networks = Networks(len(settlements))
    for link in found:
        networks.join(number[link.a], number[link.b])
    while joining := _joining_way(settlements, networks, ground):
        found[joining] = None
        networks.join(number[joining.a], number[joining.b])
    return list(found)


def trail_to(site: Site, targets: Sequence[Site], mountain_range: Range) -> Link:
    """The Trail to the nearest of these places that is free; if none is, to the nearest (FB-MAP-12, FB-AMB-5)."""
    free = free_sites(site.point, targets, mountain_range)
    return link_between(site, nearest(site.point, free or targets), WayKind.TRAIL)


def forest_and_trail(patch: Patch, points: dict[str, Point], sites: Sequence[Site]) -> tuple[Site, Link]:
    """The place Forest, and its one Trail, to the nearest Village or Ruins; mountains do not matter (FB-MAP-13)."""
    targets = [site for site in sites if site.kind in (PlaceKind.VILLAGE, PlaceKind.RUINS)]
    target, die = min(
        product(targets, patch.dice),
        key=lambda pair: squared_distance(pair[0].point, points[pair[1]]),
    )
    forest = Site(FOREST, PlaceKind.FOREST, 0, die, 0, points[die])
    return forest, link_between(forest, target, WayKind.TRAIL)


def _own_roads(settlements: Sequence[Site], ground: Ground) -> Iterator[Link]:
    """The Road of each settlement to its nearest neighbour with a free link; none without one (FB-MAP-10)."""
    for site in settlements:
        if free := [other for other in settlements if other is not site and ground.takes_road(site, other)]:
            yield link_between(site, nearest(site.point, free), WayKind.ROAD)


def _joining_way(settlements: Sequence[Site], networks: Networks, ground: Ground) -> Link | None:
    """The way between the closest two of different networks (FB-MAP-11); None in one.

    A Road where one is free; else a Trail, across the range where every link crosses it.
    """
    apart = [
        (settlements[one], settlements[other])
        for one, other in combinations(range(len(settlements)), 2)
        if not networks.are_joined(one, other)
    ]
    if not apart:
        return None
    open_pairs = [pair for pair in apart if not ground.is_barred(*pair)]
    free = [pair for pair in open_pairs if ground.takes_road(*pair)]
    one, other = min(free or open_pairs or apart, key=lambda pair: squared_distance(pair[0].point, pair[1].point))
    return link_between(one, other, WayKind.ROAD if free else WayKind.TRAIL)
