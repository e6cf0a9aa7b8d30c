"""The map as the rows of a game hold it: what a change in play (`edits.add_ruins`) begins with (FB-ROW-3)."""

from collections.abc import Iterable
from uuid import UUID

from games.forgeborn.rules.realm.drop import DICE
from games.forgeborn.rules.realm.realm import Link, Realm, Site, in_order, key_of
from games.forgeborn.rules.realm.scenery import scenery_of
from games.forgeborn.rules.state.options import options_of
from games.forgeborn.rules.state.records import DroppedDie, Place
from games.forgeborn.rules.state.sheet import MapDie, Point
from games.forgeborn.rules.state.state import State


def realm_of(state: State) -> Realm:
    """The map of a game, with the Powers and ways that it has now; range and woods follow from its dice."""
    options, dice = options_of(state), dice_in_order(state.dice.values())
    scenery = scenery_of(dice, options, winds=state.course.winds)
    sites = tuple(sorted(map(site_of, state.places.values()), key=lambda site: site.rank))
    keys: dict[UUID, str] = {place.id: key_of(place.kind, place.number) for place in state.places.values()}
    return Realm(
        options=options,
        dice=dice,
        sites=sites,
        links=in_order((Link(keys[way.a], keys[way.b], way.kind) for way in state.ways.values()), sites),
        mountains=tuple(die.name for die in scenery.mountains),
        ridges=scenery.ridges,
        patches=scenery.patches,
        winds=state.course.winds,
    )


def dice_in_order(rows: Iterable[DroppedDie]) -> tuple[MapDie, ...]:
    """The dice on the sheet: the fifteen in drop order, then those of new Ruins by their number."""
    dropped = {row.name: MapDie(row.name, row.sides, row.face, Point(row.x, row.y)) for row in rows}
    first = [dropped.pop(name) for name in DICE if name in dropped]
    return (*first, *sorted(dropped.values(), key=lambda die: int(die.name.rpartition("-")[2])))


def site_of(place: Place) -> Site:
    """A place as the map has it."""
    key = key_of(place.kind, place.number)
    return Site(key, place.kind, place.number, place.die, place.power, Point(place.x, place.y))
