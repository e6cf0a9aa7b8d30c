"""What a seat has said in advance, as facts (section 9). Its own secret until the end."""

from typing import ClassVar
from uuid import UUID

from pydantic import BaseModel, ConfigDict

from games.dawn.rules.state.records import Advance
from games.dawn.rules.state.schema_types import AdvanceKind, AdvanceWord
from games.dawn.rules.state.state import State
from games.engine.audience import GM, Audience, seats
from games.engine.kernel import Event
from games.engine.prompts.standing import AnsweredInAdvance


class AdvanceSet(Event[State]):
    """A seat has said in advance what it answers: `ask` and 0 to be asked. Nobody else knows."""

    rules: ClassVar[tuple[str, ...]] = ("DW-ASK-2",)

    seat: UUID
    kind: AdvanceKind
    about: str
    """One god's seat, or one cause of conflicts; "" for all."""
    answer: AdvanceWord
    most: int
    cleared: bool = False
    """Nothing is said about this any more; what is said to all holds again."""

    def audience(self, state: State) -> Audience:
        return seats(self.seat)

    def apply(self, state: State) -> None:
        key = (self.seat, self.kind, self.about)
        # To be asked by one god, or in conflicts of one kind, is a word of its own: it goes before what is said to all.
        if not self.cleared and (self.about or self.answer is not AdvanceWord.ASK or self.most):
            state.advances[key] = Advance(self.seat, self.kind, self.about, self.answer, self.most)
        elif key in state.advances:
            del state.advances[key]


class StandingAnswerUsed(AnsweredInAdvance[State]):
    """A question, or a bid, is answered by what the seat has said in advance."""

    rules: ClassVar[tuple[str, ...]] = ("DW-ASK-2",)


class Said(BaseModel):
    """What one seat had said in advance about one thing."""

    model_config = ConfigDict(frozen=True)

    seat: UUID
    kind: AdvanceKind
    about: str
    answer: AdvanceWord
    most: int


class AdvancesShown(Event[State]):
    """The game is over: the GMs read what had been said in advance (DW-AMB-56)."""

    rules: ClassVar[tuple[str, ...]] = ("DW-AMB-56",)

    advances: tuple[Said, ...]

    def audience(self, state: State) -> Audience:
        return GM
