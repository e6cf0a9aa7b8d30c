"""Where the phases of the river lie: rows of neighbouring places, and how high everything is (pure)."""

from dataclasses import dataclass

from games.drawing.sheet import MARGIN

LABELS = 92
"""The width of the names of lanes."""
LANE, NUMBERS, TOKEN, HIGH, LOW, GAP = 18, 16, 18, 70, 10, 26
"""Heights: a lane of what is laid, the places, a marker, the tallest and the lowest steps, the room between rows."""


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
