"""Where the phases of the river lie: rows of places, how high everything is, its steps; the river in words (pure)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from games.albraxas.rules.line_view import Line
from games.drawing.sheet import MARGIN
from worlds.drawing.contours import num
from worlds.drawing.labels import plain, width_of

LABELS = 92
"""The width of the names of lanes."""
LANE, NUMBERS, TOKEN, HIGH, LOW, GAP = 18, 16, 18, 70, 10, 26
"""Heights: a lane of what is laid, the places, a marker, the tallest and the lowest steps, the room between rows."""


MARKER = 10
"""Half of what a marker takes with some room around it, in pixels."""


@dataclass(frozen=True, slots=True)
class Row:
    """Some neighbouring places and how high everything lies. first: from 0."""

    first: int
    count: int
    cell: float
    top: float
    above: int
    """Markers over one another above the upper bank, at most."""
    below: int
    rise: float
    fall: float
    unit: float
    """Pixels of one step."""
    named: Mapping[tuple[int, bool, int], tuple[int, bool]] = field(default_factory=dict)
    """Where names stand beside markers: by place, bank and number there, the line of the marker from the middle of the
    row outwards, and whether its name stands at its left."""

    def x(self, place: int) -> float:
        """The left edge of a place, from 0."""
        return MARGIN + LABELS + self.cell * (place - self.first)

    @property
    def shore(self) -> float:
        """Where the upper steps stand."""
        return self.top + self.above * TOKEN + NUMBERS + self.rise

    @property
    def bed(self) -> float:
        """Where the lower steps hang."""
        return self.shore + 2 * LANE + NUMBERS

    @property
    def bottom(self) -> float:
        """The end of the row."""
        return self.bed + self.fall + NUMBERS + self.below * TOKEN


def lines_for_names(
    wide: Mapping[tuple[int, bool, int], float], places: range, cell: float
) -> dict[tuple[int, bool, int], tuple[int, bool]]:
    """In which line each marker stands so that no two with their names meet, and whether its name is at its left.

    wide: pixels of each marker with its name, by place, bank and number there. places: those of the row.
    """
    found: dict[tuple[int, bool, int], tuple[int, bool]] = {}
    ends: dict[bool, list[float]] = {True: [], False: []}
    for key in sorted(wide):
        place, upper, _ = key
        middle = cell * (place - places.start + 0.5)
        is_left = middle + wide[key] > cell * len(places)
        begin, end = (middle - wide[key], middle + MARKER) if is_left else (middle - MARKER, middle + wide[key])
        lines = ends[upper]
        line = next((at for at, taken in enumerate(lines) if taken <= begin), len(lines))
        lines[line:] = [end, *lines[line + 1 :]]
        found[key] = (line, is_left)
    return found


def line_in_words(line: Line) -> str:
    """The line in words: how it stands, who is where, and what is laid."""
    parts = [line.note, *(f"{plain(each.name, 60)}: {plain(each.summary, 200)}." for each in line.standers)]
    for bank in (line.upper, line.lower):
        laid = [f"{at} has {amount}" for at, amount in enumerate(bank.laid, start=1) if amount]
        parts.append(f"{bank.name} by phase: {', '.join(laid) or 'none'}.")
    return " ".join(parts)


def steps(
    row: Row, values: Sequence[int], foot: float, unit: float, colours: tuple[str, str], style: str
) -> Iterator[str]:
    """The effective values as steps, with the value where it changes and there is room. unit: less than 0 upwards."""
    outline, end = f"M{num(row.x(row.first))} {num(foot)}", row.x(row.first + row.count)
    free, before = row.x(row.first), 0
    texts: list[str] = []
    for place in range(row.first, row.first + row.count):
        value, x = values[place], row.x(place)
        if value == before:
            continue
        y = foot + unit * value
        outline += f"V{num(y)}" if not before else f"H{num(x)}V{num(y)}"
        if x >= free:
            at = y - 4 if unit < 0 else y + 12
            texts.append(f'<text x="{num(x + 2)}" y="{num(at)}" class="v halo {style}">{value}</text>')
            free = x + 2 + width_of(str(value), 11) + 6
        before = value
    strong, pale = colours
    yield f'<path d="{outline}H{num(end)}V{num(foot)}Z" fill="{pale}" stroke="{strong}" stroke-width="1.3"/>'
    yield from texts
