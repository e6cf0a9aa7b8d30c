"""The worked examples of the rulebook (section 12) from AX-EX-22 on: turns that are played, with their numbers."""

import pytest

from games.albraxas.rules.locate.commands import LockLocation, SetLocation
from games.albraxas.rules.orders.commands import WriteOrders
from games.albraxas.rules.resolve.events import DynamismChanged, OrderFizzled
from games.albraxas.rules.state.strength import junctures
from tests.dice import d
from tests.playbook import event_like, of_kind, refused
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
    winner,
)


@pytest.mark.rule("AX-EX-22", "AX-ACT-2", "AX-ACT-3", "AX-ACT-4", "AX-ACT-6")
def test_a_battle_a_blitz_and_a_backbone_won() -> None:
    book = begin()
    rolled = [own(9, 2, 3, 4, 5), opposing(8, 7), own(9, 9, 4), opposing(8), own(10, 2, 2, 1), opposing(6)]
    turn(book, 4, (battle(), blitz(3), backbone(), HOLE_UP), rolled)
    assert (values(book, 4), force(book)) == ((0, 3), (4, 15))


@pytest.mark.rule("AX-EX-23", "AX-ACT-1", "AX-ACT-4", "AX-ACT-9")
def test_lost_backbone_counts_for_a_recover_in_the_next_juncture() -> None:
    book = begin()
    turn(
        book,
        1,
        (blitz(2), recover(), battle()),
        [
            own(5, 3),
            opposing(5),
            own(7, 2, 2, 1),
            opposing(4),
            own(1, 2, 3, 4, 5),
            opposing(9),
        ],
    )
    assert (values(book, 1), force(book)) == ((2, 0), (3, 19))


@pytest.mark.rule("AX-EX-24", "AX-ACT-1")
def test_a_tied_recover_loses_the_rest_of_the_phase() -> None:
    book = begin()
    turn(
        book,
        1,
        (battle(), recover(), battle(), battle()),
        [own(9, 1, 1, 1, 1), opposing(3), own(2, 2, 2, 1), opposing(2)],
    )
    assert (values(book, 1), force(book)) == ((1, 1), (4, 19))


@pytest.mark.rule("AX-EX-25", "AX-ACT-10")
def test_a_lost_recover_forces_a_free_battle() -> None:
    book = begin()
    turn(
        book,
        4,
        (recover(),),
        [
            own(3, 2, 1, 1),
            opposing(9, 4),
            d(10, "fray/own", 6, 1, 1, 2, 2),
            d(10, "fray/opposing", 5, 5),
        ],
    )
    assert (values(book, 4), force(book)) == ((1, 1), (4, 20))


@pytest.mark.rule("AX-EX-26", "AX-CLN-2", "AX-CLN-3")
def test_a_clone_pays_one_more_and_does_one_more() -> None:
    book = begin(check_from=99)
    turn(book, 1, (battle(),), [own(9, 1, 1, 1, 1), opposing(3)])
    turn(
        book,
        1,
        (battle(), backbone(), blitz(2)),
        [
            own(9, 1, 1, 1, 1),
            opposing(3),
            own(1, 1, 1, 1),
            opposing(9),
            own(6, 5),
            opposing(4),
        ],
    )
    assert (values(book, 1), force(book)) == ((1, 6), (2, 11))


@pytest.mark.rule("AX-EX-27", "AX-ACT-5")
def test_convalescing_gives_back_a_backbone_and_all_dynamism() -> None:
    book = begin()
    turn(book, 1, (blitz(4),), [own(1, 1, 1, 1), opposing(1)])
    assert force(book) == (3, 16)
    turn(book, 2, CONVALESCE)
    assert (values(book, 2), force(book)) == ((0, 0), (4, 20))


@pytest.mark.rule("AX-EX-28", "AX-ACT-7")
def test_albraxas_acts_with_tide_and_ebb_exchanged() -> None:
    book = begin()
    go(book, 1)
    rolled = [own(3, 8, 8, 1, 1, 1, 1, 1), opposing(9), own(7, 1, 1, 1, 1, 1), opposing(5), own(4, 6), opposing(6)]
    orders(book, (), albraxas=(battle(), backbone(), blitz(2)), dice=rolled)
    assert (values(book, 100), force(book, AX)) == ((1, 0), (5, 44))


@pytest.mark.rule("AX-EX-29", "AX-END-3", "AX-AMB-13")
def test_the_rebels_win_when_albraxas_has_no_backbone_left() -> None:
    book = begin((1, 6, 6), albraxas=(1, 10, 9), phases=4)
    go(book, 4)
    orders(book, (blitz(6),), albraxas=(backbone(),), dice=[own(1, 1, 1, 1, 1, 1), opposing(9, 2), own(1), opposing(9)])
    assert winner(book) == "rebel"
    assert force(book, AX)[0] == 0


def fourth_phase_game(check_from: int = 1):
    """N 4: turn 1 at 1 a battle is lost, turn 2 at 2 a blitz has four successes."""
    book = begin(phases=4, check_from=check_from)
    turn(book, 1, (battle(),), [own(1, 1, 1, 1, 1), opposing(9)])
    assert (winner(book), values(book, 1)) == (None, (2, 0))
    turn(book, 2, (blitz(4),), [own(9, 9, 9, 9), opposing(5, 2)])
    assert values(book, 2) == (0, 4)
    return book


@pytest.mark.rule("AX-EX-30", "AX-END-2", "AX-AMB-12")
def test_the_rebels_win_at_the_check_of_the_turn_in_which_ebb_exceeds_tide() -> None:
    assert winner(fourth_phase_game()) == "rebel"


@pytest.mark.rule("AX-EX-31", "AX-END-5", "AX-AMB-14")
def test_albraxas_wins_after_the_turn_in_phase_two() -> None:
    book, won = begin(phases=4), []
    for phase in (1, 2, 3):
        turn(book, phase, ())
        won.append(winner(book))
    assert won == [None, None, "albraxas"]


@pytest.mark.rule("AX-EX-32", "AX-ACT-8", "AX-AMB-9")
def test_an_order_that_cannot_be_paid_fizzles() -> None:
    book = begin((4, 3, 6))
    events = turn(book, 1, (blitz(6), blitz(6), battle()), [own(*[9] * 6), opposing(5)] * 2)
    assert (values(book, 1), force(book)) == ((1, 12), (4, 0))
    assert of_kind(events, OrderFizzled) == [event_like(OrderFizzled, seat=R1, juncture=3, price=1)]


@pytest.mark.rule("AX-EX-33", "AX-END-4", "AX-AMB-26")
def test_the_last_rebel_may_fall_and_win() -> None:
    book = begin((1, 6, 6), phases=4, check_from=3)
    turn(book, 1, (blitz(3), backbone()), [own(9, 9, 9), opposing(5), own(1), opposing(9)])
    assert values(book, 1) == (1, 3)
    assert winner(book) == "rebel"


@pytest.mark.rule("AX-EX-34", "AX-END-6", "AX-AMB-24")
def test_no_check_ends_the_game_before_check_from() -> None:
    book = fourth_phase_game(check_from=3)
    assert winner(book) is None
    turn(book, 3, ())
    assert winner(book) == "rebel"


def game_without_dynamism():
    """N 4, a rebel of (1, 1, 11) in 4 has spent all Dynamism in turn 1."""
    book = begin((1, 1, 11), phases=4, check_from=3)
    turn(book, 4, (battle(),), [own(9), opposing(5, 5)])
    assert force(book) == (1, 0)
    return book


@pytest.mark.rule("AX-EX-35", "AX-TRN-4", "AX-AMB-3", "AX-AMB-23")
def test_a_rebel_without_dynamism_in_the_last_phase_stays_for_nothing() -> None:
    book = game_without_dynamism()
    go(book, 4)
    rebel = book.state.characters[R1]
    assert (rebel.clones, junctures(rebel.blitz, rebel.clones), rebel.forced) == (0, 11, True)
    events = orders(book, CONVALESCE)
    assert of_kind(events, DynamismChanged, OrderFizzled) == []
    assert force(book) == (1, 1)


@pytest.mark.rule("AX-EX-36", "AX-TRN-3", "AX-TRN-4")
def test_with_dynamism_the_stay_in_the_last_phase_is_an_ordinary_one() -> None:
    book = game_without_dynamism()
    turn(book, 4, CONVALESCE)
    events = go(book, 4)
    assert of_kind(events, DynamismChanged) == [event_like(DynamismChanged, before=1, after=0, reason="travel")]
    rebel = book.state.characters[R1]
    assert (rebel.clones, junctures(rebel.blitz, rebel.clones), rebel.forced) == (1, 10, False)
    events = orders(book, (battle(),))
    assert of_kind(events, OrderFizzled) == [event_like(OrderFizzled, juncture=1, price=2)]
    assert force(book) == (1, 0)


@pytest.mark.rule("AX-EX-37", "AX-ACT-10", "AX-DIE-5", "AX-AMB-27")
def test_the_limit_of_a_tie_policy_holds_for_each_roll() -> None:
    book = begin()
    turn(
        book,
        4,
        (recover(1, "always"),),
        [
            own(8, 5, 1, 1),
            opposing(8, 6),
            d(10, "fray/own", 8, 5, 2, 1, 1),
            d(10, "fray/opposing", 8, 3),
        ],
    )
    assert (values(book, 4), force(book)) == ((1, 1), (4, 18))


@pytest.mark.rule("AX-EX-38", "AX-ACT-5", "AX-CLN-2", "AX-CLN-3", "AX-AMB-15")
def test_a_clone_convalesces_for_one_and_no_higher_than_the_start() -> None:
    book = begin()
    turn(book, 1, (blitz(4),), [own(1, 1, 1, 1), opposing(1)])
    turn(book, 1, CONVALESCE)
    assert force(book) == (4, 20)


@pytest.mark.rule("AX-EX-39", "AX-ACT-1", "AX-AMB-25")
def test_a_clones_recover_rolls_the_full_blitz() -> None:
    book = begin(check_from=99)
    turn(book, 1, (battle(),) * 4, [own(9, 1, 1, 1, 1), opposing(3)] * 4)
    assert force(book) == (4, 16)
    turn(book, 1, (recover(),), [own(9, 1, 1, 1), opposing(3)])
    assert force(book) == (4, 19)


@pytest.mark.rule("AX-EX-40", "AX-TRN-6", "AX-AMB-4")
def test_with_no_juncture_left_only_convalescing_is_legal() -> None:
    book = begin((4, 7, 2))
    for _ in range(2):
        turn(book, 1, ())
    go(book, 1)
    rebel = book.state.characters[R1]
    assert (rebel.clones, junctures(rebel.blitz, rebel.clones), rebel.dynamism) == (2, 0, 26)
    with refused("orders.too_many", book.state):
        book.when(WriteOrders(orders=(HOLE_UP,)), by=R1)
    events = orders(book, CONVALESCE)
    assert of_kind(events, DynamismChanged) == [event_like(DynamismChanged, before=26, after=24, reason="convalesce")]
    assert force(book) == (4, 28)


@pytest.mark.rule("AX-EX-41", "AX-TRN-9", "AX-AMB-20")
def test_gain_and_loss_of_one_juncture_are_taken_together() -> None:
    book = begin((4, 5, 4), (4, 5, 4))
    go(book, 1, 1)
    orders(book, (battle(),), (backbone(),), dice=[own(1, 1, 1, 1, 1), opposing(9), own(9, 1, 1, 1), opposing(3)])
    assert values(book, 1) == (1, 0)


@pytest.mark.rule("AX-EX-42", "AX-TRN-7", "AX-EFF-1", "AX-AMB-5")
def test_everybody_acts_on_the_values_at_the_beginning_of_the_juncture() -> None:
    book = begin((4, 5, 4), (4, 5, 4))
    go(book, 9, 4)
    first = [own(9, 9, 9), opposing(5, 5, 5), own(8, 1, 1, 1, 1), opposing(5, 5)]
    orders(book, (blitz(3),), (battle(), battle()), dice=[*first, own(8, 1, 1, 1, 1), opposing(5)])
    assert (values(book, 4)[1], values(book, 9)[1]) == (2, 3)


@pytest.mark.rule("AX-EX-43", "AX-SET-3", "AX-ACT-12")
def test_dynamism_is_capped_at_the_start_value() -> None:
    book = begin()
    turn(book, 1, (battle(), recover()), [own(9, 1, 1, 1, 1), opposing(3), own(9, 1, 1, 1), opposing(3)])
    assert force(book) == (4, 20)


@pytest.mark.rule("AX-EX-44", "AX-TRN-6", "AX-CLN-1", "AX-CLN-2")
def test_every_visit_takes_a_juncture_away() -> None:
    book, counts = begin(), []
    for _ in range(6):
        go(book, 1)
        rebel = book.state.characters[R1]
        counts.append(junctures(rebel.blitz, rebel.clones))
        orders(book, ())
    assert counts == [4, 3, 2, 1, 0, 0]


@pytest.mark.rule("AX-EX-45", "AX-CLN-2", "AX-CLN-3", "AX-AMB-18")
def test_a_second_clone_adds_two_to_price_and_success() -> None:
    book = begin(check_from=99)
    for _ in range(2):
        turn(book, 1, (HOLE_UP,))
    turn(book, 1, (blitz(4), blitz(4)), [own(9, 9, 9, 9), opposing(5), own(9, 2, 2, 2), opposing(5)])
    assert (values(book, 1)[1], force(book)[1]) == (9, 6)


@pytest.mark.rule("AX-EX-46", "AX-TRN-3")
def test_going_back_from_the_last_phase_is_a_travel() -> None:
    book = begin(phases=16)
    turn(book, 16, ())
    book.when(SetLocation(phase=15), by=R1)
    book.when(LockLocation(), by=R1)
    assert force(book)[1] == 19
