"""Commands of the clock that take a century up again in whatever phase it was left (section 12.2 of the rulebook).

In play the steps chain by themselves; these serve a GM's `fire-now`, and a century that was rewound or amended.
"""

from typing import ClassVar

from games.engine.kernel import Context
from games.gods2.rules.century.calculation import calculate, close_century, finish_century
from games.gods2.rules.century.steps import (
    ClockCommand,
    Steps,
    close_session,
    finish_era,
    open_board,
    open_century,
    run_on,
)
from games.gods2.rules.pantheon.turmoil_commands import expulsions
from games.gods2.rules.state.options import CENTURIES
from games.gods2.rules.state.records import Phase
from games.gods2.rules.state.state import State
from games.gods2.rules.war.aggression import roll_aggression


class OpenCentury(ClockCommand):
    """Open a century, when the one before is closed."""

    rules: ClassVar[tuple[str, ...]] = ("G2-TIME-1",)

    def decide(self, state: State, ctx: Context) -> Steps:
        if state.era.century == self.century - 1 and state.era.phase in (Phase.CLOSED, Phase.TRANSITION):
            yield from open_century(state, ctx, self.century)


class OrderGrowth(ClockCommand):
    """Draw the order of growth and go on."""

    rules: ClassVar[tuple[str, ...]] = ("G2-GROW-1",)

    def decide(self, state: State, ctx: Context) -> Steps:
        if self.is_awaited(state, Phase.OPENING):
            yield from run_on(state, ctx)


class GrowRace(ClockCommand):
    """Let the races that are left grow and go on."""

    rules: ClassVar[tuple[str, ...]] = ("G2-GROW-1",)

    def decide(self, state: State, ctx: Context) -> Steps:
        if self.is_awaited(state, Phase.GROWTH):
            yield from run_on(state, ctx)


class RunStartEvent(ClockCommand):
    """Let what else begins with the century happen when all have grown, and go on."""

    rules: ClassVar[tuple[str, ...]] = ("G2-SEQ-2",)

    def decide(self, state: State, ctx: Context) -> Steps:
        if self.is_awaited(state, Phase.STARTING):
            yield from run_on(state, ctx)


class OpenBoard(ClockCommand):
    """Open the board when aggression is rolled."""

    rules: ClassVar[tuple[str, ...]] = ("G2-AGG-5",)

    def decide(self, state: State, ctx: Context) -> Steps:
        if self.is_awaited(state, Phase.AGGRESSION):
            yield from open_board(state, ctx)


class Calculate(ClockCommand):
    """Open the worksheets when the Activity Phase is closed."""

    rules: ClassVar[tuple[str, ...]] = ("G2-CALC-1",)

    def decide(self, state: State, ctx: Context) -> Steps:
        if self.is_awaited(state, Phase.CLOSING):
            yield from calculate(state, ctx)


class PayMana(ClockCommand):
    """Pay the mana of the century and close it, when no god is asked any more whom to throw out."""

    rules: ClassVar[tuple[str, ...]] = ("G2-MANA-5",)

    def decide(self, state: State, ctx: Context) -> Steps:
        if self.is_awaited(state, Phase.RECKONING) and not expulsions(state):
            yield from finish_century(state, ctx)


class CloseCentury(ClockCommand):
    """Close the century when its mana is paid."""

    rules: ClassVar[tuple[str, ...]] = ("G2-CALC-1",)

    def decide(self, state: State, ctx: Context) -> Steps:
        if self.is_awaited(state, Phase.PAYING):
            yield from close_century(state, ctx)


class RollAggression(ClockCommand):
    """Roll every race's aggression when the century has begun for all, and open the board."""

    rules: ClassVar[tuple[str, ...]] = ("G2-AGG-3",)

    def decide(self, state: State, ctx: Context) -> Steps:
        if self.is_awaited(state, Phase.STARTING):
            yield from roll_aggression(state, ctx)
            yield from open_board(state, ctx)


class CloseSession(ClockCommand):
    """Close the session when its last century is closed."""

    rules: ClassVar[tuple[str, ...]] = ("G2-TIME-2",)

    def decide(self, state: State, ctx: Context) -> Steps:
        if self.is_awaited(state, Phase.CLOSED) and self.century == sum(state.era.plan[: state.era.session]):
            yield from close_session(state, ctx)


class FinishEra(ClockCommand):
    """End the era when century 16 is closed."""

    rules: ClassVar[tuple[str, ...]] = ("G2-TIME-1",)

    def decide(self, state: State, ctx: Context) -> Steps:
        if self.is_awaited(state, Phase.CLOSED) and self.century == CENTURIES:
            yield from finish_era(state)
