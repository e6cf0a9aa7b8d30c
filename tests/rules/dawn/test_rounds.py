"""Ages, rounds, income, order, turns and places sold (section 2)."""

from datetime import timedelta

import pytest

from games.dawn.rules.alignment import ShiftAlignment
from games.dawn.rules.dealing import AcceptOffer, MakeOffer, OfferPlace, inserted
from games.dawn.rules.founding import GameStarted
from games.dawn.rules.setup import StartGame
from games.dawn.rules.trading import OfferClosed, OfferMade, PlaceSold
from games.dawn.rules.turning import EndTurn
from games.dawn.rules.turns import (
    AgeChanged,
    GameFinished,
    IncomeRolled,
    OrderFixed,
    RoundStarted,
    TurnEnded,
    TurnStarted,
    order_of,
)
from games.dawn.rules.vocabulary import Step, TieRoll
from games.engine.dice import GivenDice
from games.engine.exchange import Result
from games.engine.kernel import CLOCK
from tests.playbook import event_like, of_kind, refused
from tests.rules.dawn.stage import (
    HOST,
    A,
    B,
    C,
    D,
    balances,
    begun,
    define,
    give,
    log_tells_the_state,
    people,
    playing,
    rounds,
    setting_up,
    sound,
)


@pytest.mark.rule("DW-EX-01", "DW-EX-02", "DW-INC-1", "DW-ORD-1", "DW-SET-5")
def test_income_is_two_dice_and_two_and_the_poorest_acts_first():
    book = setting_up()
    for seat in (A, B, C):
        define(book, seat)
    assert balances(book, A, B, C) == [0, 0, 0]
    events = book.when(StartGame(), by=HOST, dice=[3, 4, 1, 1, 6, 6])
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
    assert log_tells_the_state(book) and sound(book)


@pytest.mark.rule("DW-EX-03", "DW-ORD-2", "DW-AMB-5")
def test_equals_roll_and_those_still_equal_roll_again():
    book = begun(4)
    for seat, points in ((A, 7), (B, 7), (C, 5), (D, 7)):
        give(book, seat, points)
    ctx = book.context(CLOCK)
    ctx.tray._source = GivenDice([4, 2, 4, 6, 1])
    fixed = order_of(book.state, ctx)
    assert fixed.order == (C, B, D, A)
    assert fixed.tie_rolls == (
        TieRoll(seat=A, dice=(4, 6)),
        TieRoll(seat=B, dice=(2,)),
        TieRoll(seat=D, dice=(4, 1)),
    )


@pytest.mark.rule("DW-EX-04", "DW-ORD-3", "DW-AMB-6")
def test_the_buyer_acts_right_before_the_seller_and_pays_him():
    book = playing(4, a=1, d=5)
    (made,) = of_kind(book.when(OfferPlace(to=D, price=3), by=A), OfferMade)
    events = book.when(AcceptOffer(offer=made.offer), by=D)
    assert of_kind(events, OfferClosed, PlaceSold, TurnStarted) == [
        event_like(OfferClosed, result=Result.ACCEPTED),
        event_like(PlaceSold, seller=A, buyer=D, price=3, order=(D, A, B, C)),
        event_like(TurnStarted, seat=D),
    ]
    assert balances(book, A, D) == [4, 2] and sound(book)
    book.when(EndTurn(), by=D)
    assert book.state.course.active == A


@pytest.mark.rule("DW-EX-05", "DW-AMB-40")
def test_a_later_god_sells_his_place_too():
    book = playing(4, d=5)
    book.when(EndTurn(), by=A)
    (made,) = of_kind(book.when(OfferPlace(to=D, price=0), by=B), OfferMade)
    book.when(AcceptOffer(offer=made.offer), by=D)
    assert book.state.course.order == (A, D, B, C)


@pytest.mark.rule("DW-EX-49", "DW-ORD-4")
def test_a_buyer_may_sell_on_but_buys_once_and_who_acted_buys_nothing():
    book = playing(4)
    (made,) = of_kind(book.when(OfferPlace(to=C, price=0), by=A), OfferMade)
    book.when(AcceptOffer(offer=made.offer), by=C)
    assert book.state.course.order == (C, A, B, D)
    (made,) = of_kind(book.when(OfferPlace(to=B, price=0), by=C), OfferMade)
    book.when(AcceptOffer(offer=made.offer), by=B)
    assert book.state.course.order == (B, C, A, D)
    with refused("place.limit", book.state):
        book.when(OfferPlace(to=C, price=0), by=B)
    book.when(EndTurn(), by=B)
    with refused("place.acted", book.state):
        book.when(OfferPlace(to=B, price=0), by=C)


@pytest.mark.rule("DW-ORD-3")
def test_the_first_power_ends_the_start_of_the_turn_and_lapses_every_place():
    book = playing(a=10, b=5)
    people(book, A)
    (made,) = of_kind(book.when(OfferPlace(to=B, price=1), by=A), OfferMade)
    events = book.when(ShiftAlignment(target=people(book, A), dir=1), by=A)
    assert of_kind(events, OfferClosed) == [event_like(OfferClosed, offer=made.offer, result=Result.LAPSED)]
    with refused("offer.closed", book.state):
        book.when(AcceptOffer(offer=made.offer), by=B)
    with refused("turn.begun", book.state):
        book.when(OfferPlace(to=B, price=1), by=A)


@pytest.mark.rule("DW-ORD-3", "DW-AMB-54")
def test_an_accepted_place_lapses_the_others():
    book = playing(4, b=5, c=5)
    (gift,) = of_kind(book.when(MakeOffer(to=A, give=1, want=0), by=C), OfferMade)
    (one,) = of_kind(book.when(OfferPlace(to=B, price=1), by=A), OfferMade)
    (other,) = of_kind(book.when(OfferPlace(to=C, price=1), by=A), OfferMade)
    events = book.when(AcceptOffer(offer=one.offer), by=B)
    assert event_like(OfferClosed, offer=other.offer, result=Result.LAPSED) in events
    assert event_like(OfferClosed, offer=gift.offer, result=Result.LAPSED) in events
    assert inserted((A, B, C, D), D, B) == (A, D, B, C)


@pytest.mark.rule("DW-ORD-1", "DW-AMB-4", "DW-INC-1")
def test_the_order_stays_in_a_round_and_is_made_anew_in_the_next():
    book = playing(a=9, b=5, c=2)
    book.when(EndTurn(), by=A)
    assert book.state.course.active == B
    book.when(EndTurn(), by=B)
    events = book.when(EndTurn(), by=C, dice=[1, 1, 1, 1, 1, 1])
    assert of_kind(events, OrderFixed) == [event_like(OrderFixed, order=(C, B, A))]
    assert balances(book, A, B, C) == [13, 9, 6]


@pytest.mark.rule("DW-TRN-1", "DW-AMB-43")
def test_only_the_active_god_ends_his_turn_and_may_pass_with_nothing_done():
    book = begun()
    with refused("turn.not_yours", book.state):
        book.when(EndTurn(), by=B)
    assert of_kind(book.when(EndTurn(), by=A), TurnEnded, TurnStarted) == [
        event_like(TurnEnded, seat=A),
        event_like(TurnStarted, seat=B),
    ]


@pytest.mark.rule("DW-AGE-1", "DW-AGE-3")
def test_three_ages_of_five_rounds_and_no_winner():
    book = begun(2)
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
    assert log_tells_the_state(book, 2) and sound(book)


@pytest.mark.rule("DW-AMB-31", "DW-TRN-1")
def test_a_silent_god_loses_his_turn_and_keeps_his_points():
    book = begun()
    points = balances(book, A)
    events = book.wait(timedelta(minutes=10))
    assert of_kind(events, TurnEnded, TurnStarted) == [
        event_like(TurnEnded, seat=A),
        event_like(TurnStarted, seat=B),
    ]
    assert [h.by for h in book.log if isinstance(h.event, TurnEnded)] == ["deadline"]
    assert balances(book, A) == points and log_tells_the_state(book)
