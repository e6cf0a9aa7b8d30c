"""The realm as SVG: a drawn map with the marks of FB-MAP-16, who stands where, a legend (pure).

The sheet keeps its form whatever its size; a name is left out where it would hide a mark or another name, and is
always read when its mark is pointed at.
"""

from collections.abc import Iterator, Mapping
from math import dist
from types import MappingProxyType

from games.drawing.highlights import Spots
from games.drawing.sheet import HEAD, MARGIN, sheet, wall_sheet
from games.forgeborn.drawing_pieces import Frame, compass, glyph, pawn, peaks_along, trees
from games.forgeborn.rules.realm.realm_view import CharacterView, PlaceView, RealmView
from games.forgeborn.rules.state.schema_types import CharacterKind, PlaceKind, WayKind
from worlds.drawing.contours import num
from worlds.drawing.emblems import Shape, emblem_at
from worlds.drawing.labels import Box, Ground, plain, shorten, width_of, xml
from worlds.drawing.marks import mark
from worlds.drawing.palette import FADED, INK, PAPER, colour_or_grey

LAND, EDGE, ROAD, WOOD = "#f1ead6", "#b9a77c", "#7a5c34", "#bccf9f"
LONGEST_SIDE, LEAST_WIDTH = 900, 700
"""The longer side of the map, and the least width of the sheet, in pixels."""
WALL_SIDE, WALL_MARGIN = 480, 26
"""The same for a wall, where the fewer pixels are the larger; the room around it."""
ICON, PAWN = 34, 13
"""The size of a mark and of a character, in pixels."""
ROSE = 66
"""The room that the rose of the sheet takes, in pixels."""
NAME, WALL_NAME = 14.5, 17.0
"""The size of a name, and of one on a wall."""
MOST_HIDDEN = 900.0
"""What a name may cost that is written (`Ground.cost`)."""
NO_COLOURS: Mapping[str, str] = MappingProxyType({})
LINE, MARK, LETTER = 0.4, 8.0, 30.0
"""What a square pixel of a line, a mark and a name costs a name that hides it."""
MEANINGS = (
    (PlaceKind.LAIR, "Lair"),
    (PlaceKind.CITADEL, "Citadel"),
    (PlaceKind.CITY, "City"),
    (PlaceKind.VILLAGE, "Village"),
    (PlaceKind.RUINS, "Ruins"),
    (PlaceKind.FOREST, "Forest"),
)
STYLES = (
    f".n{{font-size:{NAME}px;text-anchor:middle}}.p{{font-size:13px;font-weight:700;text-anchor:middle}}"
    f".k{{font-size:13px}}.halo{{paint-order:stroke;stroke:{LAND};stroke-width:4px;stroke-linejoin:round}}"
    f".s{{font-size:12.5px;fill:{FADED}}}"
)


WALL_STYLES = f".n{{font-size:{WALL_NAME}px}}.k{{font-size:17px}}.s{{font-size:16px}}.p{{font-size:16px}}"
"""As large as a wall needs it."""


def realm_svg(view: RealmView, title: str = "", colours: Mapping[str, str] = NO_COLOURS) -> str:
    """Draw the realm. title: whose it is, and when. colours: of the seats by id, as in charts."""
    frame = Frame.of(view.width, view.height, LONGEST_SIDE, MARGIN, HEAD)
    width = max(LEAST_WIDTH, round(frame.width) + 2 * MARGIN)
    legend = list(_legend(view, frame.bottom + 34, width - 2 * MARGIN, colours))
    bottom = frame.bottom + 34 + 24 * (2 + len(view.seats))
    return sheet(
        width,
        round(bottom),
        title="The realm",
        subtitle=title,
        description=_realm_in_words(view),
        styles=STYLES,
        parts=[*_land(view, frame), *_ways(view, frame), *_figures(view, frame, colours), *legend],
    )


def realm_spots(view: RealmView) -> Spots:
    """Where the places of the picture for a wall lie, by their ids."""
    frame = _wall_frame(view)
    places = {str(place.id): frame.at(place.point) for place in view.places}
    return Spots(*_wall_size(view, frame), ICON / 2, places.get)


def _wall_frame(view: RealmView) -> Frame:
    return Frame.of(view.width, view.height, WALL_SIDE, WALL_MARGIN, WALL_MARGIN)


def _wall_size(view: RealmView, frame: Frame) -> tuple[int, int]:
    high = round(frame.bottom) + 16 + 24 * (len(view.seats) + bool(view.vault))
    return round(frame.width) + 2 * WALL_MARGIN, high


def realm_wall_svg(view: RealmView, title: str = "", colours: Mapping[str, str] = NO_COLOURS) -> str:
    """Draw the realm to be read from afar: names and marks are larger, and of the legend it says who is who."""
    frame = _wall_frame(view)
    width, height = _wall_size(view, frame)
    people = list(_people(view, frame.bottom + 22, WALL_MARGIN, width - 2 * WALL_MARGIN, colours))
    return wall_sheet(
        width,
        height,
        title="The realm",
        subtitle=title,
        description=_realm_in_words(view),
        styles=STYLES + WALL_STYLES,
        parts=[*_land(view, frame), *_ways(view, frame), *_figures(view, frame, colours, WALL_NAME), *people],
    )


def _realm_in_words(view: RealmView) -> str:
    """The map in words: each place with its Power and who is there, and how many ways there are."""
    words = []
    for place in view.places:
        there = [character.name for character in view.characters if character.place == place.id]
        power = f", Power {place.power}" if place.power and not place.is_spent else ""
        spent = ", spent" if place.is_spent else ""
        present = f" ({', '.join(there)})" if there else ""
        words.append(f"{place.name}{power}{spent}{present}")
    roads = sum(way.kind is WayKind.ROAD for way in view.ways)
    return f"{'; '.join(words)}. Roads: {roads}, Trails: {len(view.ways) - roads}."


def _land(view: RealmView, frame: Frame) -> Iterator[str]:
    """The ground: the sheet, woods, mountains, the rose."""
    yield (
        f'<rect x="{num(frame.left)}" y="{num(frame.top)}" width="{num(frame.width)}" height="{num(frame.height)}" '
        f'rx="6" fill="{LAND}" stroke="{EDGE}" stroke-width="2"/>'
    )
    for wood in view.woods:
        lines = "".join(frame.path(line) for line in wood.lines)
        spots = "".join(f"M{num(x)} {num(y)}h0" for x, y in map(frame.at, wood.points))
        yield (
            f'<path d="{spots}{lines}" fill="none" stroke="{WOOD}" stroke-width="46" stroke-linecap="round" '
            'stroke-linejoin="round"/>'
        )
    for wood in view.woods:
        yield from trees(wood, frame)
    yield from peaks_along(view.peaks, view.range, frame)
    if (corner := _free_corner(view, frame)) is not None:
        yield compass(*corner)


def _free_corner(view: RealmView, frame: Frame) -> tuple[float, float] | None:
    """Where the rose stands, in the corner farthest from all places, of equal ones the upper right; None: nowhere."""
    corners = [(x, y) for y in (frame.top + 40, frame.bottom - 34) for x in (frame.right - 34, frame.left + 34)]
    places = [frame.at(place.point) for place in view.places]

    def room(corner: tuple[float, float]) -> float:
        return min((dist(corner, place) for place in places), default=float(ROSE))

    found = max(corners, key=room)
    return found if room(found) > (ROSE + ICON) / 2 else None


def _ways(view: RealmView, frame: Frame) -> Iterator[str]:
    """Roads solid, Trails dotted."""
    for kind, style in ((WayKind.TRAIL, 'stroke-width="3" stroke-dasharray="1 8"'), (WayKind.ROAD, 'stroke-width="4"')):
        lines = "".join(frame.path(way.line) for way in view.ways if way.kind is kind)
        if lines:
            yield f'<path d="{lines}" fill="none" stroke="{ROAD}" stroke-linecap="round" {style}/>'


def _figures(view: RealmView, frame: Frame, colours: Mapping[str, str], size: float = NAME) -> Iterator[str]:
    """Marks, then their Power over all of them, who stands there, and names of a size where there is room."""
    ground = Ground(Box(frame.left + 2, frame.top + 2, frame.right - 2, frame.bottom - 2))
    for line in (*(way.line for way in view.ways), *view.range):
        for x, y in frame.points_along(line, 14):
            ground.put(Box.around(x, y, 14, 14), LINE)
    if (corner := _free_corner(view, frame)) is not None:
        ground.put(Box.around(*corner, ROSE, ROSE), MARK)
    for place in view.places:
        x, y = frame.at(place.point)
        ground.put(Box.around(x, y, ICON + 8, ICON + 8), MARK)
        yield _mark(place, x, y)
    for place in view.places:
        x, y = frame.at(place.point)
        if place.power and not place.is_spent:
            ground.put(Box.around(x + ICON / 2 + 1, y - ICON / 2 + 4, 22, 20), MARK)
            yield _badge(place.power, x + ICON / 2 + 1, y - ICON / 2 + 4)
        there = [character for character in view.characters if character.place == place.id]
        if there:
            ground.put(Box.around(x, y + ICON / 2 + 10, PAWN * len(there) + 6, PAWN + 8), MARK)
            yield from _pawns(there, x, y + ICON / 2 + 10, colours)
    for place in sorted(view.places, key=lambda place: (place.kind is PlaceKind.RUINS, place.is_spent)):
        yield from _name(place, frame, ground, size)


def _mark(place: PlaceView, x: float, y: float) -> str:
    """The mark of a place."""
    power = f", Power {place.power}" if place.power else ""
    label = f"{plain(place.name, 80)}{', spent' if place.is_spent else power}"
    if place.threat:
        label += f": {plain(place.threat, 200)}"
    drawn = glyph(place.kind, x, y, ICON, spent=place.is_spent)
    return f"<g{mark('place', place.id)}><title>{xml(label)}</title>{drawn}</g>"


def _badge(power: int, x: float, y: float) -> str:
    """The Power of a place."""
    wide = max(18.0, width_of(str(power), 13) + 9)
    return (
        f'<g pointer-events="none"><rect x="{num(x - wide / 2)}" y="{num(y - 9)}" width="{num(wide)}" height="18" '
        f'rx="9" fill="{PAPER}" stroke="{INK}"/>'
        f'<text x="{num(x)}" y="{num(y + 5)}" class="p">{power}</text></g>'
    )


def _pawns(there: list[CharacterView], x: float, y: float, colours: Mapping[str, str]) -> Iterator[str]:
    """Those who stand at a place, in a row below its mark."""
    start = x - PAWN * (len(there) - 1) / 2
    for number, character in enumerate(there):
        colour = colour_or_grey(colours.get(str(character.seat), ""))
        holds = f" ({character.artifacts} artifacts)" if character.artifacts else ""
        label = f"{plain(character.name, 80)}{holds}"
        drawn = pawn(start + PAWN * number, y, PAWN, colour, label, heroine=character.kind is CharacterKind.HEROINE)
        yield f"<g{mark('character', character.id)}>{drawn}</g>"


def _name(place: PlaceView, frame: Frame, ground: Ground, size: float) -> Iterator[str]:
    """The name of a place, where it disturbs least; nothing where it would hide too much."""
    text = shorten(plain(place.name, 80), size, 210)
    x, y = frame.at(place.point)
    wide = width_of(text, size) + 6
    up, side = ICON / 2 + 11, ICON / 2 + 8 + wide / 2
    spots = [(x, y - up), (x, y + up + 18), (x, y + up), (x + side, y), (x - side, y), (x, y - up - 20)]
    spots += [(x + dx * wide / 3, y + dy * (up + 4)) for dx in (-1, 1) for dy in (-1, 1)]
    found = ground.best((3.0 * number, Box.around(sx, sy, wide, size + 3)) for number, (sx, sy) in enumerate(spots))
    if found is None or found[0] > MOST_HIDDEN:
        return
    box = found[1]
    ground.put(box, LETTER)
    middle = (box.left + box.right) / 2
    yield f'<text x="{num(middle)}" y="{num(box.bottom - 4.5)}" class="n halo">{xml(text)}</text>'


def _legend(view: RealmView, top: float, room: float, colours: Mapping[str, str]) -> Iterator[str]:
    """What the marks and lines mean, and whose characters are which."""
    x = float(MARGIN)
    for kind, word in MEANINGS:
        yield glyph(kind, x + 10, top, 20)
        yield f'<text x="{num(x + 25)}" y="{num(top + 4.5)}" class="k">{word}</text>'
        x += 34 + width_of(word, 13) + 14
    for style, word in (
        ('stroke-width="4"', "Road"),
        ('stroke-width="3" stroke-dasharray="1 8" stroke-linecap="round"', "Trail"),
    ):
        yield f'<path d="M{num(x)} {num(top)}h30" stroke="{ROAD}" {style}/>'
        yield f'<text x="{num(x + 37)}" y="{num(top + 4.5)}" class="k">{word}</text>'
        x += 46 + width_of(word, 13) + 14
    yield from _people(view, top + 28, MARGIN, room, colours)


def _people(view: RealmView, top: float, left: int, room: float, colours: Mapping[str, str]) -> Iterator[str]:
    """Whose characters are which, a line for each seat, then what lies in the Vault."""
    for number, (seat, name) in enumerate(view.seats):
        y = top + 24 * number
        colour = colour_or_grey(colours.get(str(seat), ""))
        yield pawn(left + 10, y, PAWN, colour, plain(name, 80), heroine=False)
        yield emblem_at(Shape.DISC, name, left + 24, y - 10, 20, colour=colours.get(str(seat), ""))
        own = [character for character in view.characters if character.seat == seat]
        who = ", ".join(plain(character.name, 80) for character in own)
        words = f"{plain(name, 80)}{': ' if who else ''}{who}"
        yield f'<text x="{left + 50}" y="{num(y + 5)}" class="k">{xml(shorten(words, 17, room - 64))}</text>'
    if view.vault:
        words = f"In the Vault: {', '.join(plain(name, 80) for name in view.vault)}"
        y = top + 24 * len(view.seats)
        yield f'<text x="{left}" y="{num(y + 4.5)}" class="s">{xml(shorten(words, 16, room))}</text>'
