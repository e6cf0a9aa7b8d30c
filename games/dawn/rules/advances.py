"""What a seat says in advance: leave, objections, and how far it bids (section 9). Its own secret until the end."""

from collections.abc import Iterator
from typing import ClassVar
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

from games.dawn.rules.records import Advance
from games.dawn.rules.state import State
from games.dawn.rules.vocabulary import AdvanceKind, AdvanceWord, Cause, Step
from games.engine.audience import GM, Audience, seat_and_gm, seats
from games.engine.errors import Refused
from games.engine.kernel import Actor, Command, Context, Event
from games.engine.offers import Domain, Offer, Offering

MOST_POINTS = 1_000_000


class AdvanceSet(Event):
    """A seat has said in advance what it answers; `ask` and 0 take that back. Nobody else knows."""

    seat: UUID
    kind: AdvanceKind
    about: str
    answer: AdvanceWord
    most: int

    def audience(self, state: State) -> Audience:
        return seats(self.seat)

    def apply(self, state: State) -> None:
        key = (self.seat, self.kind.value, self.about)
        # To be asked by one god, or in conflicts of one kind, is a word of its own: it goes before what is said to all.
        if self.about or self.answer is not AdvanceWord.ASK or self.most:
            state.advances[key] = Advance(self.seat, self.kind, self.about, self.answer, self.most)
        elif key in state.advances:
            del state.advances[key]


class StandingAnswerUsed(Event):
    """A question, or a bid, is answered by what the seat has said in advance."""

    prompt: UUID
    seat: UUID

    def audience(self, state: State) -> Audience:
        return seat_and_gm(self.seat)


class Said(BaseModel):
    """What one seat had said in advance about one thing."""

    model_config = ConfigDict(frozen=True)

    seat: UUID
    kind: AdvanceKind
    about: str
    answer: AdvanceWord
    most: int


class AdvancesShown(Event):
    """The game is over: the GMs read what had been said in advance (DW-AMB-56)."""

    rules: ClassVar[tuple[str, ...]] = ("DW-AMB-56",)

    advances: tuple[Said, ...]

    def audience(self, state: State) -> Audience:
        return GM


def shown(state: State) -> Iterator[Event]:
    """At the game's end: what still stood of it, by seat and kind; nothing where nobody had said anything."""
    said = [state.advances[key] for key in sorted(state.advances)]
    if said:
        yield AdvancesShown(
            advances=tuple(Said(seat=a.seat, kind=a.kind, about=a.about, answer=a.answer, most=a.most) for a in said)
        )


class SetStandingAnswer(Offering):
    """Say in advance what you answer: leave or objections for a god or for all, or how far you bid in a conflict."""

    kind: AdvanceKind
    """`leave`: you grant or refuse to have your squares shaped; `object`: you object or waive; `max_bid`: you bid."""
    seat: UUID | None = None
    """With leave and object: only to this god; to all when absent."""
    cause: Cause | None = None
    """With max_bid: only in conflicts of this kind; in all when absent."""
    answer: AdvanceWord = AdvanceWord.ASK
    """With leave and object: `always`, `never`, or `ask` to be asked again."""
    max_bid: int = Field(default=0, ge=0, le=MOST_POINTS)
    """With max_bid: the highest total; 0 to be asked again."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        state.require(Step.SETUP, Step.TURN, Step.ROUND_END)
        seat = state.seat(ctx.actor.acting_seat)
        bids = self.kind is AdvanceKind.MAX_BID
        misplaced = (self.seat or self.answer is not AdvanceWord.ASK) if bids else (self.cause or self.max_bid)
        if misplaced:
            raise Refused(
                "answer.invalid", "Leave and object go with a seat and an answer, max_bid with a cause and a total."
            )
        if self.seat is not None and (self.seat == seat.id or self.seat not in state.seats):
            raise Refused("answer.invalid", "Name another god, or none for all.")
        about = (self.cause.value if self.cause else "") if bids else (str(self.seat) if self.seat else "")
        yield AdvanceSet(seat=seat.id, kind=self.kind, about=about, answer=self.answer, most=self.max_bid)

    @classmethod
    def offers(cls, state: State, actor: Actor) -> Iterator[Offer]:
        state.require(Step.SETUP, Step.TURN, Step.ROUND_END)
        own = state.seat(actor.acting_seat)
        others = Domain.of(s.id for s in state.players() if s.id != own.id)
        for kind in (AdvanceKind.LEAVE, AdvanceKind.OBJECT):
            words = Domain.of(w.value for w in AdvanceWord)
            yield Offer(cls.slug(), {"kind": Domain.of((kind.value,)), "seat": others, "answer": words})
        most = Domain(low=0, high=MOST_POINTS)
        causes = Domain.of(c.value for c in Cause)
        yield Offer(cls.slug(), {"kind": Domain.of((AdvanceKind.MAX_BID.value,)), "cause": causes, "max_bid": most})


def said(state: State, seat: UUID, kind: AdvanceKind, to: UUID) -> bool | None:
    """What a seat has said in advance to a god: always, never, or None: it is asked. A word to him goes first."""
    for about in (str(to), ""):
        advance = state.advances.get((seat, kind.value, about))
        if advance is not None:
            return None if advance.answer is AdvanceWord.ASK else advance.answer is AdvanceWord.ALWAYS
    return None


def max_bid(state: State, seat: UUID, cause: Cause) -> int | None:
    """How far a seat has said in advance to bid; None: it is asked. A word on this cause goes first."""
    for about in (cause.value, ""):
        advance = state.advances.get((seat, AdvanceKind.MAX_BID.value, about))
        if advance is not None:
            return advance.most or None
    return None


ADVANCE_COMMANDS: tuple[type[Command], ...] = (SetStandingAnswer,)
ADVANCE_EVENTS: tuple[type[Event], ...] = (AdvanceSet, StandingAnswerUsed, AdvancesShown)
