"""Changes of a map: by the table before it is accepted (FB-MAP-3), and by new Ruins in play (FB-RUI-2)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from games.engine.errors import Refused
from games.engine.wording import listing
from games.forgeborn.rules.realm.build import build, ruins
from games.forgeborn.rules.realm.drop import require_die, require_on_sheet
from games.forgeborn.rules.realm.network import cut_off
from games.forgeborn.rules.realm.realm import (
    CITADEL,
    FOREST,
    SETTLEMENTS,
    Link,
    Realm,
    Site,
    in_order,
    key_of,
    link_between,
)
from games.forgeborn.rules.realm.ways import trail_to
from games.forgeborn.rules.state.constants import RUINS_SIDES
from games.forgeborn.rules.state.schema_types import PlaceKind, WayKind
from games.forgeborn.rules.state.sheet import MapDie, Point


def edit(
    realm: Realm,
    moved: Mapping[str, Point],
    removed: Sequence[tuple[str, str]],
    added: Sequence[tuple[str, str, WayKind]],
) -> Realm:
    """A map before it is accepted, with dice moved, then ways removed, then ways added.

    Moved dice build it anew, without earlier edits. moved: dice by name. removed, added: pairs of places by their
    keys, in either order. Raises `die.missing`, `point.off_sheet`, `place.missing`, `route.missing`, `route.exists`,
    `map.disconnected`.
    """
    if moved:
        realm = build(_moved_dice(realm, moved), realm.options, winds=realm.winds)
    sites = realm.by_key()
    links = {link.ends: link for link in realm.links}
    for one, other in removed:
        del links[_existing(sites, links, one, other)]
    for one, other, kind in added:
        link = _link(sites, one, other, kind)
        _require_new(links, link)
        links[link.ends] = link
    apart = cut_off(CITADEL, [site.key for site in realm.sites], links)
    if apart:
        raise Refused(
            "map.disconnected",
            f"Every place is reached from the Citadel; cut off: {listing(apart)}.",
            rules=("FB-MAP-3", "FB-GM-6"),
            places=apart,
        )
    return replace(realm, links=in_order(links.values(), realm.sites))


def add_ruins(realm: Realm, face: int, point: Point) -> Realm:
    """A map with new Ruins, joined by a Trail to the nearest settlement or Ruins, spent ones too (FB-RUI-2).

    face: of a d8. A point may lie close to others: the drop keeps its distance, the table need not.
    Raises `die.range`, `point.off_sheet`.
    """
    old = [site for site in realm.sites if site.kind is PlaceKind.RUINS]
    die = MapDie(name_of_next_ruins(realm), RUINS_SIDES, face, point)
    require_die(die, realm.options)
    site = ruins(len(old) + 1, die)
    targets = [other for other in realm.sites if other.kind in SETTLEMENTS] + old
    sites = tuple(sorted((*realm.sites, site), key=lambda each: each.rank))
    links = in_order([*realm.links, trail_to(site, targets, realm.range())], sites)
    return replace(realm, dice=(*realm.dice, die), sites=sites, links=links)


def name_of_next_ruins(realm: Realm) -> str:
    """What the die of the next Ruins is called: `ruins-3` for the first ones in play (FB-MAP-1)."""
    return key_of(PlaceKind.RUINS, 1 + sum(site.kind is PlaceKind.RUINS for site in realm.sites))


def _moved_dice(realm: Realm, moved: Mapping[str, Point]) -> tuple[MapDie, ...]:
    """The dice with their new points. Raises `die.missing`, `point.off_sheet`."""
    unknown = sorted(moved.keys() - {die.name for die in realm.dice})
    if unknown:
        raise Refused(
            "die.missing", f"No die of the map is called {unknown[0]}.", rules=("FB-MAP-1", "FB-MAP-3"), dice=unknown
        )
    for point in moved.values():
        require_on_sheet(point, realm.options)
    return tuple(replace(die, point=moved.get(die.name, die.point)) for die in realm.dice)


def _existing(
    sites: Mapping[str, Site], links: Mapping[tuple[str, str], Link], one: str, other: str
) -> tuple[str, str]:
    """The ends of the way between two places. Raises `place.missing`, `route.missing`."""
    ends = _link(sites, one, other, WayKind.TRAIL).ends
    if ends not in links:
        raise Refused("route.missing", f"No way joins {one} and {other}.", rules=("FB-MAP-3",), places=ends)
    return ends


def _link(sites: Mapping[str, Site], one: str, other: str, kind: WayKind) -> Link:
    """The way between two places. Raises `place.missing`, and `route.missing` for a place and itself."""
    for key in (one, other):
        if key not in sites:
            raise Refused("place.missing", f"No place of the map is called {key}.", rules=("FB-MAP-3",), place=key)
    if one == other:
        raise Refused("route.missing", f"A way joins two places; {one} is one.", rules=("FB-MAP-3",), places=[one])
    return link_between(sites[one], sites[other], kind)


def _require_new(links: Mapping[tuple[str, str], Link], link: Link) -> None:
    """Refuse (`route.exists`) a second way between two places, a second way of the Forest, or a Road to it."""
    if link.ends in links:
        raise Refused(
            "route.exists",
            f"A way joins {link.a} and {link.b} already; remove it first.",
            rules=("FB-MAP-3",),
            places=link.ends,
        )
    if FOREST in link.ends and (link.kind is WayKind.ROAD or any(FOREST in ends for ends in links)):
        raise Refused(
            "route.exists",
            "The Forest has one way, a Trail; remove it, and add another Trail.",
            rules=("FB-MAP-3", "FB-AMB-17"),
            places=link.ends,
        )
