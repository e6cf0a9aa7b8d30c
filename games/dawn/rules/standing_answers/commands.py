"""The command that sets and clears standing answers (section 9)."""

from collections.abc import Iterator
from typing import ClassVar
from uuid import UUID

from pydantic import Field

from games.dawn.rules.standing_answers.events import AdvanceSet
from games.dawn.rules.state.schema_types import AdvanceKind, AdvanceWord, Cause, Step
from games.dawn.rules.state.state import State
from games.engine.errors import Refused
from games.engine.insight.domains import Choices, Range
from games.engine.insight.legal_commands import Enumerable, LegalCommand
from games.engine.kernel import Actor, Context, Event

MOST_POINTS = 1_000_000
OPEN = (Step.SETUP, Step.TURN, Step.ROUND_END)


class SetStandingAnswer(Enumerable[State]):
    """Say in advance what you answer: leave or objections for a god or for all, or how far you bid in a conflict.

    Without an answer or a total the entry is cleared: for one god or one cause the general answer holds again.
    """

    rules: ClassVar[tuple[str, ...]] = ("DW-ASK-2",)

    kind: AdvanceKind
    """`leave`: you grant or refuse to have your squares shaped; `object`: you object or waive; `max_bid`: you bid."""
    seat: UUID | None = None
    """With leave and object: only to this god; to all when absent."""
    cause: Cause | None = None
    """With max_bid: only in conflicts of this kind; in all when absent."""
    answer: AdvanceWord | None = None
    """With leave and object: `always`, `never`, or `ask` to be asked; without it the entry is cleared."""
    max_bid: int | None = Field(default=None, ge=0, le=MOST_POINTS)
    """With max_bid: the highest total, 0 to be asked; without it the entry is cleared."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        state.require(*OPEN)
        seat = state.seat(ctx.actor.acting_seat)
        bids = self.kind is AdvanceKind.MAX_BID
        misplaced = (self.seat, self.answer) if bids else (self.cause, self.max_bid)
        if misplaced != (None, None):
            raise Refused(
                "answer.invalid",
                "Leave and object go with a seat and an answer, a highest bid with a cause and a total.",
                rules=("DW-ASK-2",),
            )
        if self.seat is not None and (self.seat == seat.id or self.seat not in state.seats):
            raise Refused("answer.invalid", "Name another god, or none for all.", rules=("DW-ASK-2",))
        about = (self.cause.value if self.cause else "") if bids else (str(self.seat) if self.seat else "")
        yield AdvanceSet(
            seat=seat.id,
            kind=self.kind,
            about=about,
            answer=self.answer or AdvanceWord.ASK,
            most=self.max_bid or 0,
            cleared=self.answer is None and self.max_bid is None,
        )

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        state.require(*OPEN)
        own = state.seat(actor.acting_seat)
        others = Choices.of(s.id for s in state.players() if s.id != own.id)
        for kind in (AdvanceKind.LEAVE, AdvanceKind.OBJECT):
            answers = Choices.of(w.value for w in AdvanceWord)
            yield LegalCommand(
                cls.slug(), {"kind": Choices.of((kind.value,)), "seat": others, "answer": answers}, note=CLEARING
            )
        most = Range(low=0, high=MOST_POINTS)
        causes = Choices.of(c.value for c in Cause)
        bids = Choices.of((AdvanceKind.MAX_BID.value,))
        yield LegalCommand(cls.slug(), {"kind": bids, "cause": causes, "max_bid": most}, note=CLEARING)


CLEARING = "Left empty, the answer or total of this entry is cleared."
