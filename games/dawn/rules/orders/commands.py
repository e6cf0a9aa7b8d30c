"""Founding orders, and setting them tasks (DW-ORDR-*)."""

from collections.abc import Iterator
from typing import ClassVar
from uuid import UUID

from games.dawn.rules.orders.events import OrderCommanded, OrderCreated
from games.dawn.rules.orders.rules import Task, living_orders, surcharge
from games.dawn.rules.powers.commands import PowerCommand
from games.dawn.rules.powers.frame import Cast
from games.dawn.rules.state.constants import PRICES
from games.dawn.rules.state.records import Power
from games.dawn.rules.state.schema_types import OrderKind, Price
from games.dawn.rules.state.state import State
from games.engine.audience import PUBLIC
from games.engine.errors import Refused
from games.engine.insight.breakdown import Sum
from games.engine.insight.domains import Choices, FreeText
from games.engine.insight.legal_commands import LegalCommand
from games.engine.kernel import Actor, Context, Event
from games.engine.lifecycle.seating import Name


class CreateOrder(PowerCommand):
    """Found an order in a race, anybody's: a guild, knights, a faith, or another."""

    rules: ClassVar[tuple[str, ...]] = ("DW-ORDR-1",)

    race: UUID
    """The race; no presence is needed."""
    kind: OrderKind
    """What it is; religious only if you say so."""
    name: Name
    """Its name, which no other order has."""

    def row(self, state: State) -> Price:
        return Price.CREATE_ORDER

    def check(self, state: State, cast: Cast) -> None:
        state.race(self.race)
        state.require_free_name(self.name, state.orders)

    def effect(self, state: State, ctx: Context, power: Power) -> Iterator[Event]:
        yield OrderCreated(
            order=ctx.mint(PUBLIC), race=self.race, kind=self.kind, name=self.name, owners=(power.caster,)
        )

    def saying(self, state: State) -> str:
        return f"found the order {self.name} among {state.title(self.race)}"

    @classmethod
    def candidates(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        races = [race.id for race in state.living_races()]
        if races:
            name, kinds = FreeText().but(state.names_in(state.orders)), Choices.of(k.value for k in OrderKind)
            arguments = {"race": Choices.of(races), "kind": kinds, "name": name}
            yield LegalCommand(cls.slug(), arguments, price=PRICES[Price.CREATE_ORDER][state.course.age - 1])


class CommandOrder(PowerCommand):
    """Set an order a task; another god's order asks for more, a religious one for most."""

    rules: ClassVar[tuple[str, ...]] = ("DW-ORDR-2",)

    order: UUID
    """The order, anybody's; no presence is needed."""
    task: Task
    """What it is to do."""

    def row(self, state: State) -> Price:
        return Price.COMMAND_ORDER

    def price_sum(self, state: State, cast: Cast) -> Sum:
        """The price and the surcharge; its `check` comes first."""
        order, price = state.orders[self.order], super().price_sum(state, cast)
        if more := surcharge(order, cast.caster):
            price.step("surcharge", order.kind, f"{order.name} is another god's", "DW-ORDR-2", "add", more)
        return price

    def check(self, state: State, cast: Cast) -> None:
        order = state.orders.get(self.order)
        if order is None or order.dissolved:
            raise Refused("order.missing", "There is no such order; it may have ended with its race.")

    def effect(self, state: State, ctx: Context, power: Power) -> Iterator[Event]:
        free = power.price_row is Price.COMMAND_AVATAR  # DW-AVA-4, DW-AMB-19
        paid = 0 if free else surcharge(state.orders[self.order], power.caster)
        yield OrderCommanded(order=self.order, by=power.caster, task=self.task, surcharge=paid)

    def saying(self, state: State) -> str:
        return f"command {state.title(self.order)}"

    @classmethod
    def candidates(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        god, price = state.acting(actor), PRICES[Price.COMMAND_ORDER][state.course.age - 1]
        by_surcharge: dict[int, list[UUID]] = {}
        for order in living_orders(state):
            by_surcharge.setdefault(surcharge(order, god.id), []).append(order.id)
        for more in sorted(by_surcharge):
            note = f"The order is another god's: {more} points more." if more else ""
            arguments = {"order": Choices.of(by_surcharge[more]), "task": FreeText()}
            yield LegalCommand(cls.slug(), arguments, price=price + more, note=note)
