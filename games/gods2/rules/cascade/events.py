"""The end of a race, and of its wars, as facts (G2-POP-5)."""

from dataclasses import replace
from typing import ClassVar
from uuid import UUID

from games.engine.kernel import Event
from games.gods2.rules.declarations.events import forget_policies, name_of
from games.gods2.rules.state.names import cause_name
from games.gods2.rules.state.records import WarStatus
from games.gods2.rules.state.state import State


class RaceDestroyed(Event[State]):
    """A race is extinct: no unit is left; its orders end."""

    rules: ClassVar[tuple[str, ...]] = ("G2-POP-5",)

    race: UUID
    cause: str

    def apply(self, state: State) -> None:
        state.races[self.race] = replace(state.races[self.race], extinct=True, turmoil=False)
        for order in list(state.orders.values()):
            if order.race == self.race:
                del state.orders[order.id]

    def sentence(self, state: State) -> str:
        return f"{state.races[self.race].name} are no more ({cause_name(state, self.cause)})."


class WarLapsed(Event[State]):
    """A declared war is not fought: a side is extinct, or nobody reaches the other any more."""

    rules: ClassVar[tuple[str, ...]] = ("G2-WAR-1",)

    war: UUID
    reason: str

    def apply(self, state: State) -> None:
        state.wars[self.war] = replace(state.wars[self.war], status=WarStatus.LAPSED, ended_at=state.now)
        forget_policies(state, self.war)

    def sentence(self, state: State) -> str:
        return f"{name_of(state, self.war)} lapses: {self.reason}."
