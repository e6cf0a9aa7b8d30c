"""The bot that plays Albraxas soundly: what it writes, where it goes, and when it spares its Dynamism."""

from dataclasses import replace

import pytest

from games.albraxas.rules.bots.tactics import LEAD, REACH, orders_for, place_for
from games.albraxas.rules.locate.rules import price_of
from games.albraxas.rules.orders.rules import check_paper
from games.albraxas.rules.state.schema_types import PROPOSED_TIE, Action, TiePolicy
from tests.rules.albraxas.stage import AX, FOUR_FIVE_FOUR, R1, R2, R3, begin, go, orders

HERE = 4


def standing(tide=1, ebb=0, elsewhere=0, check_from=99, **character):
    """A rebel in phase 4 of a game whose CHECK counts late. elsewhere: Ebb in phase 2, which does not matter here."""
    book = begin(check_from=check_from)
    go(book, HERE)
    book.state.phases[HERE] = replace(book.state.phases[HERE], tide=tide, ebb=ebb)
    book.state.phases[2] = replace(book.state.phases[2], ebb=elsewhere)
    book.state.set_character(R1, **character)
    return book.state


def written(state, seat=R1):
    paper = orders_for(state, state.characters[seat])
    check_paper(state.characters[seat], paper)
    return [Action.CONVALESCE] if paper.convalesce else [Action(order.action) for order in paper.orders]


@pytest.mark.rule("AX-DIE-5")
@pytest.mark.parametrize(
    ("setting", "action"),
    [
        ({}, Action.BLITZ),
        ({"elsewhere": 40, "tide": 0}, Action.BATTLE),
        ({"elsewhere": 40, "tide": 2, "battle": 2}, Action.BACKBONE),
        ({"elsewhere": 40, "tide": 0, "dynamism": 17}, Action.RECOVER),
    ],
)
def test_the_steady_bot_breaks_ties_for_a_win_with_three_dynamism_at_most(setting, action):
    state = standing(**setting)
    first = orders_for(state, state.characters[R1]).orders[0]
    assert (first.action, first.tie) == (action.value, PROPOSED_TIE)
    assert TiePolicy(max=3, mode="if_wins") == PROPOSED_TIE


@pytest.mark.rule("AX-ACT-4")
def test_who_does_not_lead_by_more_than_ten_marks_spends_dynamism_on_blitz():
    tide = sum(phase.tide for phase in standing().phases.values())
    assert Action.BLITZ in written(standing(elsewhere=tide + LEAD))
    assert Action.BLITZ not in written(standing(elsewhere=tide + LEAD + 1))


@pytest.mark.rule("AX-ACT-7")
def test_albraxas_spares_dynamism_as_a_rebel_does():
    state = standing()
    assert Action.BLITZ in written(state, AX)
    state.phases[100] = replace(state.phases[100], tide=40)
    assert Action.BLITZ not in written(state, AX) and Action.BATTLE in written(state, AX)


@pytest.mark.rule("AX-END-2", "AX-END-6")
@pytest.mark.parametrize(("check_from", "spares"), [(1, False), (2, False), (3, True)])
def test_who_leads_spares_nothing_once_the_check_is_near(check_from, spares):
    assert (Action.BLITZ not in written(standing(elsewhere=40, check_from=check_from))) is spares


@pytest.mark.rule("AX-ACT-3")
def test_backbone_is_rolled_where_enemy_marks_lie_and_battle_would_more_often_be_lost():
    assert Action.BACKBONE in written(standing(elsewhere=40, tide=2, battle=2))
    assert Action.BACKBONE not in written(standing(elsewhere=40, tide=2, battle=9))
    assert Action.BACKBONE not in written(standing(elsewhere=40, tide=0, battle=2))


@pytest.mark.rule("AX-END-1")
def test_the_last_backbone_is_not_put_at_risk():
    """Three clones: a Backbone that is lost takes four (AX-CLN-3)."""
    one_die = {"tide": 4, "clones": 3, "blitz": 5}
    for backbone, risks in ((8, True), (4, False)):
        state = standing(**one_die, backbone=backbone, start_backbone=backbone)
        state.phases[50] = replace(state.phases[50], ebb=40)
        assert (Action.BACKBONE in written(state)) is risks


@pytest.mark.rule("AX-ACT-5")
def test_who_has_spent_everything_convalesces_on_new_ground():
    assert written(standing(dynamism=1)) == [Action.CONVALESCE]
    assert written(standing(dynamism=0, clones=1)) != [Action.CONVALESCE], "it could not be paid"


@pytest.mark.rule("AX-ACT-6")
def test_who_faces_too_many_dice_holes_up():
    assert set(written(standing(tide=60))) == {Action.HOLE_UP}


@pytest.mark.rule("AX-TRN-2")
def test_rebels_begin_side_by_side_at_seven_tenths_of_the_way():
    state = begin(*(FOUR_FIVE_FOUR,) * 3).state
    assert [place_for(state, state.characters[seat]) for seat in (R1, R2, R3)] == [71, 70, 69]
    small = begin(*(FOUR_FIVE_FOUR,) * 3, phases=4, check_from=3).state
    assert [place_for(small, small.characters[seat]) for seat in (R1, R2, R3)] == [2, 1, 1]


def second_turn(phase, **laid):
    """The second turn of a rebel who was in a phase first. laid: Tide and Ebb by phase, such as `tide_40=9`."""
    book = begin(check_from=99)
    go(book, phase)
    orders(book, ())
    for key, amount in laid.items():
        side, _, number = key.partition("_")
        book.state.phases[int(number)] = replace(book.state.phases[int(number)], **{side: amount})
    return book.state


@pytest.mark.rule("AX-EFF-1")
def test_a_rebel_goes_back_under_the_ebb_when_the_way_on_is_barred():
    state = second_turn(50, tide_51=60, tide_50=60, ebb_49=20)
    place = place_for(state, state.characters[R1])
    assert place <= 49 and 1 <= price_of(state, state.characters[R1], place) <= REACH


@pytest.mark.rule("AX-TRN-3")
def test_a_rebel_goes_further_where_nothing_nearby_is_worth_anything():
    state = second_turn(60, tide_30=70)
    place = place_for(state, state.characters[R1])
    assert place < 30 and REACH < price_of(state, state.characters[R1], place) <= state.characters[R1].dynamism


@pytest.mark.rule("AX-TRN-2", "AX-TRN-4")
def test_a_rebel_without_a_place_worth_anything_goes_the_usual_way():
    state = second_turn(60, tide_1=900)
    assert place_for(state, state.characters[R1]) == 61
    state = second_turn(100, tide_1=900)
    state.set_character(R1, dynamism=0)
    assert place_for(state, state.characters[R1]) == 100
