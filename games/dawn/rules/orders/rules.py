"""Orders: founded in a race by any god, and set tasks by any god (DW-ORDR-*)."""

from collections.abc import Iterable
from typing import Annotated
from uuid import UUID

from pydantic import Field

from games.dawn.rules.state.constants import FOREIGN_ORDER, FOREIGN_RELIGIOUS_ORDER
from games.dawn.rules.state.records import Order
from games.dawn.rules.state.schema_types import OrderKind, Text
from games.dawn.rules.state.state import State

Task = Annotated[Text, Field(min_length=1)]


def living_orders(state: State) -> Iterable[Order]:
    """The orders that have not ended, by name."""
    return sorted((o for o in state.orders.values() if not o.dissolved), key=lambda o: (o.name, o.id))


def surcharge(order: Order, seat: UUID) -> int:
    """Points that commanding an order costs a god beside its price: 0, 5 or 10 (DW-ORDR-2)."""
    if seat in order.owners:
        return 0
    return FOREIGN_RELIGIOUS_ORDER if order.kind is OrderKind.RELIGIOUS else FOREIGN_ORDER
