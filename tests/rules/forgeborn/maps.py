"""Drops for tests: the rulebook's MAP-A, drops at random, and how ways are named by dice."""

import re
from collections.abc import Iterable
from random import Random

from games.forgeborn.rules.realm.drop import DICE, Roll
from games.forgeborn.rules.realm.realm import FOREST, Link, Realm, Site
from games.forgeborn.rules.state.options import ForgebornOptions
from games.forgeborn.rules.state.schema_types import WayKind
from games.forgeborn.rules.state.sheet import MapDie, Point

STANDARD = ForgebornOptions()
MAP_A_TEXT = """d12 d12=5 (20,20); d10 d10=7 (150,100); d8a d8=6 (100,60); d8b d8=6 (200,180); d8c d8=3 (280,30);
d4a d4=1 (40,100); d4b d4=3 (110,150); d4c d4=4 (240,100); d4d d4=2 (250,180); d6a d6=2 (195,10); d6b d6=4 (195,200);
d6c d6=1 (60,180); d6d d6=3 (80,190); d6e d6=5 (270,150); d6f d6=6 (195,90)"""
"""As section 14 of the rulebook prints it."""
MAP_A = tuple(
    MapDie(name, int(sides), int(face), Point(int(x), int(y)))
    for name, sides, face, x, y in re.findall(r"(\w+) d(\d+)=(\d+) \((\d+),(\d+)\)", MAP_A_TEXT)
)
WOODS = ("d6a", "d6b", "d6c", "d6d", "d6e", "d6f")


def changed(drop: Iterable[MapDie], **dice: tuple[int, ...]) -> tuple[MapDie, ...]:
    """A drop with some dice otherwise: `d10=(40, 190)` for a point, `d6a=(2, 50, 10)` for face and point."""
    found = []
    for die in drop:
        face, x, y = (die.face, *dice.get(die.name, (die.point.x, die.point.y)))[-3:]
        found.append(MapDie(die.name, die.sides, face, Point(x, y)))
    return tuple(found)


def faces(drop: Iterable[MapDie], **shown: int) -> tuple[MapDie, ...]:
    """A drop with other faces."""
    return tuple(MapDie(die.name, die.sides, shown.get(die.name, die.face), die.point) for die in drop)


def all_d6(face: int) -> dict[str, int]:
    """The same face for every d6."""
    return dict.fromkeys(WOODS, face)


def die_of(site: Site) -> str:
    """How the rulebook's examples name a place: by its die, and the Forest by its name."""
    return "FOREST" if site.key == FOREST else site.die


def pair(realm: Realm, link: Link) -> tuple[str, str]:
    """A way by the dice of its places, in the order of their names."""
    sites = realm.by_key()
    one, other = sorted((die_of(sites[link.a]), die_of(sites[link.b])))
    return one, other


def ways(realm: Realm, kind: WayKind) -> list[tuple[str, str]]:
    """The ways of a kind as the examples list them."""
    return sorted(pair(realm, link) for link in realm.links if link.kind is kind)


def roads(realm: Realm) -> list[tuple[str, str]]:
    return ways(realm, WayKind.ROAD)


def trails(realm: Realm) -> list[tuple[str, str]]:
    return ways(realm, WayKind.TRAIL)


def way_of(realm: Realm, die: str) -> list[str]:
    """Where the ways of a die's place lead."""
    found = [pair(realm, link) for link in realm.links]
    return sorted(other for ends in found if die in ends for other in ends if other != die)


def dice_from(random: Random) -> Roll:
    """Draws of a seeded source."""
    return lambda _label, sides, _rule: random.randint(1, sides)


def heap(random: Random, step: int, options: ForgebornOptions = STANDARD) -> tuple[MapDie, ...]:
    """A drop as a table may enter it: points on a grid of so many units, so that ties, lines and heaps are common."""

    def point() -> Point:
        return Point(random.randrange(0, options.width, step), random.randrange(0, options.height, step))

    return tuple(MapDie(name, sides, random.randint(1, sides), point()) for name, sides in DICE.items())
