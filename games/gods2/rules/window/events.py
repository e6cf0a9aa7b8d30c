"""The queue at the Window on the World as facts (G2-QUEUE-1)."""

from dataclasses import replace
from datetime import datetime
from typing import ClassVar
from uuid import UUID

from games.engine.kernel import Event
from games.engine.wording import quantity
from games.gods2.rules.state.audiences import ForSeat
from games.gods2.rules.state.records import NumberHolder, QueueNumber
from games.gods2.rules.state.state import State

QUEUE = ("G2-QUEUE-1",)


class NumberTaken(Event[State]):
    """Somebody has drawn a number."""

    rules: ClassVar[tuple[str, ...]] = QUEUE

    number: int

    def apply(self, state: State) -> None:
        last = max((n.place for n in state.numbers.values()), default=0)
        state.numbers[self.number] = QueueNumber(self.number, place=last + 1)
        state.set_era(next_number=self.number + 1)

    def sentence(self, state: State) -> str:
        return f"Number {self.number} was drawn; the queue at the Window has {quantity(len(state.numbers), 'number')}."


class NumberDrawn(ForSeat[State]):
    """Whose number it is."""

    rules: ClassVar[tuple[str, ...]] = QUEUE

    number: int
    seat: UUID

    def apply(self, state: State) -> None:
        state.holders[self.number] = NumberHolder(self.number, self.seat)

    def sentence(self, state: State) -> str:
        return f"Number {self.number} belongs to {state.gods[self.seat].name}."


class NumberCalled(Event[State]):
    """A number is called to the Window."""

    rules: ClassVar[tuple[str, ...]] = QUEUE

    number: int
    due: datetime

    def apply(self, state: State) -> None:
        state.set_era(called=self.number)

    def sentence(self, state: State) -> str:
        return f"Number {self.number} is called."


class NumberPassed(Event[State]):
    """A called number goes to the end of the queue."""

    rules: ClassVar[tuple[str, ...]] = QUEUE

    number: int
    misses: int

    def apply(self, state: State) -> None:
        last = max(n.place for n in state.numbers.values())
        state.numbers[self.number] = replace(state.numbers[self.number], place=last + 1, misses=self.misses)
        state.set_era(called=None)

    def sentence(self, state: State) -> str:
        return f"Number {self.number} goes to the end of the queue."


class NumberDropped(Event[State]):
    """A number is out of the queue without having been served."""

    rules: ClassVar[tuple[str, ...]] = QUEUE

    number: int
    reason: str

    def apply(self, state: State) -> None:
        _remove_number(state, self.number)

    def sentence(self, state: State) -> str:
        return f"Number {self.number} is dropped: {self.reason}."


class NumberServed(Event[State]):
    """A number was served."""

    rules: ClassVar[tuple[str, ...]] = QUEUE

    number: int

    def apply(self, state: State) -> None:
        _remove_number(state, self.number)

    def sentence(self, state: State) -> str:
        return f"Number {self.number} was served."


def _remove_number(state: State, number: int) -> None:
    del state.numbers[number]
    del state.holders[number]
    if state.era.called == number:
        state.set_era(called=None)
