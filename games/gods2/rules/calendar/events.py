"""Sessions and the end of the Era as facts (G2-TIME-1, G2-TIME-2)."""

from typing import ClassVar

from games.engine.kernel import Event
from games.engine.wording import quantity
from games.gods2.rules.state.records import Phase
from games.gods2.rules.state.state import State
from games.gods2.rules.state.wording import plan_name


class SessionsPlanned(Event[State]):
    """The centuries are spread over the sessions."""

    rules: ClassVar[tuple[str, ...]] = ("G2-TIME-2",)

    plan: tuple[int, ...]
    minutes: int
    seconds: int
    """Length of a century; `minutes` are its whole minutes."""

    def apply(self, state: State) -> None:
        state.set_era(plan=self.plan, century_seconds=self.seconds)

    def sentence(self, state: State) -> str:
        return plan_name(self.plan, self.seconds)


class SessionOpened(Event[State]):
    """A session begins."""

    rules: ClassVar[tuple[str, ...]] = ("G2-TIME-2",)

    session: int
    century: int
    count: int
    """Centuries of this session."""

    def apply(self, state: State) -> None:
        state.set_era(session=self.session)

    def sentence(self, state: State) -> str:
        return f"Session {self.session} begins with century {self.century}; it has {quantity(self.count, 'century')}."


class SessionClosed(Event[State]):
    """A session is over."""

    rules: ClassVar[tuple[str, ...]] = ("G2-TIME-2",)

    session: int

    def apply(self, state: State) -> None:
        state.set_era(phase=Phase.TRANSITION)

    def sentence(self, state: State) -> str:
        return f"Session {self.session} is over."


class GameFinished(Event[State]):
    """Era Centrum is over."""

    rules: ClassVar[tuple[str, ...]] = ("G2-TIME-1",)

    century: int
    reason: str

    def apply(self, state: State) -> None:
        state.set_era(phase=Phase.FINISHED)

    def sentence(self, state: State) -> str:
        return f"Era Centrum is over after century {self.century}: {self.reason}."
