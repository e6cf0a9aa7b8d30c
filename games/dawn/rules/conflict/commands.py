"""The commands of the Divine Conflict: bid, fold, and a dispute of one's own (DW-DC-1..4)."""

from collections.abc import Iterator
from typing import ClassVar
from uuid import UUID

from pydantic import Field

from games.dawn.rules.conflict.events import DisputeOpened, auction_of
from games.dawn.rules.conflict.rules import bid, bidder, conflict_opening, fold, open_conflict, require_points
from games.dawn.rules.state.records import Conflict
from games.dawn.rules.state.schema_types import Cause, Step, Text
from games.dawn.rules.state.state import State
from games.engine.economy.auction import must_fold, reach
from games.engine.errors import Refused
from games.engine.insight.domains import Choices, FreeText, Range
from games.engine.insight.legal_commands import Enumerable, LegalCommand
from games.engine.kernel import Actor, Context, Event

MOST_POINTS = 1_000_000


class PlaceBid(Enumerable[State]):
    """Bid a total; you pay what it is more than your last one, and do not get it back."""

    rules: ClassVar[tuple[str, ...]] = ("DW-DC-2", "DW-DC-3")

    conflict: UUID
    """The conflict."""
    total: int = Field(ge=1, le=MOST_POINTS)
    """Your whole bid: more than the other side's."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        conflict = bidding(state, ctx.actor, self.conflict)
        yield from bid(state, conflict, self.total)

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        for conflict in state.conflicts.values():
            bidding(state, actor, conflict.id)
            auction = auction_of(conflict)
            most = reach(auction, state.balance(bidder(conflict)))
            if must_fold(auction, state.balance(bidder(conflict))):
                raise Refused("points.short", "You cannot bid more than the other side; fold.", rules=("DW-DC-3",))
            total = Range(low=auction.to_beat + 1, high=most)
            yield LegalCommand(cls.slug(), {"conflict": Choices.of((conflict.id,)), "total": total})


class Fold(Enumerable[State]):
    """Give up a conflict: it goes to the other side."""

    rules: ClassVar[tuple[str, ...]] = ("DW-DC-3", "DW-DC-4")

    conflict: UUID
    """The conflict."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        yield from fold(state, bidding(state, ctx.actor, self.conflict))

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        for conflict in state.conflicts.values():
            bidding(state, actor, conflict.id)
            yield LegalCommand(cls.slug(), {"conflict": Choices.of((conflict.id,))})


class OpenDispute(Enumerable[State]):
    """Call a god to a Divine Conflict about anything at all: on your turn anybody, else the active god."""

    rules: ClassVar[tuple[str, ...]] = ("DW-DC-1",)

    against: UUID
    """The other god's seat."""
    text: Text
    """What it is about; the conflict decides this and changes nothing else."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        state.require(Step.TURN)
        god = state.acting(ctx.actor)
        state.require_pair(god.id, self.against)
        state.require_quiet()
        require_points(state, god.id)
        yield DisputeOpened(by=god.id, against=self.against, words=self.text)
        yield conflict_opening(ctx, Cause.DISPUTE, invoker=god.id, challenger=self.against, words=self.text)

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        state.require(Step.TURN)
        god = state.acting(actor)
        state.require_quiet()
        require_points(state, god.id)
        others = [seat for seat in state.partners(god.id) if not state.has_left(seat)]
        if not others:
            raise Refused("pair.inactive", "Nobody is there to call to a conflict now.", rules=("DW-DC-1",))
        yield LegalCommand(cls.slug(), {"against": Choices.of(others), "text": FreeText()})


def bidding(state: State, actor: Actor, conflict: UUID) -> Conflict:
    """The conflict in which it is this actor's turn. Raises `prompt.closed`, `bid.not_yours`."""
    state.require(Step.TURN)
    found = open_conflict(state, conflict)
    if state.acting(actor).id != bidder(found):
        raise Refused("bid.not_yours", "It is the other side's turn to bid.", rules=("DW-DC-3",))
    return found
