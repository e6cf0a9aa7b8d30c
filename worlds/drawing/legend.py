"""The legend beside the map: races by units, cities and features, terrain and shades (pure)."""

from collections.abc import Iterator
from dataclasses import dataclass

from worlds.drawing import palette
from worlds.drawing.contours import num
from worlds.drawing.emblems import Shape, emblem_at
from worlds.drawing.labels import plain, shorten, width_of, xml
from worlds.drawing.map_view import MapPlan, PlanRace, PlanShade
from worlds.drawing.palette import FADED, INK

LEGEND_WIDTH = 280
LINE = 22
GAP = 20
WALL_LINE, WALL_LETTER = 22, 14
MOST_RACES = 60
MOST_KINDS = 40


@dataclass(frozen=True, slots=True)
class Key:
    """What the legend explains, in order: races, kinds of cities, kinds of marks, terrains, shades."""

    races: tuple[PlanRace, ...]
    races_left: int
    extinct: int
    """Races that are no more; one line says how many."""
    cities: tuple[bool, ...]
    marks: tuple[str, ...]
    terrains: tuple[str, ...]
    shades: tuple[PlanShade, ...]

    @classmethod
    def of(cls, plan: MapPlan, marked: bool) -> "Key":
        """The key of a plan: only what is on it, marks only where they are drawn."""
        kinds = sorted({mark.kind for mark in plan.marks})[:MOST_KINDS] if marked else []
        order = [key for key, _ in plan.terrain_names]
        living = [race for race in plan.races if not race.extinct]
        present = set(plan.terrain)
        terrains = [key for key in order if key in present] + sorted(present - set(order))
        return cls(
            races=tuple(living[:MOST_RACES]),
            races_left=max(0, len(living) - MOST_RACES),
            extinct=len(plan.races) - len(living),
            cities=tuple(sorted({city.great for city in plan.cities})),
            marks=tuple(kinds),
            terrains=tuple(terrains[:MOST_KINDS]),
            shades=tuple(shade for shade in plan.shades if shade.squares)[:MOST_KINDS],
        )

    @property
    def rows(self) -> tuple[int, ...]:
        """Lines of each block that is there, its heading not counted."""
        races = len(self.races) + bool(self.races_left) + bool(self.extinct)
        pairs = [(len(half) + 1) // 2 for half in (self.terrains, self.shades)]
        return tuple(lines for lines in (races, len(self.cities) + len(self.marks), *pairs) if lines)


def wall_key(plan: MapPlan, left: float, room: float) -> Iterator[str]:
    """The terrains and shades of a map in one column, as large as a wall needs it."""
    key, names = Key.of(plan, marked=False), dict(plan.terrain_names)
    entries = [(palette.ground(each), 1.0, names.get(each, each)) for each in key.terrains]
    entries += [(palette.shade(shade.key)[0], 0.35, shade.name) for shade in key.shades]
    for number, (ink, opacity, name) in enumerate(entries):
        top = 8 + number * WALL_LINE
        text = xml(shorten(plain(name), WALL_LETTER, room - 24))
        yield (
            f'<rect x="{num(left)}" y="{top}" width="17" height="15" rx="2" fill="{ink}" fill-opacity="{num(opacity)}" '
            f'stroke="{INK}" stroke-opacity=".4"/>'
            f'<text x="{num(left + 24)}" y="{top + 13}" style="font-size:{WALL_LETTER}px">{text}</text>'
        )


def legend_height(plan: MapPlan, marked: bool = True) -> int:
    """Height of the legend in pixels; marked: kinds of marks are explained."""
    rows = Key.of(plan, marked).rows
    return sum(lines * LINE + LINE + GAP for lines in rows)


def legend(plan: MapPlan, marked: bool = True) -> Iterator[str]:
    """The legend, LEGEND_WIDTH pixels wide, from (0, 0) downwards."""
    key = Key.of(plan, marked)
    top = 10
    if key.races or key.extinct:
        total = f"{sum(race.units for race in plan.races)} {xml(plan.counted.upper())}"
        yield _heading(top, "RACES")
        yield f'<text x="{LEGEND_WIDTH}" y="{top}" class="h" text-anchor="end">{total}</text>'
        for race in key.races:
            top += LINE
            yield _race(top, race)
        if key.races_left:
            top += LINE
            yield f'<text x="26" y="{top}" class="r o">and {key.races_left} more</text>'
        if key.extinct:
            top += LINE
            yield f'<text x="26" y="{top}" class="r o">{key.extinct} extinct</text>'
        top += LINE + GAP
    if key.cities or key.marks:
        yield _heading(top, "ON THE MAP")
        for great in key.cities:
            top += LINE
            yield _city(top, great)
        shapes = palette.mark_shapes([mark.kind for mark in plan.marks])
        for kind in key.marks:
            top += LINE
            shape, ink = shapes[kind]
            yield _draw_entry(top, shape, f'fill="{ink}" fill-rule="evenodd"', _word(kind), 14)
        top += LINE + GAP
    if key.terrains:
        names = dict(plan.terrain_names)
        yield _heading(top, "TERRAIN")
        for number, terrain in enumerate(key.terrains):
            if number % 2 == 0:
                top += LINE
            left = (number % 2) * (LEGEND_WIDTH // 2)
            yield _terrain(left, top, terrain, names.get(terrain, _word(terrain)))
        top += LINE + GAP
    if key.shades:
        yield _heading(top, "SHADES")
        for number, shade in enumerate(key.shades):
            if number % 2 == 0:
                top += LINE
            left = (number % 2) * (LEGEND_WIDTH // 2)
            yield _swatch(left, top, palette.PAPER, *palette.shade(shade.key), shade.name)


def _heading(top: int, label: str) -> str:
    return (
        f'<text x="0" y="{top}" class="h">{label}</text>'
        f'<path d="M0 {top + 6.5}H{LEGEND_WIDTH}" stroke="{FADED}" stroke-opacity=".5"/>'
    )


def _race(top: int, race: PlanRace) -> str:
    cities = f" · {race.cities} {'city' if race.cities == 1 else 'cities'}" if race.cities else ""
    room = LEGEND_WIDTH - 26 - width_of(str(race.units), 14) - 14 - width_of(cities, 11)
    name = shorten(plain(race.name), 13, room)
    return (
        f"<g>{emblem_at(Shape.SHIELD, race.name, 0, top - 14.5, 19, colour=race.colour)}"
        f'<text x="26" y="{top}" class="r">{xml(name)}<tspan class="o" font-size="11">{cities}</tspan></text>'
        f'<text x="{LEGEND_WIDTH}" y="{top}" class="r b">{race.units}</text></g>'
    )


def _city(top: int, great: bool) -> str:
    shape, fill = (palette.GREAT_CITY, "#f2c14e") if great else (palette.CITY, "#fffdf7")
    style = f'fill="{fill}" stroke="{INK}" stroke-width="7" stroke-linejoin="round"'
    return _draw_entry(top, shape, style, "great city" if great else "city", 17)


def _draw_entry(top: int, shape: str, style: str, label: str, size: int) -> str:
    left, up = (19 - size) / 2, top - 4.5 - size / 2
    return (
        f'<path d="{shape}" transform="translate({num(left)} {num(up)}) scale({size / 100})" {style}/>'
        f'<text x="26" y="{top}" class="r">{xml(shorten(label, 13, LEGEND_WIDTH - 26))}</text>'
    )


def _terrain(left: int, top: int, terrain: str, label: str) -> str:
    colour = palette.ground(terrain)
    return _swatch(left, top, colour, palette.mix(colour, "#3a3a20", 55), palette.strokes(terrain), label)


def _swatch(left: int, top: int, colour: str, ink: str, drawing: str, label: str) -> str:
    """A little square with a drawing upon it, and its name."""
    lines = (
        f'<path d="{drawing}" transform="translate({left + 0.5} {top - 13.5}) scale(.18)" fill="none" stroke="{ink}" '
        'stroke-width="6" stroke-linecap="round"/>'
        if drawing
        else ""
    )
    return (
        f'<rect x="{left + 0.5}" y="{top - 13.5}" width="18" height="18" rx="3" fill="{colour}" stroke="{INK}" '
        f'stroke-opacity=".3"/>{lines}'
        f'<text x="{left + 26}" y="{top}" class="r">{xml(shorten(plain(label), 13, LEGEND_WIDTH // 2 - 30))}</text>'
    )


def _word(key: str) -> str:
    return plain(key.replace("_", " "))
