"""Actions for both sides, clones and dice (AX-ACT-*, AX-CLN-*, AX-DIE-*, AX-EFF-3)."""

import pytest

from games.albraxas.rules.resolve.actions import Effect, dice, effect, price
from games.albraxas.rules.resolve.events import ActionResolved, Convalesced, FrayForced, OrderFizzled, PhaseLost
from games.albraxas.rules.resolve.pools import Outcome, outcome_of_roll
from games.albraxas.rules.state.schema_types import Action, Mode, Result
from tests.dice import d
from tests.playbook import event_like, of_kind
from tests.rules.albraxas.stage import (
    AX,
    CONVALESCE,
    HOLE_UP,
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

R, L, T = Result.WIN, Result.LOSE, Result.TIE
TABLE = {
    "recover won": (Action.RECOVER, R, 0, Effect(dynamism=4)),
    "recover lost": (Action.RECOVER, L, 0, Effect(fray=True)),
    "recover tied": (Action.RECOVER, T, 0, Effect(lost=True)),
    "battle won": (Action.BATTLE, R, 0, Effect(own=1)),
    "battle lost": (Action.BATTLE, L, 0, Effect(enemy=1)),
    "battle tied": (Action.BATTLE, T, 0, Effect()),
    "backbone won": (Action.BACKBONE, R, 0, Effect(enemy=-1)),
    "backbone lost": (Action.BACKBONE, L, 0, Effect(backbone=-1)),
    "backbone tied": (Action.BACKBONE, T, 0, Effect()),
    "blitz won": (Action.BLITZ, R, 3, Effect(own=3)),
    "blitz lost": (Action.BLITZ, L, 3, Effect(own=-3)),
    "blitz tied": (Action.BLITZ, T, 0, Effect(backbone=-1)),
}


@pytest.mark.rule("AX-ACT-1", "AX-ACT-2", "AX-ACT-3", "AX-ACT-4")
@pytest.mark.parametrize("_case", TABLE)
def test_an_action_does_what_the_table_says(_case: str) -> None:
    action, result, successes, expected = TABLE[_case]
    assert effect(action, Outcome(result, successes), 0, 4) == expected


@pytest.mark.rule("AX-CLN-3", "AX-AMB-10")
@pytest.mark.parametrize("_case", TABLE)
def test_each_clone_raises_every_effect_but_that_of_a_tie(_case: str) -> None:
    action, result, successes, first = TABLE[_case]
    second = effect(action, Outcome(result, successes), 2, 4)
    for name in ("own", "enemy", "backbone", "dynamism"):
        was = getattr(first, name)
        raised = 0 if result is T or was == 0 else 2 if was > 0 else -2
        assert getattr(second, name) == was + raised


@pytest.mark.rule("AX-ACT-1", "AX-ACT-2", "AX-ACT-3", "AX-ACT-4", "AX-ACT-5", "AX-ACT-6", "AX-CLN-2", "AX-AMB-18")
def test_prices_of_actions_and_the_surcharge_of_a_clone() -> None:
    prices = [(a, price(a, 0, 3), price(a, 2, 3)) for a in Action]
    assert prices == [
        (Action.RECOVER, 0, 2),
        (Action.BATTLE, 1, 3),
        (Action.BACKBONE, 1, 3),
        (Action.BLITZ, 3, 5),
        (Action.HOLE_UP, 0, 0),
        (Action.CONVALESCE, 0, 2),
    ]


@pytest.mark.rule("AX-DIE-1", "AX-AMB-25")
def test_the_actor_rolls_the_named_attribute() -> None:
    assert [dice(a, 4, 5, 6, 2) for a in Action] == [6, 5, 4, 2, 0, 0]


@pytest.mark.rule("AX-DIE-1", "AX-EFF-3")
def test_the_opposition_rolls_as_many_dice_as_the_effective_value() -> None:
    events = turn(begin(), 50, (battle(),), [own(1, 1, 1, 1, 1), opposing(*7 * [9])])
    assert [(len(e.dice), len(e.opposing)) for e in of_kind(events, ActionResolved)] == [(5, 7)]


@pytest.mark.rule("AX-ACT-7", "AX-EFF-3")
def test_albraxas_loses_a_blitz_and_recovers_against_ebb() -> None:
    book = begin()
    for phase, ebb in ((40, 3), (90, 12)):
        book.state.phases[phase] = type(book.state.phases[phase])(phase, book.state.phases[phase].tide, ebb)
    book.state.set_character(AX, dynamism=10)
    go(book, 1)
    against = book.state.marks().effective_ebb(100)
    assert against == 14
    rolled = [own(3, 2), opposing(*[9] * 2, *[1] * 12), own(9, 1, 1, 1, 1, 1), opposing(*[3] * 15)]
    events = orders(book, (), albraxas=(blitz(2), recover()), dice=rolled)
    assert [len(e.opposing) for e in of_kind(events, ActionResolved)] == [14, 15]
    assert values(book, 100) == (0, 0)  # Tide 1, less the two successes of the Ebb
    assert force(book, AX) == (6, 14)


@pytest.mark.rule("AX-ACT-7")
def test_albraxas_wins_a_blitz_and_a_battle_with_tide() -> None:
    book = begin()
    go(book, 1)
    orders(
        book, (), albraxas=(blitz(2), battle()), dice=[own(9, 9), opposing(3), own(9, 1, 1, 1, 1, 1, 1, 1), opposing(3)]
    )
    assert (values(book, 100), force(book, AX)) == ((4, 0), (6, 45))


@pytest.mark.rule("AX-DIE-6", "AX-AMB-8")
def test_the_opposition_knocks_nothing_out() -> None:
    assert outcome_of_roll((8, 3), (8, 6), most=0, mode=Mode.ALWAYS, dynamism=9) == Outcome(Result.TIE)
    assert outcome_of_roll((8, 6), (8, 3), most=1, mode=Mode.ALWAYS, dynamism=0) == Outcome(Result.TIE)


@pytest.mark.rule("AX-ACT-8", "AX-AMB-9")
def test_what_cannot_be_paid_costs_nothing_and_the_next_order_may_be_paid_again() -> None:
    book = begin()
    book.state.set_character(R1, dynamism=0)
    events = turn(
        book, 1, (battle(), recover(), battle()), [own(9, 1, 1, 1), opposing(3), own(9, 1, 1, 1, 1), opposing(3)]
    )
    assert of_kind(events, OrderFizzled) == [event_like(OrderFizzled, juncture=1, price=1)]
    assert (values(book, 1), force(book)) == ((1, 1), (4, 3))


@pytest.mark.rule("AX-ACT-9")
def test_backbone_lost_counts_from_the_next_juncture() -> None:
    book = begin()
    events = turn(book, 1, (backbone(), backbone()), [own(1, 1, 1, 1), opposing(9), own(9, 9, 9), opposing(3)])
    assert [len(e.dice) for e in of_kind(events, ActionResolved)] == [4, 3]


@pytest.mark.rule("AX-ACT-9", "AX-ACT-1")
def test_backbone_lost_lowers_what_a_recover_regains() -> None:
    book = begin()
    turn(book, 1, (blitz(4), recover()), [own(1, 1, 1, 1), opposing(1), own(9, 1, 1, 1), opposing(3)])
    assert force(book) == (3, 20 - 4 + 3)


@pytest.mark.rule("AX-ACT-10", "AX-CLN-3")
def test_the_fray_of_a_clone_is_free_and_raised() -> None:
    book = begin(check_from=99)
    turn(book, 1, ())
    events = turn(
        book,
        1,
        (recover(),),
        [own(1, 1, 1, 1), opposing(9), d(10, "fray/own", 9, 1, 1, 1, 1), d(10, "fray/opposing", 3)],
    )
    assert of_kind(events, FrayForced) == [event_like(FrayForced, seat=R1, juncture=1)]
    assert [(e.action, e.price) for e in of_kind(events, ActionResolved)] == [(Action.RECOVER, 1), (Action.BATTLE, 0)]
    assert (values(book, 1), force(book)) == ((1, 2), (4, 18))  # the stay, and the recover of a clone


@pytest.mark.rule("AX-ACT-1")
def test_a_tied_recover_is_reported_and_regains_nothing() -> None:
    book = begin()
    book.state.set_character(R1, dynamism=5)
    events = turn(book, 1, (recover(), HOLE_UP), [own(3, 1, 1, 1), opposing(3)])
    assert of_kind(events, PhaseLost) == [PhaseLost(seat=R1, juncture=1)]
    assert len(of_kind(events, ActionResolved)) == 1 and force(book) == (4, 5)


@pytest.mark.rule("AX-ACT-5", "AX-ACT-11", "AX-AMB-15")
def test_convalescing_is_not_disturbed_is_capped_and_counts_as_a_visit() -> None:
    book = begin()
    book.state.set_character(R1, backbone=2, dynamism=3)
    go(book, 1)
    events = orders(book, CONVALESCE, albraxas=CONVALESCE)
    assert of_kind(events, Convalesced) == [
        Convalesced(seat=R1, backbone=3, dynamism=20),
        Convalesced(seat=AX, backbone=6, dynamism=48),
    ]
    assert book.state.visit_count(R1, 1) == 1


@pytest.mark.rule("AX-ACT-5", "AX-CLN-3")
def test_a_clone_regains_one_backbone_more() -> None:
    book = begin()
    turn(book, 1, (blitz(2), blitz(2)), [own(1, 1), opposing(1), own(1, 1), opposing(1)])
    assert force(book) == (2, 16)
    turn(book, 1, CONVALESCE)
    assert force(book) == (4, 20)


@pytest.mark.rule("AX-ACT-11")
def test_a_clone_who_cannot_pay_the_rest_holes_up() -> None:
    book = begin()
    turn(book, 1, ())
    book.state.set_character(R1, dynamism=1)
    events = turn(book, 1, CONVALESCE)
    assert of_kind(events, OrderFizzled, Convalesced) == [event_like(OrderFizzled, seat=R1, juncture=0, price=1)]
    assert force(book) == (4, 0)


@pytest.mark.rule("AX-ACT-12")
def test_nobody_spends_more_than_they_have() -> None:
    book = begin((1, 2, 10))
    events = turn(book, 1, (blitz(2), battle(), recover()), [own(9, 9), opposing(3), own(9, *[1] * 9), opposing(3)])
    assert [e.price for e in of_kind(events, OrderFizzled)] == [1] and force(book) == (1, 1)
