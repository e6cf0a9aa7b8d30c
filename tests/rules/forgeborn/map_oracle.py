"""The map as plain loops, written from the rulebook alone (FB-MAP-4 to 14): fractions instead of cross products."""

from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from itertools import combinations, pairwise

from games.forgeborn.rules.state.sheet import MapDie

XY = tuple[int, int]
Pair = tuple[str, str]


def crosses(p: XY, q: XY, a: XY, b: XY) -> bool:
    """Whether p-q and a-b share a point that is neither p nor q: solved for the place t of it along p-q."""
    (px, py), (ux, uy) = p, (q[0] - p[0], q[1] - p[1])
    (ax, ay), (vx, vy) = a, (b[0] - a[0], b[1] - a[1])
    if (ux, uy) == (0, 0):
        return False
    turn = ux * vy - uy * vx
    if turn:
        t = Fraction((ax - px) * vy - (ay - py) * vx, turn)
        s = Fraction((ax - px) * uy - (ay - py) * ux, turn)
        return 0 < t < 1 and 0 <= s <= 1
    if (ax - px) * uy != (ay - py) * ux:
        return False
    places = sorted(Fraction((x - px) * ux + (y - py) * uy, ux * ux + uy * uy) for x, y in (a, b))
    low, high = max(places[0], Fraction(0)), min(places[1], Fraction(1))
    return low < high or (low == high and 0 < low < 1)


def passes(p: XY, a: XY, b: XY) -> Fraction | None:
    """How far along a-b the point p is passed, nearer than 6 units; None where it is not, or an end is nearest."""
    ux, uy = b[0] - a[0], b[1] - a[1]
    if (ux, uy) == (0, 0):
        return None
    t = Fraction((p[0] - a[0]) * ux + (p[1] - a[1]) * uy, ux * ux + uy * uy)
    x, y = p[0] - a[0] - t * ux, p[1] - a[1] - t * uy
    return t if 0 < t < 1 and x * x + y * y < 36 else None


def beside(p: XY, a: XY, b: XY) -> tuple[XY, XY]:
    """The points 9 units from p at right angles to a-b: on the side where a-b passes, and on the other."""
    ux, uy = b[0] - a[0], b[1] - a[1]
    length = Decimal(ux * ux + uy * uy).sqrt()
    x, y = (int((Decimal(9 * n) / length).quantize(Decimal(1), ROUND_HALF_UP)) for n in (-uy, ux))
    left, right = (p[0] + x, p[1] + y), (p[0] - x, p[1] - y)
    # Turning from a-b to a-p to the left means that p lies to the left, and the line passes on its right.
    return (right, left) if ux * (p[1] - a[1]) - uy * (p[0] - a[0]) > 0 else (left, right)


class Book:
    """One drop, read as the rulebook reads it."""

    def __init__(self, drop: Sequence[MapDie], width: int, height: int, dragon: int | None) -> None:
        self.at = {die.name: (die.point.x, die.point.y) for die in drop}
        self.face = {die.name: die.face for die in drop}
        self.width, self.height = width, height
        self._places(dragon)
        self._scenery()
        self._forest()
        self._roads()
        self._trails()

    def far(self, one: str, other: str) -> int:
        (x, y), (u, v) = self.at[one], self.at[other]
        return (x - u) ** 2 + (y - v) ** 2

    def off_centre(self, die: str) -> int:
        x, y = self.at[die]
        return (2 * x - self.width) ** 2 + (2 * y - self.height) ** 2

    def blocked(self, one: str, other: str) -> bool:
        return any(crosses(self.at[one], self.at[other], self.at[a], self.at[b]) for a, b in self.range)

    def _places(self, dragon: int | None) -> None:
        great = ["d8a", "d8b", "d8c"]
        self.city = sorted(great, key=lambda d: (-self.face[d], self.off_centre(d), d))[0]
        self.ruins = [d for d in great if d != self.city]
        self.villages = ["d4a", "d4b", "d4c", "d4d"]
        self.settlements = [self.city, *self.villages, "d10"]
        self.power = {d: self.face[d] for d in ("d10", *self.ruins, *self.villages)}
        self.power |= {"d12": dragon or max(8, self.face["d12"]), self.city: 8}

    def _scenery(self) -> None:
        dice = [f"d6{letter}" for letter in "abcdef"]
        woods = [d for d in dice if self.face[d] % 2 == 1]
        if not woods:
            woods = [sorted(dice, key=lambda d: (-self.off_centre(d), d))[0]]
        self.mountains = [d for d in dice if d not in woods]
        self.range: list[Pair] = []
        ridges = self._tree(self.mountains)
        self.bends = {ridge: self._wind(self.at[ridge[0]], self.at[ridge[1]], 8) for ridge in ridges}
        self.range = [(d, d) for d in self.mountains]
        for number, ((a, b), bends) in enumerate(self.bends.items()):
            names = [f"bend {number}.{n}" for n in range(len(bends))]
            self.at |= dict(zip(names, bends, strict=True))
            self.range += pairwise([a, *names, b])
        self.ridges = sorted(ridges)
        joined = self._tree(woods)
        self.wood_ridges = sorted(joined)
        self.patches = sorted({tuple(sorted(self._part(d, joined))) for d in woods})

    def _wind(self, a: XY, b: XY, most: int) -> list[XY]:
        places = [self.at[d] for d in ("d12", *self.settlements, *self.ruins)]
        passed = [(along, p) for p in places if (along := passes(p, a, b)) is not None]
        if not passed or most == 0:
            return []
        for x, y in beside(min(passed, key=lambda each: each[0])[1], a, b):
            far = all((x - u) ** 2 + (y - v) ** 2 >= 36 for u, v in places)
            if far and 0 <= x < self.width and 0 <= y < self.height:
                return [*self._wind(a, (x, y), most - 1), (x, y), *self._wind((x, y), b, most - 1)]
        return []

    def no_road(self, one: str, other: str) -> bool:
        thirds = {"d12", *self.settlements, *self.ruins, self.forest_point} - {one, other}
        near = any(passes(self.at[d], self.at[one], self.at[other]) is not None for d in thirds)
        return near or self.blocked(one, other)

    def _tree(self, dice: list[str]) -> list[Pair]:
        found: list[Pair] = []
        for one, other in sorted(combinations(dice, 2), key=lambda pair: (self.far(*pair), pair)):
            if other not in self._part(one, found) and not self.blocked(one, other):
                found.append((one, other))
        return found

    @staticmethod
    def _part(start: str, pairs: Sequence[Pair]) -> set[str]:
        part = {start}
        while more := {e for pair in pairs if part & set(pair) for e in pair} - part:
            part |= more
        return part

    def _pair(self, one: str, other: str) -> Pair:
        return (one, other) if one < other else (other, one)

    def _roads(self) -> None:
        self.roads: set[Pair] = set()
        self.trails: set[Pair] = set()
        order = {d: n for n, d in enumerate(self.settlements)}
        for one in self.settlements:
            free = [d for d in self.settlements if d != one and not self.no_road(one, d)]
            if free:
                self.roads.add(self._pair(one, min(free, key=lambda d: (self.far(one, d), order[d]))))
        while True:
            ways = [*self.roads, *self.trails]
            apart = [p for p in combinations(self.settlements, 2) if p[1] not in self._part(p[0], ways)]
            if not apart:
                return
            free_pairs = [p for p in apart if not self.no_road(*p)]
            open_pairs = [p for p in apart if not self.blocked(*p)]
            closest = min(free_pairs or open_pairs or apart, key=lambda p: (self.far(*p), order[p[0]], order[p[1]]))
            (self.roads if free_pairs else self.trails).add(self._pair(*closest))

    def _trails(self) -> None:
        order = {d: n for n, d in enumerate([*self.settlements, *self.ruins])}
        for one in ("d12", *self.ruins):
            free = [d for d in self.settlements if not self.blocked(one, d)]
            goal = min(free or self.settlements, key=lambda d: (self.far(one, d), order[d]))
            self.trails.add(self._pair(one, goal))
        self.trails.add(self._pair("FOREST", self.forest_goal))

    def _forest(self) -> None:
        order = {d: n for n, d in enumerate([*self.settlements, *self.ruins])}
        largest = max(len(patch) for patch in self.patches)
        nearest = [(min(map(self.off_centre, p)), p[0], p) for p in self.patches if len(p) == largest]
        self.forest = min(nearest)[2]
        ends = [
            (self.far(d, point), order[d], point, d) for d in (*self.villages, *self.ruins) for point in self.forest
        ]
        _, _, self.forest_point, self.forest_goal = min(ends)
