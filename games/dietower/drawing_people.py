"""Who is at the table, in a row over the tower on a wall: an emblem and a name each, where marks find them (pure)."""

from collections.abc import Iterator, Mapping

from games.dietower.rules.state.schema_types import ActorKind, Condition
from games.dietower.rules.tower.people_view import Person
from worlds.drawing.contours import num
from worlds.drawing.emblems import Shape, emblem_at
from worlds.drawing.labels import plain, shorten, xml
from worlds.drawing.palette import INK

MAX_PEOPLE = 8
SIZE, TOP, NAME_AT = 38, 112, 170
"""The size of an emblem; where the emblems begin, and the foot of the names, in pixels from above."""


def spots_of_people(people: tuple[Person, ...], left: float, wide: float) -> dict[str, tuple[float, float]]:
    """Where the emblems have their middle, by the ids of the characters and Monsters. wide: of the row, in pixels."""
    shown = people[:MAX_PEOPLE]
    room = wide / max(len(shown), 4)
    return {str(each.id): (left + room * (at + 0.5), TOP + SIZE / 2) for at, each in enumerate(shown)}


def people_row(people: tuple[Person, ...], left: float, wide: float, colours: Mapping[str, str]) -> Iterator[str]:
    """The emblems with their names; of who has fallen or is beaten they are pale."""
    spots = spots_of_people(people, left, wide)
    room = wide / max(len(spots), 4)
    for each in people[:MAX_PEOPLE]:
        x, y = spots[str(each.id)]
        shape = Shape.HEXAGON if each.kind is ActorKind.PC else Shape.SHIELD
        colour = colours.get(str(each.seat or each.id), "")
        pale = "" if each.condition is Condition.ACTIVE else ' opacity=".4"'
        name = shorten(plain(each.name, 80), 17.5, room - 6)
        yield (
            f"<g{pale}><title>{xml(f'{plain(each.name, 80)}, {each.condition.value}')}</title>"
            f"{emblem_at(shape, each.name, x - SIZE / 2, y - SIZE / 2, SIZE, colour=colour)}"
            f'<text x="{num(x)}" y="{NAME_AT}" class="n m" fill="{INK}">{xml(name)}</text></g>'
        )
