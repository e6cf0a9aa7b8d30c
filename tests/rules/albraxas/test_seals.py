"""Orders of which only the digest is handed in: sealed, opened when all are in, and proved (AX-TRN-5, AX-AMB-31)."""

from datetime import timedelta
from hashlib import sha256

import pytest

from games.albraxas.rules.ending.commands import Concede, LeaveSeat
from games.albraxas.rules.orders.commands import OpenOrders, SealOrders, WriteOrders
from games.albraxas.rules.orders.events import OrdersRevealed, OrdersSealed, OrdersWritten, value_of
from games.albraxas.rules.resolve.events import ActionResolved
from games.albraxas.rules.state.schema_types import Order, Paper, Step, TiePolicy
from games.engine.game_state import dump
from games.engine.prompts.sealed import digest_of
from tests.playbook import Playbook, event_like, of_kind, refused
from tests.rules.albraxas.stage import (
    AX,
    FOUR_FIVE_FOUR,
    HOLE_UP,
    R1,
    R2,
    battle,
    begin,
    blitz,
    go,
    log_folds_to_state,
    opposing,
    own,
    proves,
    values,
)

FIVE = timedelta(minutes=5)
SALT = "a salt of my own, long enough"


def two(**more: int) -> Playbook:
    """A game of two rebels of (4, 5, 4)."""
    return begin(FOUR_FIVE_FOUR, FOUR_FIVE_FOUR, **more)


@pytest.mark.rule("AX-TRN-5", "AX-AMB-31")
def test_a_digest_alone_is_opened_when_all_are_in() -> None:
    book = begin()
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
    events = book.when(OpenOrders(orders=paper.orders, salt=SALT), by=R1, dice=[own(9, 1, 1, 1, 1), opposing(3)])
    (shown,) = of_kind(events, OrdersRevealed)
    assert shown.papers[0].digest == digest and proves(shown.papers[0])
    assert values(book, 1) == (1, 1)
    assert dump(log_folds_to_state(book, R1, AX)) == dump(book.state)


@pytest.mark.rule("AX-AMB-31")
def test_the_window_waits_for_everybody_who_has_sealed_and_for_nobody_else() -> None:
    book = two()
    go(book, 1, 2)
    empty = digest_of(SALT, value_of(Paper()))
    for seat in (R1, R2):
        book.when(SealOrders(digest=empty), by=seat)
    book.when(WriteOrders(), by=AX)
    with refused("prompt.not_yours", book.state):
        book.when(OpenOrders(salt=SALT), by=AX)
    with refused("seal.weak", book.state):
        book.when(OpenOrders(salt=SALT[:15]), by=R1)
    book.when(OpenOrders(salt=SALT), by=R1)
    assert book.state.storm.step is Step.ORDER
    with refused("seal.opened", book.state):
        book.when(OpenOrders(salt=SALT), by=R1)
    (shown,) = of_kind(book.when(OpenOrders(salt=SALT), by=R2), OrdersRevealed)
    assert [bool(p.digest) for p in shown.papers] == [True] * 3 and all(proves(p) for p in shown.papers)


@pytest.mark.rule("AX-AMB-31", "AX-END-7")
@pytest.mark.parametrize("gone", [LeaveSeat(), Concede()], ids=["left", "conceded"])
@pytest.mark.parametrize("late", [False, True], ids=["before the window", "in the window"])
def test_nobody_waits_for_the_opening_of_an_empty_seat(gone: LeaveSeat | Concede, late: bool) -> None:
    book = two()
    go(book, 1, 2)
    book.when(SealOrders(digest=digest_of(SALT, value_of(Paper(orders=(battle(),))))), by=R1)
    book.when(WriteOrders(), by=R2)
    events = [] if late else book.when(gone, by=R1)
    events += book.when(WriteOrders(), by=AX)
    if late:
        assert book.state.question("order.open") is not None
        events += book.when(gone, by=R1)
    (shown,) = of_kind(events, OrdersRevealed)
    unopened = shown.papers[0]
    assert (unopened.orders, unopened.salt, unopened.digest) == ((), "", "") and book.state.storm.turn == 2


@pytest.mark.rule("AX-AMB-31")
def test_a_sealed_order_that_is_not_opened_in_time_is_hole_up() -> None:
    book = begin()
    go(book, 1)
    book.when(SealOrders(digest="0" * 64), by=R1)
    book.wait(FIVE)
    assert book.state.question("order.open") is not None
    events = book.wait(timedelta(minutes=1))
    (shown,) = of_kind(events, OrdersRevealed)
    assert [(p.orders, p.salt, bool(p.digest)) for p in shown.papers] == [((), "", False)] * 2
    assert book.state.storm.turn == 2


@pytest.mark.rule("AX-AMB-31", "AX-TRN-5")
@pytest.mark.parametrize(
    ("paper", "code"),
    [
        (Paper(orders=(HOLE_UP,) * 5), "orders.too_many"),
        (Paper(convalesce=True, orders=(HOLE_UP,)), "orders.too_many"),
        (Paper(orders=(blitz(5),)), "dice.range"),
        (Paper(orders=(Order(action="pray"),)), "action.unknown"),
        (Paper(orders=(Order(action="battle", tie=TiePolicy(max=-1)),)), "policy.invalid"),
    ],
)
def test_a_sealed_order_that_could_not_be_written_is_not_opened_and_in_the_end_is_hole_up(
    paper: Paper, code: str
) -> None:
    book = begin()
    go(book, 1)
    book.when(SealOrders(digest=digest_of(SALT, value_of(paper))), by=R1)
    book.when(WriteOrders(), by=AX)
    with refused(code, book.state):
        book.when(OpenOrders(convalesce=paper.convalesce, orders=paper.orders, salt=SALT), by=R1)
    (shown,) = of_kind(book.wait(timedelta(minutes=1)), OrdersRevealed)
    assert [p.orders for p in shown.papers] == [(), ()]


@pytest.mark.rule("AX-TRN-5", "AX-AMB-31")
def test_an_order_may_be_sealed_without_a_tie_policy_and_is_shown_as_it_was_sealed() -> None:
    """`tie: null`, as the rulebook has it: the digest is that of what the client wrote, and nothing is spent."""
    book = begin()
    go(book, 4)
    written = '{"convalesce":false,"orders":[{"action":"battle","dice":null,"tie":null}]}'
    book.when(SealOrders(digest=sha256(f"{SALT}:{written}".encode()).hexdigest()), by=R1)
    book.when(WriteOrders(), by=AX)
    paper = Paper.model_validate_json(written)
    events = book.when(OpenOrders(orders=paper.orders, salt=SALT), by=R1, dice=[own(8, 6, 1, 1, 1), opposing(8, 3)])
    (shown,) = of_kind(events, OrdersRevealed)
    assert shown.papers[0].orders[0].tie is None and proves(shown.papers[0])
    assert of_kind(events, ActionResolved) == [event_like(ActionResolved, result="tie", spent=0)]
