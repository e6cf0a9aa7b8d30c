"""A turn: LOCATE, ORDER, RESOLVE, CHECK; what is secret, what silence means (AX-TRN-*, AX-CLN-1)."""

from datetime import timedelta

import pytest

from games.albraxas.rules.changes import DynamismChanged, ValuesChanged
from games.albraxas.rules.ending import TurnChecked
from games.albraxas.rules.leaving import LeaveSeat
from games.albraxas.rules.locating import LocationLocked, LocationSet, LocationsRevealed, LocationUnlocked
from games.albraxas.rules.orders import OrdersRevealed, OrdersSealed, OrdersWritten, proves, value_of
from games.albraxas.rules.resolving import ActionResolved, JunctureStarted
from games.albraxas.rules.travelling import LockLocation, SetLocation, UnlockLocation
from games.albraxas.rules.turn import StepStarted
from games.albraxas.rules.vocabulary import Order, Paper, Step, TiePolicy
from games.albraxas.rules.writing import OpenOrders, SealOrders, WriteOrders
from games.engine.audience import PUBLIC, seat_and_gm, seats
from games.engine.kernel import Actor, Issuer
from games.engine.offers import offers_for
from games.engine.prompt import DeadlinePassed
from games.engine.sealed import digest_of
from games.engine.table import dump
from tests.playbook import event_like, of_kind, refused
from tests.rules.albraxas.stage import (
    AX,
    CONVALESCE,
    FOUR_FIVE_FOUR,
    GM,
    HOLE_UP,
    R1,
    R2,
    REBELS,
    RULESET,
    battle,
    begun,
    blitz,
    force,
    go,
    log_tells_the_state,
    orders,
    turn,
    values,
)

FIVE = timedelta(minutes=5)
SALT = "a salt of my own, long enough"


def two(**more):
    """A game of two rebels of (4, 5, 4)."""
    return begun(FOUR_FIVE_FOUR, FOUR_FIVE_FOUR, **more)


@pytest.mark.rule("AX-TRN-1")
def test_every_turn_has_its_steps_in_order() -> None:
    book = begun()
    turn(book, 1, (HOLE_UP,))
    told = [e for e in (h.event for h in book.log) if isinstance(e, StepStarted | JunctureStarted | TurnChecked)]
    names = [e.step if isinstance(e, StepStarted) else type(e).__name__ for e in told]
    assert names == [Step.LOCATE, Step.ORDER, Step.RESOLVE, "JunctureStarted", "TurnChecked", Step.LOCATE]


@pytest.mark.rule("AX-TRN-2", "AX-AMB-2")
def test_places_are_open_among_rebels_and_shown_when_all_are_locked() -> None:
    book = two()
    book.when(SetLocation(phase=77), by=R1)
    book.when(LockLocation(), by=R1)
    book.when(SetLocation(phase=3), by=R2)
    secret = [h for h in book.log if isinstance(h.event, LocationSet | LocationLocked)]
    assert {h.audience for h in secret} == {seats(R1, R2, gm=True)}
    assert not book.state.seen_by(frozenset({AX})).choices and len(book.state.seen_by(frozenset({R2})).choices) == 2
    assert not book.state.seen_by(frozenset({AX})).answers
    with refused("location.locked", book.state):
        book.when(SetLocation(phase=5), by=R1)
    with refused("location.locked", book.state):
        book.when(LockLocation(), by=R1)
    assert of_kind(book.when(UnlockLocation(), by=R1), LocationUnlocked)
    with refused("location.open", book.state):
        book.when(UnlockLocation(), by=R1)
    book.when(SetLocation(phase=5), by=R1)
    book.when(LockLocation(), by=R1)
    events = book.when(LockLocation(), by=R2)
    assert [(p.phase, p.price) for e in of_kind(events, LocationsRevealed) for p in e.places] == [(5, 0), (3, 0)]
    assert book.state.storm.step is Step.ORDER and force(book) == (4, 20)


@pytest.mark.rule("AX-TRN-2")
def test_what_cannot_be_in_locate_is_refused() -> None:
    book = two()
    for phase in (0, 101):
        with refused("phase.range", book.state):
            book.when(SetLocation(phase=phase), by=R1)
    with refused("location.missing", book.state):
        book.when(LockLocation(), by=R1)
    with refused("phase.closed", book.state):
        book.when(SetLocation(phase=1), by=AX)
    with refused("phase.closed", book.state):
        book.when(WriteOrders(), by=R1)
    go(book, 1, 1)
    with refused("phase.closed", book.state):
        book.when(SetLocation(phase=1), by=R1)


@pytest.mark.rule("AX-TRN-2")
def test_silent_rebels_go_where_they_have_set_or_on_to_the_next_phase() -> None:
    book = two()
    book.when(SetLocation(phase=9), by=R2)
    events = book.wait(FIVE)
    assert [p.phase for e in of_kind(events, LocationsRevealed) for p in e.places] == [1, 9]
    assert of_kind(events, DeadlinePassed) == [event_like(DeadlinePassed, seats=(R1, R2), readers=PUBLIC)]
    assert {h.by for h in book.log if isinstance(h.event, LocationLocked)} == {"deadline"}
    book.wait(FIVE)
    events = book.wait(FIVE)
    assert [p.phase for e in of_kind(events, LocationsRevealed) for p in e.places] == [2, 10]
    assert dump(log_tells_the_state(book, R1, R2, AX)) == dump(book.state)


@pytest.mark.rule("AX-TRN-2", "AX-TRN-4", "AX-AMB-3")
def test_a_silent_rebel_in_the_last_phase_stays_there() -> None:
    book = begun(phases=9)
    turn(book, 9, ())
    book.wait(FIVE)
    assert book.state.characters[R1].phase == 9 and force(book) == (4, 19)


@pytest.mark.rule("AX-TRN-3", "AX-AMB-17", "AX-AMB-21")
def test_only_the_next_phase_is_free_and_a_travel_is_paid_when_the_last_locks() -> None:
    book = two()
    go(book, 50, 50)
    orders(book, (), ())
    book.when(SetLocation(phase=40), by=R1)
    book.when(LockLocation(), by=R1)
    assert force(book) == (4, 20)
    book.when(SetLocation(phase=51), by=R2)
    events = book.when(LockLocation(), by=R2)
    assert of_kind(events, DynamismChanged) == [event_like(DynamismChanged, seat=R1, before=20, after=16)]
    assert force(book, R2) == (4, 20)


@pytest.mark.rule("AX-TRN-3", "AX-AMB-21")
def test_a_travel_that_cannot_be_paid_is_refused() -> None:
    book = begun((1, 2, 10))
    turn(book, 50, ())
    with refused("dynamism.short", book.state):
        book.when(SetLocation(phase=59), by=R1)
    book.when(SetLocation(phase=54), by=R1)
    book.state.set_character(R1, dynamism=0)
    with refused("dynamism.short", book.state):
        book.when(SetLocation(phase=50), by=R1)
    book.when(SetLocation(phase=51), by=R1)


@pytest.mark.rule("AX-TRN-5")
def test_orders_are_secret_until_all_are_in_and_may_be_rewritten() -> None:
    book = begun()
    go(book, 1)
    written, sealed = book.when(WriteOrders(orders=(battle(),)), by=R1)
    assert isinstance(written, OrdersWritten) and isinstance(sealed, OrdersSealed)
    assert [h.audience for h in book.log[-2:]] == [seat_and_gm(R1), PUBLIC]
    assert [type(e) for e in book.when(WriteOrders(orders=(HOLE_UP,)), by=R1)] == [OrdersWritten]
    assert not book.state.seen_by(frozenset({AX})).answers
    events = book.when(WriteOrders(), by=AX, dice=[])
    (shown,) = of_kind(events, OrdersRevealed)
    assert [p.orders for p in shown.papers] == [(HOLE_UP,), ()] and all(proves(p) for p in shown.papers)
    assert shown.papers[0].digest != sealed.digest
    assert of_kind(events, ActionResolved) == [event_like(ActionResolved, seat=R1, action="hole_up")]


@pytest.mark.rule("AX-TRN-5", "AX-AMB-31")
def test_a_digest_alone_is_opened_when_all_are_in() -> None:
    book = begun()
    go(book, 1)
    paper = Paper(orders=(battle(),))
    digest = digest_of(SALT, value_of(paper))
    assert [type(e) for e in book.when(SealOrders(digest=digest), by=R1)] == [OrdersWritten, OrdersSealed]
    with refused("prompt.closed", book.state):
        book.when(OpenOrders(orders=paper.orders, salt=SALT), by=R1)
    book.when(WriteOrders(), by=AX)
    assert book.state.storm.step is Step.ORDER and book.state.question("order.open") is not None
    with refused("prompt.open", book.state):
        book.when(WriteOrders(), by=AX)
    with refused("seal.broken", book.state):
        book.when(OpenOrders(orders=(HOLE_UP,), salt=SALT), by=R1)
    events = book.when(OpenOrders(orders=paper.orders, salt=SALT), by=R1, dice=[9, 1, 1, 1, 1, 3])
    (shown,) = of_kind(events, OrdersRevealed)
    assert shown.papers[0].digest == digest and proves(shown.papers[0])
    assert values(book, 1) == (1, 1)
    assert dump(log_tells_the_state(book, R1, AX)) == dump(book.state)


@pytest.mark.rule("AX-AMB-31")
def test_what_is_not_opened_in_time_is_hole_up() -> None:
    book = begun()
    go(book, 1)
    book.when(SealOrders(digest="0" * 64), by=R1)
    book.wait(FIVE)
    assert book.state.question("order.open") is not None
    events = book.wait(timedelta(minutes=1))
    (shown,) = of_kind(events, OrdersRevealed)
    assert [p.orders for p in shown.papers] == [(), ()] and book.state.storm.turn == 2


@pytest.mark.rule("AX-TRN-5", "AX-AMB-7", "AX-AMB-22")
@pytest.mark.parametrize(
    ("order", "code"),
    [
        (Order(action="pray"), "action.unknown"),
        (Order(action="convalesce"), "action.unknown"),
        (Order(action="blitz"), "dice.range"),
        (Order(action="blitz", dice=0), "dice.range"),
        (Order(action="blitz", dice=5), "dice.range"),
        (Order(action="battle", dice=2), "dice.range"),
        (Order(action="battle", tie=TiePolicy(max=-1)), "policy.invalid"),
        (Order(action="battle", tie=TiePolicy(mode="perhaps")), "policy.invalid"),
    ],
)
def test_orders_that_cannot_be_are_refused(order: Order, code: str) -> None:
    book = begun()
    go(book, 1)
    with refused(code, book.state):
        book.when(WriteOrders(orders=(order,)), by=R1)


@pytest.mark.rule("AX-TRN-5", "AX-TRN-6")
def test_who_is_silent_holes_up_and_what_was_written_last_counts() -> None:
    book = two()
    go(book, 1, 2)
    book.when(WriteOrders(orders=(HOLE_UP, HOLE_UP)), by=R2)
    events = book.wait(FIVE)
    (shown,) = of_kind(events, OrdersRevealed)
    assert [len(p.orders) for p in shown.papers] == [0, 2, 0]
    assert of_kind(events, DeadlinePassed) == [event_like(DeadlinePassed, seats=(R1, AX))]


@pytest.mark.rule("AX-TRN-6", "AX-AMB-4")
def test_a_visit_has_blitz_less_clones_junctures_and_convalescing_takes_them_all() -> None:
    book = begun()
    turn(book, 1, ())
    go(book, 1)
    with refused("orders.too_many", book.state):
        book.when(WriteOrders(orders=(HOLE_UP,) * 4), by=R1)
    with refused("orders.too_many", book.state):
        book.when(WriteOrders(convalesce=True, orders=(HOLE_UP,)), by=R1)
    book.when(WriteOrders(orders=(HOLE_UP,) * 3), by=R1)


@pytest.mark.rule("AX-TRN-6")
def test_a_seat_with_neither_juncture_nor_dynamism_owes_no_orders() -> None:
    book = begun((1, 11, 1))
    turn(book, 1, ())
    book.state.set_character(R1, dynamism=1)  # the stay takes the last
    go(book, 1)
    with refused("prompt.not_yours", book.state):
        book.when(WriteOrders(), by=R1)
    book.when(WriteOrders(), by=AX, dice=[])
    assert book.state.storm.turn == 3


@pytest.mark.rule("AX-TRN-7", "AX-AMB-5")
def test_the_first_juncture_of_all_comes_before_the_second() -> None:
    book = two()
    go(book, 1, 2)
    events = orders(book, (HOLE_UP, HOLE_UP), (HOLE_UP,), albraxas=(HOLE_UP, HOLE_UP))
    assert [(e.juncture, e.seat) for e in of_kind(events, ActionResolved)] == [
        (1, R1),
        (1, R2),
        (1, AX),
        (2, R1),
        (2, AX),
    ]


@pytest.mark.rule("AX-TRN-8")
def test_dice_are_read_actor_first_rebels_in_seat_order_albraxas_last() -> None:
    book = two()
    go(book, 1, 1)
    events = orders(book, (blitz(1),), (blitz(2),), albraxas=(blitz(1),), dice=[1, 2, 3, 4, 5, 6, 7])
    assert [(e.dice, e.opposing) for e in of_kind(events, ActionResolved)] == [
        ((1,), (2,)),
        ((3, 4), (5,)),
        ((6,), (7,)),
    ]
    labels = [r.label for h in book.log for r in h.rolls]
    assert labels[0] == f"0/turn:1/juncture:1/{R1}/own" and labels[1] == f"0/turn:1/juncture:1/{R1}/opposing"


@pytest.mark.rule("AX-TRN-9", "AX-AMB-19", "AX-AMB-20")
def test_no_phase_ever_has_less_than_nothing() -> None:
    book = begun()
    events = turn(book, 2, (Order(action="backbone"), blitz(1)), [9, 1, 1, 1, 3, 1, 9])
    assert values(book, 2) == (0, 0) and of_kind(events, ValuesChanged) == []


@pytest.mark.rule("AX-CLN-1", "AX-AMB-16", "AX-AMB-11")
def test_the_clone_count_is_the_number_of_earlier_visits_of_this_phase_by_this_character() -> None:
    book = two(check_from=99)
    counts = []
    for places in ((1, 1), (1, 5), (2, 6), (1, 7)):
        go(book, *places)
        counts.append(tuple(book.state.characters[r].clones for r in REBELS[:2]))
        orders(book, (), ())
    assert counts == [(0, 0), (1, 0), (0, 0), (2, 0)]
    assert values(book, 1) == (1, 0)  # nothing of the earlier visits is played again


@pytest.mark.rule("AX-TRN-4", "AX-AMB-23", "AX-ACT-11")
def test_a_forced_stay_is_no_visit_and_keeps_the_clone_count() -> None:
    book = begun(phases=9, check_from=8)
    turn(book, 9, ())
    turn(book, 9, ())
    book.state.set_character(R1, dynamism=0)
    for _ in range(2):
        go(book, 9)
        assert (book.state.characters[R1].clones, book.state.visited(R1, 9)) == (1, 2)
        orders(book, ())
    go(book, 9)
    orders(book, CONVALESCE)
    assert force(book) == (4, 20)


@pytest.mark.rule("AX-TRN-5")
def test_a_game_master_answers_for_an_absent_seat() -> None:
    book = begun()
    book.when(SetLocation(phase=3), by=Actor(Issuer.GM, user=GM.user, on_behalf_of=R1))
    assert book.state.choices[R1].phase == 3 and book.log[-1].on_behalf_of == R1


def test_what_is_offered_is_accepted() -> None:
    book = begun()
    own = Actor(Issuer.SEAT, seat=R1)
    legal = {o.command for o in offers_for(book.state, RULESET.open_commands.values(), own) if o.legal}
    assert legal == {"set-location", "concede", "leave-seat"}
    go(book, 1)
    legal = {o.command for o in offers_for(book.state, RULESET.open_commands.values(), own) if o.legal}
    assert legal == {"write-orders", "seal-orders", "concede", "leave-seat"}
    book.when(LeaveSeat(), by=R1)


@pytest.mark.rule("AX-CLN-4", "AX-AMB-11")
def test_an_earlier_visit_is_not_played_again_and_a_new_one_counts_from_now_on() -> None:
    book = begun(check_from=99)
    turn(book, 1, (battle(),), [9, 1, 1, 1, 1, 3])
    assert values(book, 1) == (1, 1)
    turn(book, 1, (HOLE_UP,))
    assert values(book, 1) == (1, 1)
    turn(book, 1, (battle(),), [9, 1, 1, 1, 1, 3])
    assert values(book, 1) == (1, 4)
