"""Orders: founded in a race by any god, and set tasks by any god (DW-ORDR-*)."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Annotated, ClassVar
from uuid import UUID

from pydantic import Field

from games.dawn.rules.powers.commands import PowerCommand
from games.dawn.rules.powers.frame import Cast
from games.dawn.rules.state.constants import FOREIGN_ORDER, FOREIGN_RELIGIOUS_ORDER, PRICES
from games.dawn.rules.state.records import Order, Power
from games.dawn.rules.state.schema_types import OrderKind, Price, Text
from games.dawn.rules.state.state import State
from games.engine.audience import PUBLIC
from games.engine.errors import Refused
from games.engine.insight.breakdown import Sum
from games.engine.insight.domains import Choices, FreeText
from games.engine.insight.legal_commands import LegalCommand
from games.engine.kernel import Actor, Context, Event
from games.engine.lifecycle.seating import Name

Task = Annotated[Text, Field(min_length=1)]


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


def surcharge(order: Order, seat: UUID) -> int:
    """Points that commanding an order costs a god beside its price: 0, 5 or 10 (DW-ORDR-2)."""
    if seat in order.owners:
        return 0
    return FOREIGN_RELIGIOUS_ORDER if order.kind is OrderKind.RELIGIOUS else FOREIGN_ORDER


def living_orders(state: State) -> Iterable[Order]:
    """The orders that have not ended, by name."""
    return sorted((o for o in state.orders.values() if not o.dissolved), key=lambda o: (o.name, o.id))


def end_orders(state: State, race: UUID) -> None:
    """The orders of a race end with it; for the event that it is extinct (DW-MIR-5)."""
    for order in list(state.orders.values()):
        if order.race == race:
            state.orders[order.id] = replace(order, dissolved=True)
