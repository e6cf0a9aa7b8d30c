"""Roads and Trails (FB-MAP-10 to 14): each settlement's Road, what joins the networks, the Trails to all else."""

from collections.abc import Iterator, Sequence
from itertools import combinations, product

from games.forgeborn.rules.realm.geometry import Segment, is_crossed, squared_distance
from games.forgeborn.rules.realm.network import Networks
from games.forgeborn.rules.realm.realm import FOREST, Link, Patch, Site, link_between
from games.forgeborn.rules.state.schema_types import PlaceKind, WayKind
from games.forgeborn.rules.state.sheet import Point

Range = Sequence[Segment]


def nearest(point: Point, sites: Sequence[Site]) -> Site:
    """The nearest of these places; the first of equals (FB-MAP-14)."""
    return min(sites, key=lambda site: squared_distance(point, site.point))


def free_sites(point: Point, sites: Sequence[Site], mountain_range: Range) -> list[Site]:
    """Those places whose straight link does not cross the range."""
    return [site for site in sites if not is_crossed(Segment(point, site.point), mountain_range)]


def ways_of_settlements(settlements: Sequence[Site], mountain_range: Range) -> list[Link]:
    """The Roads of the settlements, and what joins their networks; each way once (FB-MAP-10, 11)."""
    found = dict.fromkeys(_own_roads(settlements, mountain_range))
    number = {site.key: place for place, site in enumerate(settlements)}
    networks = Networks(len(settlements))
    for link in found:
        networks.join(number[link.a], number[link.b])
    while joining := _joining_way(settlements, networks, mountain_range):
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


def _own_roads(settlements: Sequence[Site], mountain_range: Range) -> Iterator[Link]:
    """The Road of each settlement to its nearest free neighbour; none without one (FB-MAP-10)."""
    for site in settlements:
        others = [other for other in settlements if other is not site]
        if free := free_sites(site.point, others, mountain_range):
            yield link_between(site, nearest(site.point, free), WayKind.ROAD)


def _joining_way(settlements: Sequence[Site], networks: Networks, mountain_range: Range) -> Link | None:
    """The way between the closest two of different networks (FB-MAP-11): a free Road, else a Trail; None in one."""
    apart = [
        (settlements[one], settlements[other])
        for one, other in combinations(range(len(settlements)), 2)
        if not networks.are_joined(one, other)
    ]
    if not apart:
        return None
    free = [pair for pair in apart if not is_crossed(Segment(pair[0].point, pair[1].point), mountain_range)]
    one, other = min(free or apart, key=lambda pair: squared_distance(pair[0].point, pair[1].point))
    return link_between(one, other, WayKind.ROAD if free else WayKind.TRAIL)
