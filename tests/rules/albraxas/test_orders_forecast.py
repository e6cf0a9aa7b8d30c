"""The forecast of orders, against the enumeration of every roll, and against what really happens."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any
from uuid import UUID

import pytest

from games.albraxas.rules.orders.commands import WriteOrders
from games.albraxas.rules.orders.odds import MOST_EFFORT, chances, effort, results
from games.albraxas.rules.resolve.pools import outcome_of_roll
from games.albraxas.rules.state.schema_types import PROPOSED_TIE, Mode, Order
from games.engine.dice import Tray
from games.engine.errors import Refused
from games.engine.game_state import dump
from games.engine.insight.forecast import PARTS, DrawnDice, Forecast, odds_in_parts
from games.engine.kernel import Actor, Context, Issuer
from tests.dice import d
from tests.playbook import DAWN, Playbook, refused
from tests.rules.albraxas.stage import (
    AX,
    CONVALESCE,
    R1,
    R2,
    backbone,
    battle,
    begin,
    blitz,
    force,
    go,
    opposing,
    orders,
    own,
    recover,
    turn,
)


def forecast_for(book: Playbook, *written: Order, seat: UUID = R1, convalesce: bool = False) -> Forecast:
    """The forecast of a seat's orders, from what the seat sees."""
    actor = Actor(Issuer.SEAT, seat=seat)
    ctx = Context(
        game=book.state.info.id, now=DAWN, actor=actor, tray=Tray(DrawnDice(0)), id_secret=b"forecast", commands={},
    )  # fmt: skip
    return WriteOrders(orders=written, convalesce=convalesce).forecast(
        book.state.view_for(frozenset({seat})), ctx, actor
    )


def odds(found: Forecast, what: str, key: str) -> dict[int, Fraction]:
    """The chances of one thing by amount; they add up to 1."""
    (one,) = [p for p in found.prospects if (p.what, p.key) == (what, key)]
    assert sum(odd.chance for odd in one.odds) == 1
    return {odd.amount: odd.chance for odd in one.odds}


def sure(found: Forecast, what: str, key: str) -> int:
    """The only amount of one thing."""
    (amount,) = odds(found, what, key)
    return amount


def enumeration(sides: int, own: int, opposing: int, **how: Any) -> Counter[tuple[int, int]]:
    """Every possible roll: how often which successes, less than 0 for a loss, and how much spent."""
    found: Counter[tuple[int, int]] = Counter()
    faces = range(1, sides + 1)
    for mine in product(faces, repeat=own):
        for theirs in product(faces, repeat=opposing):
            ended = outcome_of_roll(mine, theirs, **how)
            sign = {"win": 1, "lose": -1, "tie": 0}[ended.result]
            found[sign * ended.successes, ended.spent] += 1
    return found


@pytest.mark.rule("AX-DIE-2", "AX-DIE-3", "AX-DIE-4", "AX-DIE-5", "AX-DIE-7")
@pytest.mark.parametrize("mode", Mode)
@pytest.mark.parametrize(
    ("own", "opposing", "sides"), [(1, 3, 4), (3, 1, 4), (3, 3, 4), (4, 4, 3), (2, 5, 3), (5, 2, 3)]
)
def test_the_ways_of_successes_and_dynamism_are_those_of_every_roll(
    own: int, opposing: int, sides: int, mode: Mode
) -> None:
    for most in (0, 1, 3, 6):
        found = results(own, opposing, sides, most, mode)
        assert {key: ways for key, ways in found.by.items() if ways} == enumeration(
            sides, own, opposing, most=most, mode=mode, dynamism=most
        )
        assert found.whole == sides ** (own + opposing)


@pytest.mark.rule("AX-ACT-2", "AX-ACT-3", "AX-ACT-4", "AX-DIE-1")
def test_orders_are_forecast_with_price_dice_odds_and_what_they_change() -> None:
    book = begin((4, 5, 4), sides=4)
    go(book, 4)
    found = forecast_for(book, battle(), backbone(), blitz(3))
    assert (found.price, found.barred) == (5, None)
    assert [(s.key, s.rule, s.amount) for s in found.steps] == [
        ("1:battle", "AX-ACT-2", 1), ("2:backbone", "AX-ACT-3", 1), ("3:blitz:3", "AX-ACT-4", 3),
    ]  # fmt: skip
    for key, count in (("1:battle", 5), ("2:backbone", 4), ("3:blitz:3", 3)):
        assert (sure(found, "dice", key), sure(found, "opposing_dice", key)) == (count, 2)
        exact = chances(count, 2, 4)
        assert odds(found, "won", key).get(1) == exact.win
        assert odds(found, "tied", key).get(1) == exact.tie
        assert odds(found, "lost", key).get(1) == exact.lose
    assert odds(found, "ebb", "1:battle")[1] == odds(found, "won", "1:battle")[1]
    assert odds(found, "tide", "1:battle")[1] == odds(found, "lost", "1:battle")[1]
    assert odds(found, "tide", "2:backbone")[-1] == odds(found, "won", "2:backbone")[1]
    assert odds(found, "backbone", "2:backbone")[-1] == odds(found, "lost", "2:backbone")[1]
    whole = 4**5
    ways = enumeration(4, 3, 2)
    assert odds(found, "successes", "3:blitz:3") == {n: Fraction(w, whole) for (n, _), w in ways.items()}
    assert odds(found, "ebb", "3:blitz:3") == odds(found, "successes", "3:blitz:3")
    assert odds(found, "backbone", "3:blitz:3")[-1] == odds(found, "tied", "3:blitz:3")[1]
    assert found.exact and found.cases == 4**7
    expected = sum(n * chance for n, chance in odds(found, "successes", "3:blitz:3").items() if n > 0)
    assert expected == chances(3, 2, 4).won


@pytest.mark.rule("AX-CLN-2", "AX-CLN-3")
def test_a_clone_pays_more_and_does_more_but_not_in_a_tie() -> None:
    book = begin((4, 5, 4), sides=4)
    turn(book, 1, (battle(),), dice=[d(4, "own", 4, 1, 1, 1, 1), d(4, "opposing", 1)])
    go(book, 1)
    found = forecast_for(book, battle(), blitz(2))
    assert (found.price, [s.rule for s in found.steps]) == (5, ["AX-ACT-2", "AX-CLN-2", "AX-ACT-4", "AX-CLN-2"])
    assert set(odds(found, "ebb", "1:battle")) == {0, 2}
    assert set(odds(found, "ebb", "2:blitz:2")) == {-2, 0, 2, 3}
    assert set(odds(found, "backbone", "2:blitz:2")) == {-1, 0}


@pytest.mark.rule("AX-ACT-1", "AX-ACT-10", "AX-ACT-12", "AX-AMB-27")
def test_a_recover_is_forecast_with_the_battle_that_follows_its_loss() -> None:
    book = begin((2, 2, 9), sides=4)
    go(book, 64)
    book.state.set_character(R1, dynamism=2, blitz=2)  # small pools: 2 dice, and 2 in the fray
    against = book.state.marks().effective_tide(64)
    assert against == 8
    for number in range(1, 64):
        book.state.phases[number] = replace(book.state.phases[number], tide=0)
    book.state.phases[1] = replace(book.state.phases[1], tide=1)
    found = forecast_for(book, recover(1, "always"))
    exact: dict[str, Counter[int]] = {"ebb": Counter(), "tide": Counter(), "dynamism": Counter()}
    whole = 4 ** (2 + 2)
    for (number, spent), ways in enumeration(4, 2, 2, most=1, mode=Mode.ALWAYS, dynamism=2).items():
        left = 2 - spent
        if number >= 0:
            regained = min(4, left + (2 if number > 0 else 0))
            for what, amount in (("ebb", 0), ("tide", 0), ("dynamism", regained - 2)):
                exact[what][amount] += ways * whole
            continue
        for (then, more), times in enumeration(4, 2, 2, most=1, mode=Mode.ALWAYS, dynamism=left).items():
            for what, amount in (("ebb", int(then > 0)), ("tide", int(then < 0)), ("dynamism", left - more - 2)):
                exact[what][amount] += ways * times
    for what, counted in exact.items():
        assert odds(found, what, "1:recover") == {n: Fraction(w, whole * whole) for n, w in counted.items()}


@pytest.mark.rule("AX-ACT-7")
def test_albraxas_lays_tide_and_rolls_against_ebb() -> None:
    book = begin(sides=4)
    go(book, 4)
    found = forecast_for(book, battle(), blitz(1), seat=AX)
    assert sure(found, "opposing_dice", "1:battle") == 1
    assert odds(found, "tide", "1:battle")[1] == chances(8, 1, 4).win
    assert odds(found, "ebb", "1:battle")[1] == chances(8, 1, 4).lose
    assert set(odds(found, "tide", "2:blitz:1")) == {-1, 0, 1}


@pytest.mark.rule("AX-ACT-5", "AX-ACT-11")
def test_a_convalesce_is_certain_and_comes_true() -> None:
    book = begin()
    turn(book, 1, (blitz(4),), dice=[own(1, 1, 1, 1), opposing(1)])
    go(book, 2)
    before = force(book)
    found = forecast_for(book, convalesce=True)
    orders(book, CONVALESCE)
    after = force(book)
    assert (found.price, sure(found, "backbone", "convalesce")) == (0, after[0] - before[0])
    assert sure(found, "dynamism", "convalesce") == after[1] - before[1]


@pytest.mark.rule("AX-ACT-8")
def test_an_order_that_cannot_be_paid_is_forecast_as_hole_up() -> None:
    book = begin()
    go(book, 1)
    book.state.set_character(R1, dynamism=1)
    found = forecast_for(book, battle(), blitz(4))
    assert found.barred is not None and found.barred.code == "dynamism.short"
    assert found.barred.facts == {"price": 5, "dynamism": 1}
    assert {p.what for p in found.prospects if p.key == "2:blitz:4"} == {"price", "fizzles"}
    assert odds(found, "won", "1:battle")


@pytest.mark.rule("AX-TRN-6")
def test_without_orders_every_action_is_forecast_and_without_junctures_the_rest_alone() -> None:
    book = begin()
    go(book, 4)
    found = forecast_for(book)
    assert found.price is None
    assert [p.key for p in found.prospects if p.what == "price"] == [
        "recover", "battle", "backbone", "blitz:1", "blitz:2", "blitz:3", "blitz:4", "convalesce",
    ]  # fmt: skip
    book.state.set_character(R1, clones=4)
    assert {p.key for p in forecast_for(book).prospects} == {"convalesce"}


@pytest.mark.rule("AX-DIE-5", "AX-TRN-6")
def test_without_orders_the_odds_are_those_of_the_policy_that_forms_begin_with_beside_those_of_none() -> None:
    book = begin()
    go(book, 4)
    found = forecast_for(book)
    assert odds(found, "won", "battle") == odds(forecast_for(book, battle(3)), "won", "1:battle")
    assert odds(found, "won_unpaid", "battle") == odds(forecast_for(book, battle()), "won", "1:battle")
    assert odds(found, "won", "battle")[1] > odds(found, "won_unpaid", "battle")[1]
    book.state.set_character(R1, dynamism=0, clones=1)  # a clone costs 1, also of a Recover
    assert sure(forecast_for(book), "fizzles", "recover") == 1
    assert not [p for p in forecast_for(book).prospects if p.what == "won_unpaid" and p.key == "battle"]


@pytest.mark.rule("AX-DIE-5")
def test_what_is_too_much_to_count_with_the_policy_is_forecast_without() -> None:
    book = begin(sides=100)
    go(book, 4)
    book.state.set_character(R1, battle=90, blitz=1, dynamism=1000)
    book.state.phases[4] = replace(book.state.phases[4], tide=90)
    policy = PROPOSED_TIE
    assert effort(90, 90, 100, policy.max, Mode(policy.mode)) > MOST_EFFORT
    found = forecast_for(book)
    assert odds(found, "won", "battle") == odds(found, "won_unpaid", "battle")


def test_a_forecast_changes_nothing_and_does_not_depend_on_what_others_have_written() -> None:
    book = begin((4, 5, 4), (4, 5, 4))
    go(book, 4, 4)
    before, standing = forecast_for(book, battle(), blitz(4)), dump(book.state)
    assert dump(book.state) == standing
    book.when(WriteOrders(orders=(blitz(4), blitz(4))), by=R2)
    book.when(WriteOrders(orders=(blitz(6),)), by=AX)
    assert forecast_for(book, battle(), blitz(4)) == before
    assert any("others order" in message for message in before.hidden)


def test_an_order_that_could_not_be_written_has_no_forecast() -> None:
    book = begin()
    with refused("phase.closed", book.state):
        forecast_for(book, battle())
    go(book, 4)
    with refused("orders.too_many", book.state):
        forecast_for(book, *[battle()] * 5)
    with refused("dice.range", book.state):
        forecast_for(book, blitz(5))


def test_huge_pools_are_counted_quickly_or_refused_with_their_numbers() -> None:
    book = begin(sides=100)
    go(book, 4)
    book.state.phases[1] = replace(book.state.phases[1], tide=200)
    found = forecast_for(book, blitz(4))
    assert sure(found, "opposing_dice", "1:blitz:4") == 201
    assert not found.exact and found.cases == PARTS and any("billionths" in message for message in found.hidden)
    book.state.phases[1] = replace(book.state.phases[1], tide=100_000)
    with pytest.raises(Refused) as caught:
        forecast_for(book, blitz(4))
    assert caught.value.code == "odds.large"
    assert caught.value.facts["opposing"] == 100_001 and caught.value.facts["limit"] == MOST_EFFORT
    with refused("odds.large"):
        results(18, 100, 100, 90, Mode.ALWAYS)
    assert effort(18, 100, 10, 0, Mode.ALWAYS) < MOST_EFFORT // 100


def test_rounded_chances_still_add_up_to_one() -> None:
    thirds = {0: Fraction(1, 3), 1: Fraction(1, 3), 2: Fraction(1, 3), 3: Fraction(0)}
    assert [o.chance for o in odds_in_parts(thirds, exact=True)] == [Fraction(1, 3)] * 3
    rounded = odds_in_parts(thirds, exact=False)
    assert sum(o.chance for o in rounded) == 1
    assert [o.chance * PARTS for o in rounded] == [333_333_334, 333_333_333, 333_333_333]
