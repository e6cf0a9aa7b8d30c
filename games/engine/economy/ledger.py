"""Ledgers: accounts of points, mana or whatever a game spends. Never below zero; escrow is shown apart (CF-8).

Pure values: an account is replaced, never changed. What is earned is spent, in escrow, given, or discarded at a cap.
"""

from dataclasses import dataclass, replace

from games.engine.errors import Refused


@dataclass(frozen=True, slots=True)
class Account:
    """What somebody has: free to spend, and set aside for something that is not yet decided."""

    balance: int = 0
    escrow: int = 0

    def __post_init__(self) -> None:
        if self.balance < 0 or self.escrow < 0:
            raise ValueError(f"an account below zero: {self.balance}, {self.escrow} in escrow")


@dataclass(frozen=True, slots=True)
class Earned:
    """What became of an income: the account after it, and what a cap cut off."""

    account: Account
    discarded: int = 0


def earn(account: Account, amount: int, cap: int | None = None) -> Earned:
    """Add an income. With a cap, what goes beyond it is discarded; what was there stays, even above the cap."""
    _positive(amount)
    room = amount if cap is None else max(0, cap - account.balance)
    kept = min(amount, room)
    return Earned(replace(account, balance=account.balance + kept), amount - kept)


def spend(account: Account, amount: int) -> Account:
    """Pay. Raises `points.short`."""
    _positive(amount)
    _require_cover(account, amount)
    return replace(account, balance=account.balance - amount)


def reserve(account: Account, amount: int) -> Account:
    """Set an amount aside. Raises `points.short`."""
    _positive(amount)
    _require_cover(account, amount)
    return Account(account.balance - amount, account.escrow + amount)


def release(account: Account, amount: int) -> Account:
    """Give back what was set aside."""
    _set_aside(account, amount)
    return Account(account.balance + amount, account.escrow - amount)


def settle(account: Account, amount: int) -> Account:
    """Pay from what was set aside."""
    _set_aside(account, amount)
    return replace(account, escrow=account.escrow - amount)


def transfer(giver: Account, taker: Account, amount: int) -> tuple[Account, Account]:
    """Give an amount to another. Raises `points.short`."""
    return spend(giver, amount), earn(taker, amount).account


def _positive(amount: int) -> None:
    if amount < 0:
        raise ValueError(f"a movement of {amount}")


def _require_cover(account: Account, amount: int) -> None:
    if account.balance < amount:
        raise Refused(
            "points.short", f"This costs {amount}; you have {account.balance}.", need=amount, have=account.balance
        )


def _set_aside(account: Account, amount: int) -> None:
    _positive(amount)
    if account.escrow < amount:
        raise ValueError(f"{amount} of {account.escrow} in escrow")
