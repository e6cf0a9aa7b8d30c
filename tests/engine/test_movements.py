"""Ledgers in motion: what came in is what is there, aside, paid or cut off, whatever is tried (CF-8)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.economy import ledger
from games.engine.economy.ledger import Account
from games.engine.errors import Refused

MOVES = st.lists(
    st.tuples(st.sampled_from(["earn", "spend", "reserve", "release", "settle"]), st.integers(0, 30)), max_size=30
)


@pytest.mark.rule("CF-8")
@given(MOVES, st.one_of(st.none(), st.integers(0, 40)))
def test_the_sum_of_the_movements_is_the_balance_and_it_is_never_below_nothing(moves, cap):
    account, earned, cut, paid = Account(), 0, 0, 0
    for what, amount in moves:
        before = account
        try:
            if what == "earn":
                income = ledger.earn(account, amount, cap)
                account, earned, cut = income.account, earned + amount, cut + income.discarded
            else:
                account = getattr(ledger, what)(account, amount)
                paid += amount if what in ("spend", "settle") else 0
        except Refused as why:
            assert (why.code, before.balance < amount) == ("points.short", True)
            assert what in ("spend", "reserve")
        except ValueError:
            assert what in ("release", "settle")
            assert before.escrow < amount
        assert min(account.balance, account.escrow) >= 0
        assert account.balance + account.escrow == earned - cut - paid


@pytest.mark.rule("CF-8")
@given(st.integers(-20, -1))
def test_an_account_below_nothing_cannot_be(amount):
    for wrong in (lambda: Account(amount), lambda: Account(0, amount), lambda: ledger.earn(Account(5), amount)):
        with pytest.raises(ValueError):
            wrong()
