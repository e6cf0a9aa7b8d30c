"""The timers of a century, and the word of a GM that opens a session (sections 6 and 12 of the rulebook)."""

from collections.abc import Iterator
from typing import ClassVar

from games.engine.insight.legal_commands import Enumerable, LegalCommand
from games.engine.kernel import Actor, Command, Context, Event, Issuer
from games.gods2.rules.century.steps import BEGINNING, end_activity, end_century, open_session
from games.gods2.rules.state.records import ACTIVE, Phase
from games.gods2.rules.state.state import State

Steps = Iterator[Event]


class ClockCommand(Command[State], abstract=True):
    """A command of the clock, for one century; what does not fit the present phase is done already."""

    issuers: ClassVar[frozenset[Issuer]] = frozenset({Issuer.CLOCK})
    takes_long: ClassVar[bool] = True

    century: int

    def is_awaited(self, state: State, *phases: Phase) -> bool:
        """Whether this century still waits for this command."""
        return state.era.century == self.century and state.era.phase in phases


class CloseActivity(ClockCommand):
    """End the Activity Phase: fight all wars left, open the worksheets."""

    rules: ClassVar[tuple[str, ...]] = ("G2-TIME-3",)

    def decide(self, state: State, ctx: Context) -> Steps:
        if self.is_awaited(state, *BEGINNING, *ACTIVE):
            yield from end_activity(state, ctx)


class OpenNextCentury(ClockCommand):
    """The century is over: what it still owes is done, then the next one opens, or the session or the era ends."""

    rules: ClassVar[tuple[str, ...]] = ("G2-TIME-1", "G2-TIME-3")

    def decide(self, state: State, ctx: Context) -> Steps:
        if self.is_awaited(state, *BEGINNING, *ACTIVE, Phase.RECKONING, Phase.CLOSED):
            yield from end_century(state, ctx)


class OpenSession(Enumerable[State]):
    """Open the next session: its first century begins at once."""

    issuers: ClassVar[frozenset[Issuer]] = frozenset({Issuer.GM})
    takes_long: ClassVar[bool] = True
    rules: ClassVar[tuple[str, ...]] = ("G2-TIME-2", "G2-MANA-1")

    def decide(self, state: State, ctx: Context) -> Steps:
        state.require(Phase.TRANSITION)
        yield from open_session(state, ctx)

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        state.require(Phase.TRANSITION)
        yield LegalCommand(cls.slug())
