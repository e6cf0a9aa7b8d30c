"""A sum of a creation or a recruiting is to be spent, or too little for a die, as facts (FB-ART-5, 6, FB-HER-1)."""

from typing import ClassVar
from uuid import UUID

from games.engine.kernel import Event
from games.forgeborn.rules.state.constants import LEAST_SUM
from games.forgeborn.rules.state.schema_types import Bought, Stage
from games.forgeborn.rules.state.state import State

FOR = {Bought.ARTIFACT: "an artifact", Bought.HEROINE: "a Heroine"}


class PointsDue(Event[State]):
    """The sum of a creation or a recruiting is to be spent."""

    rules: ClassVar[tuple[str, ...]] = ("FB-ART-5", "FB-HER-1")

    seat: UUID
    total: int
    bought: Bought

    def sentence(self, state: State) -> str:
        return f"{state.seat_name(self.seat)} has {self.total} to spend on {FOR[self.bought]}."


class CreationFailed(Event[State]):
    """A creation or a recruiting has failed: the sum pays for no die. What was paid and sacrificed is lost."""

    rules: ClassVar[tuple[str, ...]] = ("FB-ART-6", "FB-HER-1", "FB-AMB-11")

    seat: UUID
    total: int
    bought: Bought

    def apply(self, state: State) -> None:
        state.set_action(is_won=False, stage=Stage.FAILED)

    def sentence(self, state: State) -> str:
        return f"{self.total} is too little for {FOR[self.bought]}; the least die costs {LEAST_SUM}."
