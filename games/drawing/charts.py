"""Charts: values at moments as lines, or as columns where they are the parts of one whole (pure).

A moment is the end of a chapter, or right after an event.

Rows differ by colour and by marker and dash, or by hatching; the legend names each with its last value. What is
no more keeps its line, thin, and the legend says how many there are.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from games.drawing.sheet import HEAD, MARGIN, sheet
from games.engine.insight.charts import Moment, Row, Series
from worlds.drawing.contours import num
from worlds.drawing.labels import plain, shorten, width_of, xml
from worlds.drawing.palette import FADED, INK, MARKS, PAPER, colour_or_grey, mix
from worlds.ids import INKS, colours_apart

LEFT, TOP, LINE = MARGIN + 44, HEAD + 18, 22
UNDER = 66
"""Pixels under the lines that the names of the moments take."""
TICKS = 6
APART = 24
"""Pixels between two markers of a row at least, where there are many moments."""
DASHES = ("", "9 4", "3 4", "10 4 3 4")
HATCHES = (
    "", "M0 8L8 0M-2 2L2 -2M6 10L10 6", "M0 0L8 8M-2 6L2 10M6 -2L10 2", "M0 4H8", "M4 0V8", "M0 4H8M4 0V8",
    "M0 8L8 0M0 0L8 8", "M3 4A1 1 0 1 0 5 4A1 1 0 1 0 3 4",
)  # fmt: skip
STYLES = (
    f".axis{{font-size:12px;fill:{FADED};font-variant-numeric:tabular-nums}}.m{{text-anchor:middle}}"
    f".e{{text-anchor:end}}.r{{font-size:13px}}.b{{font-weight:700;font-variant-numeric:tabular-nums}}"
    f".o{{fill:{FADED}}}.in{{font-size:11px;font-weight:700;text-anchor:middle}}"
    f".halo{{paint-order:stroke;stroke:{PAPER};stroke-width:3px;stroke-linejoin:round}}"
)


@dataclass(frozen=True, slots=True)
class Layout:
    """Where things lie on the sheet, in pixels. most: so many rows are drawn; the legend counts the others."""

    wide: int
    high: int
    most: int
    legend_left: int
    legend_top: int
    legend_width: int

    @property
    def full(self) -> int:
        """The width of the sheet."""
        return max(LEFT + self.wide, self.legend_left + self.legend_width) + MARGIN

    def bottom(self, rows: int) -> int:
        """The height of the sheet with so many rows."""
        return max(TOP + self.high + UNDER, self.legend_top + (rows + 3) * LINE) + MARGIN


NEAR = Layout(640, 400, 24, legend_left=LEFT + 674, legend_top=TOP, legend_width=270)
"""The legend beside the lines: for a page."""
WALL = Layout(350, 250, 12, legend_left=MARGIN, legend_top=TOP + 250 + UNDER + 24, legend_width=394)
"""Fewer pixels and the legend below: for a wall, where all is the larger for it."""


def chart_svg(series: Series, subtitle: str = "") -> str:
    """Draw a chart. subtitle: whose it is; the picture itself names the moments."""
    return _draw(series, subtitle, NEAR)


def wall_chart_svg(series: Series, subtitle: str = "", chapter: int | None = None) -> str:
    """Draw a chart that is read from afar. subtitle: as in `chart_svg`. chapter: whose end is marked; None: none."""
    return _draw(series, subtitle, WALL, chapter)


def _draw(series: Series, subtitle: str, layout: Layout, chapter: int | None = None) -> str:
    shown = _colour_rows(series.rows)[: layout.most]
    scale = Scale(series, shown, layout)
    of_subject = plain(series.of_subject, 60)
    title = f"{series.chart.title} of {of_subject}" if of_subject else series.chart.title
    parts = [
        *_axes(series, scale, layout),
        *_moment_mark(series, scale, chapter),
        *(_columns(series, shown, scale) if series.chart.shared else _lines(series, shown, scale)),
        *_legend(series, shown, layout),
    ]
    if not shown:
        middle = f'x="{LEFT + layout.wide // 2}" y="{TOP + layout.high // 2}"'
        parts.append(f'<text {middle} class="axis m">There is nothing here that you may see.</text>')
    return sheet(
        layout.full,
        layout.bottom(len(shown)),
        title=title,
        subtitle=subtitle,
        description=_chart_in_words(series),
        styles=STYLES,
        parts=parts,
    )


class Scale:
    """Where amounts and moments lie on the sheet."""

    def __init__(self, series: Series, shown: Sequence[Row], layout: Layout) -> None:
        amounts = [amount for row in shown for amount in row.amounts if amount is not None]
        over = series.chart.over
        if series.chart.shared:
            amounts = [100 * over]
        self.over, self.count, self.layout = over, len(series.moments), layout
        low, high = min([0, *amounts]), max([over, *amounts])
        self.step = step_of(high - low, over)
        self.low = low // self.step * self.step
        self.high = -(-high // self.step) * self.step

    @property
    def ticks(self) -> range:
        """The amounts at which a line is drawn across."""
        return range(self.low, self.high + 1, self.step)

    def y(self, amount: int) -> float:
        """How low an amount lies."""
        return TOP + self.layout.high - self.layout.high * (amount - self.low) / (self.high - self.low)

    @property
    def room(self) -> float:
        """Pixels between two moments."""
        return self.layout.wide / max(self.count, 2)

    def x(self, moment: int) -> float:
        """How far to the right a moment lies."""
        return LEFT + self.room * (moment + 0.5)


def step_of(span: int, over: int) -> int:
    """A round step (1, 2 or 5 with noughts, in whole units) that cuts a span into six at most."""
    step = over
    while True:
        for factor in (1, 2, 5):
            if step * factor * TICKS >= span:
                return step * factor
        step *= 10


def _value(amount: int, over: int) -> str:
    return num(amount / over)


def _axes(series: Series, scale: Scale, layout: Layout) -> Iterator[str]:
    for tick in scale.ticks:
        y = num(scale.y(tick))
        strong = ".55" if tick == 0 else ".14"
        yield f'<path d="M{LEFT} {y}H{LEFT + layout.wide}" stroke="{INK}" stroke-opacity="{strong}"/>'
        label = _value(tick, scale.over)
        yield f'<text x="{LEFT - 8}" y="{num(scale.y(tick) + 4)}" class="axis e">{label}</text>'
    unit = xml(plain(series.chart.unit))
    yield f'<text x="{MARGIN}" y="{TOP - 16}" class="axis">{unit}</text>'
    bottom, every = TOP + layout.high, max(1, -(-24 // max(1, int(scale.room))))
    for place, moment in enumerate(series.moments):
        last = place == len(series.moments) - 1
        if not last and (place % every or place > len(series.moments) - 1 - every):
            continue
        x, label = num(scale.x(place)), xml(plain(name_of(moment), 12))
        yield f'<path d="M{x} {bottom}v5" stroke="{INK}" stroke-opacity=".55"/>'
        yield f'<text x="{x}" y="{bottom + 20}" class="axis m">{label}</text>'
        if moment.chapter and not moment.ended:
            yield f'<text x="{x}" y="{bottom + 34}" class="axis m">now</text>'
    label = series.word if series.chart.taken_at else f"{series.word}, at its end"
    yield f'<text x="{LEFT + layout.wide // 2}" y="{bottom + 54}" class="axis m">{xml(plain(label))}</text>'


def _moment_mark(series: Series, scale: "Scale", chapter: int | None) -> Iterator[str]:
    """A band at the last moment of a chapter; none before the first moment of the chart."""
    places = [place for place, moment in enumerate(series.moments) if chapter is not None and moment.chapter <= chapter]
    if places:
        wide = max(8.0, min(24.0, scale.room))
        left, high = scale.x(places[-1]) - wide / 2, scale.layout.high
        yield f'<rect x="{num(left)}" y="{TOP}" width="{num(wide)}" height="{high}" fill="{INK}" fill-opacity=".16"/>'


def name_of(moment: Moment) -> str:
    """What stands under a moment: the label of an event, the number of a chapter."""
    return moment.label or (str(moment.chapter) if moment.chapter else "start")


def _colour_rows(rows: Sequence[Row]) -> list[Row]:
    """The rows, each with a colour; those that bring none get one apart from the others, by their keys."""
    colours = colours_apart({row.key: row.colour for row in rows})
    return [replace(row, colour=colour_or_grey(colours[row.key])) for row in rows]


def style_of(colour: str) -> int:
    """The number of the marker, dash and hatching that belong to a colour: the same in every chart."""
    return INKS.index(colour) if colour in INKS else int(colour[1:], 16)


def _dash(row: Row) -> str:
    number = style_of(row.colour)
    dash = DASHES[(number + number // len(MARKS)) % len(DASHES)]
    return f' stroke-dasharray="{dash}"' if dash else ""


def _lines(series: Series, shown: Sequence[Row], scale: Scale) -> Iterator[str]:
    apart = max(1, int(APART / scale.room))
    # From the least to the most, so that the leading lines lie on top.
    for row in reversed(shown):
        end = max((at + 2 for at, n in enumerate(row.amounts) if n), default=0) if row.gone else len(row.amounts)
        spots = [(scale.x(at), scale.y(n), at) for at, n in enumerate(row.amounts[:end]) if n is not None]
        path = "".join(
            f"M{num(a[0])} {num(a[1])}L{num(b[0])} {num(b[1])}" for a, b in pairwise(spots) if b[2] == a[2] + 1
        )
        faint = ' opacity=".45"' if row.gone else ""
        yield f"<g{faint}><title>{xml(plain(row.name, 120))}</title>"
        if path:
            width = "1.2" if row.gone else "2.2"
            yield f'<path d="{path}" fill="none" stroke="{row.colour}" stroke-width="{width}"{_dash(row)}/>'
        for x, y, at in spots:
            if at % apart and at != len(series.moments) - 1:
                continue
            running = not series.moments[at].ended and at > 0
            yield marker(row.colour, x, y, hollow=running)
        yield "</g>"


def marker(ink: str, x: float, y: float, *, size: int = 11, hollow: bool = False) -> str:
    """The marker of a colour around a point."""
    paint = f'fill="{PAPER}" stroke="{ink}" stroke-width="16"' if hollow else f'fill="{ink}" fill-rule="evenodd"'
    place = f"translate({num(x - size / 2)} {num(y - size / 2)}) scale({num(size / 100)})"
    return f'<path d="{MARKS[style_of(ink) % len(MARKS)]}" transform="{place}" {paint}/>'


def _hatches(shown: Sequence[Row]) -> Iterator[str]:
    yield "<defs>"
    for number, row in enumerate(shown):
        ink, hatch = row.colour, style_of(row.colour) % len(HATCHES)
        paint = 'fill="none" stroke-width="1.4"' if hatch != len(HATCHES) - 1 else f'fill="{ink}"'
        lines = f'<path d="{HATCHES[hatch]}" stroke="{ink}" {paint}/>' if hatch else ""
        yield (
            f'<pattern id="h{number}" width="8" height="8" patternUnits="userSpaceOnUse">'
            f'<rect width="8" height="8" fill="{mix(ink, PAPER, 60)}"/>{lines}</pattern>'
        )
    yield "</defs>"


def _columns(series: Series, shown: Sequence[Row], scale: Scale) -> Iterator[str]:
    yield from _hatches(shown)
    wide = min(56.0, scale.room * 0.82)
    for at, moment in enumerate(series.moments):
        below, x = 0, scale.x(at)
        running = not moment.ended and moment.chapter > 0
        for number, row in enumerate(shown):
            amount = row.amounts[at] or 0
            if not amount:
                continue
            top, high = scale.y(below + amount), scale.y(below) - scale.y(below + amount)
            dash = ' stroke-dasharray="4 3"' if running else ""
            label = _value(amount, scale.over)
            yield (
                f'<rect x="{num(x - wide / 2)}" y="{num(top)}" width="{num(wide)}" height="{num(high)}" '
                f'fill="url(#h{number})" stroke="{row.colour}" stroke-width="1.3"{dash}>'
                f"<title>{xml(plain(row.name, 120))}: {label}</title></rect>"
            )
            if high >= 15 and width_of(label, 11) < wide - 4:
                yield f'<text x="{num(x)}" y="{num(top + high / 2 + 4)}" class="in halo">{label}</text>'
            below += amount


def _legend(series: Series, shown: Sequence[Row], layout: Layout) -> Iterator[str]:
    left, top, wide = layout.legend_left, layout.legend_top, layout.legend_width
    if shown:
        latest = series.moments[-1]
        head = f"{series.word.upper()} {latest.label or latest.chapter}" if latest.ended else "NOW"
        right = left + wide
        yield f'<text x="{right}" y="{top}" class="axis e">{xml(plain(head))}, {xml(plain(series.chart.unit))}</text>'
        yield f'<path d="M{left} {top + 6.5}H{right}" stroke="{FADED}" stroke-opacity=".5"/>'
    for number, row in enumerate(shown):
        if row.gone:
            continue
        top += LINE
        if series.chart.shared:
            yield (
                f'<rect x="{left}" y="{top - 11}" width="30" height="14" fill="url(#h{number})" stroke="{row.colour}" '
                'stroke-width="1.3"/>'
            )
        else:
            yield f'<path d="M{left} {top - 4}h30" stroke="{row.colour}" stroke-width="2.2"{_dash(row)}/>'
            yield marker(row.colour, left + 15, top - 4)
        last = row.amounts[-1]
        label = "-" if last is None else _value(last, series.chart.over)
        name = shorten(plain(row.name), 14.5, wide - 38 - width_of(label, 14) - 14)
        yield f'<text x="{left + 38}" y="{top}" class="r">{xml(name)}</text>'
        yield f'<text x="{left + wide}" y="{top}" class="r b e">{label}</text>'
    gone = sum(row.gone for row in series.rows)
    living = sum(not row.gone for row in shown)
    for count, what in ((len(series.rows) - gone - living, "more"), (gone, "that are no more")):
        if count:
            top += LINE
            yield f'<text x="{left + 38}" y="{top}" class="r o">and {count} {what}</text>'


def _chart_in_words(series: Series) -> str:
    """The chart in words: the span, and what each row has at its first and last moment."""
    if not series.moments:
        return f"Lines, in {series.chart.unit}. No {series.word.lower()} yet."
    first, last = series.moments[0], series.moments[-1]
    now = "" if last.ended or not last.chapter else ", which is still running"
    begin = first.label or first.chapter or "0, the start,"
    span = f"{series.word} {begin} to {last.label or last.chapter}{now}."
    over, parts = series.chart.over, []
    for row in (row for row in series.rows[: NEAR.most] if not row.gone):
        there = [amount for amount in row.amounts if amount is not None]
        if not there:
            continue
        parts.append(f"{plain(row.name, 60)} from {_value(there[0], over)} to {_value(there[-1], over)}")
    kind = "Columns of parts" if series.chart.shared else "Lines"
    return f"{kind}, in {series.chart.unit}. {span} {'; '.join(parts)}{'.' if parts else ''}"
