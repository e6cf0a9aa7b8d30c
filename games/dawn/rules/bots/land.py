"""What bots wish of land: new land beside land first of all in the Age of Land, later a little here and there.

A wish names a command that the rules accept, or none. Each is thrown for, so that a turn comes to its end.
"""

from collections.abc import Sequence
from uuid import UUID

from games.dawn.rules.land.commands import ShapeLand
from games.dawn.rules.state.constants import PRICES, WATER
from games.dawn.rules.state.schema_types import Age, Climate, Place, Price, ShapeKind, Terrain
from games.dawn.rules.state.state import At, State
from games.engine.dice import Tray
from games.engine.kernel import Command

RULE = "bot"
LEAST_LAND, MOST_LAND = 4, 12
"""Squares of new land that a bot shapes at once in the Age of Land."""
MOST = 4
"""Squares that it shapes at once later."""
EARTH = tuple(terrain for terrain in Terrain if terrain not in WATER)


def lacks_land(state: State) -> bool:
    """Whether land comes first: at the start of a turn in the Age of Land."""
    return state.course.age == Age.LAND and not state.course.begun


def raise_land(state: State, seat: UUID, tray: Tray) -> Command | None:
    """New land of 4 to 12 squares beside what is land already, one time in four fantastic if it can pay that."""
    kind = _kind(state, seat, tray, LEAST_LAND)
    most = min(MOST_LAND, _able(state, seat, kind))
    if most < LEAST_LAND:
        return None
    number = LEAST_LAND - 1 + tray.roll(_use(state, seat, "size"), most - LEAST_LAND + 1, RULE)
    squares = _new_land(state, seat, tray, number)
    return _shaping(state, seat, tray, kind, squares, EARTH) if squares else None


def shape(state: State, seat: UUID, tray: Tray) -> Command | None:
    """Every other time one to four squares: new land, or squares that the dice choose, other gods' among them."""
    kind = _kind(state, seat, tray, 1)
    able = min(MOST, _able(state, seat, kind))
    if not able or tray.roll(_use(state, seat, "shape"), 2, RULE) == 1:
        return None
    number = tray.roll(_use(state, seat, "squares"), able, RULE)
    anywhere = tray.roll(_use(state, seat, "anywhere"), 2, RULE) == 1
    squares = [] if anywhere else _new_land(state, seat, tray, number)
    if squares:
        return _shaping(state, seat, tray, kind, squares, EARTH)
    first = tray.draw(_use(state, seat, "first"), sorted(state.squares), RULE)
    return _shaping(
        state, seat, tray, kind, _around(state, seat, tray, first, number, set(state.squares)), tuple(Terrain)
    )


def _new_land(state: State, seat: UUID, tray: Tray, number: int) -> list[At]:
    """So many squares or fewer of water that nobody else has shaped, from a coast on; anywhere if there is none."""
    free = {at for at, s in state.squares.items() if s.terrain in WATER and s.shaped_by in (None, seat)}
    coast = [at for at in free if any(state.squares[n].terrain not in WATER for n in state.neighbours(at))]
    if not free:
        return []
    first = tray.draw(_use(state, seat, "coast"), sorted(coast or free), RULE)
    return _around(state, seat, tray, first, number, free)


def _around(state: State, seat: UUID, tray: Tray, first: At, number: int, among: set[At]) -> list[At]:
    """Squares that hang together with a first one, so many or as many as there are."""
    squares = [first]
    for step in range(number - 1):
        around = {at for square in squares for at in state.neighbours(square)} & among - set(squares)
        if not around:
            break
        squares.append(tray.draw(_use(state, seat, f"square/{step}"), sorted(around), RULE))
    return squares


def _kind(state: State, seat: UUID, tray: Tray, least: int) -> ShapeKind:
    """Fantastic one time in four, if it can pay so many squares of it."""
    fantastic = tray.roll(_use(state, seat, "kind"), 4, RULE) == 1
    return ShapeKind.FANTASTIC if fantastic and _able(state, seat, ShapeKind.FANTASTIC) >= least else ShapeKind.MUNDANE


def _able(state: State, seat: UUID, kind: ShapeKind) -> int:
    """How many squares of a kind it can pay."""
    row = Price.SHAPE_MUNDANE if kind is ShapeKind.MUNDANE else Price.SHAPE_FANTASTIC
    return state.balance(seat) // PRICES[row][state.course.age - 1]


def _shaping(
    state: State, seat: UUID, tray: Tray, kind: ShapeKind, squares: Sequence[At], terrains: tuple[Terrain, ...]
) -> ShapeLand:
    return ShapeLand(
        kind=kind,
        squares=tuple(Place(x=at[0], y=at[1]) for at in squares),
        terrain=tray.draw(_use(state, seat, "terrain"), terrains, RULE),
        climate=tray.draw(_use(state, seat, "climate"), tuple(Climate), RULE),
        floating=kind is ShapeKind.FANTASTIC and tray.roll(_use(state, seat, "floating"), 4, RULE) == 1,
    )


def _use(state: State, seat: UUID, what: str) -> str:
    return f"bot/{seat}/{state.info.timers_set}/land/{what}"
