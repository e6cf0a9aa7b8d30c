"""Accounts: nothing from nothing, and never below zero."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.economy import ledger
from games.engine.economy.ledger import Account
from games.engine.errors import Refused

AMOUNTS = st.integers(0, 100)


@given(AMOUNTS, AMOUNTS, AMOUNTS)
def test_a_transfer_conserves_the_sum(giver, taker, amount):
    one, other = Account(giver), Account(taker)
    if amount > giver:
        with pytest.raises(Refused) as caught:
            ledger.transfer(one, other, amount)
        assert (caught.value.code, caught.value.facts) == ("points.short", {"need": amount, "have": giver})
        return
    one, other = ledger.transfer(one, other, amount)
    assert one.balance + other.balance == giver + taker


@given(AMOUNTS, st.integers(0, 100))
def test_what_is_set_aside_can_be_given_back_or_paid(balance, amount):
    account = Account(balance)
    if amount > balance:
        with pytest.raises(Refused):
            ledger.reserve(account, amount)
        return
    held = ledger.reserve(account, amount)
    assert (held.balance, held.escrow) == (balance - amount, amount)
    assert ledger.release(held, amount) == account
    assert ledger.settle(held, amount) == Account(balance - amount)


@pytest.mark.parametrize(
    ("_case", "balance", "amount", "cap", "after", "discarded"),
    [
        ("below the cap", 3, 4, 10, 7, 0),
        ("over the cap", 8, 4, 10, 10, 2),
        ("already above it", 12, 4, 10, 12, 4),
        ("no cap", 8, 4, None, 12, 0),
    ],
)
def test_a_cap_discards_the_excess_and_says_so(_case, balance, amount, cap, after, discarded):
    earned = ledger.earn(Account(balance), amount, cap)
    assert (earned.account.balance, earned.discarded) == (after, discarded)


def test_escrow_that_is_not_there_is_an_error():
    with pytest.raises(ValueError):
        ledger.settle(Account(5, 1), 2)
