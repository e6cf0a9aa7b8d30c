"""The Earth and its races, and what is asked of them: adjacency, numbers, limits, reach (1.1 to 1.6, 1.10)."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from tests.oracle.gifts import ATTRIBUTES, BARS, DEAD, DEFENCE, HERE, KNOWLEDGES, LAND, LIMITS, Level, More, Points

Square = tuple[int, int]
"""(row, column)."""
Units = dict[Square, int]


@dataclass
class Race:
    """A people and what is known of it."""

    key: str
    level: str
    attributes: frozenset[str] = frozenset()
    knowledges: frozenset[str] = frozenset()
    floor: str = "primitive"
    cities: dict[Square, str] = field(default_factory=dict)
    """Square -> `city` or `great`."""
    shares: dict[str, int] = field(default_factory=dict)
    """Member -> hundredths of a percent (G2-PAN-1)."""
    migration: str | Square | None = None
    starved: bool = False
    turmoil: bool = False
    troubled: bool = False
    extinct: bool = False
    peak: int = 0


@dataclass
class Earth:
    """The map, who lives where, and what happened in the century."""

    terrain: list[str]
    """Rows of letters, north first."""
    units: Units
    owner: dict[Square, str]
    races: dict[str, Race]
    features: dict[Square, set[str]] = field(default_factory=dict)
    boxes: dict[str, int] = field(default_factory=dict)
    """Deaths by cause (G2-CALC-1)."""
    happened: dict[str, int] = field(default_factory=dict)
    """Counters of events (G2-MANA-7)."""

    def inside(self, square: Square) -> bool:
        return 0 <= square[0] < len(self.terrain) and 0 <= square[1] < len(self.terrain[0])

    def letter(self, square: Square) -> str:
        return self.terrain[square[0]][square[1]]

    def neighbours(self, square: Square) -> Iterator[Square]:
        """The squares that touch at a side or a corner (G2-MAP-4)."""
        for down in (-1, 0, 1):
            for along in (-1, 0, 1):
                other = (square[0] + down, square[1] + along)
                if other != square and self.inside(other):
                    yield other

    def coastal(self, square: Square) -> bool:
        """Land beside water, or water beside land (G2-MAP-5); ice is neither."""
        here = self.letter(square)
        if here == "W":
            return any(self.letter(s) in LAND for s in self.neighbours(square))
        return here in LAND and any(self.letter(s) == "W" for s in self.neighbours(square))

    def own(self, race: str) -> Units:
        """The units of a race by row and column."""
        return {s: self.units[s] for s in sorted(s for s, who in self.owner.items() if who == race)}

    def total(self, race: str) -> int:
        """G2-POP-1."""
        return sum(self.own(race).values())

    def strength(self, race: str) -> int:
        """Units, 3 for a city, 6 for a great one (G2-POP-2)."""
        return self.total(race) + sum({"city": 3, "great": 6}[kind] for kind in self.races[race].cities.values())

    def living(self) -> list[str]:
        return sorted(race.key for race in self.races.values() if not race.extinct)

    def put(self, race: str, square: Square, units: int) -> None:
        """So many units on a square; none leave it free."""
        if units:
            self.units[square], self.owner[square] = units, race
        else:
            self.units.pop(square, None)
            self.owner.pop(square, None)

    def stand(self, race: str, units: Units) -> None:
        """All units of a race, where they stand now."""
        for square in self.own(race):
            self.put(race, square, 0)
        for square, count in units.items():
            self.put(race, square, count)

    def die(self, box: str, count: int) -> None:
        if count:
            self.boxes[box] = self.boxes.get(box, 0) + count

    def happen(self, counter: str) -> None:
        self.happened[counter] = self.happened.get(counter, 0) + 1

    # --- numbers of a race (1.5) -------------------------------------------------------------------------------------
    def gifts(self, race: str) -> Iterator[object]:
        """What attributes and knowledges give."""
        for name in self.races[race].attributes:
            yield from ATTRIBUTES[name]
        for name in self.races[race].knowledges:
            yield from KNOWLEDGES[name]

    def feature_counts(self, race: str) -> dict[str, int]:
        """On how many of its squares a race has each feature."""
        found: dict[str, int] = {}
        for square, kinds in self.features.items():
            if self.owner.get(square) == race:
                for kind in kinds:
                    found[kind] = found.get(kind, 0) + 1
        return found

    def number(self, race: str, stat: str, role: str = "") -> int:
        """Aggression, Military, Diplomacy, Wealth, move, sea, growth (percent points above 25)."""
        who, held = self.races[race], self.feature_counts(race)
        value = 0
        for gift in self.gifts(race):
            if isinstance(gift, Points) and gift.stat == stat and gift.role in ("", role):
                times = 1 if not gift.of else len(who.cities) if gift.of == "city" else held.get(gift.of, 0)
                value += gift.amount * times
        if stat == "wealth":
            return max(0, value + len(who.cities) + 3 * held.get("mineral_resource", 0))  # G2-WLTH-1
        if stat == "military":
            value += 1 if who.level == "barbarian" else 0  # G2-LVL-3
            value += self.number(race, "wealth") // 3  # G2-WLTH-2
            value += sum(bonus for kind, bonus in DEFENCE.items() if role == "defender" and kind in held)
        if stat == "diplomacy":
            value += self.number(race, "wealth") // 3
        if stat == "aggression":
            value += (2 if who.level == "barbarian" else 0) + (2 if who.starved else 0)  # G2-LVL-3, G2-AGG-2
        if stat == "move":
            value += 1  # G2-MOVE-1
        return value

    # --- limits (1.10) -----------------------------------------------------------------------------------------------
    def limit(self, race: str, square: Square) -> int:
        """How many units of a race a square holds (G2-LIM-1, 2)."""
        who, here, kinds = self.races[race], self.letter(square), self.features.get(square, set())
        value = LIMITS[who.level][here]
        gifts = list(self.gifts(race))
        sets = [g.amount for g in gifts if isinstance(g, Level) and g.terrain == here]
        if sets:
            value = max(sets)
        if value > 0:
            for gift in gifts:
                if isinstance(gift, More):
                    where = not gift.place or self._lies(race, square, gift.place)
                    value += gift.amount if where and gift.terrain in ("", here) else 0
            value += sum(bonus for kind, bonus in HERE.items() if kind in kinds)
        if DEAD in kinds:
            value = 0
        return max(0, value)

    def _lies(self, race: str, square: Square, place: str) -> bool:
        if place == "coastal":
            return self.coastal(square)
        if place == "city":
            return square in self.races[race].cities
        return place in self.features.get(square, set())

    # --- reach (1.6) -------------------------------------------------------------------------------------------------
    def passable(self, race: str, square: Square) -> bool:
        """Whether a race may enter a square; a yes beats a no (G2-MOVE-4)."""
        who = self.races[race]
        barred = allowed = False
        for kind in self.features.get(square, ()):
            if kind not in BARS:
                continue
            if kind == "chasm":
                barred, allowed = True, allowed or "bridge_building" in who.knowledges
            elif BARS[kind] not in who.attributes:
                barred = True
            elif kind == "impenetrable_mountains":
                allowed = True  # the winged carry their own leave
        return allowed or not barred

    def reach(self, race: str) -> set[Square]:
        """The squares that border a race (G2-MOVE-2, 3, 5)."""
        own = self.own(race)
        land, sea = max(0, self.number(race, "move")), max(0, self.number(race, "sea"))
        best: dict[Square, set[tuple[int, int]]] = {s: {(0, 0)} for s in own}
        edge = [(s, 0, 0) for s in own]
        while edge:
            further = []
            for square, by_land, by_sea in edge:
                for other in self.neighbours(square):
                    if other in own or not self.passable(race, other):
                        continue
                    water = self.letter(other) == "W"
                    spent = (by_land, by_sea + 1) if water else (by_land + 1, by_sea)
                    if spent[0] > land or spent[1] > sea or spent in best.setdefault(other, set()):
                        continue
                    best[other].add(spent)
                    if other not in self.owner:  # another's square is reached, not crossed
                        further.append((other, *spent))
            edge = further
        return {s for s, ways in best.items() if ways and s not in own}

    def contacts(self, race: str) -> list[str]:
        """The races whose units stand on squares that border a race (G2-MOVE-6)."""
        return sorted({self.owner[s] for s in self.reach(race) if s in self.owner})


class Middle(NamedTuple):
    """The centre of a territory: mean row and column of its squares, unweighted, exact (AMB-17), as sums."""

    squares: int
    rows: int
    columns: int

    def away(self, square: Square) -> int:
        """The squared distance of a square, times squares x squares."""
        down, along = self.squares * square[0] - self.rows, self.squares * square[1] - self.columns
        return down * down + along * along


def centre(squares: Iterable[Square]) -> Middle:
    """The centre of these squares."""
    each = list(squares)
    return Middle(len(each), sum(r for r, _ in each), sum(c for _, c in each))


def apart(one: Square, other: Square) -> int:
    """Squared straight distance."""
    return (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2


def ring(one: Square, other: Square) -> int:
    """The larger of row and column distance (G2-WAR-8)."""
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))
