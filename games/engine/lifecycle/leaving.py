"""Leaving a seat: one command and its event for every game whose rulebook lets a player go.

A ruleset has a class of each, whose docstring is its documentation; what follows at once is `settle_left_seat`.
"""

from collections.abc import Iterator
from typing import ClassVar
from uuid import UUID

from games.engine.game_state import GameState, S, S_contra, Seat
from games.engine.insight.legal_commands import Enumerable, LegalCommand
from games.engine.kernel import Actor, Context, Event
from games.engine.lifecycle.seating import HandedOver


class SeatLeft(Event[S_contra], abstract=True):
    """Somebody has left the table; the seat is empty until it is taken again."""

    seat: UUID


class LeaveSeat(Enumerable[S], abstract=True):
    """Leave the table: your seat is free for another. Refuses after the end (`phase.closed`), then without a seat."""

    left: ClassVar[type[SeatLeft]]
    """The event of the ruleset."""
    end_rules: ClassVar[tuple[str, ...]] = ()
    """The rules that a refusal after the end cites; those of the steps of the game unless said."""

    def decide(self, state: S, ctx: Context) -> Iterator[Event]:
        seat = self._require_leaver(state, ctx.actor)
        yield self.left(seat=seat.id)
        yield HandedOver(seat=seat.id, user=None)
        yield from self.settle_left_seat(state, ctx, seat.id)

    def settle_left_seat(self, state: S, ctx: Context, seat: UUID) -> Iterator[Event]:
        """What a seat owes that nobody holds any more; nothing unless the ruleset says so."""
        yield from ()

    @classmethod
    def legal_commands(cls, state: S, actor: Actor) -> Iterator[LegalCommand]:
        cls._require_leaver(state, actor)
        yield LegalCommand(cls.slug(), quits=True)

    @classmethod
    def _require_leaver(cls, state: GameState, actor: Actor) -> Seat:
        state.require_unfinished(cls.end_rules)
        return state.seat(actor.acting_seat)
