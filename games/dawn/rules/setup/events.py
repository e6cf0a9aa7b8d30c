"""The events of the set-up (DW-SET-*): options, gods, the map, the start."""

from dataclasses import replace
from typing import ClassVar
from uuid import UUID

from games.dawn.rules.state.records import God, Square
from games.dawn.rules.state.schema_types import Cell, Climate, Ethical, Moral, Pace, Step, Terrain
from games.dawn.rules.state.state import State
from games.dawn.rules.state.wording import PACES
from games.engine.audience import reader
from games.engine.economy.purses import Purse
from games.engine.game_state import Answer, Role, Status
from games.engine.kernel import Event
from games.engine.wording import listing

DEFINED = '"defined"'
"""The answer to the question of the set-up: that a god is defined, not which."""
OCEAN = Cell(terrain=Terrain.OCEAN, climate=Climate.TEMPERATE)


class SetupOpened(Event[State]):
    """Everybody becomes a god; the host draws the map."""

    rules: ClassVar[tuple[str, ...]] = ("DW-SET-7",)

    seats: int
    width: int
    height: int
    free_alignment: bool
    open_challenge: bool
    deadlines: Pace

    def apply(self, state: State) -> None:
        state.set_course(
            step=Step.SETUP,
            seats=self.seats,
            free_alignment=self.free_alignment,
            open_challenge=self.open_challenge,
            deadlines=self.deadlines,
        )
        state.set_status(Status.SETUP)
        lay(state, self.width, self.height, ())

    def sentence(self, state: State) -> str:
        return "Everybody says which god they are."


class GameConfigured(Event[State]):
    """The group has settled seats, options and deadlines."""

    rules: ClassVar[tuple[str, ...]] = ("DW-SET-7",)

    seats: int
    free_alignment: bool
    open_challenge: bool
    deadlines: Pace

    def apply(self, state: State) -> None:
        state.set_course(
            seats=self.seats,
            free_alignment=self.free_alignment,
            open_challenge=self.open_challenge,
            deadlines=self.deadlines,
        )

    def sentence(self, state: State) -> str:
        return f"Up to {self.seats} gods may play; the deadlines are those of {PACES[self.deadlines]}."


class GodDefined(Event[State]):
    """A seat has said which god it is."""

    rules: ClassVar[tuple[str, ...]] = ("DW-SET-2",)

    seat: UUID
    name: str
    portfolio: tuple[str, ...]
    moral: Moral
    ethical: Ethical | None
    words: str
    warnings: tuple[str, ...] = ()
    """`portfolio.advised` when there are not 2 or 3 aspects."""
    setup_prompt: UUID | None = None
    """The question that it answers; null where the seat was not asked, as who joined later, and in older logs."""

    def apply(self, state: State) -> None:
        if self.setup_prompt is not None:
            owner = reader(self.seat)
            readers = state.prompts[self.setup_prompt].audience
            state.answers[self.setup_prompt, owner] = Answer(self.setup_prompt, owner, DEFINED, readers)
        state.gods[self.seat] = God(self.seat, self.name, self.portfolio, self.moral, self.ethical, self.words)
        state.purses[self.seat] = Purse(self.seat)

    def sentence(self, state: State) -> str:
        return f"{self.name} is the god of {listing(self.portfolio)}."


class MapSet(Event[State]):
    """The starting map; nobody has shaped any of it."""

    rules: ClassVar[tuple[str, ...]] = ("DW-SET-3", "DW-SET-4")

    width: int
    height: int
    cells: tuple[Cell, ...]
    """Row by row from the north-west; empty for an ocean."""

    def apply(self, state: State) -> None:
        lay(state, self.width, self.height, self.cells)

    def sentence(self, state: State) -> str:
        return f"The map is {self.width} squares wide and {self.height} high."


class SeatDropped(Event[State]):
    """A seat without a god watches from now on."""

    rules: ClassVar[tuple[str, ...]] = ("DW-SET-8",)

    seat: UUID

    def apply(self, state: State) -> None:
        state.seats[self.seat] = replace(state.seats[self.seat], role=Role.OBSERVER)

    def sentence(self, state: State) -> str:
        return f"{state.seats[self.seat].name} is no god and watches."


class GameStarted(Event[State]):
    """The first Age begins."""

    rules: ClassVar[tuple[str, ...]] = ("DW-SET-5", "DW-SET-7")

    seats: tuple[UUID, ...]
    free_alignment: bool
    open_challenge: bool
    deadlines: Pace
    commitment: str
    """SHA-256 of the dice secret."""

    def apply(self, state: State) -> None:
        state.set_status(Status.RUNNING)

    def sentence(self, state: State) -> str:
        return f"{len(self.seats)} gods begin to shape the world."


def lay(state: State, width: int, height: int, cells: tuple[Cell, ...]) -> None:
    """Draw the whole map anew."""
    for key in list(state.squares):
        del state.squares[key]
    for number in range(width * height):
        y, x = divmod(number, width)
        cell = cells[number] if cells else OCEAN
        state.squares[x, y] = Square(x, y, cell.terrain, cell.climate, cell.fantastic)
    state.set_course(width=width, height=height)
