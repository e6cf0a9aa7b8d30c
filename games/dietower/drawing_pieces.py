"""The pieces of a drawn tower: dice, the signs of margins, heaps, and the shine of a miracle (pure)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from games.dietower.rules.state.constants import MIRACLE_HEIGHT, OUTCOMES
from games.dietower.rules.state.schema_types import Axis
from games.dietower.rules.tower.balance import Centre, Margin
from games.dietower.rules.tower.tower_view import TowerDieView, TowerView, risk_in_words
from games.drawing.sheet import HEAD, MARGIN
from worlds.drawing.contours import num
from worlds.drawing.labels import lines_of, plain, width_of, xml
from worlds.drawing.marks import mark
from worlds.drawing.palette import FADED, INK, PAPER, colour_or_grey

DIE = 40
"""The side of a die."""
FLOOR = HEAD + 64 + (MIRACLE_HEIGHT + 1) * DIE
"""Where the dice stand: a die's height and more is left free above the thirteenth."""
GAUGE = 56
"""The width of a scale of margins."""
NOBODY, GOLD, FALLS = "#e6dfcd", "#c89b1c", "#9c1515"
"""The colours of a die that is no player's, of a miracle, and of what has fallen or would fall."""
SIGNS = {
    "wide": ("#2c7a3f", "M50 8A42 42 0 1 1 49.9 8Z"),
    "fair": ("#7d6200", "M50 2L98 50L50 98L2 50Z"),
    "narrow": ("#bf3f12", "M2 8H98L50 96Z"),
    "failed": (FALLS, "M20 4L50 34L80 4L96 20L66 50L96 80L80 96L50 66L20 96L4 80L34 50L4 20Z"),
}
"""The colour and the form of a margin."""
STAR = "M50 2L62 36L98 37L69 59L79 94L50 73L21 94L31 59L2 37L38 36Z"
TILTS = (-13, 8, 17, -6, 11, -18, 4, -10, 15, -3, 9, -15, 6)
"""By how many degrees the dice of a heap lie askew."""
MEANINGS = {"wide": "half of the way and more", "fair": "a quarter and more", "narrow": "less", "failed": "too far"}
RISKS = {"none": "wide", "slight": "wide", "moderate": "fair", "high": "narrow"}
"""The sign whose colour a risk has; any other that of a fall."""


@dataclass(frozen=True, slots=True)
class Side:
    """A view along one axis. middle: where a centre of 0 lies, in pixels; unit: pixels of a unit, die: of a side."""

    axis: Axis
    middle: float
    unit: float
    die: float

    def x(self, centre: Centre) -> float:
        """Where a centre lies."""
        return self.middle + self.unit * self.along(centre)

    def along(self, centre: Centre) -> int:
        """The coordinate of a centre that is seen."""
        return centre.x if self.axis is Axis.X else centre.y

    def y(self, level: int) -> float:
        """The middle of a die that stands at a level."""
        return FLOOR - self.die * (level - 0.5)

    def margin(self, margin: Margin) -> tuple[int, int]:
        """The margin of a level in this direction, and its lean."""
        return (margin.x, margin.lean_x) if self.axis is Axis.X else (margin.y, margin.lean_y)


def shine(spots: Sequence[tuple[float, float]], die: float) -> Iterator[str]:
    """What is behind and above the dice of a miracle."""
    for x, y in spots:
        yield (
            f'<rect x="{num(x - die / 2 - 5)}" y="{num(y - die / 2 - 5)}" width="{num(die + 10)}" '
            f'height="{num(die + 10)}" rx="11" fill="{GOLD}" fill-opacity=".45"/>'
        )
    x, y = spots[-1]
    yield f'<path d="{STAR}" transform="translate({num(x - 19)} {num(y - die / 2 - 46)}) scale(.38)" fill="{GOLD}"/>'


def die_shape(die: TowerDieView, x: float, y: float, side: float, colours: Mapping[str, str], tilt: int = 0) -> str:
    """A die with its number, its middle at (x, y)."""
    paint = paint_of(die, colours)
    turned = f' transform="rotate({tilt} {num(x)} {num(y)})"' if tilt else ""
    inner = side - 8
    return (
        f"<g{turned}{mark('actor', die.actor)}><title>{xml(label_of(die))}</title>"
        f'<rect x="{num(x - side / 2 + 0.75)}" y="{num(y - side / 2 + 0.75)}" width="{num(side - 1.5)}" '
        f'height="{num(side - 1.5)}" rx="7" fill="{paint}" stroke="{INK}" stroke-width="1.5"/>'
        f'<rect x="{num(x - inner / 2)}" y="{num(y - inner / 2)}" width="{num(inner)}" height="{num(inner)}" rx="12" '
        f'fill="#fff" fill-opacity=".13"/>'
        f'<text x="{num(x)}" y="{num(y + 6)}" class="d" fill="{ink_on(paint)}">{die.level}</text></g>'
    )


def paint_of(die: TowerDieView, colours: Mapping[str, str]) -> str:
    """The colour of a die: its placer's seat's, or that of nobody's."""
    return colour_or_grey(colours.get(die.seat, "")) if die.seat else NOBODY


def ink_on(colour: str) -> str:
    """Dark or light, whichever is read more easily on a colour."""
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return INK if 299 * red + 587 * green + 114 * blue > 128_000 else "#ffffff"


def label_of(die: TowerDieView) -> str:
    """What is read of a die when it is pointed at."""
    where = f" at ({die.centre.x}, {die.centre.y})" if die.centre is not None else ""
    return f"Die {die.level} of {plain(die.name, 80) or 'somebody'}{where}"


def band_of(margin: int, room: int) -> str:
    """How much of its way to the edge a level has left. room: H times the dice above."""
    if margin < 0:
        return "failed"
    return "wide" if 2 * margin >= room else "fair" if 4 * margin >= room else "narrow"


def sign(band: str, x: float, y: float, size: float = 12) -> str:
    """The sign of a margin around a point."""
    ink, form = SIGNS[band]
    place = f"translate({num(x - size / 2)} {num(y - size / 2)}) scale({num(size / 100)})"
    return (
        f'<path d="{form}" transform="{place}" fill="{ink}" stroke="{PAPER}" stroke-width="14" paint-order="stroke"/>'
    )


def base_of(count: int) -> int:
    """How many dice lie on the ground in a heap of so many: each row has one less than the one below."""
    return next(base for base in range(count + 1) if base * (base + 1) >= 2 * count)


def pile(
    dice: Sequence[TowerDieView], start: float, forth: int, side: float, colours: Mapping[str, str]
) -> Iterator[str]:
    """Dice in a heap on the ground. start: where it begins; forth: 1 to the right, -1 to the left."""
    base, pitch, at = base_of(len(dice)), side + 2, 0
    for row in range(base):
        for place in range(base - row):
            if at == len(dice):
                return
            x = start + forth * (pitch * (place + row / 2) + side / 2)
            yield die_shape(dice[at], x, FLOOR - side * 0.9 * row - side / 2 - 4, side, colours, TILTS[at % len(TILTS)])
            at += 1


def gauge(margin: int, lean: int, room: int, left: float, y: float) -> Iterator[str]:
    """A scale from edge to edge, the sign where the dice above lean, and the margin as a number."""
    middle, half = left + GAUGE / 2 - 8, GAUGE / 2 - 6
    yield (
        f'<path d="M{num(middle - half)} {num(y)}h{num(2 * half)}m0 -5v10m{num(-2 * half)} -10v10M{num(middle)} '
        f'{num(y - 3)}v6" fill="none" stroke="{FADED}"/>'
    )
    band = band_of(margin, room)
    yield sign(band, middle + half * max(-1.2, min(1.2, lean / room)), y)
    number = str(margin).replace("-", "−")
    yield f'<text x="{num(middle + half + 15)}" y="{num(y + 4.5)}" class="v" fill="{SIGNS[band][0]}">{number}</text>'


def tower_in_words(view: TowerView) -> str:
    """The tower in words: how it stands, and level by level."""
    room = {margin.level: margin for margin in view.margins}
    levels = []
    for die in view.dice:
        words = f"{die.level}: {plain(die.name, 80) or 'somebody'}"
        if die.centre is not None:
            words += f", centre ({die.centre.x}, {die.centre.y})"
        if die.level in room:
            words += f", margins {room[die.level].x} and {room[die.level].y}"
        levels.append(words)
    return " ".join(
        [
            view.note,
            *([view.fall.note] if view.fall is not None else []),
            f"Risk of the next die: {view.odds}",
            *([f"From the bottom: {'; '.join(levels)}."] if levels else []),
        ]
    )


def risk_bar(view: TowerView, left: int, width: int) -> Iterator[str]:
    """The risk of the next die: the ways to fall as a part of all, and in words. left, width: in pixels."""
    yield f'<text x="{left}" y="38" class="h">RISK OF THE NEXT DIE</text>'
    if view.risk is not None:
        wide, ink = width * view.risk / OUTCOMES, SIGNS[RISKS.get(risk_in_words(view.risk), "failed")][0]
        yield (
            f'<rect x="{left}" y="48" width="{width}" height="15" rx="4" fill="{INK}" fill-opacity=".09"/>'
            f'<rect x="{left}" y="48" width="{num(wide)}" height="15" rx="4" fill="{ink}"/>'
        )
        quarters = "".join(f"M{num(left + width * part / 4)} 45v21" for part in range(5))
        yield f'<path d="{quarters}" stroke="{INK}" stroke-opacity=".45"/>'
    lines = enumerate(lines_of(view.odds, 14.5, width, 2))
    top = 84 if view.risk is not None else 60
    yield from (f'<text x="{left}" y="{top + 20 * at}" class="note">{xml(line)}</text>' for at, line in lines)


def legend(view: TowerView) -> Iterator[str]:
    """What the signs mean, below the ground."""
    words = (
        "Sign on an edge: the middle of all dice above. Beyond the edge the tower falls. What is left of the way there:"
    )
    y, x = FLOOR + 72, float(MARGIN)
    yield f'<text x="{MARGIN}" y="{y}" class="s">{words}</text>'
    for band, meaning in MEANINGS.items():
        yield sign(band, x + 7, y + 20)
        yield f'<text x="{num(x + 20)}" y="{y + 24}" class="s">{meaning}</text>'
        x += 20 + width_of(meaning, 12) + 24
    if view.landing is not None:
        ink = SIGNS["wide"][0]
        yield (
            f'<path d="M{num(x)} {y + 20}h16" stroke="{ink}" stroke-width="7" stroke-linecap="round"/>'
            f'<path d="M{num(x + 18)} {y + 20}h14" stroke="{FALLS}" stroke-width="2" stroke-dasharray="2 2.5"/>'
        )
        text = "over the top: shifts of the next die that stand, that fall"
        yield f'<text x="{num(x + 40)}" y="{y + 24}" class="s">{text}</text>'
