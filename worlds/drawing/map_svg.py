"""The map as a picture: `map_svg(plan)` a sheet with heading and legend, `wall_map_svg(plan)` the map alone, to be read
from afar. One SVG document, the same bytes for the same plan (pure, no database).

Terrain and coast lie lowest, then shades, territories (tint and border of each race), units, marks, cities and, last,
names, which are put where they disturb least. No script, no link, no outside font; every text passes `lettering.plain`.
"""

import numpy as np
from numpy.typing import NDArray

from worlds.drawing import palette
from worlds.drawing.contours import num, path_of
from worlds.drawing.labels import lines_of, plain, shorten, xml
from worlds.drawing.legend import LEGEND_WIDTH, legend, legend_height, wall_key
from worlds.drawing.map_view import NOBODY, MapPlan
from worlds.drawing.markers import NUMBERS_FROM, Lettering, figures
from worlds.drawing.marks import grid, mark
from worlds.drawing.palette import COAST, FADED, INK, PAPER, SEA, SHOAL

LONGEST_SIDE = 960
LARGEST_CELL = 56
LONGEST_WALL_SIDE = 520
"""Pixels of the longer side of a wall map: the fewer, the larger its names are once it is scaled to a wall."""
WALL_CREDIT, CREDIT_LINES, WALL_KEY_WIDTH = 6, 4, 132
MARGIN = 34
HEAD = 92
FOOT = 44
ROUNDING = 0.3
SANS = "'Helvetica Neue',Helvetica,Arial,'Liberation Sans','DejaVu Sans',sans-serif"
SERIF = "'Iowan Old Style','Palatino Linotype',Palatino,Georgia,'Liberation Serif','DejaVu Serif',serif"


def map_svg(plan: MapPlan) -> str:
    """Draw a plan. Sizes follow from the map: a square has 56 pixels at most, the longer side about 960 in all.

    Squares under 14 pixels carry no numbers, marks or single city names; under 8 no grid.
    """
    cell = max(1, min(LARGEST_CELL, LONGEST_SIDE // max(plan.width, plan.height, 1)))
    wide, high = plan.width * cell, plan.height * cell
    marked = cell >= NUMBERS_FROM
    body = max(high, legend_height(plan, marked), 120)
    full_width = MARGIN + wide + 28 + LEGEND_WIDTH + MARGIN
    full_height = HEAD + body + FOOT
    title, subtitle = plain(plan.title) or "Map", plain(plan.subtitle)
    lettering = Lettering.of_sheet(cell)
    parts = [
        *_opening(plan, full_width, full_height),
        _styles(lettering),
        f'<rect width="{full_width}" height="{full_height}" fill="{PAPER}"/>',
        _head(title, subtitle, full_width - 2 * MARGIN),
        f'<g transform="translate({MARGIN} {HEAD})">',
        *_ground(plan, cell),
        *figures(plan, cell, lettering),
        *_frame(plan, cell),
        "</g>",
        f'<g transform="translate({MARGIN + wide + 28} {HEAD})">',
        *legend(plan, marked),
        "</g>",
    ]
    if credit := plain(plan.attribution):
        credit = shorten(credit, 11, full_width - 2 * MARGIN)
        parts.append(f'<text x="{MARGIN}" y="{full_height - 14}" class="credit">{xml(credit)}</text>')
    parts.append("</svg>\n")
    return "\n".join(part for part in parts if part)


def wall_map_svg(plan: MapPlan) -> str:
    """Draw a plan for a wall: the squares and what stands on them, large, without heading, axes or legend.

    A key of terrains and shades stands beside a map that has shades.

    Under the map stands whose work it is. What `map_svg` leaves out of small squares is left out here, too.
    """
    cell, full_width, full_height = wall_size(plan)
    wide, high = max(1, plan.width * cell), max(1, plan.height * cell)
    credits, lettering = _credits(plan, wide), Lettering.of_wall(cell)
    parts = [
        *_opening(plan, full_width, full_height),
        _styles(lettering),
        f'<rect width="{full_width}" height="{full_height}" fill="{PAPER}"/>',
        *_ground(plan, cell),
        *figures(plan, cell, lettering),
        *(wall_key(plan, wide + 10, WALL_KEY_WIDTH - 12) if plan.shades else ()),
    ]
    for number, line in enumerate(credits, start=1):
        y = high + number * (WALL_CREDIT + 2)
        parts.append(f'<text x="2" y="{y}" class="credit" style="font-size:{WALL_CREDIT}px">{xml(line)}</text>')
    parts.append("</svg>\n")
    return "\n".join(part for part in parts if part)


def wall_size(plan: MapPlan) -> tuple[int, int, int]:
    """The side of a square on a wall map, and its width and height, in pixels; the squares begin at its upper left."""
    cell = max(1, min(LARGEST_CELL, LONGEST_WALL_SIDE // max(plan.width, plan.height, 1)))
    wide, high = max(1, plan.width * cell), max(1, plan.height * cell)
    credits = _credits(plan, wide)
    full_width = wide + (WALL_KEY_WIDTH if plan.shades else 0)
    return cell, full_width, high + len(credits) * (WALL_CREDIT + 2) + (2 if credits else 0)


def _credits(plan: MapPlan, wide: int) -> list[str]:
    """Whose work a map is, in lines under it."""
    credit = plain(plan.attribution)
    return lines_of(credit, WALL_CREDIT, wide - 4, CREDIT_LINES) if credit else []


def _opening(plan: MapPlan, full_width: int, full_height: int) -> list[str]:
    """The element itself and what it says to those who do not see it."""
    title, subtitle = plain(plan.title) or "Map", plain(plan.subtitle)
    return [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {full_width} {full_height}" width="{full_width}" '
        f'height="{full_height}" role="img" aria-labelledby="map-title map-desc">',
        f'<title id="map-title">{xml(": ".join(filter(None, (title, subtitle))))}</title>',
        f'<desc id="map-desc">{xml(_map_in_words(plan))}</desc>',
    ]


def _ground(plan: MapPlan, cell: int) -> list[str]:
    """All that lies under the figures."""
    return [
        *_land(plan, cell),
        *_shades(plan, cell),
        *_territories(plan, cell),
        *_terrain_drawings(plan, cell),
        _grid(plan, cell),
    ]


def _map_in_words(plan: MapPlan) -> str:
    living = [race for race in plan.races if not race.extinct]
    named = ", ".join(f"{plain(race.name, 60)} ({race.units})" for race in living[:12])
    more = f" and {len(living) - 12} more" if len(living) > 12 else ""
    races = f" Races and their {plan.counted}: {named}{more}." if living else ""
    return f"A map of {plan.width} columns and {plan.height} rows with {len(plan.cities)} cities.{races}"


def _styles(lettering: Lettering) -> str:
    return (
        "<style>"
        f"svg{{font-family:{SANS};fill:{INK}}}"
        f".title{{font:600 27px {SERIF}}}"
        f".sub{{font:italic 15px {SERIF};fill:{FADED}}}"
        f".n{{font-size:{num(lettering.number)}px;font-weight:700;text-anchor:middle;font-variant-numeric:tabular-nums}}"
        f".halo{{paint-order:stroke;stroke:{PAPER};stroke-opacity:.88;stroke-linejoin:round}}"
        f".land{{font-family:{SERIF};font-style:italic;text-anchor:middle;fill:#4a4034}}"
        ".city{font-size:11px;font-weight:600;text-anchor:middle}"
        f".axis{{font-size:9px;fill:{FADED};text-anchor:middle}}"
        f".credit{{font-size:11px;fill:{FADED}}}"
        f".h{{font:600 12px {SANS};fill:{FADED};letter-spacing:.08em}}"
        ".r{font-size:13px}.b{font-weight:700;text-anchor:end;font-variant-numeric:tabular-nums}"
        f".o{{fill:{FADED}}}"
        "</style>"
    )


def _head(title: str, subtitle: str, room: int) -> str:
    lines = f'<text x="{MARGIN}" y="42" class="title">{xml(shorten(title, 28, room))}</text>'
    if subtitle:
        lines += f'<text x="{MARGIN}" y="62" class="sub">{xml(shorten(subtitle, 15, room))}</text>'
    return lines


def _masks(plan: MapPlan) -> tuple[NDArray[np.str_], NDArray[np.bool_]]:
    keys = np.array(plan.terrain, dtype=np.str_).reshape(plan.height, plan.width)
    return keys, ~np.isin(keys, sorted(plan.water))


def _rounding(cell: int) -> float:
    return ROUNDING if cell >= 8 else 0.0


def _land(plan: MapPlan, cell: int) -> list[str]:
    keys, land = _masks(plan)
    wide, high = plan.width * cell, plan.height * cell
    coast = path_of(land, cell, _rounding(cell))
    parts = [
        f'<defs><clipPath id="frame"><rect width="{wide}" height="{high}"/></clipPath>'
        f'<path id="coast" d="{coast}"/><clipPath id="land"><use href="#coast"/></clipPath></defs>',
        f'<rect width="{wide}" height="{high}" fill="{SEA}"{grid(plan.width, plan.height)}/>',
    ]
    for key in sorted({key for key in plan.terrain if key in plan.water and palette.ground(key) != SEA}):
        parts.append(f'<path d="{path_of(keys == key, cell)}" fill="{palette.ground(key)}"/>')
    parts.append('<g clip-path="url(#frame)" fill="none" stroke-linejoin="round">')
    for reach, opacity in ((1.0, 0.22), (0.62, 0.3), (0.3, 0.45)):
        parts.append(
            f'<use href="#coast" stroke="{SHOAL}" stroke-width="{num(reach * cell)}" stroke-opacity="{opacity}"/>'
        )
    parts.append('</g><g clip-path="url(#land)">')
    for key in sorted(set(plan.terrain) - plan.water):
        parts.append(f'<path d="{path_of(keys == key, cell)}" fill="{palette.ground(key)}"/>')
    parts.append("</g>")
    parts.append(
        f'<use href="#coast" fill="none" stroke="{COAST}" stroke-width="{num(max(0.6, cell * 0.04))}" '
        'stroke-linejoin="round" clip-path="url(#frame)"/>'
    )
    return parts


def _shades(plan: MapPlan, cell: int) -> list[str]:
    """Each shade as a tint and a pattern, one drawing a square; under 8 pixels the tint alone."""
    parts: list[str] = []
    for number, shade in enumerate(plan.shades):
        ink, drawing = palette.shade(shade.key)
        mask = np.zeros((plan.height, plan.width), dtype=np.bool_)
        for x, y in shade.squares:
            mask[y, x] = True
        if not mask.any():
            continue
        path = path_of(mask, cell)
        parts.append(
            f'<path d="{path}" fill="{ink}" fill-opacity=".13"><title>{xml(plain(shade.name, 120))}</title></path>'
        )
        if cell >= 8:
            parts.append(
                f'<defs><pattern id="s{number}" width="{cell}" height="{cell}" patternUnits="userSpaceOnUse">'
                f'<path d="{drawing}" transform="scale({num(cell / 100)})" fill="none" stroke="{ink}" '
                'stroke-opacity=".45" stroke-width="4" stroke-linecap="round" stroke-linejoin="round"/>'
                f'</pattern></defs><path d="{path}" fill="url(#s{number})"/>'
            )
    return parts


def _territories(plan: MapPlan, cell: int) -> list[str]:
    owners = np.array(plan.owner, dtype=np.int32).reshape(plan.height, plan.width)
    border = num(max(1.2, cell * 0.16))
    parts: list[str] = []
    for index, race in enumerate(plan.races):
        mask = owners == index
        for x, y, other in plan.shared:
            mask[y, x] |= other == index
        if not mask.any():
            continue
        colour = palette.colour_or_grey(race.colour)
        path = path_of(mask, cell, _rounding(cell))
        # The border is stroked inside its own territory only, so that neighbours show side by side.
        parts.append(
            f'<clipPath id="t{index}"><path d="{path}"/></clipPath>'
            f'<path{mark("race", race.id)} d="{path}" fill="{colour}" fill-opacity=".4" stroke="{colour}" '
            f'stroke-width="{border}" stroke-opacity=".95" clip-path="url(#t{index})">'
            f"<title>{xml(plain(race.name, 120))}</title></path>"
        )
    return parts


def _terrain_drawings(plan: MapPlan, cell: int) -> list[str]:
    if cell < 18:
        return []
    parts: list[str] = []
    for key in sorted(set(plan.terrain) - plan.water):
        if not (drawing := palette.strokes(key)):
            continue
        name = f"g{len(parts)}"
        empty = [at for at, held in enumerate(plan.terrain) if held == key and plan.owner[at] == NOBODY]
        uses = "".join(
            f'<use href="#{name}" x="{at % plan.width * cell}" y="{at // plan.width * cell}"/>' for at in empty
        )
        ink = palette.mix(palette.ground(key), "#3a3a20", 55)
        parts.append(
            f'<defs><path id="{name}" d="{drawing}" transform="scale({num(cell / 100)})"/></defs>'
            f'<g fill="none" stroke="{ink}" stroke-opacity=".7" stroke-width="4" stroke-linecap="round" '
            f'stroke-linejoin="round">{uses}</g>'
        )
    return parts


def _grid(plan: MapPlan, cell: int) -> str:
    if cell < 8:
        return ""
    wide, high = plan.width * cell, plan.height * cell
    lines = "".join(f"M{x * cell} 0V{high}" for x in range(1, plan.width))
    lines += "".join(f"M0 {y * cell}H{wide}" for y in range(1, plan.height))
    opacity = 0.09 if cell >= NUMBERS_FROM else 0.05
    return f'<path d="{lines}" fill="none" stroke="{INK}" stroke-opacity="{opacity}" shape-rendering="crispEdges"/>'


def _frame(plan: MapPlan, cell: int) -> list[str]:
    wide, high = plan.width * cell, plan.height * cell
    step = next(step for step in (1, 5, 10, 50, 100, 500) if step * cell >= 28 or step == 500)
    parts = [
        f'<rect width="{wide}" height="{high}" fill="none" stroke="{INK}" stroke-width="1.5"/>'
        f'<rect x="-4" y="-4" width="{wide + 8}" height="{high + 8}" fill="none" stroke="{INK}" stroke-width=".6"/>'
    ]
    half = cell / 2
    parts += [f'<text x="{num(x * cell + half)}" y="-8" class="axis">{x}</text>' for x in range(0, plan.width, step)]
    parts += [
        f'<text x="-14" y="{num(y * cell + half + 3)}" class="axis">{y}</text>' for y in range(0, plan.height, step)
    ]
    return parts
