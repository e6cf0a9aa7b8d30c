"""Clones and convalescing, counted by hand from the text (AX-CLN-*, AX-ACT-5, AX-ACT-11): later visits of a phase."""

import pytest

from games.albraxas.rules.resolve.events import (
    ActionResolved,
    BackboneChanged,
    CharacterFell,
    Convalesced,
    DynamismChanged,
    OrderFizzled,
    ValuesChanged,
)
from games.albraxas.rules.turn.events import StepStarted
from tests.dice import d
from tests.playbook import Playbook, event_like, of_kind
from tests.rules.albraxas.stage import (
    AX,
    CONVALESCE,
    FOUR_FIVE_FOUR,
    R1,
    R2,
    Numbers,
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


def third_visit(numbers: Numbers = FOUR_FIVE_FOUR) -> Playbook:
    """A rebel at the third visit of phase 1 (c = 2), in LOCATE; two stays have cost 1 each by then."""
    book = begin(numbers, check_from=99)
    turn(book, 1, ())
    turn(book, 1, ())
    return book


@pytest.mark.rule("AX-CLN-2", "AX-CLN-3", "AX-ACT-1", "AX-ACT-3")
def test_a_second_clone_loses_three_backbone_and_regains_two_more_than_they_have() -> None:
    """Dynamism 18: Backbone for 3, lost, leaves Backbone 1; recover for 2, won, brings 1 + 2."""
    book = third_visit()
    events = turn(book, 1, (backbone(), recover()), [own(1, 1, 1, 1), opposing(9), own(9, 1, 1, 1), opposing(3)])
    assert [(e.clones, e.price) for e in of_kind(events, ActionResolved)] == [(2, 3), (2, 2)]
    assert force(book) == (1, 18 - 3 - 2 + 3)


@pytest.mark.rule("AX-CLN-3", "AX-ACT-9", "AX-END-1")
def test_a_clone_loses_no_more_backbone_than_they_have_and_falls() -> None:
    book = third_visit()
    book.state.set_character(R1, backbone=2)
    events = turn(book, 1, (backbone(),), [own(1, 1), opposing(9)])
    assert of_kind(events, BackboneChanged) == [event_like(BackboneChanged, seat=R1, before=2, after=0)]
    assert of_kind(events, CharacterFell) == [CharacterFell(seat=R1)]


@pytest.mark.rule("AX-CLN-3", "AX-ACT-2", "AX-ACT-3", "AX-ACT-4")
def test_a_second_clone_adds_two_to_every_mark_they_move() -> None:
    """Lost battle T 1 + 3; Backbone won, T 4 - 3. A blitz lost to 2 successes E 6 - 4, one won with 1 E 2 + 3."""
    book = third_visit((4, 4, 5))
    events = turn(
        book, 1, (battle(), backbone()), [own(1, 1, 1, 1), opposing(9), own(9, 1, 1, 1), opposing(8, 8, 8, 8)]
    )
    assert of_kind(events, ValuesChanged) == [
        ValuesChanged(phase=1, tide=4, ebb=0),
        ValuesChanged(phase=1, tide=1, ebb=0),
    ]
    book = third_visit((4, 4, 5))
    book.state.phases[1] = type(book.state.phases[1])(1, 8, 6)
    events = turn(book, 1, (blitz(1), blitz(2)), [own(5), opposing(9, 9), own(8, 5), opposing(*[6] * 6)])
    assert [e.price for e in of_kind(events, ActionResolved)] == [3, 4]
    assert of_kind(events, ValuesChanged) == [event_like(ValuesChanged, ebb=2), event_like(ValuesChanged, ebb=5)]


@pytest.mark.rule("AX-CLN-3", "AX-AMB-10", "AX-ACT-4", "AX-ACT-1")
def test_a_tie_costs_a_clone_no_more_than_anybody() -> None:
    book = third_visit()
    turn(book, 1, (blitz(1), recover()), [own(5), opposing(5), own(9, 1, 1, 1), opposing(9)])
    assert force(book) == (3, 18 - 3 - 2) and values(book, 1) == (1, 0)


@pytest.mark.rule("AX-ACT-10", "AX-CLN-3")
def test_the_free_battle_of_a_second_clone_is_free_and_raised_by_two_won_or_lost() -> None:
    for highest, marks in ((9, (1, 3)), (1, (4, 0))):
        book = third_visit()
        turn(
            book,
            1,
            (recover(),),
            [own(1, 1, 1, 1), opposing(9), d(10, "fray/own", highest, 1, 1, 1, 1), d(10, "fray/opposing", 3)],
        )
        assert (values(book, 1), force(book)) == (marks, (4, 18 - 2))


@pytest.mark.rule("AX-CLN-1", "AX-CLN-2", "AX-TRN-6")
def test_clones_are_counted_for_each_character_and_shown_with_the_junctures() -> None:
    book = begin(FOUR_FIVE_FOUR, (4, 6, 3), check_from=99)
    rows = []
    for places in ((1, 1), (1, 2), (1, 1)):
        (started,) = of_kind(go(book, *places), StepStarted)
        rows.append([(s.clones, s.junctures) for s in started.standings])
        orders(book, (), ())
    assert rows == [[(0, 4), (0, 3), (0, 6)], [(1, 3), (0, 3), (0, 6)], [(2, 2), (1, 2), (0, 6)]]
    assert (book.state.visit_count(R1, 1), book.state.visit_count(R2, 1), book.state.visit_count(AX, 100)) == (3, 2, 0)


@pytest.mark.rule("AX-ACT-5", "AX-ACT-11", "AX-CLN-2", "AX-CLN-3")
@pytest.mark.parametrize(("dynamism", "rests"), [(4, True), (3, True), (2, False)])
def test_a_second_clone_convalesces_for_two_if_they_have_them(dynamism: int, rests: bool) -> None:
    """The stay costs 1; the rest is paid before the first juncture, and gives back three Backbone."""
    book = third_visit((5, 4, 4))
    book.state.set_character(R1, dynamism=dynamism, backbone=1)
    go(book, 1)
    left = dynamism - 1
    events = orders(book, CONVALESCE, albraxas=(battle(),), dice=[own(9, *[1] * 7), opposing(5)])
    paid = [event_like(DynamismChanged, seat=R1, before=left, after=left - 2, reason="convalesce")] if rests else []
    assert [e for e in of_kind(events, DynamismChanged) if e.seat == R1] == paid
    assert of_kind(events, OrderFizzled) == ([] if rests else [OrderFizzled(seat=R1, juncture=0, price=2)])
    assert of_kind(events, Convalesced) == ([Convalesced(seat=R1, backbone=4, dynamism=20)] if rests else [])
    names = [type(e).__name__ for e in events]
    before = "DynamismChanged" if rests else "OrderFizzled"
    assert names.index(before) < names.index("JunctureStarted")
    assert book.state.visit_count(R1, 1) == 3


@pytest.mark.rule("AX-ACT-5", "AX-AMB-15", "AX-SET-3")
def test_convalescing_gives_back_all_dynamism_and_one_backbone_however_low_both_are() -> None:
    book = begin((4, 5, 4))
    book.state.set_character(R1, backbone=1, dynamism=0)
    turn(book, 7, CONVALESCE)
    assert force(book) == (2, 20)
    turn(book, 8, CONVALESCE)
    assert force(book) == (3, 20)
