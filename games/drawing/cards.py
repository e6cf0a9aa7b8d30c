"""Cards: a character or a thing on a sheet of paper, with dice as shapes, facts and texts (pure).

A die is told by its form and its number: a triangle, a square, a square on its corner, a kite, a pentagon.
"""

from collections.abc import Iterator, Mapping

from games.drawing.sheet import HEAD, MARGIN, sheet
from games.engine.insight.cards import Card, CardDice, CardLine, CardPart, CardText
from worlds.drawing.contours import num
from worlds.drawing.labels import lines_of, plain, shorten, xml
from worlds.drawing.palette import FADED, INK, PAPER

WIDTH = 420
ROOM = WIDTH - 2 * MARGIN
LABELS = 104
"""The room of the labels beside lines."""
LINE, TEXT_LINE = 24, 19
DIE, DICE_IN_A_ROW = 38, 9
LARGEST_TEXT = 1200
MAX_LINES, FACT_LINES = 16, 5
SHAPES: Mapping[int, str] = {
    4: "M50 8L94 88H6z",
    6: "M12 12H88V88H12z",
    8: "M50 4L94 50L50 96L6 50z",
    10: "M50 4L96 42L50 96L4 42z",
    12: "M50 4L96 38L78 94H22L4 38z",
}
"""The outlines of dice in a box of 100 by 100."""
ROUND = "M50 4A46 46 0 1 1 49.9 4z"
"""The outline of any other die."""
PAINTS: Mapping[int, str] = {4: "#8c5a2b", 6: "#5b7d3a", 8: "#2f6b7a", 10: "#5b4a86", 12: "#8c2f1f"}
STYLES = (
    f".label{{font-size:12px;fill:{FADED}}}.fact{{font-size:15px}}.text{{font-size:14px}}"
    f".over{{font:600 11.5px sans-serif;fill:{FADED};letter-spacing:.08em}}"
    ".size{font:700 13px sans-serif;fill:#fff;text-anchor:middle}"
)


def card_svg(card: Card, game: str, colour: str = "") -> str:
    """Draw a card; its height follows from what is on it. game: what stands at its foot. colour: of its edge."""
    parts, y = list[str](), float(HEAD - 4)
    for part in card.parts:
        drawn, y = _part(part, y)
        parts += drawn
    height = int(y) + 46
    edge = colour or FADED
    foot = xml(shorten(plain(game), 12, ROOM))
    parts.append(f'<text x="{MARGIN}" y="{height - 18}" class="label">{foot}</text>')
    parts.append(
        f'<rect x="7" y="7" width="{WIDTH - 14}" height="{height - 14}" rx="12" fill="none" '
        f'stroke="{edge}" stroke-width="5"/>'
    )
    return sheet(
        WIDTH, height, title=card.title, subtitle=card.subtitle, description=in_words(card), styles=STYLES, parts=parts
    )


def in_words(card: Card) -> str:
    """What a card says, for those who cannot see it."""
    return " ".join(f"{said.rstrip('.')}." for said in map(_said, card.parts) if said)


def _said(part: CardPart) -> str:
    match part:
        case CardLine():
            return f"{part.label}: {part.text}"
        case CardDice():
            return f"{part.label}: {', '.join(f'd{size}' for size in part.sizes) or 'none'}"
        case CardText():
            return f"{part.label}: {part.text}" if part.label else part.text


def _part(part: CardPart, y: float) -> tuple[list[str], float]:
    """A part below `y`, and where it ends."""
    match part:
        case CardLine():
            return _line(part, y)
        case CardDice():
            rows = max(1, -(-len(part.sizes) // DICE_IN_A_ROW))
            return list(_dice(part, y)), y + 18 + rows * (DIE + 4)
        case CardText():
            return _text(part, y)


def _line(part: CardLine, y: float) -> tuple[list[str], float]:
    label = xml(shorten(plain(part.label), 12, LABELS - 8))
    drawn = [f'<text x="{MARGIN}" y="{num(y + 17)}" class="label">{label}</text>']
    for number, line in enumerate(lines_of(plain(part.text, LARGEST_TEXT), 15, ROOM - LABELS, FACT_LINES)):
        top = y + 17 + number * TEXT_LINE
        drawn.append(f'<text x="{MARGIN + LABELS}" y="{num(top)}" class="fact">{xml(line)}</text>')
    return drawn, y + LINE + (len(drawn) - 2) * TEXT_LINE


def _dice(part: CardDice, y: float) -> Iterator[str]:
    yield _over(part.label, y)
    if not part.sizes:
        yield f'<text x="{MARGIN}" y="{num(y + 40)}" class="fact">none</text>'
    for number, size in enumerate(part.sizes):
        row, column = divmod(number, DICE_IN_A_ROW)
        x, top = MARGIN + column * (DIE + 1), y + 18 + row * (DIE + 4)
        middle = DIE * (0.72 if size == min(SHAPES) else 0.62)
        yield (
            f'<g transform="translate({num(x)} {num(top)})"><title>d{size}</title>'
            f'<path transform="scale({DIE / 100})" d="{SHAPES.get(size, ROUND)}" fill="{PAINTS.get(size, INK)}" '
            f'stroke="{PAPER}" stroke-width="4" stroke-linejoin="round"/>'
            f'<text x="{DIE / 2:g}" y="{num(middle)}" class="size">{size}</text></g>'
        )


def _text(part: CardText, y: float) -> tuple[list[str], float]:
    drawn = [_over(part.label, y + 6)] if part.label else []
    y += 24 if part.label else 0
    for line in lines_of(plain(part.text, LARGEST_TEXT), 14, ROOM, MAX_LINES):
        y += TEXT_LINE
        drawn.append(f'<text x="{MARGIN}" y="{num(y)}" class="text">{xml(line)}</text>')
    return drawn, y + 8


def _over(label: str, y: float) -> str:
    return f'<text x="{MARGIN}" y="{num(y + 13)}" class="over">{xml(plain(label).upper())}</text>'
