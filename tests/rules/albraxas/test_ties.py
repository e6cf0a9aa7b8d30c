"""Ties and knocked-out pairs, counted by hand from the text (AX-DIE-*, AX-SET-4): edge numbers of dice and Dynamism."""

from typing import Any

import pytest

from games.albraxas.rules.orders.commands import WriteOrders
from games.albraxas.rules.resolve.events import ActionResolved
from games.albraxas.rules.resolve.pools import Outcome, outcome_of_roll
from games.albraxas.rules.state.schema_types import Mode, Order, Result
from games.engine.dice import Roll
from games.engine.prompts.prompt import PromptOpened
from tests.dice import d
from tests.playbook import of_kind
from tests.rules.albraxas.stage import (
    AX,
    R1,
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
    values,
)

W, L, T = Result.WIN, Result.LOSE, Result.TIE
ROLLS = {
    "one die each, equal": ((6,), (6,), 9, "always", 9, T, 0, 0),
    "one die each, one higher": ((7,), (6,), 9, "always", 9, W, 1, 0),
    "one die against many": ((6,), (5, 5, 5), 0, "if_wins", 0, W, 1, 0),
    "many dice against one": ((5, 5, 5), (6,), 0, "if_wins", 0, L, 1, 0),
    "dice equal to the loser's highest are no successes": ((9, 6, 6, 5), (6, 1), 0, "if_wins", 0, W, 1, 0),
    "one-sided dice always tie": ((1, 1, 1), (1, 1), 99, "always", 99, T, 0, 0),
    "the same pools tie to the last die": ((7, 7, 7), (7, 7, 7), 99, "always", 99, T, 0, 0),
    "the actor's last die stays": ((8, 5), (8, 5, 2), 99, "always", 99, T, 0, 0),
    "the opposition's last die stays": ((8, 5, 9), (9, 8), 99, "always", 99, T, 0, 0),
    "three pairs for six": ((8, 8, 5, 4), (8, 8, 5, 2), 6, "if_wins", 6, W, 1, 6),
    "three pairs, limit five": ((8, 8, 5, 4), (8, 8, 5, 2), 5, "if_wins", 9, T, 0, 0),
    "three pairs, five Dynamism": ((8, 8, 5, 4), (8, 8, 5, 2), 9, "if_wins", 5, T, 0, 0),
    "no pair more than needed": ((8, 5, 4), (8, 3, 2), 9, "always", 9, W, 2, 1),
    "a loss is not knocked on into a win": ((8, 3, 2), (8, 6, 1), 9, "if_wins", 9, T, 0, 0),
    "always takes the first end, a loss": ((8, 3, 2), (8, 6, 1), 9, "always", 9, L, 1, 1),
    "a loss is not paid without Dynamism": ((8, 3), (8, 6), 9, "always", 0, T, 0, 0),
    "successes of the dice that are left": ((8, 6, 6, 2), (8, 5), 1, "if_wins", 1, W, 2, 1),
    "the Tide's successes of the dice that are left": ((9, 4), (9, 7, 5, 4), 1, "always", 1, L, 2, 1),
    "a win needs no pair, whatever the policy": ((9, 8), (8, 8), 9, "always", 9, W, 1, 0),
    "a loss needs no pair, whatever the policy": ((8, 8), (9, 8), 9, "always", 9, L, 1, 0),
}


@pytest.mark.rule("AX-DIE-2", "AX-DIE-3", "AX-DIE-4", "AX-DIE-5", "AX-DIE-7")
@pytest.mark.parametrize("_case", ROLLS)
def test_a_roll_at_the_edge_ends_as_the_text_says(_case: str) -> None:
    own, opposing, most, mode, dynamism, result, successes, spent = ROLLS[_case]
    outcome = outcome_of_roll(own, opposing, most=most, mode=Mode(mode), dynamism=dynamism)
    assert outcome == Outcome(result, successes, spent)
    shuffled = outcome_of_roll(own[::-1], opposing[::-1], most=most, mode=Mode(mode), dynamism=dynamism)
    assert shuffled == outcome, "the order in which dice fell means nothing"


@pytest.mark.rule("AX-DIE-5")
@pytest.mark.parametrize(("dynamism", "result", "left"), [(2, Result.WIN, 0), (1, Result.TIE, 0)])
def test_a_knock_out_is_paid_from_what_the_price_leaves(dynamism: int, result: Result, left: int) -> None:
    book = begin((4, 2, 7))
    book.state.set_character(R1, dynamism=dynamism)
    events = turn(book, 4, (battle(5, "always"),), [own(8, 5), opposing(8, 4)])
    (done,) = of_kind(events, ActionResolved)
    assert (done.result, done.spent, force(book)[1]) == (result, dynamism - 1, left)


@pytest.mark.rule("AX-ACT-10", "AX-DIE-5", "AX-AMB-27")
def test_the_fray_has_the_policy_of_its_order_and_the_dynamism_that_the_recover_left() -> None:
    """Recover 8 5 1 1 v 8 6: a pair for 1, lost. The fray 8 2 1 1 1 v 8 7 would be lost for another 1: always pays."""
    for dynamism, mode, spent in ((20, "always", [1, 1]), (1, "always", [1, 0]), (20, "if_wins", [0])):
        book = begin()
        book.state.set_character(R1, dynamism=dynamism)
        fray = [d(10, "fray/own", 8, 2, 1, 1, 1), d(10, "fray/opposing", 8, 7)] if mode == "always" else []
        events = turn(book, 4, (recover(1, mode),), [own(8, 5, 1, 1), opposing(8, 6), *fray])
        assert [e.spent for e in of_kind(events, ActionResolved)] == spent, (dynamism, mode)
        assert force(book)[1] == dynamism - sum(spent)
        assert values(book, 4)[0] == (2 if spent == [1, 1] else 1)


POLICIES: dict[str, tuple[dict[str, Any], int]] = {
    "left out": ({}, 0),
    "none": ({"tie": None}, 0),
    "a mode alone": ({"tie": {"mode": "always"}}, 0),
    "a limit alone": ({"tie": {"max": 9}}, 1),
}


@pytest.mark.rule("AX-DIE-5")
@pytest.mark.parametrize("_case", POLICIES)
def test_by_default_nothing_is_spent_and_then_only_for_a_win(_case: str) -> None:
    """8 3 v 8 6 would be lost after a pair: without a mode nobody pays for that; 8 6 v 8 3 is won, within a limit."""
    given, spent = POLICIES[_case]
    order = Order.model_validate({"action": "battle", **given})
    for fell, paid in (([own(8, 3, 1, 1, 1), opposing(8, 6)], 0), ([own(8, 6, 1, 1, 1), opposing(8, 3)], spent)):
        (done,) = of_kind(turn(begin(), 4, (order,), fell), ActionResolved)
        assert (done.result, done.spent) == (W if paid else T, paid)


@pytest.mark.rule("AX-AMB-7", "AX-AMB-22")
def test_a_tie_is_settled_by_the_order_alone_and_nobody_is_asked() -> None:
    book = begin()
    go(book, 4)
    events = orders(
        book, (battle(1), battle()), dice=[own(8, 6, 1, 1, 1), opposing(8, 3), own(9, 1, 1, 1, 1), opposing(5)]
    )
    kinds = [e.kind for e in of_kind(events, PromptOpened)]
    assert kinds == ["locate"], "of the next turn"
    assert [e.spent for e in of_kind(events, ActionResolved)] == [1, 0]


@pytest.mark.rule("AX-SET-4", "AX-DIE-1")
@pytest.mark.parametrize("sides", [4, 100])
def test_all_dice_have_the_same_number_of_sides(sides: int) -> None:
    """The actor's dice and the opposing ones, of both sides of the war and of a fray."""
    book = begin(sides=sides)
    since = len(book.log)
    go(book, 64)
    book.when(WriteOrders(orders=(recover(), battle(), backbone(), blitz(4))), by=R1)
    book.when(WriteOrders(orders=(recover(), blitz(6))), by=AX)
    rolls: list[Roll] = [roll for h in book.log[since:] for roll in h.rolls]
    assert {roll.sides for roll in rolls} == {sides}
    assert {roll.label.rpartition("/")[2] for roll in rolls} == {"own", "opposing"}
    assert all(1 <= roll.value <= sides for roll in rolls)


@pytest.mark.rule("AX-DIE-3", "AX-DIE-6", "AX-AMB-8")
def test_only_the_actor_pays_for_pairs_on_either_side() -> None:
    """A rebel and Albraxas in one phase: each tie is broken for the actor, from the actor's own Dynamism."""
    book = begin(phases=4)
    go(book, 4)
    fell = [own(8, 6, 1, 1, 1), opposing(8, 3), own(8, 6, 1, 1, 1, 1, 1, 1), opposing(8)]
    orders(book, (battle(1),), albraxas=(battle(9),), dice=fell)
    assert (force(book)[1], force(book, AX)[1]) == (20 - 1 - 1, 48 - 1)
    assert values(book, 4) == (1, 1)  # the Ebb's only die stays: a tie
