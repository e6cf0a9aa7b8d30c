"""The river of phases as SVG: what is laid in each place, what it comes to there, who stands where (pure).

The line is broken into rows of 50 places at most, so that the numbers of four hundred can be read. In each row, from
the top: who fights the upper bank, its effective value as steps, what is laid there, the places, and the same of the
lower bank. Both banks of all rows have one scale. Colour and marker say who stands where; a hollow marker
is where somebody means to go.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

from games.albraxas.drawing_rows import (
    GAP,
    HIGH,
    LABELS,
    LANE,
    LOW,
    NUMBERS,
    TOKEN,
    Row,
    line_in_words,
    lines_for_names,
    steps,
)
from games.albraxas.rules.line_view import Bank, Line, Stander
from games.drawing.charts import marker
from games.drawing.highlights import Spots
from games.drawing.sheet import HEAD, MARGIN, sheet, wall_sheet
from games.engine.board.rounding import ceil_div
from worlds.drawing.contours import num
from worlds.drawing.emblems import Shape, emblem_at
from worlds.drawing.labels import lines_of, plain, shorten, width_of, xml
from worlds.drawing.marks import mark
from worlds.drawing.palette import FADED, INK, PAPER, colour_or_grey
from worlds.ids import colours_apart

MOST_IN_ROW, PLOT, WIDEST = 50, 1100, 130
WALL_ROWS, WALL_ROW, WALL_PLOT, WALL_HIGH, WALL_TOP = 2, 8, 470, 40, 106
"""For a wall: so many rows at most, of at least so many places each, in fewer pixels, which are the larger; the tallest
steps; what the balance of both banks takes above them."""
TOP = HEAD + 26
LEAST, NAME, LEGEND, WALL_TOKEN = 780, 180, 25, 24
"""The least width of the sheet; the widest name and the height of a line in the legend; a marker beside its name."""
UPPER, LOWER = ("#1d5fb4", "#c9dcec"), ("#9a4a12", "#f0d6b8")
"""Strong and pale colour of the banks."""
STYLES = (
    f".l{{font-size:11.5px;fill:{FADED};text-anchor:end}}.p{{font-size:9.5px;fill:{FADED};text-anchor:middle}}"
    f".n{{font-size:11px;font-weight:700;text-anchor:middle;fill:{PAPER}}}"
    f".v{{font-size:10.5px;font-weight:600}}.u{{fill:{UPPER[0]}}}.d{{fill:{LOWER[0]}}}"
    f".note{{font-size:13px;fill:{FADED}}}.r{{font-size:13px}}.b{{font-weight:700}}.w{{font-size:11px}}"
    f".halo{{paint-order:stroke;stroke:{PAPER};stroke-width:3px;stroke-linejoin:round}}"
)
WALL_STYLES = (
    ".l,.v,.w{font-size:15px}.w{font-weight:600}.p,.n,.m{font-size:15.5px}.l{letter-spacing:-.03em}"
    f".t{{font-size:19px}}.t.d{{text-anchor:end}}.m{{fill:{INK}}}"
)
"""As large as a wall needs it."""
MEANING = "Rebels lay Ebb against the Tide of the Battle: with more Ebb than Tide they win."
NO_COLOURS: Mapping[str, str] = MappingProxyType({})
TITLE = "The river of phases"
Token = tuple[int, bool]
"""Whose marker, and whether it only shows where its owner means to go."""


def line_svg(line: Line, subtitle: str = "", colours: Mapping[str, str] = NO_COLOURS) -> str:
    """Draw the line of phases. subtitle: whose it is, and when. colours: of who stands there by key, as in charts."""
    tokens = _tokens(line)
    rows = list(_rows(line, tokens, MOST_IN_ROW, PLOT, HIGH, TOP))
    width, height = _size(line, rows)
    return sheet(
        width,
        height,
        title=TITLE,
        subtitle=subtitle,
        description=line_in_words(line),
        styles=STYLES,
        parts=_parts(line, rows, tokens, width, colours),
    )


def line_wall_svg(line: Line, subtitle: str = "", colours: Mapping[str, str] = NO_COLOURS) -> str:
    """Draw the line of phases to be read from afar: in more rows, and so larger, under the balance of both banks.

    Numbers of characters stand beside it, on the page.
    """
    tokens = _tokens(line)
    rows = _wall_rows(line, tokens)
    width, height = _wall_size(rows)
    inks = _inks(line, colours)
    return wall_sheet(
        width,
        height,
        title=TITLE,
        subtitle=subtitle,
        description=line_in_words(line),
        styles=STYLES + WALL_STYLES,
        parts=[*_balance(line, width), *(part for row in rows for part in _row(line, row, tokens, inks))],
    )


def _balance(line: Line, width: int) -> Iterator[str]:
    """What is laid on both banks, one against the other, and what that means."""
    left, wide = MARGIN, width - 2 * MARGIN
    upper, lower = sum(line.upper.laid), sum(line.lower.laid)
    part = wide * upper / max(1, upper + lower) if upper or lower else wide / 2
    yield f'<rect x="{left}" y="34" width="{num(part)}" height="22" fill="{UPPER[0]}"/>'
    yield f'<rect x="{num(left + part)}" y="34" width="{num(wide - part)}" height="22" fill="{LOWER[0]}"/>'
    yield f'<text x="{left}" y="26" class="b t u">{xml(line.upper.name)} {upper}</text>'
    yield f'<text x="{left + wide}" y="26" class="b t d" text-anchor="end">{xml(line.lower.name)} {lower}</text>'
    for at, sentence in enumerate(lines_of(MEANING, 16, wide, 2)):
        yield f'<text x="{left}" y="{76 + 18 * at}" class="m">{xml(sentence)}</text>'


def line_spots(line: Line) -> Spots:
    """Where the phases of the picture for a wall lie, by their numbers."""
    rows = _wall_rows(line, _tokens(line))
    width, height = _wall_size(rows)
    places = {
        str(place + 1): (row.x(place) + row.cell / 2, row.shore + LANE + NUMBERS / 2)
        for row in rows
        for place in range(row.first, row.first + row.count)
    }
    return Spots(width, height, rows[0].cell / 2, places.get)


def _wall_rows(line: Line, tokens: dict[tuple[int, bool], list[Token]]) -> list[Row]:
    most = max(WALL_ROW, ceil_div(len(line.upper.laid), WALL_ROWS))
    return list(_rows(line, tokens, most, WALL_PLOT, WALL_HIGH, WALL_TOP, named=True))


def _wall_size(rows: Sequence[Row]) -> tuple[int, int]:
    """Width and height of the picture for a wall."""
    return int(MARGIN + LABELS + rows[0].count * rows[0].cell) + MARGIN, int(rows[-1].bottom) + MARGIN // 2


def _size(line: Line, rows: Sequence[Row]) -> tuple[int, int]:
    """Width and height of the sheet."""
    width = max(int(MARGIN + LABELS + rows[0].count * rows[0].cell) + MARGIN, LEAST)
    return width, int(rows[-1].bottom + GAP + 8 + len(line.standers) * LEGEND) + MARGIN // 2


def _parts(
    line: Line, rows: Sequence[Row], tokens: dict[tuple[int, bool], list[Token]], width: int, colours: Mapping[str, str]
) -> list[str]:
    """What is drawn under the heading."""
    inks = _inks(line, colours)
    note = enumerate(lines_of(plain(line.note), 14, width - 2 * MARGIN, 2))
    return [
        *(f'<text x="{MARGIN}" y="{HEAD - 6 + 16 * at}" class="note">{xml(sentence)}</text>' for at, sentence in note),
        *(part for row in rows for part in _row(line, row, tokens, inks)),
        *_legend(line, rows[-1].bottom + GAP + 8, width, inks),
    ]


def _inks(line: Line, colours: Mapping[str, str]) -> dict[str, str]:
    """The colour of each who stands there."""
    return colours_apart({each.key or each.name: colours.get(each.key, "") for each in line.standers})


def _tokens(line: Line) -> dict[tuple[int, bool], list[Token]]:
    """The markers in each place, from 0, at each bank."""
    found: dict[tuple[int, bool], list[Token]] = {}
    for at, each in enumerate(line.standers):
        if each.place:
            found.setdefault((each.place - 1, each.upper), []).append((at, False))
        if each.meant:
            found.setdefault((each.meant - 1, each.upper), []).append((at, True))
    return found


def _rows(
    line: Line,
    tokens: dict[tuple[int, bool], list[Token]],
    most: int,
    plot: int,
    high: int,
    top: float,
    *,
    named: bool = False,
) -> Iterator[Row]:
    """Rows of at most so many places, `plot` pixels wide at most, from `top` on. high: the tallest steps; named: with
    the name beside each marker, whatever the width of a place.
    """
    count = len(line.upper.laid)
    broken = ceil_div(count, most)
    each = ceil_div(count, broken)
    cell = min(WIDEST, plot / each)
    unit = high / max(1, *line.upper.effective, *line.lower.effective)
    for first in range(0, count, each):
        places = range(first, min(first + each, count))
        wide = {
            (place, upper, number): width_of(shorten(plain(line.standers[at].name), 15, NAME), 15) + WALL_TOKEN
            for place in places
            for upper in (True, False)
            for number, (at, _) in enumerate(tokens.get((place, upper), ()))
            if named
        }
        beside = lines_for_names(wide, places, cell)
        row = Row(
            first=first,
            count=len(places),
            cell=cell,
            top=top,
            above=_marker_stack(tokens, beside, places, upper=True),
            below=_marker_stack(tokens, beside, places, upper=False),
            rise=max(LOW, unit * max(line.upper.effective[place] for place in places)),
            fall=max(LOW, unit * max(line.lower.effective[place] for place in places)),
            unit=unit,
            named=beside,
        )
        yield row
        top = row.bottom + GAP


def _marker_stack(
    tokens: dict[tuple[int, bool], list[Token]],
    beside: Mapping[tuple[int, bool, int], tuple[int, bool]],
    places: Iterable[int],
    *,
    upper: bool,
) -> int:
    """So many markers stand over one another at a bank of a row."""
    lines = [line + 1 for (_, bank, _), (line, _) in beside.items() if bank is upper]
    return max(lines, default=max(len(tokens.get((place, upper), ())) for place in places))


def _row(line: Line, row: Row, tokens: dict[tuple[int, bool], list[Token]], inks: Mapping[str, str]) -> Iterator[str]:
    yield from _standing(row, tokens)
    yield from steps(row, line.upper.effective, row.shore, -row.unit, UPPER, "u")
    yield from steps(row, line.lower.effective, row.bed, row.unit, LOWER, "d")
    middle = row.shore + LANE
    yield from _draw_lane(row, line.upper, row.shore, UPPER)
    yield from _draw_lane(row, line.lower, middle + NUMBERS, LOWER)
    for place in range(row.first, row.first + row.count):
        yield f'<text x="{num(row.x(place) + row.cell / 2)}" y="{num(middle + 12)}" class="p">{place + 1}</text>'
    left = MARGIN + LABELS - 8
    for name, y in (
        (f"effective {line.upper.name}", row.shore - 3),
        (line.upper.name, row.shore + 13),
        ("Phase", middle + 12),
        (line.lower.name, middle + NUMBERS + 13),
        (f"effective {line.lower.name}", row.bed + 11),
    ):
        yield f'<text x="{left}" y="{num(y)}" class="l">{xml(plain(name, 30))}</text>'
    yield from _markers(line, row, tokens, inks)
    yield from (_over(line, row, place) for place in range(row.first, row.first + row.count))


def _standing(row: Row, tokens: dict[tuple[int, bool], list[Token]]) -> Iterator[str]:
    """A stripe through each place in which somebody stands, behind everything."""
    high = num(row.bottom - row.top)
    for place in range(row.first, row.first + row.count):
        if any(not meant for upper in (True, False) for _, meant in tokens.get((place, upper), ())):
            yield (
                f'<rect x="{num(row.x(place))}" y="{num(row.top)}" width="{num(row.cell)}" height="{high}" '
                f'fill="{INK}" fill-opacity=".07"/>'
            )


def _draw_lane(row: Row, bank: Bank, top: float, colours: tuple[str, str]) -> Iterator[str]:
    """A lane with the number that is laid in each place; nothing is an empty cell."""
    wide = num(row.count * row.cell)
    yield (
        f'<rect x="{num(row.x(row.first))}" y="{num(top)}" width="{wide}" height="{LANE}" fill="none" '
        f'stroke="{FADED}" stroke-opacity=".5"/>'
    )
    for place in range(row.first, row.first + row.count):
        amount = bank.laid[place]
        if not amount:
            continue
        x, label = row.x(place), str(amount)
        small = ' style="font-size:8px"' if width_of(label, 11) > row.cell - 2 else ""
        yield (
            f'<rect x="{num(x + 0.75)}" y="{num(top + 0.75)}" width="{num(row.cell - 1.5)}" height="{LANE - 1.5}" '
            f'fill="{colours[0]}"/>'
            f'<text x="{num(x + row.cell / 2)}" y="{num(top + 13)}" class="n"{small}>{label}</text>'
        )


def _markers(
    line: Line, row: Row, tokens: dict[tuple[int, bool], list[Token]], inks: Mapping[str, str]
) -> Iterator[str]:
    """Who stands in each place, over one another; with the name where a place is wide."""
    for place in range(row.first, row.first + row.count):
        for upper in (True, False):
            for number, (at, meant) in enumerate(tokens.get((place, upper), ())):
                stacked, is_left = row.named.get((place, upper, number), (number, False))
                y = row.top + TOKEN * (row.above - stacked - 0.5)
                if not upper:
                    y = row.bottom - TOKEN * (row.below - stacked - 0.5)
                wide = row.cell >= WIDEST / 2 and not row.named
                x = row.x(place) + (10 if wide else row.cell / 2)
                yield marker(_ink(line.standers[at], inks), x, y, size=13, hollow=meant)
                if row.named:
                    name = xml(shorten(plain(line.standers[at].name), 15, NAME))
                    end, shift = (' text-anchor="end"', -11) if is_left else ("", 11)
                    yield f'<text x="{num(x + shift)}" y="{num(y + 5)}" class="w halo"{end}>{name}</text>'
                elif wide:
                    name = shorten(plain(line.standers[at].name), 11, row.cell - 22)
                    yield f'<text x="{num(x + 10)}" y="{num(y + 4)}" class="w">{xml(name)}</text>'


def _ink(stander: Stander, inks: Mapping[str, str]) -> str:
    return colour_or_grey(inks[stander.key or stander.name])


def _over(line: Line, row: Row, place: int) -> str:
    """What is read of a place when it is pointed at."""
    here = [plain(each.name, 60) for each in line.standers if each.place == place + 1]
    title = "; ".join(
        [
            f"Phase {place + 1}: {line.upper.name} {line.upper.laid[place]}, "
            f"{line.lower.name} {line.lower.laid[place]}",
            f"effective {line.upper.name} {line.upper.effective[place]}, "
            f"effective {line.lower.name} {line.lower.effective[place]}",
            *here,
        ]
    )
    high = num(row.bottom - row.top)
    return (
        f'<rect x="{num(row.x(place))}" y="{num(row.top)}" width="{num(row.cell)}" height="{high}" '
        f'fill-opacity="0"{mark("phase", place + 1)}><title>{xml(title)}</title></rect>'
    )


def _legend(line: Line, top: float, width: int, inks: Mapping[str, str]) -> Iterator[str]:
    """Who is who, and their numbers."""
    names = [shorten(plain(each.name), 15, NAME) for each in line.standers]
    left = MARGIN + 48 + max((width_of(name, 15) for name in names), default=0) + 20
    for at, (each, name) in enumerate(zip(line.standers, names, strict=True)):
        y = top + LEGEND * at + 8
        yield marker(_ink(each, inks), MARGIN + 8, y - 4, size=13)
        shape = Shape.HEXAGON if each.upper else Shape.DISC
        yield emblem_at(shape, each.name, MARGIN + 22, y - 15, 20, colour=_ink(each, inks))
        yield f'<text x="{MARGIN + 48}" y="{num(y)}" class="r b">{xml(name)}</text>'
        text = shorten(plain(each.summary), 14, width - MARGIN - left)
        yield f'<text x="{num(left)}" y="{num(y)}" class="r">{xml(text)}</text>'
