"""Ages, rounds, income, order and turns as facts (DW-AGE-1, DW-AGE-3, DW-INC-1, DW-ORD-*)."""

from typing import ClassVar, Literal
from uuid import UUID

from games.dawn.rules.state.schema_types import Age, Step, TieRoll
from games.dawn.rules.state.state import State
from games.engine.economy import purses
from games.engine.kernel import Event
from games.engine.lifecycle import leaving
from games.engine.wording import quantity


class RoundStarted(Event[State]):
    """A round begins."""

    rules: ClassVar[tuple[str, ...]] = ("DW-AGE-1",)

    age: int
    round: int
    length: int

    def apply(self, state: State) -> None:
        state.set_course(
            step=Step.TURN,
            age=self.age,
            round=self.round,
            length=self.length,
            rounds=state.course.rounds + 1,
            order=(),
            acted=(),
            bought=(),
            active=None,
            begun=False,
        )

    def sentence(self, state: State) -> str:
        return f"Age of {Age(self.age).name.capitalize()}, round {self.round} of {self.length}."


class IncomeRolled(Event[State]):
    """A god has rolled their income of the round."""

    rules: ClassVar[tuple[str, ...]] = ("DW-INC-1",)

    seat: UUID
    dice: tuple[int, ...]
    gain: int
    balance: int

    def apply(self, state: State) -> None:
        purses.earn(state.purses, self.seat, self.gain)

    def sentence(self, state: State) -> str:
        return f"{state.title(self.seat)} gains {quantity(self.gain, 'point')} and has {self.balance}."


class OrderFixed(Event[State]):
    """The turn order of the round: fewest points first."""

    rules: ClassVar[tuple[str, ...]] = ("DW-ORD-1", "DW-ORD-2")

    order: tuple[UUID, ...]
    tie_rolls: tuple[TieRoll, ...]

    def apply(self, state: State) -> None:
        state.set_course(order=self.order)

    def sentence(self, state: State) -> str:
        return f"The gods act in this order: {', '.join(state.title(s) for s in self.order)}."


class TurnStarted(Event[State]):
    """A god's turn begins."""

    rules: ClassVar[tuple[str, ...]] = ("DW-TRN-1",)

    seat: UUID

    def apply(self, state: State) -> None:
        state.set_course(active=self.seat, begun=False)

    def sentence(self, state: State) -> str:
        return f"{state.title(self.seat)} acts."


class TurnEnded(Event[State]):
    """A god's turn is over; their marks are gone."""

    rules: ClassVar[tuple[str, ...]] = ("DW-TRN-1", "DW-ORD-4")

    seat: UUID

    def apply(self, state: State) -> None:
        state.set_course(acted=(*state.course.acted, self.seat), active=None, begun=False)
        for key in list(state.marks):
            del state.marks[key]

    def sentence(self, state: State) -> str:
        return f"{state.title(self.seat)} has ended the turn."


class RoundEnded(Event[State]):
    """Every god has acted."""

    rules: ClassVar[tuple[str, ...]] = ("DW-AGE-3",)

    age: int
    round: int

    def apply(self, state: State) -> None:
        state.set_course(step=Step.ROUND_END, active=None)


class AgeChanged(Event[State]):
    """An Age is over; prices change, points stay."""

    rules: ClassVar[tuple[str, ...]] = ("DW-AGE-3",)

    age: int
    length: int

    def apply(self, state: State) -> None:
        state.set_course(age=self.age, length=self.length, round=0)

    def sentence(self, state: State) -> str:
        return f"The Age of {Age(self.age).name.capitalize()} begins."


class GameFinished(Event[State]):
    """The third Age is over, or the game was never played. There is no winner."""

    rules: ClassVar[tuple[str, ...]] = ("DW-AGE-3",)

    age: int
    round: int
    reason: Literal["ages_over", "unplayed"]

    def apply(self, state: State) -> None:
        state.set_course(step=Step.FINISHED, active=None)

    def sentence(self, state: State) -> str:
        over = self.reason == "ages_over"
        return "The three Ages are over." if over else "The game is not played: there are fewer than two gods."


class SeatLeft(leaving.SeatLeft[State]):
    """A god has left the table; what is theirs stays, their turns are passed over until somebody takes the seat."""

    rules: ClassVar[tuple[str, ...]] = ("DW-AMB-37",)

    def sentence(self, state: State) -> str:
        return f"{state.title(self.seat)} has left."
