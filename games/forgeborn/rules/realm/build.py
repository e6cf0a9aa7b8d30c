"""The map that a drop makes (FB-MAP-4 to 14). Whole numbers alone; the same drop makes the same map."""

from collections.abc import Iterator, Sequence

from games.forgeborn.rules.realm.realm import SETTLEMENTS, Realm, Site, in_order, key_of
from games.forgeborn.rules.realm.scenery import centre_distance, largest_patch, scenery_of
from games.forgeborn.rules.realm.ways import forest_and_trail, trail_to, ways_of_settlements
from games.forgeborn.rules.state.constants import CITY_POWER, LEAST_DRAGON, RUINS_SIDES, VILLAGE_SIDES
from games.forgeborn.rules.state.options import ForgebornOptions
from games.forgeborn.rules.state.schema_types import PlaceKind
from games.forgeborn.rules.state.sheet import MapDie


def build(drop: Sequence[MapDie], options: ForgebornOptions, *, winds: bool = True) -> Realm:
    """The map of fifteen dice, in the order in which they are dropped. winds: as maps of before are not."""
    scenery, sites = scenery_of(drop, options, winds=winds), sites_of(drop, options)
    points = {die.name: die.point for die in drop}
    settlements = [site for site in sites if site.kind in SETTLEMENTS]
    forest, trail = forest_and_trail(largest_patch(scenery.patches, points, options), points, sites)
    links = ways_of_settlements(settlements, scenery.range, (*sites, forest) if winds else ())
    links += [trail_to(site, settlements, scenery.range) for site in sites if site.kind not in SETTLEMENTS]
    sites = (*sites, forest)
    return Realm(
        options=options,
        dice=tuple(drop),
        sites=sites,
        links=in_order([*links, trail], sites),
        mountains=tuple(die.name for die in scenery.mountains),
        ridges=scenery.ridges,
        patches=scenery.patches,
        winds=winds,
    )


def sites_of(drop: Sequence[MapDie], options: ForgebornOptions) -> tuple[Site, ...]:
    """The places that dice stand for, in their order (FB-MAP-4 to 7)."""
    return tuple(sorted(_sites(drop, options), key=lambda site: site.rank))


def _sites(drop: Sequence[MapDie], options: ForgebornOptions) -> Iterator[Site]:
    """Lair, Citadel (FB-MAP-5), City, Ruins and Villages (FB-MAP-7)."""
    lair, citadel = drop[0], drop[1]
    yield _site(PlaceKind.LAIR, 0, lair, options.dragon_fixed or max(LEAST_DRAGON, lair.face))
    yield _site(PlaceKind.CITADEL, 0, citadel, citadel.face)
    great = [die for die in drop if die.sides == RUINS_SIDES]
    # min takes the first of equals: the earlier dropped.
    city = min(great, key=lambda die: (-die.face, centre_distance(die.point, options)))
    yield _site(PlaceKind.CITY, 0, city, CITY_POWER)
    for number, die in enumerate((die for die in great if die is not city), start=1):
        yield ruins(number, die)
    for number, die in enumerate((die for die in drop if die.sides == VILLAGE_SIDES), start=1):
        yield _site(PlaceKind.VILLAGE, number, die, die.face)


def ruins(number: int, die: MapDie) -> Site:
    """The Ruins that a d8 stands for (FB-MAP-6, FB-RUI-2)."""
    return _site(PlaceKind.RUINS, number, die, die.face)


def _site(kind: PlaceKind, number: int, die: MapDie, power: int) -> Site:
    return Site(key_of(kind, number), kind, number, die.name, power, die.point)
