"""Highlights as a picture to lie over another of the same size: arrows, rings, squares won and lost (pure)."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from math import hypot

from games.engine.insight.event_pages import Highlight, HighlightKind
from worlds.drawing.contours import num

EDGE = "#fffdf4"
INKS = {
    HighlightKind.MARCH: "#b3151b",
    HighlightKind.CONTEST: "#b3151b",
    HighlightKind.WON: "#1d6b2c",
    HighlightKind.LOST: "#b3151b",
    HighlightKind.BUILT: "#8a5a00",
    HighlightKind.RUIN: "#b3151b",
}
BURST = "M0 -10L3 -4L9 -6L5 0L9 6L3 4L0 10L-3 4L-9 6L-5 0L-9 -6L-3 -4Z"
STAR = "M0 -10L2.9 -3.6L9.5 -3L4.5 1.4L6 8.1L0 4.6L-6 8.1L-4.5 1.4L-9.5 -3L-2.9 -3.6Z"


@dataclass(frozen=True, slots=True)
class Spots:
    """Where the places of a picture lie. width, height: of the picture; reach: pixels from the middle of a place to its
    edge; at: the middle of a place by its name, None for one that the picture does not have."""

    width: float
    height: float
    reach: float
    at: Callable[[str], tuple[float, float] | None]


def highlights_svg(spots: Spots, highlights: Iterable[Highlight]) -> str:
    """Draw highlights over nothing."""
    size = f"{num(spots.width)} {num(spots.height)}"
    parts = (part for highlight in highlights for part in _parts(spots, highlight))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size}" width="{num(spots.width)}" '
        f'height="{num(spots.height)}" stroke-linejoin="round" stroke-linecap="round">{"".join(parts)}</svg>\n'
    )


def _parts(spots: Spots, highlight: Highlight) -> Iterator[str]:
    found = [spot for place in highlight.places if (spot := spots.at(place)) is not None]
    ink, reach = INKS[highlight.kind], spots.reach
    if highlight.kind is HighlightKind.MARCH:
        if len(found) > 1 and found[0] != found[-1]:
            yield _arrow(found[0], found[-1], max(3.0, reach * 0.45), ink)
        return
    for x, y in found:
        match highlight.kind:
            case HighlightKind.WON | HighlightKind.LOST:
                yield _square(x, y, reach, ink, is_lost=highlight.kind is HighlightKind.LOST)
            case HighlightKind.CONTEST:
                yield _ring(x, y, max(9.0, reach * 1.6), ink)
            case HighlightKind.BUILT:
                yield _figure(STAR, x, y, max(9.0, reach * 1.2), ink)
            case HighlightKind.RUIN:
                yield _figure(BURST, x, y, max(9.0, reach * 1.2), ink)


def _arrow(start: tuple[float, float], end: tuple[float, float], wide: float, ink: str) -> str:
    """An arrow that ends at the middle of a place."""
    (ax, ay), (bx, by) = start, end
    long = hypot(bx - ax, by - ay)
    ux, uy = (bx - ax) / long, (by - ay) / long
    neck = max(0.0, long - 3 * wide)
    nx, ny = ax + ux * neck, ay + uy * neck
    head = f"M{num(bx)} {num(by)}L{num(nx - uy * 2 * wide)} {num(ny + ux * 2 * wide)}"
    head += f"L{num(nx + uy * 2 * wide)} {num(ny - ux * 2 * wide)}Z"
    line = f"M{num(ax)} {num(ay)}L{num(nx)} {num(ny)}"
    return (
        f'<path d="{line}{head}" fill="none" stroke="{EDGE}" stroke-width="{num(wide * 1.9)}"/>'
        f'<path d="{line}" fill="none" stroke="{ink}" stroke-width="{num(wide)}"/><path d="{head}" fill="{ink}"/>'
    )


def _square(x: float, y: float, reach: float, ink: str, *, is_lost: bool) -> str:
    left, top, side = num(x - reach), num(y - reach), num(2 * reach)
    cross = f"M{left} {top}l{side} {side}m0 -{side}l-{side} {side}" if is_lost else ""
    return (
        f'<rect x="{left}" y="{top}" width="{side}" height="{side}" fill="{ink}" fill-opacity=".3" stroke="{ink}" '
        f'stroke-width="{num(max(1.5, reach * 0.2))}"/>'
        + (f'<path d="{cross}" stroke="{ink}" stroke-width="{num(max(1.2, reach * 0.16))}"/>' if cross else "")
    )


def _ring(x: float, y: float, radius: float, ink: str) -> str:
    circle = f'<circle cx="{num(x)}" cy="{num(y)}" r="{num(radius)}" fill="none"'
    wide = max(3.0, radius * 0.22)
    return (
        f'{circle} stroke="{EDGE}" stroke-width="{num(wide * 2)}"/>{circle} stroke="{ink}" stroke-width="{num(wide)}"/>'
    )


def _figure(path: str, x: float, y: float, size: float, ink: str) -> str:
    place = f"translate({num(x)} {num(y)}) scale({num(size / 10)})"
    return f'<path d="{path}" transform="{place}" fill="{ink}" stroke="{EDGE}" stroke-width="1.4"/>'
