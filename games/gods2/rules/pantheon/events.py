"""What happens to the pantheons of races, as facts (G2-PAN-1 to 6): drafts, signatures, orders, new shares.

Drafts and signatures are secrets of the god members, of the gods they name, and of the GMs until an order is accepted.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import ClassVar
from uuid import UUID

from games.engine.audience import Audience, seats
from games.engine.kernel import Event
from games.engine.prompts.prompt import close
from games.gods2.rules.state.gods import god_members
from games.gods2.rules.state.names import member_name
from games.gods2.rules.state.questions import Asked
from games.gods2.rules.state.records import PantheonOrder
from games.gods2.rules.state.shares import describe_shares, share_out, shares_of
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import ShareOf


class OrderEvent(Event[State], abstract=True):
    """What happens to a draft, visible to those who may read it."""

    rules: ClassVar[tuple[str, ...]] = ("G2-PAN-3",)

    order: UUID

    def audience(self, state: State) -> Audience:
        return state.orders[self.order].readers


class PantheonOrderDrafted(Event[State]):
    """A member has drafted new shares for a race's pantheon."""

    rules: ClassVar[tuple[str, ...]] = ("G2-PAN-3", "G2-PAN-4")

    order: UUID
    race: UUID
    pantheon: tuple[ShareOf, ...]
    seat: UUID

    def audience(self, state: State) -> Audience:
        return readers_of_draft(state, self.race, shares_of(self.pantheon))

    def apply(self, state: State) -> None:
        shares = shares_of(self.pantheon)
        state.orders[self.order] = PantheonOrder(
            id=self.order,
            race=self.race,
            drafter=self.seat,
            pantheon=tuple(sorted(shares.items())),
            readers=readers_of_draft(state, self.race, shares),
        )

    def sentence(self, state: State) -> str:
        shares = describe_shares(state, shares_of(self.pantheon))
        return f"{state.gods[self.seat].name} drafts a pantheon for {state.races[self.race].name}: {shares}."


class PantheonOrderSigned(OrderEvent):
    """A member has signed a draft."""

    seat: UUID

    def apply(self, state: State) -> None:
        order = state.orders[self.order]
        state.orders[self.order] = replace(order, signed=tuple(sorted({*order.signed, self.seat})))

    def sentence(self, state: State) -> str:
        return f"{state.gods[self.seat].name} signs {_draft(state, self.order)}."


class PantheonOrderUnsigned(OrderEvent):
    """A member has withdrawn their signature."""

    seat: UUID

    def apply(self, state: State) -> None:
        order = state.orders[self.order]
        state.orders[self.order] = replace(order, signed=tuple(s for s in order.signed if s != self.seat))

    def sentence(self, state: State) -> str:
        return f"{state.gods[self.seat].name} takes back the signature under {_draft(state, self.order)}."


class PantheonOrderDropped(OrderEvent):
    """A draft was dropped by its drafter, or because the pantheon it would change is no more."""

    def apply(self, state: State) -> None:
        del state.orders[self.order]

    def sentence(self, state: State) -> str:
        return "A draft of a pantheon was dropped."


class PantheonOrderRefused(OrderEvent):
    """An order was handed in and is void: it changes nothing."""

    rules: ClassVar[tuple[str, ...]] = ("G2-PAN-5", "G2-PAN-6")

    reason: str
    """`unsigned`, `diabolism`, `atheism` or `members`."""
    member: str | None = None
    """The god whose signature is missing."""

    def apply(self, state: State) -> None:
        order = state.orders[self.order]
        if order.deferred:
            state.orders[self.order] = replace(order, deferred=False)

    def sentence(self, state: State) -> str:
        race = state.races[state.orders[self.order].race].name
        why = VOID[self.reason].format(member_name(state, self.member or ""))
        return f"The order for the pantheon of {race} is void: {why}."


class PantheonOrderDeferred(OrderEvent):
    """An order was handed in during the Calculation Phase; it takes effect as the next century opens."""

    rules: ClassVar[tuple[str, ...]] = ("G2-PAN-3", "G2-AMB-32")

    century: int

    def apply(self, state: State) -> None:
        state.orders[self.order] = replace(state.orders[self.order], deferred=True)

    def sentence(self, state: State) -> str:
        race = state.races[state.orders[self.order].race].name
        return f"The order for the pantheon of {race} takes effect with century {self.century}."


class PantheonOrderAccepted(Event[State]):
    """All member gods agree and nobody vetoes."""

    rules: ClassVar[tuple[str, ...]] = ("G2-PAN-3",)

    order: UUID
    race: UUID

    def apply(self, state: State) -> None:
        del state.orders[self.order]

    def sentence(self, state: State) -> str:
        return f"A new order for the pantheon of {state.races[self.race].name} is accepted."


class PantheonChanged(Event[State]):
    """The shares of a pantheon are new."""

    rules: ClassVar[tuple[str, ...]] = ("G2-PAN-1", "G2-PAN-4")

    race: UUID
    pantheon: tuple[ShareOf, ...]
    cause: str

    def apply(self, state: State) -> None:
        share_out(state, self.race, shares_of(self.pantheon))

    def sentence(self, state: State) -> str:
        shares = describe_shares(state, shares_of(self.pantheon))
        return f"The pantheon of {state.races[self.race].name} is now {shares}."


VOID = {
    "unsigned": "{} has not signed it",
    "diabolism": "diabolism does not agree to these shares",
    "atheism": "atheism does not agree to these shares",
    "members": "somebody in it cannot be worshipped now, or the race is no more",
}
"""Why an order changes nothing."""


def _draft(state: State, order: UUID) -> str:
    return f"the draft for the pantheon of {state.races[state.orders[order].race].name}"


def readers_of_draft(state: State, race: UUID, shares: Mapping[str, int]) -> Audience:
    """Who may read a draft: the god members, the gods it names, and the GMs."""
    named = [god for god in state.gods if str(god) in shares]
    return seats(*god_members(state, race), *named, gm=True)


def prompt_of(state: State, order: UUID) -> UUID | None:
    """The question for signatures under a draft."""
    return state.question(Asked.SIGN, order)


def close_prompt_of(state: State, order: UUID, result: str) -> Iterator[Event]:
    """Close the question for signatures under a draft."""
    prompt = prompt_of(state, order)
    if prompt is not None:
        yield from close(state, prompt, result)


def drop_draft(state: State, order: UUID) -> Iterator[Event]:
    """A draft goes, and the question for signatures with it."""
    yield from close_prompt_of(state, order, "dropped")
    yield PantheonOrderDropped(order=order)
