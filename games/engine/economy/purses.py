"""Purses and escrow: what each seat has, what an open undertaking holds of it, and where everything went (CF-8).

A hold is returned or spent, whole. For each purse: earned + taken = balance + held + spent + given; for all of them
together, given = taken. A ruleset keeps both tables in its state and calls these functions from its events.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from uuid import UUID

from games.engine.errors import Refused
from games.engine.state import Rows
from games.engine.wording import quantity


@dataclass(frozen=True, slots=True)
class Purse:
    """What a seat has, free and held, and the sums of what came and went."""

    seat: UUID
    balance: int = 0
    held: int = 0
    earned: int = 0
    spent: int = 0
    given: int = 0
    taken: int = 0


@dataclass(frozen=True, slots=True)
class Hold:
    """What an open undertaking holds of a seat's points."""

    undertaking: UUID
    seat: UUID
    amount: int


Purses = Rows[UUID, Purse]
Holds = Rows[tuple[UUID, UUID], Hold]
"""By undertaking and seat."""


def purse_of(purses: Mapping[UUID, Purse], seat: UUID) -> Purse:
    """A seat's purse; an empty one where nothing was ever earned."""
    return purses.get(seat) or Purse(seat)


def require(
    purses: Mapping[UUID, Purse], seat: UUID, amount: int, what: str = "This", *, rules: tuple[str, ...] = ()
) -> None:
    """Refuse (`points.short`) what a seat cannot pay. rules: what the refusal cites."""
    have = purse_of(purses, seat).balance
    if have < amount:
        message = f"{what} costs {quantity(amount, 'point')}; the purse holds {have}."
        raise Refused("points.short", message, rules=rules, need=amount, have=have)


def earn(purses: Purses, seat: UUID, amount: int) -> None:
    """Add an income."""
    purse = purse_of(purses, seat)
    purses[seat] = replace(purse, balance=purse.balance + _whole(amount), earned=purse.earned + amount)


def spend(purses: Purses, seat: UUID, amount: int) -> None:
    """Pay for good."""
    purse = _purse_without(purses, seat, amount)
    purses[seat] = replace(purse, spent=purse.spent + amount)


def move(purses: Purses, giver: UUID, taker: UUID, amount: int) -> None:
    """Give points to another seat."""
    purse = _purse_without(purses, giver, amount)
    purses[giver] = replace(purse, given=purse.given + amount)
    other = purse_of(purses, taker)
    purses[taker] = replace(other, balance=other.balance + amount, taken=other.taken + amount)


def hold(purses: Purses, holds: Holds, undertaking: UUID, seat: UUID, amount: int) -> None:
    """Set points aside for an undertaking that is not decided yet; a second hold of the same adds up."""
    purse = _purse_without(purses, seat, amount)
    purses[seat] = replace(purse, held=purse.held + amount)
    before = holds.get((undertaking, seat)) or Hold(undertaking, seat, 0)
    holds[undertaking, seat] = replace(before, amount=before.amount + amount)


def hold_total(holds: Mapping[tuple[UUID, UUID], Hold], undertaking: UUID) -> int:
    """All that is held for an undertaking."""
    return sum(h.amount for h in holds.values() if h.undertaking == undertaking)


def return_held(purses: Purses, holds: Holds, undertaking: UUID) -> None:
    """Give back what an undertaking holds."""
    for one in _of(holds, undertaking):
        purse = purses[one.seat]
        purses[one.seat] = replace(purse, balance=purse.balance + one.amount, held=purse.held - one.amount)
        del holds[undertaking, one.seat]


def spend_held(purses: Purses, holds: Holds, undertaking: UUID) -> None:
    """Let what an undertaking holds be paid for good."""
    for one in _of(holds, undertaking):
        purse = purses[one.seat]
        purses[one.seat] = replace(purse, held=purse.held - one.amount, spent=purse.spent + one.amount)
        del holds[undertaking, one.seat]


def imbalances(purses: Iterable[Purse], holds: Iterable[Hold], called: Callable[[UUID], str] = str) -> list[str]:
    """What does not add up, one sentence each. called: the name of the holder of a seat."""
    every, open_holds = list(purses), list(holds)
    found = []
    for p in every:
        if min(p.balance, p.held, p.earned, p.spent, p.given, p.taken) < 0:
            found.append(f"{called(p.seat)} has less than nothing.")
        if p.earned + p.taken != p.balance + p.held + p.spent + p.given:
            found.append(f"What {called(p.seat)} earned and was given is not what is there, held, spent or given.")
        if p.held != sum(h.amount for h in open_holds if h.seat == p.seat):
            found.append(f"What is held of {called(p.seat)} is not what open undertakings hold.")
    if sum(p.given for p in every) != sum(p.taken for p in every):
        found.append("Not everything that was given arrived.")
    return found


def _of(holds: Mapping[tuple[UUID, UUID], Hold], undertaking: UUID) -> list[Hold]:
    return [h for h in holds.values() if h.undertaking == undertaking]


def _whole(amount: int) -> int:
    if amount < 0:
        raise ValueError(f"a movement of {amount}")
    return amount


def _purse_without(purses: Purses, seat: UUID, amount: int) -> Purse:
    """The purse without an amount; the sums are the caller's."""
    purse = purse_of(purses, seat)
    if _whole(amount) > purse.balance:
        raise ValueError(f"{amount} of {purse.balance} points")
    return replace(purse, balance=purse.balance - amount)
