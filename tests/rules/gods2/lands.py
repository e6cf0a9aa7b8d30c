"""Helpers of the tests about the land: small Earths, effects that work on them, what stands where."""

from collections.abc import Iterable, Iterator
from typing import Any
from uuid import UUID

from games.engine.board.board import Square
from games.engine.kernel import Context, Event
from games.gods2.rules.cascade.settling import settle
from games.gods2.rules.casting.commands import CastPower
from games.gods2.rules.century.start import start_events
from games.gods2.rules.effects.events import TerrainSpreadRolled
from games.gods2.rules.effects.registry import perform
from games.gods2.rules.state.constants import letter
from games.gods2.rules.state.records import Feature, Phase
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import Place, Target
from games.gods2.rules.workings.context import Working
from tests.dice import Planted
from tests.playbook import Playbook, of_kind
from tests.rules.gods2.era import ANA, begin, define, endow, set_up, shares, units
from tests.rules.gods2.worlds import earth_of, happen, id_of

GLACIER, SANDS = "glacial_ice_pack", "spreading_sands"
SPHERES = ("FE", "NA", "SE", "SI", "CW", "CH", "DE", "LI", "LS")
ROWS = ("IPPPWFMD", "PPPPPPPP", "PPPPPPPP", "PPPPPPPP")


def terrain(state: State) -> list[str]:
    """The rows of letters."""
    return ["".join(letter(t) for t in row) for row in state.board.terrain.tolist()]


def century_begins(state: State, *dice: Planted) -> list[Event]:
    """Everything that begins a century; these are all the dice."""
    state.set_era(phase=Phase.STARTING)
    return happen(state, start_events, dice)


def glacial(rows: Iterable[str], *features: tuple[str, tuple[int, int]], **more: Any) -> State:
    """An Earth with a glacier in its north-west corner."""
    return earth_of(rows, features=[(GLACIER, (0, 0)), *features], **more)


def spreads(events: Iterable[Event]) -> list[tuple[str, tuple[int, int] | None]]:
    """Results of spreading, with the square by row and column."""
    rolled = of_kind(list(events), TerrainSpreadRolled)
    return [(e.result, (e.square.y, e.square.x) if e.square else None) for e in rolled]


def put(state: State, kind: str, row: int, column: int) -> UUID:
    """A feature on a square."""
    feature = id_of(f"{kind} {row} {column}")
    state.features[feature] = Feature(feature, Square(row, column), kind)
    return feature


def features(state: State) -> list[tuple[str, int, int]]:
    """What stands where."""
    return sorted((f.kind, *f.square) for f in state.features.values())


def work(state: State, effects: Iterable[Any], dice: Iterable[Planted] = (), **working: Any) -> list[Event]:
    """Let effects work on an Earth, and settle."""

    def carry_out(state: State, ctx: Context) -> Iterator[Event]:
        yield from perform(state, ctx, Working(cause="test", perform=perform, **working), effects)
        yield from settle(state, ctx, "test")

    return happen(state, carry_out, dice)


def cast(book: Playbook, power: str, *squares: tuple[int, int]) -> list[Event]:
    """Ashkar casts a power on squares, by row and column."""
    aim = (Target(squares=tuple(Place(x=x, y=y) for y, x in squares)),) if squares else ()
    return book.when(CastPower(power=power, targets=aim), by=ANA)


def game(rows: tuple[str, ...] = ROWS) -> Playbook:
    """A small Earth whose Dwarves live in the south; Ashkar holds all cards and plenty of mana."""
    book = set_up(rows)
    define(book, "Dwarves", units((2, 2, 1), (3, 2, 1)), attributes=("peaceful",), pantheon=shares(a=100))
    begin(book)
    endow(book, ANA, 300, *SPHERES)
    return book
