"""The steps of a century as facts (G2-TIME-3)."""

from datetime import datetime
from typing import ClassVar
from uuid import UUID

from games.engine.kernel import Event
from games.gods2.rules.state.records import Phase
from games.gods2.rules.state.state import State


class CenturyOpened(Event[State]):
    """A new century begins."""

    rules: ClassVar[tuple[str, ...]] = ("G2-TIME-1", "G2-TIME-3")

    century: int
    starts_at: datetime
    activity_ends_at: datetime
    ends_at: datetime

    def apply(self, state: State) -> None:
        state.set_era(
            phase=Phase.OPENING,
            century=self.century,
            starts_at=self.starts_at,
            activity_ends_at=self.activity_ends_at,
            ends_at=self.ends_at,
            growing=(),
            creation=False,
        )

    def sentence(self, state: State) -> str:
        return f"Century {self.century} begins; the Activity Phase ends at {self.activity_ends_at:%H:%M:%S} UTC."


class GrowthOrdered(Event[State]):
    """In which order the races grow."""

    rules: ClassVar[tuple[str, ...]] = ("G2-GROW-1",)

    century: int
    races: tuple[UUID, ...]

    def apply(self, state: State) -> None:
        state.set_era(phase=Phase.GROWTH, growing=self.races)
        if state.info.id in state.growth_plans:
            del state.growth_plans[state.info.id]

    def sentence(self, state: State) -> str:
        return f"The races grow in this order: {', '.join(state.races[r].name for r in self.races) or 'nobody'}."


class ActivityClosed(Event[State]):
    """The Activity Phase is over: no history power works until the next century."""

    rules: ClassVar[tuple[str, ...]] = ("G2-TIME-3", "G2-CALC-3")

    century: int

    def apply(self, state: State) -> None:
        state.set_era(phase=Phase.CLOSING)

    def sentence(self, state: State) -> str:
        return f"The Activity Phase of century {self.century} is over."


class GrowthEnded(Event[State]):
    """All races have grown; whatever else begins with the century comes now."""

    rules: ClassVar[tuple[str, ...]] = ("G2-SEQ-1", "G2-GROW-1")

    century: int

    def apply(self, state: State) -> None:
        state.set_era(phase=Phase.STARTING)

    def sentence(self, state: State) -> str:
        return f"All races have grown; what else begins with century {self.century} comes now."
