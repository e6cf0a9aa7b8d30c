"""The pieces of a drawn realm: the marks of places, peaks, trees, characters, the rose (pure)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import hypot
from types import MappingProxyType

from games.forgeborn.rules.realm.geometry import Segment
from games.forgeborn.rules.realm.realm_view import WoodView
from games.forgeborn.rules.state.schema_types import PlaceKind
from games.forgeborn.rules.state.sheet import Point
from worlds.drawing.contours import num
from worlds.drawing.labels import xml
from worlds.drawing.palette import INK, PAPER

ROCK, ROCK_SHADE, TREE = "#a99a86", "#8b7b67", "#5f7f4d"
GLYPHS: Mapping[PlaceKind, tuple[str, str]] = MappingProxyType(
    {
        PlaceKind.LAIR: (
            "M4 92L38 22L46 36L58 8L96 92z",
            "M30 78q8-22 24-20q-4-12 8-16q10-3 15 5l9 1l-8 6q0 8-9 10q6 8 3 18q-9 6-22 4z",
        ),
        PlaceKind.CITADEL: ("M24 94V44H16V14H28V24H42V14H58V24H72V14H84V44H76V94z", "M42 94V70q8-12 16 0V94z"),
        PlaceKind.CITY: ("M8 82L4 26L28 52L50 12L72 52L96 26L92 82z", "M8 88H92V96H8z"),
        PlaceKind.VILLAGE: ("M50 10L92 88H8z", ""),
        PlaceKind.RUINS: ("M50 4L92 50L50 96L8 50z", ""),
        PlaceKind.FOREST: ("M50 4L84 56H66L88 84H56V98H44V84H12L34 56H16z", ""),
    }
)
"""The outline of a mark in a box of 100 by 100, and what is drawn upon it in the colour of paper."""
PAINTS: Mapping[PlaceKind, str] = MappingProxyType(
    {
        PlaceKind.LAIR: "#8c2f1f",
        PlaceKind.CITADEL: "#3f4a63",
        PlaceKind.CITY: "#b98a1d",
        PlaceKind.VILLAGE: "#5b7d3a",
        PlaceKind.RUINS: "#6b4a86",
        PlaceKind.FOREST: "#2f6b46",
    }
)
SPACING = 21.0
"""From peak to peak along the range, in pixels."""


@dataclass(frozen=True, slots=True)
class Frame:
    """Where the map lies on the sheet, in pixels, and how large a unit of it is."""

    left: float
    top: float
    width: float
    height: float
    unit: float

    @classmethod
    def of(cls, width: int, height: int, longest: float, left: float, top: float) -> "Frame":
        """A map of so many units, whose longer side is `longest` pixels."""
        unit = longest / max(width, height)
        return cls(left, top, width * unit, height * unit, unit)

    @property
    def right(self) -> float:
        """The right edge."""
        return self.left + self.width

    @property
    def bottom(self) -> float:
        """The lower edge."""
        return self.top + self.height

    def at(self, point: Point) -> tuple[float, float]:
        """Where a point lies."""
        return self.left + (point.x + 0.5) * self.unit, self.top + (point.y + 0.5) * self.unit

    def points_along(self, line: Segment, step: float) -> Iterator[tuple[float, float]]:
        """Points on a line, about `step` pixels apart."""
        (ax, ay), (bx, by) = self.at(line.a), self.at(line.b)
        steps = max(1, round(hypot(bx - ax, by - ay) / step))
        for each in range(steps + 1):
            yield ax + (bx - ax) * each / steps, ay + (by - ay) * each / steps

    def path(self, line: Segment) -> str:
        """A line as path data."""
        (ax, ay), (bx, by) = self.at(line.a), self.at(line.b)
        return f"M{num(ax)} {num(ay)}L{num(bx)} {num(by)}"


def glyph(kind: PlaceKind, x: float, y: float, size: float, *, spent: bool = False) -> str:
    """The mark of a place around a point; empty where it is spent."""
    outline, inner = GLYPHS[kind]
    place = f"translate({num(x - size / 2)} {num(y - size / 2)}) scale({size / 100:.4f})"
    fill = PAPER if spent else PAINTS[kind]
    drawn = f'<path d="{inner}" fill="{PAPER}"/>' if inner and not spent else ""
    return (
        f'<g transform="{place}"><path d="{outline}" fill="{fill}" stroke="{PAINTS[kind] if spent else PAPER}" '
        f'stroke-width="{8 if spent else 14}" paint-order="stroke" stroke-linejoin="round"/>{drawn}</g>'
    )


def pawn(x: float, y: float, size: float, colour: str, label: str, *, heroine: bool) -> str:
    """A character: a round one for a Smith, a square on its corner for a Heroine."""
    r = size / 2 - 0.5
    form = (
        f'<path d="M{num(x)} {num(y - r - 1)}l{num(r + 1)} {num(r + 1)}l{num(-r - 1)} {num(r + 1)}'
        f'l{num(-r - 1)} {num(-r - 1)}z"'
        if heroine
        else f'<circle cx="{num(x)}" cy="{num(y)}" r="{num(r)}"'
    )
    return f'<g><title>{xml(label)}</title>{form} fill="{colour}" stroke="{INK}" stroke-width="1.4"/></g>'


def peaks_along(peaks: Sequence[Point], ridges: Sequence[Segment], frame: Frame) -> Iterator[str]:
    """The range: peaks at its points and along its segments, those in front drawn last."""
    spots = {frame.at(peak): 1.25 for peak in peaks}
    for ridge in ridges:
        for number, (x, y) in enumerate(list(frame.points_along(ridge, SPACING))[1:-1]):
            odd = number % 2
            spots.setdefault((x + (4 if odd else -4), y), 0.85 if odd else 1.0)
    for (x, y), size in sorted(spots.items(), key=lambda spot: spot[0][1]):
        half, high = 14 * size, 24 * size
        yield (
            f'<path d="M{num(x - half)} {num(y + 8)}L{num(x)} {num(y + 8 - high)}L{num(x + half)} {num(y + 8)}z" '
            f'fill="{ROCK}" stroke="{ROCK_SHADE}" stroke-linejoin="round"/>'
            f'<path d="M{num(x)} {num(y + 8 - high)}L{num(x + half)} {num(y + 8)}H{num(x + half * 0.2)}z" '
            f'fill="{ROCK_SHADE}" fill-opacity=".55"/>'
        )


def trees(wood: WoodView, frame: Frame) -> Iterator[str]:
    """The trees of a patch, around each of its points."""
    shapes = []
    for x, y in map(frame.at, wood.points):
        for dx, dy in ((-13, -4), (0, -11), (12, -3), (-6, 7), (8, 8)):
            shapes.append(f"M{num(x + dx)} {num(y + dy - 9)}l6 13h-12z")
    yield f'<path d="{"".join(shapes)}" fill="{TREE}" fill-opacity=".8"/>'


def compass(x: float, y: float) -> str:
    """The rose of the sheet; the north is above."""
    place = f"translate({num(x)} {num(y)})"
    return (
        f'<g transform="{place}" fill="{INK}" fill-opacity=".75"><path d="M0 -26L5 -5L26 0L5 5L0 26L-5 5L-26 0L-5 -5z" '
        f'fill="none" stroke="{INK}" stroke-opacity=".6"/><path d="M0 -26L5 -5L0 0zM0 26L-5 5L0 0zM26 0L5 5L0 0z'
        f'M-26 0L-5 -5L0 0z"/><text y="-29" class="p">N</text></g>'
    )
