"""The tower as SVG, from the front and from the side: who placed what, margins, the last fall as a heap (pure).

A sign on the upper edge of a die shows where the middle of all dice above it lies: beyond the edge the tower falls
(DT-SIM-3). Its form says how near that is, its colour from green to red the same. A real tower has no centres, so it is
one plain stack. The frame has room for thirteen dice, so that pictures of one game lie upon each other.
"""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from games.dietower.drawing_people import people_row, spots_of_people
from games.dietower.drawing_pieces import (
    DIE,
    FALLS,
    FLOOR,
    GAUGE,
    GOLD,
    SIGNS,
    Side,
    band_of,
    base_of,
    die_shape,
    gauge,
    ink_on,
    label_of,
    legend,
    paint_of,
    pile,
    risk_bar,
    shine,
    sign,
    tower_in_words,
)
from games.dietower.rules.state.constants import MIRACLE_HEIGHT
from games.dietower.rules.state.schema_types import Axis, Mode
from games.dietower.rules.tower.balance import LARGEST_SHIFT, Centre, Margin
from games.dietower.rules.tower.tower_view import Shape, TowerView
from games.drawing.highlights import Spots
from games.drawing.sheet import HEAD, MARGIN, sheet, wall_sheet
from worlds.drawing.contours import num
from worlds.drawing.labels import lines_of, plain, xml
from worlds.drawing.palette import FADED, INK, PAPER

VIEW, GAP, TABLE = 330, 22, 436
"""The width of a view, the room between views, the width of the table of levels."""
LEFT = MARGIN + 2 * (VIEW + GAP)
"""Where the table begins."""
WIDTH, HEIGHT = LEFT + TABLE + MARGIN, FLOOR + 118
WALL_FOOT = 64
"""What lies under the ground on a wall."""
NAME, PITCH = 206, 92
"""The width of a name, and from one scale of margins to the next."""
ASIDE = 85
"""How far a fallen tower is moved aside, so that there is room for what lies beside it."""
SMALL, SMALL_FLOOR = 0.42, HEAD + 106
"""The scale of the last fall while another tower stands, and where its heap lies."""
STYLES = (
    f".note{{font-size:14.5px}}.s{{font-size:12px;fill:{FADED}}}.m{{text-anchor:middle}}.e{{text-anchor:end}}"
    f".h{{font-size:12px;font-weight:600;fill:{FADED};letter-spacing:.04em}}.n{{font-size:13px}}"
    ".d{font-size:17px;font-weight:700;text-anchor:middle}.v{font-size:13px;font-weight:600}"
    f".f{{font-size:13px;font-weight:700;fill:{FALLS}}}"
    f".halo{{paint-order:stroke;stroke:{PAPER};stroke-width:4px;stroke-linejoin:round}}"
)
WALL_STYLES = ".note{font-size:18px}.s,.h{font-size:17.5px}.n{font-size:18px}.d{font-size:20px}"
"""As large as a wall needs it."""
NO_COLOURS: Mapping[str, str] = MappingProxyType({})


def tower_svg(view: TowerView, title: str = "", colours: Mapping[str, str] = NO_COLOURS) -> str:
    """Draw a tower. title: whose it is, and when. colours: of the seats by id, as in charts."""
    fallen = [view.fall.note] if view.fall is not None and view.shape is Shape.HEAP else []
    notes = enumerate(lines_of(plain(" ".join([view.note, *fallen]), 600), 14.5, LEFT - MARGIN - GAP, 2))
    parts = [
        *(f'<text x="{MARGIN}" y="{HEAD - 2 + 20 * at}" class="note">{xml(line)}</text>' for at, line in notes),
        *risk_bar(view, LEFT, TABLE),
        *([*_views(view, colours), *legend(view)] if view.mode is Mode.SIMULATED else _real_tower(view, colours)),
        *_table(view, colours),
        *_last_fall(view, colours),
    ]
    return sheet(
        WIDTH,
        HEIGHT,
        title="The die tower",
        subtitle=title,
        description=tower_in_words(view),
        styles=STYLES,
        parts=parts,
    )


def tower_wall_svg(view: TowerView, title: str = "", colours: Mapping[str, str] = NO_COLOURS) -> str:
    """Draw a tower to be read from afar: from both sides, with the risk of the next die, without a table of levels."""
    parts = [
        f'<g transform="translate({MARGIN - LEFT} 0)">',
        *risk_bar(view, LEFT, TABLE),
        "</g>",
        *people_row(view.people, MARGIN, LEFT - GAP - MARGIN, colours),
        *(_views(view, colours) if view.mode is Mode.SIMULATED else _real_tower(view, colours)),
    ]
    return wall_sheet(
        LEFT - GAP + MARGIN,
        FLOOR + WALL_FOOT,
        title="The die tower",
        subtitle=title,
        description=tower_in_words(view),
        styles=STYLES + WALL_STYLES,
        parts=parts,
    )


def _views(view: TowerView, colours: Mapping[str, str]) -> Iterator[str]:
    """A simulated tower along both axes."""
    centres = [die.centre for die in view.dice if die.centre is not None]
    for left, side in _sides(view, centres):
        axis = side.axis
        yield from _frame(left, VIEW, side)
        yield _caption(view, left, axis)
        if view.shape is Shape.HEAP:
            yield from _heap(view, side, centres, colours)
        else:
            yield from _standing(view, side, centres, colours)
            yield from _landing(view, side, centres)


def _sides(view: TowerView, centres: Sequence[Centre]) -> Iterator[tuple[float, Side]]:
    """Both views of a simulated tower, each with where it begins."""
    reach = max((max(abs(c.x), abs(c.y)) for c in centres), default=0) + view.half_width + LARGEST_SHIFT
    unit = min(DIE / (2 * view.half_width), (VIEW / 2 - 8) / reach)
    for number, axis in enumerate(Axis):
        left = MARGIN + number * (VIEW + GAP)
        yield left, Side(axis, left + VIEW / 2 - _aside(view, axis), unit, unit * 2 * view.half_width)


def tower_spots(view: TowerView) -> Spots:
    """Where people are on the picture for a wall, by id, and the dice of a simulated tower that stands, by number."""
    places = spots_of_people(view.people, MARGIN, LEFT - GAP - MARGIN)
    centres = [die.centre for die in view.dice if die.centre is not None]
    if view.mode is Mode.SIMULATED and view.shape is not Shape.HEAP and centres:
        _, side = next(iter(_sides(view, centres)))
        places |= {str(level): (side.x(centre), side.y(level)) for level, centre in enumerate(centres, start=1)}
    return Spots(LEFT - GAP + MARGIN, FLOOR + WALL_FOOT, DIE / 2, places.get)


def _aside(view: TowerView, axis: Axis) -> float:
    """How far to the left the tower is drawn: away from where it fell."""
    if view.shape is not Shape.HEAP or view.fall is None or view.fall.axis is not axis:
        return 0
    return ASIDE if view.fall.side in ("right", "back") else -ASIDE


def _frame(left: float, width: float, side: Side | None) -> Iterator[str]:
    """The ground, and a rung for each level."""
    die = side.die if side is not None else DIE
    top = FLOOR - MIRACLE_HEIGHT * die
    rungs = "".join(f"M{num(left)} {num(FLOOR - die * level)}h{num(width)}" for level in range(1, MIRACLE_HEIGHT))
    yield f'<path d="{rungs}" stroke="{INK}" stroke-opacity=".07"/>'
    yield f'<path d="M{num(left)} {num(top)}h{num(width)}" stroke="{GOLD}" stroke-width="1.5" stroke-dasharray="2 5"/>'
    yield f'<text x="{num(left)}" y="{num(top - 6)}" class="s">13: a miracle</text>'
    yield f'<path d="M{num(left)} {FLOOR}h{num(width)}" stroke="{INK}" stroke-width="2"/>'
    hatches = "".join(f"M{num(left + at)} {FLOOR + 8}l8 -8" for at in range(0, int(width) - 7, 11))
    yield f'<path d="{hatches}" stroke="{INK}" stroke-opacity=".35"/>'


def _caption(view: TowerView, left: float, axis: Axis) -> str:
    """From where it is looked at, what is left and right, and where the tower failed."""
    name, low, high = ("FRONT", "left", "right") if axis is Axis.X else ("SIDE", "front", "back")
    middle, y = num(left + VIEW / 2), FLOOR + 28
    failed = ""
    if _aside(view, axis) and view.fall is not None:
        words = f"level {view.fall.level} failed along {axis}, to the {view.fall.side}"
        failed = f'<text x="{middle}" y="{y + 19}" class="f m">{words}</text>'
    return (
        f'<text x="{middle}" y="{y}" class="h m">FROM THE {name}: {axis}</text>'
        f'<text x="{num(left)}" y="{y}" class="s">← {low}</text>'
        f'<text x="{num(left + VIEW)}" y="{y}" class="s e">{high} →</text>{failed}'
    )


def _standing(view: TowerView, side: Side, centres: Sequence[Centre], colours: Mapping[str, str]) -> Iterator[str]:
    """The dice that stand, with their margins; the thirteen of a miracle shine."""
    spots = [(side.x(centre), side.y(die.level)) for die, centre in zip(view.dice, centres, strict=True)]
    if view.shape is Shape.MIRACLE:
        yield from shine(spots, side.die)
    for die, (x, y) in zip(view.dice, spots, strict=True):
        yield die_shape(die, x, y, side.die, colours)
    for margin in view.margins:
        yield from _edge(view, side, margin, spots[margin.level - 1])


def _edge(view: TowerView, side: Side, margin: Margin, spot: tuple[float, float]) -> Iterator[str]:
    """The upper edge of a die in the colour of its margin, and where the middle of all dice above it lies."""
    above = len(view.dice) - margin.level
    left, lean = side.margin(margin)
    band, (x, y) = band_of(left, view.half_width * above), spot
    high = y - side.die / 2
    title = f"Level {margin.level}: margin {left} of {view.half_width * above} along {side.axis}"
    yield (
        f'<g><title>{xml(title)}</title><path d="M{num(x - side.die / 2 + 3)} {num(high)}h{num(side.die - 6)}" '
        f'stroke="{SIGNS[band][0]}" stroke-width="4" stroke-linecap="round"/>'
        f"{sign(band, x + side.unit * lean / above, high)}</g>"
    )


def _landing(view: TowerView, side: Side, centres: Sequence[Centre]) -> Iterator[str]:
    """The shifts of the next die: those with which the tower stands as a bar, those with which it falls dotted."""
    if view.landing is None or not centres:
        return
    landing = view.landing[0 if side.axis is Axis.X else 1]
    x, y = side.x(centres[-1]), side.y(len(centres) + 1) + side.die / 2 - 17
    least, most = x - LARGEST_SHIFT * side.unit, x + LARGEST_SHIFT * side.unit
    yield f'<path d="M{num(least)} {num(y)}H{num(most)}" stroke="{FALLS}" stroke-width="2" stroke-dasharray="2 2.5"/>'
    if landing.low <= landing.high:
        low, high = x + (landing.low - 0.4) * side.unit, x + (landing.high + 0.4) * side.unit
        ink = SIGNS["wide"][0]
        yield f'<path d="M{num(low)} {num(y)}H{num(high)}" stroke="{ink}" stroke-width="7" stroke-linecap="round"/>'
    words = (
        f"shift {landing.low:+d} to {landing.high:+d} stands".replace("-", "−")
        if landing.low <= landing.high
        else "every shift falls"
    )
    yield f'<text x="{num(most + 10)}" y="{num(y + 4)}" class="s halo">{words}</text>'


def _heap(view: TowerView, side: Side, centres: Sequence[Centre], colours: Mapping[str, str]) -> Iterator[str]:
    """What has fallen: dice up to the level that failed where they were, those above it in a heap, and their shadow."""
    level = view.fall.level if view.fall is not None and view.fall.level is not None else len(centres)
    spots = [(side.x(centre), side.y(die.level)) for die, centre in zip(view.dice, centres, strict=True)]
    shadow = "".join(
        f"M{num(x - side.die / 2 + 2)} {num(y - side.die / 2 + 2)}h{num(side.die - 4)}v{num(side.die - 4)}"
        f"h{num(4 - side.die)}Z"
        for x, y in spots[level:]
    )
    yield f'<path d="{shadow}" fill="none" stroke="{INK}" stroke-opacity=".5" stroke-dasharray="3 4"/>'
    low, high = min(x for x, _ in spots[:level]) - side.die / 2, max(x for x, _ in spots[:level]) + side.die / 2
    fallen = view.dice[level:]
    aside = _aside(view, side.axis)
    half = len(fallen) // 2
    to_left = fallen if aside < 0 else () if aside > 0 else fallen[:half]
    to_right = fallen if aside > 0 else () if aside < 0 else fallen[half:]
    yield from pile(to_left, low - 8, -1, side.die, colours)
    yield from pile(to_right, high + 8, 1, side.die, colours)
    for die, (x, y) in zip(view.dice[:level], spots, strict=False):
        yield die_shape(die, x, y, side.die, colours)
    if level > len(view.margins):
        return
    yield from _edge(view, side, view.margins[level - 1], spots[level - 1])
    if aside:
        yield from _failure(view, side, spots[level - 1], spots[-1])


def _failure(view: TowerView, side: Side, spot: tuple[float, float], top: tuple[float, float]) -> Iterator[str]:
    """The level that failed, in red, and an arrow from the top to where the dice above it went."""
    forth = 1 if _aside(view, side.axis) > 0 else -1
    x, y = spot
    top_x, top_y = top
    edge = top_x + forth * (side.die / 2 + 5)
    yield (
        f'<rect x="{num(x - side.die / 2 - 3)}" y="{num(y - side.die / 2 - 3)}" width="{num(side.die + 6)}" '
        f'height="{num(side.die + 6)}" rx="9" fill="none" stroke="{FALLS}" stroke-width="3"/>'
        f'<path d="M{num(edge)} {num(top_y)}q{forth * 34} 0 {forth * 40} 30m{forth * -10} -8l{forth * 10} 9'
        f'l{forth * 7} -11" fill="none" stroke="{FALLS}" stroke-width="3" stroke-linecap="round" '
        'stroke-linejoin="round"/>'
    )


def _real_tower(view: TowerView, colours: Mapping[str, str]) -> Iterator[str]:
    """A real tower: dice upon each other, or in a heap; without centres."""
    width = 2 * VIEW + GAP
    middle = MARGIN + width / 2
    yield from _frame(MARGIN, width, None)
    words = "drawn without offsets: how the dice of a real tower lie is to be seen at the table alone"
    yield f'<text x="{num(middle)}" y="{FLOOR + 28}" class="h m">{words}</text>'
    if view.shape is Shape.HEAP:
        yield from pile(view.dice, middle - base_of(len(view.dice)) * (DIE + 2) / 2, 1, DIE, colours)
        return
    spots = [(middle, FLOOR - DIE * (die.level - 0.5)) for die in view.dice]
    if view.shape is Shape.MIRACLE:
        yield from shine(spots, DIE)
    for die, (x, y) in zip(view.dice, spots, strict=True):
        yield die_shape(die, x, y, DIE, colours)


def _table(view: TowerView, colours: Mapping[str, str]) -> Iterator[str]:
    """Who placed each level, and its margins, beside the dice."""
    if not view.dice:
        return
    head, at_x = FLOOR - DIE * len(view.dice) - 10, LEFT + 44 + NAME
    yield f'<text x="{LEFT + 38}" y="{head}" class="h">PLACED BY</text>'
    if view.mode is Mode.SIMULATED:
        for number, axis in enumerate(Axis):
            x = at_x + number * PITCH + GAUGE / 2
            yield f'<text x="{num(x)}" y="{head}" class="h m">MARGIN {axis}</text>'
    room = NAME if view.mode is Mode.SIMULATED else TABLE - 40
    yield f'<clipPath id="names"><rect x="{LEFT + 38}" y="0" width="{room}" height="{HEIGHT}"/></clipPath>'
    margins = {margin.level: margin for margin in view.margins}
    for die in view.dice:
        y = FLOOR - DIE * (die.level - 0.5)
        paint = paint_of(die, colours)
        failed = view.shape is Shape.HEAP and view.fall is not None and view.fall.level == die.level
        if failed:
            yield (
                f'<rect x="{LEFT - 4}" y="{num(y - DIE / 2 + 1)}" width="{TABLE}" height="{DIE - 2}" rx="6" '
                f'fill="{FALLS}" fill-opacity=".1"/>'
            )
        yield (
            f'<g><title>{xml(label_of(die))}</title><rect x="{LEFT}" y="{num(y - 12)}" width="24" height="24" rx="5" '
            f'fill="{paint}" stroke="{INK}"/><text x="{LEFT + 12}" y="{num(y + 4.5)}" class="v m" '
            f'fill="{ink_on(paint)}">{die.level}</text>'
        )
        lines = lines_of(plain(die.name, 80) or "somebody", 13, 0.9 * room, 2)
        for at, line in enumerate(lines):
            low = y + 4.5 + 15 * (at - (len(lines) - 1) / 2)
            yield f'<text x="{LEFT + 38}" y="{num(low)}" class="n" clip-path="url(#names)">{xml(line)}</text>'
        yield "</g>"
        if die.level in margins:
            most, margin = view.half_width * (len(view.dice) - die.level), margins[die.level]
            yield from gauge(margin.x, margin.lean_x, most, at_x, y)
            yield from gauge(margin.y, margin.lean_y, most, at_x + PITCH, y)


def _last_fall(view: TowerView, colours: Mapping[str, str]) -> Iterator[str]:
    """The last fall as a small heap, while another tower stands."""
    if view.fall is None or view.shape is not Shape.TOWER:
        return
    yield f'<g transform="translate({LEFT} {num(SMALL_FLOOR - SMALL * FLOOR)}) scale({SMALL})">'
    yield from pile(view.fall.dice, 0, 1, DIE, colours)
    yield "</g>"
    left = LEFT + 12 + SMALL * (DIE + 2) * base_of(len(view.fall.dice))
    for at, line in enumerate(lines_of(plain(view.fall.note, 600), 13, 0.95 * (WIDTH - MARGIN - left), 3)):
        yield f'<text x="{num(left)}" y="{SMALL_FLOOR - 37 + 17 * at}" class="n">{xml(line)}</text>'
