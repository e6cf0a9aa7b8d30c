"""What stands on the map: numbers of units, marks of features, cities, and the names of cities, races and lands (pure).

Names are placed after all else, each where it disturbs least: a name that would hide a city or another name is left
out, save those of lands, which are always written.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from worlds.drawing import palette
from worlds.drawing.contours import num
from worlds.drawing.labels import Box, Ground, lines_of, plain, shorten, width_of, xml
from worlds.drawing.map_view import MapPlan, PlanCity
from worlds.drawing.marks import mark as mark_of
from worlds.drawing.palette import INK, PAPER

NUMBERS_FROM = 14
NAMES_FROM = 8
MARKS_A_SQUARE = 3
# What a square pixel of each costs a name that hides it.
NUMBER, MARK, ICON, NAME = 5.0, 4.0, 14.0, 40.0


@dataclass(frozen=True, slots=True)
class Lettering:
    """How large a map is written, in pixels: numbers of units, names of cities and of races, marks of features.

    gaps: how far from the border of a square the name of a race may stand, in heights of its letters.
    """

    number: float
    city: float
    race: float
    mark: float
    gaps: tuple[float, ...]

    @classmethod
    def of_sheet(cls, cell: int) -> "Lettering":
        """That of a map that is read from near, with squares of `cell` pixels."""
        number, mark = max(8.0, min(cell * 0.42, 18.0)), max(7.0, min(cell * 0.34, 16.0))
        return cls(number, 11.0, 12.0, mark, (0.0,)) if cell >= NUMBERS_FROM else cls(number, 9.0, 10.0, mark, (0.7,))

    @classmethod
    def of_wall(cls, cell: int) -> "Lettering":
        """That of a map that is read from afar: numbers fill their squares, and names keep off them."""
        number, mark = max(8.0, min(cell * 0.5, 22.0)), max(6.0, min(cell * 0.34, 18.0))
        return cls(number, 11.0, 12.0, mark, (0.0, 0.3, 0.6))


def figures(plan: MapPlan, cell: int, lettering: Lettering) -> list[str]:
    """All figures from the lowest to the highest, for squares of `cell` pixels."""
    ground = Ground(Box(2, 2, plan.width * cell - 2, plan.height * cell - 2))
    standing = [
        *_numbers(plan, cell, ground, lettering.number),
        *_marks(plan, cell, ground, lettering.mark),
        *_city_icons(plan, cell, ground),
    ]
    cities = _city_names(plan, cell, ground, lettering.city) if cell >= NAMES_FROM else ()
    return [*standing, *cities, *_land_names(plan, cell, ground), *_race_names(plan, cell, ground, lettering)]


def _numbers(plan: MapPlan, cell: int, ground: Ground, size: float) -> Iterator[str]:
    if cell < NUMBERS_FROM:
        return
    towns = {(city.x, city.y) for city in plan.cities}
    for index, race in enumerate(plan.races):
        ink = palette.mix(palette.colour_or_grey(race.colour), "#120d08", 55)
        texts: list[str] = []
        for at, (owner, units) in enumerate(zip(plan.owner, plan.units, strict=True)):
            if owner != index or not units:
                continue
            y, x = divmod(at, plan.width)
            # A city stands in the upper part of its square and the number below it.
            middle = (x + 0.5) * cell
            base = y * cell + (cell * 0.88 if (x, y) in towns else cell * 0.5 + size * 0.36)
            ground.put(Box.around(middle, base - size * 0.36, width_of(str(units), size) + 2, size), NUMBER)
            texts.append(f'<text x="{num(middle)}" y="{num(base)}">{units}</text>')
        if texts:
            width = num(max(2.0, cell * 0.09))
            yield f'<g class="n halo" fill="{ink}" stroke-width="{width}">{"".join(texts)}</g>'


def _marks(plan: MapPlan, cell: int, ground: Ground, size: float) -> Iterator[str]:
    if cell < NUMBERS_FROM or not plan.marks:
        return
    shapes = palette.mark_shapes([mark.kind for mark in plan.marks])
    names = {kind: f"m{number}" for number, kind in enumerate(sorted(shapes))}
    yield (
        "<defs>"
        + "".join(
            f'<path id="{names[kind]}" d="{shape}" transform="scale({size / 100:.4f})" fill="{ink}" '
            f'fill-rule="evenodd" stroke="{PAPER}" stroke-width="22" paint-order="stroke" stroke-linejoin="round"/>'
            for kind, (shape, ink) in sorted(shapes.items())
        )
        + "</defs>"
    )
    held: dict[tuple[int, int], int] = {}
    for mark in plan.marks:
        number = held[mark.x, mark.y] = held.get((mark.x, mark.y), 0) + 1
        if number > MARKS_A_SQUARE:
            continue
        # From the upper right corner downwards.
        left = (mark.x + 1) * cell - size - cell * 0.05
        top = mark.y * cell + cell * 0.05 + (number - 1) * size * 1.08
        ground.put(Box(left, top, left + size, top + size), MARK)
        title = ": ".join(filter(None, (mark.kind.replace("_", " "), mark.name)))
        title = xml(plain(title, 200))
        chosen = f'{mark_of(mark.kind, *mark.ids)} width="{num(size)}" height="{num(size)}"'
        yield f'<use href="#{names[mark.kind]}" x="{num(left)}" y="{num(top)}"{chosen}><title>{title}</title></use>'


def _city_icons(plan: MapPlan, cell: int, ground: Ground) -> Iterator[str]:
    for city in plan.cities:
        size = _icon(cell, city)
        left = (city.x + 0.5) * cell - size / 2
        top = city.y * cell + (cell * 0.02 if cell >= NUMBERS_FROM else (cell - size) / 2)
        ground.put(Box(left, top, left + size, top + size), ICON)
        shape, fill = (palette.GREAT_CITY, "#f2c14e") if city.great else (palette.CITY, "#fffdf7")
        kind = "great city" if city.great else "city"
        title = xml(plain(f"{kind}: {city.name}" if city.name else kind, 200))
        yield (
            f'<path{mark_of("city", city.id)} d="{shape}" fill="{fill}" '
            f'transform="translate({num(left)} {num(top)}) scale({size / 100:.4f})" '
            f'stroke="{INK}" stroke-width="{num(130 / size)}" stroke-linejoin="round"><title>{title}</title></path>'
        )


def _icon(cell: int, city: PlanCity) -> float:
    return max(7.0, min(cell * (0.58 if city.great else 0.5), 34.0))


def _city_names(plan: MapPlan, cell: int, ground: Ground, size: float) -> Iterator[str]:
    for city in sorted(plan.cities, key=lambda city: (not city.great, city.y, city.x)):
        name = shorten(plain(city.name), size, 118)
        if not name:
            continue
        wide = width_of(name, size) + 4
        x, y = (city.x + 0.5) * cell, (city.y + 0.5) * cell
        half = max(cell, _icon(cell, city)) / 2
        away = half + size * (0.4 if cell >= NUMBERS_FROM else 0.6)
        beside = half + wide / 2
        spots = [
            (x, y + away), (x, y - away), (x + beside, y), (x - beside, y),
            (x + beside * 0.6, y + away), (x - beside * 0.6, y + away),
            (x + beside * 0.6, y - away), (x - beside * 0.6, y - away),
        ]  # fmt: skip
        found = ground.best((number * 6.0, Box.around(*spot, wide, size)) for number, spot in enumerate(spots))
        if found is None or found[0] > NAME * size * 2:
            continue
        box = found[1]
        ground.put(box, NAME)
        yield _draw_text("city halo", box, size, name, "stroke-width:3px", "")


def _land_names(plan: MapPlan, cell: int, ground: Ground) -> Iterator[str]:
    for land in sorted(plan.lands, key=lambda land: (-len(land.squares), land.name)):
        if not (name := plain(land.name)):
            continue
        columns = [x for x, _ in land.squares]
        rows = [y for _, y in land.squares]
        room = max((max(columns) - min(columns) + 1) * cell * 1.15, 110.0)
        size = max(11.0, min(26.0, cell * 0.75, room / max(4.0, width_of(name, 1.25))))
        lines = lines_of(name, size * 1.22, room, 2)
        wide = max(width_of(line, size, size * 0.12) for line in lines) + 4
        high = size * 1.12 * len(lines)
        x = (sum(columns) / len(columns) + 0.5) * cell
        y = (sum(rows) / len(rows) + 0.5) * cell
        steps = [(dx, dy) for dy in (0, -1, 1, -2, 2, -3, 3, -4, 4) for dx in (0, -1, 1, -2, 2)]
        found = ground.best(
            ((abs(dx) + abs(dy)) * cell * 1.5, Box.around(x + dx * cell * 0.5, y + dy * cell * 0.5, wide, high))
            for dx, dy in steps
        )
        if found is None:
            continue
        box = found[1]
        ground.put(box, NAME)
        for number, line in enumerate(lines):
            top = box.top + number * size * 1.12
            line_box = Box(box.left, top, box.right, top + size * 1.12)
            style = f"font-size:{num(size)}px;letter-spacing:.12em;stroke-width:{num(size * 0.22)}px"
            yield _draw_text("land halo", line_box, size, line, style, "")


def _race_names(plan: MapPlan, cell: int, ground: Ground, lettering: Lettering) -> Iterator[str]:
    size = lettering.race
    homes: dict[int, list[tuple[int, int]]] = {}
    for at, owner in enumerate(plan.owner):
        if owner >= 0:
            homes.setdefault(owner, []).append((at % plan.width, at // plan.width))
    for index, squares in sorted(homes.items()):
        race = plan.races[index]
        name = shorten(plain(race.name), size, 150)
        wide = width_of(name, size, size * 0.04) + 6
        middle = (sum(x for x, _ in squares) / len(squares), sum(y for _, y in squares) / len(squares))
        found = ground.best(_round_about(squares, middle, cell, wide, lettering))
        if found is None or found[0] > NAME * size * 4:
            continue
        ground.put(found[1], NAME)
        ink = palette.mix(palette.colour_or_grey(race.colour), "#120d08", 35)
        style = f"font-size:{num(size)}px;font-weight:700;letter-spacing:.04em;text-anchor:middle;stroke-width:3.4px"
        yield _draw_text("halo", found[1], size, name, style, ink)


def _round_about(
    squares: list[tuple[int, int]], middle: tuple[float, float], cell: int, wide: float, lettering: Lettering
) -> Iterator[tuple[float, Box]]:
    """Spots for the name of a race: over and under each of its squares, dearer the further from the middle."""
    near = sorted(squares, key=lambda square: (abs(square[0] - middle[0]) + abs(square[1] - middle[1]), square))[:60]
    size = lettering.race
    for x, y in near:
        far = abs(x - middle[0]) + abs(y - middle[1])
        for gap in lettering.gaps:
            away = cell * 0.5 + size * gap
            for side in (-1, 1):
                spot = Box.around((x + 0.5) * cell, (y + 0.5) * cell + side * away, wide, size * 1.1)
                yield far * cell * 2.0, spot


def _draw_text(style_class: str, box: Box, size: float, text: str, style: str, ink: str) -> str:
    x = (box.left + box.right) / 2
    y = (box.top + box.bottom) / 2 + size * 0.35
    fill = f";fill:{ink}" if ink else ""
    return f'<text x="{num(x)}" y="{num(y)}" class="{style_class}" style="{style}{fill}">{xml(text)}</text>'
