"""Using a power: the command side of `powers.frame`. Every power of the price table is a subclass of `PowerCommand`."""

from collections.abc import Iterator
from dataclasses import replace
from typing import ClassVar
from uuid import UUID

from games.dawn.rules.powers.forecast import forecast_power
from games.dawn.rules.powers.frame import Cast, PowerRules, declare_power
from games.dawn.rules.state.constants import PAID
from games.dawn.rules.state.state import State
from games.engine.economy import purses
from games.engine.errors import Refused
from games.engine.insight.forecast import Forecast, Forecastable
from games.engine.insight.legal_commands import LegalCommand
from games.engine.kernel import Actor, Context, Event


class PowerCommand(PowerRules, Forecastable[State], abstract=True):
    """A power that the active god uses on their turn (DW-TRN-1)."""

    joint: ClassVar[bool] = False
    """Whether others may pay a part of its price (DW-RACE-4)."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        god = state.active(ctx.actor)
        yield from declare_power(state, ctx, self, Cast(god.id))

    def forecast(self, state: State, ctx: Context, actor: Actor) -> Forecast:
        """Its price, whom it would ask, and what it would change."""
        return forecast_power(state, ctx, actor, self)

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        god = state.active(actor)
        for legal in cls.candidates(state, actor):
            yield legal if cls.joint else _within_means(state, god.id, legal)

    @classmethod
    def candidates(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        """What the active god may do with this power, means aside: argument domains and prices."""
        raise TypeError(f"{cls.__name__} says nothing of what it accepts")


def _within_means(state: State, god: UUID, legal: LegalCommand) -> LegalCommand:
    """The legal command, barred (`points.short`) where the god cannot pay its price."""
    try:
        purses.require(state.purses, god, legal.price or 0, rules=PAID)
    except Refused as short:
        return replace(legal, barred=legal.barred or short)
    return legal
