"""Ages, rounds, income, order and turns (section 2)."""

from datetime import timedelta

import pytest

from games.dawn.rules.setup.events import GameStarted
from games.dawn.rules.state.records import Alliance
from games.dawn.rules.state.schema_types import Asked, Step, TieRoll
from games.dawn.rules.trade.commands import AcceptOffer, GivePoints, OfferPlace
from games.dawn.rules.trade.events import OfferMade
from games.dawn.rules.turn.commands import EndTurn
from games.dawn.rules.turn.events import (
    AgeChanged,
    GameFinished,
    IncomeRolled,
    OrderFixed,
    RoundEnded,
    RoundStarted,
    TurnEnded,
    TurnStarted,
)
from games.dawn.rules.turn.rules import order_of
from games.engine.kernel import CLOCK
from games.engine.lifecycle.gm_commands import EndSetup
from tests.dice import GivenDice, d
from tests.playbook import event_like, of_kind, refused
from tests.rules.dawn.shaping import shape
from tests.rules.dawn.stage import (
    DWARVES,
    ELVES,
    HAVEN,
    HOST,
    A,
    B,
    C,
    D,
    E,
    avatar,
    balances,
    begin,
    define,
    give,
    incomes,
    log_folds_to_state,
    people,
    playing,
    rounds,
    setting_up,
    sound,
    turn_of,
)


@pytest.mark.rule("DW-EX-01", "DW-EX-02", "DW-INC-1", "DW-ORD-1", "DW-SET-5")
def test_income_is_two_dice_and_two_and_the_poorest_acts_first():
    book = setting_up()
    for seat in (A, B, C):
        define(book, seat)
    assert balances(book, A, B, C) == [0, 0, 0]
    events = book.when(EndSetup(), by=HOST, dice=incomes({A: (3, 4), B: (1, 1), C: (6, 6)}))
    assert of_kind(events, GameStarted) == [event_like(GameStarted, seats=(A, B, C))]
    assert of_kind(events, RoundStarted) == [event_like(RoundStarted, age=1, round=1, length=5)]
    assert of_kind(events, IncomeRolled) == [
        event_like(IncomeRolled, seat=A, dice=(3, 4), gain=9, balance=9),
        event_like(IncomeRolled, seat=B, gain=4),
        event_like(IncomeRolled, seat=C, gain=14),
    ]
    assert of_kind(events, OrderFixed, TurnStarted) == [
        event_like(OrderFixed, order=(B, A, C), tie_rolls=()),
        event_like(TurnStarted, seat=B),
    ]
    assert log_folds_to_state(book) and sound(book)


@pytest.mark.rule("DW-EX-03", "DW-ORD-2", "DW-AMB-5")
def test_equals_roll_and_those_still_equal_roll_again():
    book = begin(4)
    for seat, points in ((A, 7), (B, 7), (C, 5), (D, 7)):
        give(book, seat, points)
    ctx = book.context(CLOCK)
    ctx.tray._source = GivenDice([d(6, "order", 4, 2, 4, 6, 1)])
    fixed = order_of(book.state, ctx)
    assert fixed.order == (C, B, D, A)
    assert fixed.tie_rolls == (
        TieRoll(seat=A, dice=(4, 6)),
        TieRoll(seat=B, dice=(2,)),
        TieRoll(seat=D, dice=(4, 1)),
    )


@pytest.mark.rule("DW-ORD-1", "DW-AMB-4")
def test_points_that_move_in_a_round_leave_its_order():
    book = playing(4, a=1, b=2, c=9, d=9)
    assert book.state.course.order == (A, B, C, D)
    book.when(GivePoints(to=A, amount=9), by=C)
    book.when(GivePoints(to=A, amount=9), by=D)
    acted = [book.state.course.active]
    for _ in range(3):
        book.when(EndTurn(), by=acted[-1])
        acted.append(book.state.course.active)
    assert acted == [A, B, C, D] == list(book.state.course.order)


@pytest.mark.rule("DW-ORD-2", "DW-ORD-1")
def test_two_groups_of_equals_roll_each_for_itself_and_stay_where_their_points_put_them():
    book = begin(5)
    for seat, points in zip((A, B, C, D, E), (8, 3, 8, 3, 5), strict=True):
        give(book, seat, points)
    ctx = book.context(CLOCK)
    ctx.tray._source = GivenDice([d(6, "order", 6, 5, 1, 1, 2, 1)])
    fixed = order_of(book.state, ctx)
    assert fixed.order == (D, B, E, C, A), "6 and 5 among the poorest are more than 1 among the richest"
    assert fixed.tie_rolls == (
        TieRoll(seat=B, dice=(6,)),
        TieRoll(seat=D, dice=(5,)),
        TieRoll(seat=A, dice=(1, 2)),
        TieRoll(seat=C, dice=(1, 1)),
    )


@pytest.mark.rule("DW-ORD-1", "DW-AMB-4", "DW-INC-1")
def test_the_order_stays_in_a_round_and_is_made_anew_in_the_next():
    book = playing(a=9, b=5, c=2)
    book.when(EndTurn(), by=A)
    assert book.state.course.active == B
    book.when(EndTurn(), by=B)
    events = book.when(EndTurn(), by=C, dice=incomes({A: (1, 1), B: (1, 1), C: (1, 1)}))
    assert of_kind(events, OrderFixed) == [event_like(OrderFixed, order=(C, B, A))]
    assert balances(book, A, B, C) == [13, 9, 6]


@pytest.mark.rule("DW-TRN-1", "DW-AMB-43")
def test_only_the_active_god_ends_their_turn_and_may_pass_with_nothing_done():
    book = begin()
    with refused("turn.not_yours", book.state):
        book.when(EndTurn(), by=B)
    assert of_kind(book.when(EndTurn(), by=A), TurnEnded, TurnStarted) == [
        event_like(TurnEnded, seat=A),
        event_like(TurnStarted, seat=B),
    ]


@pytest.mark.rule("DW-TRN-1", "DW-AMB-43")
def test_powers_and_transfers_in_any_order_as_long_as_each_is_paid():
    book = playing(age=2, a=10, b=3)
    book.when(shape((0, 0)), by=A)
    book.when(GivePoints(to=B, amount=5), by=A)
    with refused("points.short", book.state):
        book.when(shape((0, 0)), by=A)
    book.when(GivePoints(to=A, amount=8), by=B)
    book.when(shape((0, 0), (0, 1)), by=A)
    book.when(GivePoints(to=B, amount=1), by=A)
    book.when(shape((0, 0), terrain="hills"), by=A)
    assert (book.state.course.active, balances(book, A, B)) == (A, [10 - 3 - 5 + 8 - 6 - 1 - 3, 3 + 5 - 8 + 1])


@pytest.mark.rule("DW-AGE-1", "DW-AGE-3", "DW-AMB-32")
def test_a_lengthened_age_ends_later_and_what_stands_goes_over_to_one_of_five_rounds():
    book = begin(2)
    book.state.set_course(round=5, length=6)
    assert of_kind(rounds(book, 1), AgeChanged, RoundStarted) == [event_like(RoundStarted, age=1, round=6, length=6)]
    people(book, A)
    people(book, B, race=DWARVES)
    book.state.alliances[HAVEN] = Alliance(HAVEN, ELVES, DWARVES)
    stag = avatar(book, A, alive=False, fell_in=book.state.course.rounds, returning=True)
    before = balances(book, A, B)
    events = rounds(book, 1)
    assert of_kind(events, RoundEnded, AgeChanged, RoundStarted) == [
        event_like(RoundEnded, age=1, round=6),
        event_like(AgeChanged, age=2, length=5),
        event_like(RoundStarted, age=2, round=1, length=5),
    ]
    gains = {e.seat: e.gain for e in events if isinstance(e, IncomeRolled)}
    assert balances(book, A, B) == [before[0] + gains[A], before[1] + gains[B]]
    assert not book.state.alliances[HAVEN].ended and sound(book)
    turn_of(book, A)
    assert book.state.avatars[stag].alive, "who was won back in Age 1 returns in Age 2"
    book.when(shape((0, 0)), by=A)
    assert balances(book, A) == [before[0] + gains[A] - 3], "the next column holds"


@pytest.mark.rule("DW-AGE-1", "DW-AGE-3")
def test_three_ages_of_five_rounds_and_no_winner():
    book = begin(2)
    events = rounds(book, 15)
    assert of_kind(events, AgeChanged) == [
        event_like(AgeChanged, age=2, length=5),
        event_like(AgeChanged, age=3, length=5),
    ]
    assert [(e.age, e.round) for e in of_kind(events, RoundStarted)] == [
        (age, n) for age in (1, 2, 3) for n in range(1, 6) if (age, n) != (1, 1)
    ]
    assert events[-2] == event_like(GameFinished, age=3, round=5, reason="ages_over")
    assert book.state.course.step is Step.FINISHED
    with refused("phase.closed"):
        book.when(EndTurn(), by=A)
    assert log_folds_to_state(book, 2) and sound(book)


@pytest.mark.rule("DW-TRN-1", "DW-ORD-3")
def test_one_god_is_asked_at_a_time_and_each_has_ten_minutes():
    def owners_of_turn() -> list[tuple[str, ...]]:
        return [prompt.owners for prompt in book.state.prompts.values() if prompt.kind == Asked.TURN]

    book = begin()
    assert owners_of_turn() == [(f"seat:{A}",)]
    book.wait(timedelta(minutes=9))
    (made,) = of_kind(book.when(OfferPlace(to=C, price=0), by=A), OfferMade)
    book.when(AcceptOffer(offer=made.offer), by=C)
    assert owners_of_turn() == [(f"seat:{C}",)]
    assert of_kind(book.wait(timedelta(minutes=9, seconds=59)), TurnEnded) == []
    book.when(EndTurn(), by=C)
    assert owners_of_turn() == [(f"seat:{A}",)]
    assert of_kind(book.wait(timedelta(minutes=9, seconds=59)), TurnEnded) == []
    assert of_kind(book.wait(timedelta(seconds=1)), TurnEnded) == [event_like(TurnEnded, seat=A)]
    assert owners_of_turn() == [(f"seat:{B}",)] and sound(book)


@pytest.mark.rule("DW-INC-1", "DW-ORD-2")
def test_all_dice_have_six_sides_two_an_income_and_one_a_tie():
    book = begin(2, dice=[*incomes({A: (1, 2), B: (2, 1)}), d(6, f"order {A}", 4), d(6, f"order {B}", 5)])
    rounds(book, 15)
    thrown = {
        rule: [roll for h in book.log for roll in h.rolls if roll.rule == rule] for rule in ("DW-INC-1", "DW-ORD-2")
    }
    assert len(thrown["DW-INC-1"]) == 15 * 2 * 2
    assert [{roll.sides for roll in rolls} for rolls in thrown.values()] == [{6}, {6}]
    ties = [h.event for h in book.log if isinstance(h.event, OrderFixed)]
    assert len(thrown["DW-ORD-2"]) == sum(len(tie.dice) for event in ties for tie in event.tie_rolls)
    earned = [h.event for h in book.log if isinstance(h.event, IncomeRolled)]
    assert all(event.gain == sum(event.dice) + 2 and len(event.dice) == 2 for event in earned)


@pytest.mark.rule("DW-AMB-31", "DW-TRN-1")
def test_a_silent_god_loses_the_turn_and_their_points_stay():
    book = begin()
    points = balances(book, A)
    events = book.wait(timedelta(minutes=10))
    assert of_kind(events, TurnEnded, TurnStarted) == [
        event_like(TurnEnded, seat=A),
        event_like(TurnStarted, seat=B),
    ]
    assert [h.by for h in book.log if isinstance(h.event, TurnEnded)] == ["deadline"]
    assert balances(book, A) == points and log_folds_to_state(book)
