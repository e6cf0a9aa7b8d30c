"""Junctures of several characters, counted by hand from the text: one phase, one snapshot, falls and endings (AX-TRN-7
to 9, AX-ACT-7 to 9, AX-END-1 to 4)."""

import pytest

from games.albraxas.rules.ending.commands import Concede
from games.albraxas.rules.ending.events import GameFinished, TurnChecked
from games.albraxas.rules.locate.commands import LockLocation, SetLocation
from games.albraxas.rules.orders.commands import WriteOrders
from games.albraxas.rules.resolve.events import (
    ActionResolved,
    BackboneChanged,
    CharacterFell,
    Convalesced,
    DynamismChanged,
    FrayForced,
    JunctureStarted,
    OrderFizzled,
    PhaseLost,
    ValuesChanged,
)
from games.albraxas.rules.state.records import Phase
from games.albraxas.rules.state.schema_types import Action, Result
from games.engine.kernel import Event
from tests.dice import d
from tests.playbook import Playbook, event_like, of_kind
from tests.rules.albraxas.stage import (
    AX,
    CONVALESCE,
    FOUR_FIVE_FOUR,
    HOLE_UP,
    R1,
    R2,
    R3,
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

FRAIL = (1, 6, 6)
ONES = [1] * 8


def lay(book: Playbook, phase: int, tide: int, ebb: int) -> None:
    """Put Tide and Ebb on a phase."""
    book.state.phases[phase] = Phase(phase, tide, ebb)


def dice_of(events: list[Event]) -> list[tuple[int, int]]:
    """How many dice were rolled by each actor, and against that actor."""
    return [(len(e.dice), len(e.opposing)) for e in of_kind(events, ActionResolved) if e.dice]


# --- several in one phase ---------------------------------------------------------------------------------------------
@pytest.mark.rule("AX-TRN-9", "AX-AMB-20", "AX-AMB-5")
def test_what_three_rebels_do_in_one_phase_is_added_up_once() -> None:
    """Phase 9 against 3 dice: R1 loses a battle (T + 1), R2 loses a battle (T + 1), R3 wins by Backbone (T - 1)."""
    book = begin(FOUR_FIVE_FOUR, FOUR_FIVE_FOUR, FOUR_FIVE_FOUR)
    go(book, 9, 9, 9)
    lost, won = [own(*ONES[:5]), opposing(9, 9, 9)], [own(9, 1, 1, 1), opposing(5, 5, 5)]
    events = orders(book, (battle(),), (battle(),), (backbone(),), dice=[*lost, *lost, *won])
    assert of_kind(events, ValuesChanged) == [ValuesChanged(phase=9, tide=2, ebb=0)]


@pytest.mark.rule("AX-TRN-9", "AX-AMB-20", "AX-ACT-4")
@pytest.mark.parametrize(("before", "after"), [(0, 0), (1, 0), (5, 3)])
def test_the_net_is_taken_before_nothing_goes_below_0(before: int, after: int) -> None:
    """R1's blitz loses by 3 (E - 3) and R2's battle wins (E + 1): never 1 out of nothing."""
    book = begin(FOUR_FIVE_FOUR, FOUR_FIVE_FOUR, check_from=99)
    lay(book, 9, 1 + before, before)  # the effective Tide of 9 stays 3
    go(book, 9, 9)
    orders(book, (blitz(1),), (battle(),), dice=[own(1), opposing(9, 9, 9), own(9, *ONES[:4]), opposing(2, 2, 2)])
    assert values(book, 9) == (1 + before, after)


@pytest.mark.rule("AX-TRN-7", "AX-EFF-3", "AX-ACT-7")
def test_a_rebel_and_albraxas_in_one_phase_act_on_the_same_snapshot() -> None:
    """N 4, T(4) = 1, E(4) = 3: Ebb 2 dice, Tide 1; both win a battle, so E(4) = 4, T(4) = 2: 2 dice again, and 1."""
    book = begin(phases=4, check_from=3)
    lay(book, 4, 1, 3)
    go(book, 4)
    rebel, albraxas = [own(9, *ONES[:4]), opposing(3)], [own(9, *ONES[:7]), opposing(3, 3)]
    events = orders(book, (battle(), battle()), albraxas=(battle(), battle()), dice=[*rebel, *albraxas] * 2)
    assert dice_of(events) == [(5, 1), (8, 2), (5, 1), (8, 2)]
    assert values(book, 4) == (3, 5)
    assert of_kind(events, JunctureStarted)[1].strengths[1].effective == 2


@pytest.mark.rule("AX-TRN-7", "AX-EFF-1")
def test_what_is_laid_in_a_juncture_counts_from_the_next_for_everybody() -> None:
    """R2 in 9 wins a blitz of 3: the effective Tide of R1 in 4 falls from 2 to 1, in the second juncture alone."""
    book = begin(FOUR_FIVE_FOUR, FOUR_FIVE_FOUR, check_from=99)
    go(book, 4, 9)
    first = [own(8, *ONES[:4]), opposing(5, 5), own(9, 9, 9), opposing(5, 5, 5)]
    events = orders(book, (battle(), battle()), (blitz(3),), dice=[*first, own(8, *ONES[:4]), opposing(5)])
    assert dice_of(events) == [(5, 2), (3, 3), (5, 1)]
    assert [[s.effective for s in e.strengths] for e in of_kind(events, JunctureStarted)] == [[2, 3], [1]]


@pytest.mark.rule("AX-TRN-8", "AX-ACT-10")
def test_the_dice_of_a_fray_come_right_after_the_recover_before_the_next_seat() -> None:
    book = begin(FOUR_FIVE_FOUR, FOUR_FIVE_FOUR)
    go(book, 1, 1)
    fray = [d(10, "fray/own", 3, 1, 1, 1, 1), d(10, "fray/opposing", 4)]
    events = orders(
        book, (recover(),), (blitz(1),), albraxas=(blitz(1),),
        dice=[own(1, 1, 1, 2), opposing(9), *fray, own(5), opposing(6), own(7), opposing(8)],
    )  # fmt: skip
    assert [(e.seat, e.dice, e.opposing) for e in of_kind(events, ActionResolved)] == [
        (R1, (1, 1, 1, 2), (9,)), (R1, (3, 1, 1, 1, 1), (4,)), (R2, (5,), (6,)), (AX, (7,), (8,)),
    ]  # fmt: skip


@pytest.mark.rule("AX-TRN-1", "AX-TRN-7", "AX-TRN-9")
def test_a_juncture_is_reported_in_the_order_of_the_rulebook() -> None:
    """Everybody's actions first; then phases, Backbone, Dynamism, who falls; at the end who convalesced, CHECK."""
    book = begin(FRAIL, FOUR_FIVE_FOUR, FOUR_FIVE_FOUR, check_from=99)
    go(book, 1, 1, 2)
    events = orders(
        book, (backbone(),), (battle(), recover()), CONVALESCE, albraxas=(recover(),),
        dice=[
            *(own(1), opposing(9), own(9, 1, 1, 1, 1), opposing(3), own(3, 1, 1, 1, 1, 1), opposing(5)),
            *(d(10, "fray/own", 9, *ONES[:7]), d(10, "fray/opposing", 5), own(2, 1, 1, 1), opposing(2)),
        ],
    )  # fmt: skip
    skipped = ("Orders", "Prompt", "Timer", "Step")
    found = [type(e).__name__ for e in events if not type(e).__name__.startswith(skipped)]
    assert found == [
        "JunctureStarted", "ActionResolved", "ActionResolved", "ActionResolved", "FrayForced", "ActionResolved",
        "ValuesChanged", "ValuesChanged", "BackboneChanged", "DynamismChanged", "DynamismChanged", "CharacterFell",
        "JunctureStarted", "ActionResolved", "PhaseLost",
        "Convalesced", "TurnChecked", "TurnStarted",
    ]  # fmt: skip


# --- Albraxas, action by action ---------------------------------------------------------------------------------------
@pytest.mark.rule("AX-ACT-7", "AX-ACT-1", "AX-ACT-10")
def test_albraxas_loses_a_recover_wins_the_fray_loses_backbone_and_the_rest_in_a_tie() -> None:
    """Against one die of Ebb: the fray lays Tide (T 2), Backbone 5, and the tied recover takes the last battle."""
    book = begin()
    go(book, 1)
    fray = [d(10, "fray/own", 9, *ONES[:7]), d(10, "fray/opposing", 5)]
    rolled = [own(3, *ONES[:5]), opposing(4), *fray, own(*ONES[:6]), opposing(9), own(4, *ONES[:5]), opposing(4)]
    events = orders(book, (), albraxas=(recover(), backbone(), recover(), battle()), dice=rolled)
    assert (values(book, 100), force(book, AX)) == ((2, 0), (5, 47))
    assert of_kind(events, FrayForced) == [FrayForced(seat=AX, juncture=1)]
    assert of_kind(events, PhaseLost) == [PhaseLost(seat=AX, juncture=3)]
    assert dice_of(events)[-1] == (6, 1), "a recover has the Blitz, whatever the Backbone"


@pytest.mark.rule("AX-ACT-7")
def test_albraxas_loses_battles_to_the_ebb_wins_by_backbone_and_recovers_own_backbone() -> None:
    book = begin()
    lay(book, 100, 1, 5)
    book.state.set_character(AX, backbone=3, dynamism=10)
    go(book, 1)
    against = 5 - 1
    rolled = [
        own(*ONES),
        opposing(*[9] * against),
        own(9, 1, 1),
        opposing(*[5] * 5),
        own(9, *ONES[:5]),
        opposing(*[3] * 4),
    ]
    events = orders(book, (), albraxas=(battle(), backbone(), recover()), dice=rolled)
    assert dice_of(events) == [(8, 4), (3, 5), (6, 4)]
    assert (values(book, 100), force(book, AX)) == ((1, 5), (3, 10 - 1 - 1 + 3))


# --- prices -----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("AX-ACT-8", "AX-AMB-9", "AX-ACT-12")
def test_the_last_dynamism_pays_what_costs_as_much_and_what_fizzles_takes_nothing() -> None:
    """Dynamism 3: blitz 4 fizzles, blitz 2 leaves 1, battle leaves 0, battle fizzles, and the free recover goes on."""
    book = begin((4, 3, 6))
    book.state.set_character(R1, dynamism=3)
    fell = [own(9, 2), opposing(5), own(9, 1, 1), opposing(5), own(9, 1, 1, 1, 1, 1), opposing(5)]
    events = turn(book, 1, (blitz(4), blitz(2), battle(), battle(), recover()), fell)
    assert [(e.juncture, e.price) for e in of_kind(events, OrderFizzled)] == [(1, 4), (4, 1)]
    assert [(e.before, e.after) for e in of_kind(events, DynamismChanged)] == [(3, 1), (1, 0), (0, 4)]


@pytest.mark.rule("AX-ACT-6", "AX-CLN-2")
def test_holing_up_is_free_and_changes_nothing_even_for_a_clone_without_dynamism() -> None:
    book = begin()
    turn(book, 1, ())
    book.state.set_character(R1, dynamism=1)  # the stay takes it
    events = turn(book, 1, (HOLE_UP, HOLE_UP))
    assert [(e.action, e.price, e.result) for e in of_kind(events, ActionResolved)] == [
        (Action.HOLE_UP, 0, Result.NONE)
    ] * 2
    assert of_kind(events, OrderFizzled, ValuesChanged, BackboneChanged) == []


# --- falls and endings ------------------------------------------------------------------------------------------------
@pytest.mark.rule("AX-END-1", "AX-END-4", "AX-TRN-7")
def test_a_character_who_falls_has_acted_in_the_last_juncture_and_the_others_go_on() -> None:
    """R1's tied blitz takes their last Backbone; R2 in the same phase fights on against the values of now."""
    book = begin(FRAIL, FOUR_FIVE_FOUR, check_from=99)
    go(book, 1, 1)
    events = orders(
        book,
        (blitz(1), blitz(6)),
        (battle(), battle()),
        dice=[own(5), opposing(5), *[own(9, 1, 1, 1, 1), opposing(3)] * 2],
    )
    assert of_kind(events, CharacterFell) == [CharacterFell(seat=R1)]
    assert [e.seat for e in of_kind(events, ActionResolved)] == [R1, R2, R2]
    assert values(book, 1) == (1, 2) and book.state.storm.turn == 2
    assert of_kind(events, TurnChecked) == [event_like(TurnChecked, counts=False)], "one rebel still stands"


@pytest.mark.rule("AX-END-3", "AX-AMB-13", "AX-ACT-5")
def test_when_albraxas_falls_the_game_ends_with_that_juncture() -> None:
    """Nobody acts in the next one, nobody has convalesced, and no CHECK is made."""
    book = begin(FOUR_FIVE_FOUR, FOUR_FIVE_FOUR, albraxas=(1, 10, 9))
    book.state.set_character(R2, backbone=1)
    go(book, 1, 2)
    fell = [own(9, *ONES[:4]), opposing(3), own(1), opposing(9)]
    events = orders(book, (battle(), battle()), CONVALESCE, albraxas=(backbone(), battle()), dice=fell)
    assert of_kind(events, GameFinished) == [event_like(GameFinished, winner="rebel", reason="albraxas_fell")]
    assert [e.juncture for e in of_kind(events, JunctureStarted)] == [1]
    assert of_kind(events, TurnChecked, Convalesced) == [] and values(book, 1) == (1, 1)


@pytest.mark.rule("AX-END-4", "AX-AMB-26")
def test_when_the_last_two_rebels_fall_together_the_check_counts_what_that_juncture_brought() -> None:
    """N 4, Tide 2 and Ebb 2: Albraxas loses a battle in that juncture, so there are 3 Ebb; nobody acts after it."""
    book = begin(FRAIL, FRAIL, FOUR_FIVE_FOUR, phases=4, check_from=3)
    book.state.set_character(R3, backbone=0, fallen=True)
    go(book, 1, 4)
    lay(book, 1, 1, 2)
    events = orders(book, (backbone(),), (backbone(), battle()), albraxas=(battle(), battle()),
                    dice=[own(1), opposing(9), own(1), opposing(9, 9), own(*ONES), opposing(9)])  # fmt: skip
    assert of_kind(events, CharacterFell) == [CharacterFell(seat=R1), CharacterFell(seat=R2)]
    assert of_kind(events, TurnChecked) == [TurnChecked(total_tide=2, total_ebb=3, counts=True)]
    assert winner(book) == "rebel" and [e.juncture for e in of_kind(events, JunctureStarted)] == [1]


@pytest.mark.rule("AX-END-4", "AX-END-7")
@pytest.mark.parametrize(("ebb", "won"), [(0, "albraxas"), (10, "albraxas"), (11, "rebel")])
def test_when_the_last_rebel_who_has_not_conceded_falls_the_check_is_made_at_once(ebb: int, won: str) -> None:
    book = begin(FOUR_FIVE_FOUR, FRAIL, check_from=99)
    book.when(Concede(), by=R1)
    lay(book, 50, 0, ebb)
    book.when(SetLocation(phase=1), by=R2)
    book.when(LockLocation(), by=R2)
    events = orders_of_two(book)
    assert of_kind(events, TurnChecked) == [TurnChecked(total_tide=10, total_ebb=ebb, counts=True)]
    assert winner(book) == won


def orders_of_two(book: Playbook) -> list[Event]:
    """R2 loses a Backbone while Albraxas holes up."""
    from_r2 = WriteOrders(orders=(backbone(), HOLE_UP))
    book.when(from_r2, by=R2)
    return book.when(WriteOrders(), by=AX, dice=[own(1), opposing(9)])


@pytest.mark.rule("AX-END-2", "AX-AMB-12")
def test_the_totals_are_compared_at_the_end_of_the_turn_and_not_between_junctures() -> None:
    """N 4: three Ebb over two Tide after the first juncture, three and three after the second."""
    book = begin(phases=4)
    events = turn(book, 1, (blitz(3), battle()), [own(9, 9, 9), opposing(5), own(*ONES[:5]), opposing(9)])
    assert of_kind(events, TurnChecked) == [TurnChecked(total_tide=3, total_ebb=3, counts=True)]
    assert winner(book) is None


@pytest.mark.rule("AX-END-2", "AX-END-5")
def test_more_ebb_than_tide_at_the_last_check_is_the_rebels_victory() -> None:
    """N 4, check_from 3: turn 3 is the last; one Ebb more than Tide wins it, as many do not."""
    for ebb, won in ((2, "albraxas"), (3, "rebel")):
        book = begin(phases=4, check_from=3)
        lay(book, 2, 0, ebb)
        for phase in (1, 2, 3):
            assert winner(book) is None
            turn(book, phase, ())
        assert winner(book) == won
