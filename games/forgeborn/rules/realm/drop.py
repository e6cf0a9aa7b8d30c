"""The drop of the fifteen dice (FB-MAP-1 to 3): drawn one after the other, or entered from a real table."""

from collections.abc import Callable, Iterator, Sequence

from games.engine.errors import Refused
from games.forgeborn.rules.realm.geometry import squared_distance
from games.forgeborn.rules.state.constants import MOST_TRIES, RUINS_SIDES, SPACING
from games.forgeborn.rules.state.options import ForgebornOptions
from games.forgeborn.rules.state.sheet import Fall, MapDie, Point

Roll = Callable[[str, int, str], int]
"""What a die of so many sides shows, 1 at least: label, sides, rule (`Context.roll`)."""
DICE = {
    "d12": 12,
    "d10": 10,
    **{f"d8{letter}": 8 for letter in "abc"},
    **{f"d4{letter}": 4 for letter in "abcd"},
    **{f"d6{letter}": 6 for letter in "abcdef"},
}
"""The dice of the map with their sides, in the order in which they are dropped (FB-MAP-1)."""


def drop_dice(roll: Roll, options: ForgebornOptions) -> Iterator[Fall]:
    """Drop the fifteen dice, one by one (FB-MAP-1, 2)."""
    lying = list[MapDie]()
    for name in DICE:
        fall = drop_die(roll, name, lying, options)
        lying.append(fall.die)
        yield fall


def drop_die(roll: Roll, name: str, lying: Sequence[MapDie], options: ForgebornOptions) -> Fall:
    """Drop one die among those that lie already: three draws, and two for each further point (FB-MAP-2, FB-RUI-2).

    name: of the fifteen, or `ruins-n`.
    """
    sides = DICE.get(name, RUINS_SIDES)
    face = roll(f"map/{name}/face", sides, "FB-MAP-1")
    tries = [_point(roll, name, 1, options)]
    while is_crowded(tries[-1], lying) and len(tries) < MOST_TRIES:
        tries.append(_point(roll, name, len(tries) + 1, options))
    return Fall(MapDie(name, sides, face, tries[-1]), tuple(tries))


def is_crowded(point: Point, lying: Sequence[MapDie]) -> bool:
    """Whether a point is nearer than 15 units to a die (FB-MAP-2)."""
    return any(squared_distance(point, die.point) < SPACING**2 for die in lying)


def require_drop(entries: Sequence[MapDie], options: ForgebornOptions) -> tuple[MapDie, ...]:
    """The dice of a real drop (FB-MAP-3), which may lie close together.

    Raises `map.incomplete` for other dice than the fifteen in their order, `die.range`, `point.off_sheet`.
    """
    if [(die.name, die.sides) for die in entries] != list(DICE.items()):
        raise Refused(
            "map.incomplete",
            "A drop is d12, d10, three d8, four d4 and six d6, in this order, each once.",
            rules=("FB-MAP-1", "FB-MAP-3"),
            dice=list(DICE),
        )
    for die in entries:
        require_die(die, options)
    return tuple(entries)


def require_die(die: MapDie, options: ForgebornOptions) -> None:
    """Refuse a die that cannot lie so. Raises `die.range`, `point.off_sheet`."""
    if not 1 <= die.face <= die.sides:
        raise Refused(
            "die.range",
            f"{die.name} shows 1 to {die.sides}, not {die.face}.",
            rules=("FB-MAP-1", "FB-MAP-3"),
            die=die.name,
            low=1,
            high=die.sides,
        )
    require_on_sheet(die.point, options)


def require_on_sheet(point: Point, options: ForgebornOptions) -> None:
    """Refuse (`point.off_sheet`) a point beyond the sheet."""
    if not (0 <= point.x < options.width and 0 <= point.y < options.height):
        raise Refused(
            "point.off_sheet",
            f"({point.x}, {point.y}) is off the sheet: x is 0 to {options.width - 1}, y 0 to {options.height - 1}.",
            rules=("FB-MAP-1", "FB-MAP-3"),
            x=point.x,
            y=point.y,
        )


def _point(roll: Roll, name: str, attempt: int, options: ForgebornOptions) -> Point:
    """One point tried: a die as wide as the sheet and one as high, each less 1."""
    label = f"map/{name}/{attempt}"
    x = roll(label, options.width, "FB-MAP-2") - 1
    return Point(x, roll(label, options.height, "FB-MAP-2") - 1)
