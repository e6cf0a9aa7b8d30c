"""Orders as facts: founded, set a task, ended with their race (DW-ORDR-*)."""

from dataclasses import replace
from typing import ClassVar
from uuid import UUID

from games.dawn.rules.state.records import Order
from games.dawn.rules.state.schema_types import OrderKind
from games.dawn.rules.state.state import State
from games.engine.kernel import Event


class OrderCreated(Event[State]):
    """An order has been founded in a race."""

    rules: ClassVar[tuple[str, ...]] = ("DW-ORDR-1",)

    order: UUID
    race: UUID
    kind: OrderKind
    name: str
    owners: tuple[UUID, ...]
    """Its creators: they command it without a surcharge, and have presence through it."""

    def apply(self, state: State) -> None:
        course = state.course
        state.orders[self.order] = Order(
            self.order, self.race, self.kind, self.name, self.owners, course.age, course.round
        )

    def sentence(self, state: State) -> str:
        return f"The order {self.name} ({self.kind}) is founded among {state.title(self.race)}."


class OrderCommanded(Event[State]):
    """A god has set an order a task; it changes nothing but the chronicle."""

    rules: ClassVar[tuple[str, ...]] = ("DW-ORDR-2",)

    order: UUID
    by: UUID
    task: str
    surcharge: int
    """Points paid because the order is another god's."""

    def sentence(self, state: State) -> str:
        return f"{state.title(self.by)} commands {state.title(self.order)}: {self.task}"


def end_orders(state: State, race: UUID) -> None:
    """The orders of a race end with it; for the event that it is extinct (DW-MIR-5)."""
    for order in list(state.orders.values()):
        if order.race == race:
            state.orders[order.id] = replace(order, dissolved=True)
