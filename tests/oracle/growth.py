"""Growth, migration and settling (1.2, 1.9, G2-LIM-4, G2-CITY-7 to 10)."""

from collections.abc import Callable
from typing import Any

from tests.oracle.earth import Earth, Square, Units, apart, centre, ring
from tests.oracle.gifts import LOST_WITH_CIVILIZATION

COMPASS = {
    "n": (-1, 0), "ne": (-1, 1), "e": (0, 1), "se": (1, 1), "s": (1, 0), "sw": (1, -1), "w": (0, -1), "nw": (-1, -1),
}  # fmt: skip


class Site:
    """A race's land as it is when an operation starts (G2-MOVE-8)."""

    def __init__(self, earth: Earth, race: str) -> None:
        self.units = earth.own(race)
        self.middle = centre(self.units)
        bordering = [s for s in earth.reach(race) if s not in earth.owner]
        self.limits = {s: earth.limit(race, s) for s in (*self.units, *bordering)}
        beside = {s: sum(1 for t in earth.neighbours(s) if t in self.units) for s in bordering}
        free = [s for s in bordering if self.limits[s] > 0]
        self.free = sorted(free, key=lambda s: (-self.limits[s], -beside[s], self.middle.away(s), s))  # G2-GROW-10

    def once(self, units: Units, count: int) -> int:
        """One unit to each free square that has room, in placing order; what is left."""
        for square in self.free:
            if count and units.get(square, 0) < self.limits[square]:
                units[square] = units.get(square, 0) + 1
                count -= 1
        return count

    def rounds(self, units: Units, count: int) -> int:
        """Round the free squares until all are full; what is left."""
        while count:
            left = self.once(units, count)
            if left == count:
                break
            count = left
        return count

    def fill(self, units: Units, squares: list[Square], count: int) -> int:
        """Occupied squares, one unit at a time: more room, nearer to the centre, row, column (G2-GROW-10)."""
        most = max((self.limits[s] - units[s] for s in squares), default=0)
        near = sorted(squares, key=lambda s: (self.middle.away(s), s))
        for room in range(most, 0, -1):  # a square with this much room now has had more, or has it from the start
            for square in near:
                if count and self.limits[square] - units[square] == room:
                    units[square] += 1
                    count -= 1
        return count

    def place(self, level: str, units: Units, count: int) -> int:
        """New units as their level places them (G2-GROW-3 to 5); how many find no room."""
        old = list(units)
        if level == "primitive":
            left = self.once(units, count)
            return self.fill(units, list(units), left)
        if level == "barbarian":
            spread = (count + 1) // 2
            spread += self.fill(units, old, count - spread)
            return self.fill(units, old, self.rounds(units, spread))
        return self.rounds(units, self.fill(units, old, count))

    def forward(self, units: Units, squares: list[Square], count: int, rank: Callable[[Square], Any]) -> int:
        """Fill squares to their limits from the most forward (G2-GROW-7); what is left."""
        for square in sorted(squares, key=rank):
            here = min(count, max(0, self.limits[square] - units.get(square, 0)))
            if here:
                units[square] = units.get(square, 0) + here
                count -= here
        return count

    def migrate(self, level: str, goal: str | Square, new: int) -> Units:
        """Where all stand after a migration (G2-GROW-7 to 9, AMB-7)."""
        everywhere, everybody = [*self.units, *self.free], sum(self.units.values()) + new
        if isinstance(goal, str):
            down, along = COMPASS[goal]
            far = down * self.middle.rows + along * self.middle.columns

            def rank(s: Square) -> Any:
                return (-(down * s[0] + along * s[1]), self.middle.away(s), s)

            ahead = [s for s in self.free if self.middle.squares * (down * s[0] + along * s[1]) > far]
        else:

            def rank(s: Square) -> Any:
                return (ring(s, goal), apart(s, goal), s)

            near = self.middle.away(goal)
            ahead = [s for s in self.free if self.middle.squares**2 * apart(s, goal) < near]
        if level == "primitive":
            units: Units = {}
            self.forward(units, everywhere, everybody, rank)
        elif level == "barbarian":
            units = {s: min(1, self.limits[s]) for s in self.units}
            self.forward(units, everywhere, everybody - sum(units.values()), rank)
        else:
            units = dict(self.units)
            self.place(level, units, self.forward(units, ahead, new, rank))
        return units


def grow(earth: Earth, race: str) -> None:
    """One race's growth step (G2-POP-3, 4; G2-GROW-2 to 9, 11) and what follows from it."""
    who, site = earth.races[race], Site(earth, race)
    before = sum(site.units.values())
    percent = 25 + earth.number(race, "growth")
    new = max(0, -(-before * percent // 100)) if before else 0
    if who.migration is not None:
        units = site.migrate(who.level, who.migration, new)
        who.migration = None
    elif who.level == "primitive":
        units = dict.fromkeys(site.units, 1)
        site.place("primitive", units, new + before - len(units))
    else:
        units = dict(site.units)
        site.place(who.level, units, new)
    units = {s: min(n, site.limits[s]) for s, n in units.items()}
    earth.stand(race, units)
    starved = before + new - sum(units.values())
    earth.die("starvation", starved)
    if starved:
        who.starved = True  # G2-AGG-2
    after = sum(units.values())
    if max(before, who.peak) < 100 <= after:
        earth.happen("race_reaches:100")
    who.peak = max(who.peak, before, after if after >= 100 else 0)
    settle(earth, [race])


def settle(earth: Earth, races: list[str]) -> None:
    """G2-CITY-10: lost cities, lost Civilization, limits, until nothing changes; then who is extinct (G2-POP-5)."""
    changed = True
    while changed:
        changed = False
        for step in (_cities, _levels, _limits, _end):
            for race in sorted(races):
                if not earth.races[race].extinct:
                    changed = step(earth, race) or changed


def _level(earth: Earth, race: str) -> str:
    who = earth.races[race]
    if "civilization" in who.knowledges:
        return "civilized"
    return "barbarian" if "tribal_law" in who.knowledges or who.floor == "barbarian" else "primitive"


def _cities(earth: Earth, race: str) -> bool:
    """Cities without their people, or of a race that is not civilized (G2-CITY-7, 8)."""
    who = earth.races[race]
    gone = [s for s in who.cities if earth.owner.get(s) != race or _level(earth, race) != "civilized"]
    for square in gone:
        del who.cities[square]
        earth.happen("city_destroyed")
    return bool(gone)


def _levels(earth: Earth, race: str) -> bool:
    """Civilization goes with the last city (G2-CITY-9)."""
    who, changed = earth.races[race], False
    if _level(earth, race) == "civilized" and earth.own(race) and not who.cities:
        who.knowledges -= LOST_WITH_CIVILIZATION
        who.floor, changed = "barbarian", True
    if who.level != _level(earth, race):
        who.level, changed = _level(earth, race), True
    return changed


def _limits(earth: Earth, race: str) -> bool:
    """Only the units above a limit move, as the level places new ones; the others starve (G2-LIM-4)."""
    own = earth.own(race)
    over = sum(max(0, n - earth.limit(race, s)) for s, n in own.items())
    if not over:
        return False
    site = Site(earth, race)
    units = {s: min(n, site.limits[s]) for s, n in own.items()}
    left = site.place(earth.races[race].level, units, over)
    earth.stand(race, units)
    earth.die("starvation", left)
    return True


def _end(earth: Earth, race: str) -> bool:
    """A race without units is extinct (G2-POP-5)."""
    who = earth.races[race]
    if earth.own(race) or who.cities:
        return False
    who.extinct, who.turmoil = True, False
    earth.happen("race_destroyed")
    return True
