"""Where the phases of the river lie: rows of neighbouring places, and how high everything is (pure)."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from games.drawing.sheet import MARGIN

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
