"""A turn: its steps, and ORDER: what may be written, what is secret, what silence means (AX-TRN-1, 5 to 9)."""

from datetime import timedelta

import pytest

from games.albraxas.rules.ending.commands import Concede, LeaveSeat
from games.albraxas.rules.ending.events import TurnChecked
from games.albraxas.rules.locate.commands import SetLocation
from games.albraxas.rules.orders.commands import WriteOrders
from games.albraxas.rules.orders.events import OrdersRevealed, OrdersSealed, OrdersWritten
from games.albraxas.rules.resolve.events import (
    ActionResolved,
    BackboneChanged,
    Convalesced,
    DynamismChanged,
    JunctureStarted,
    OrderFizzled,
    ValuesChanged,
)
from games.albraxas.rules.state.schema_types import Order, Paper, Step, TiePolicy
from games.albraxas.rules.turn.events import StepStarted
from games.engine.audience import PUBLIC, seat_and_gm
from games.engine.insight.legal_commands import legal_commands_for
from games.engine.kernel import Actor, Issuer
from games.engine.lifecycle.seating import HandOver
from games.engine.prompts.prompt import DeadlinePassed
from tests.playbook import Playbook, event_like, of_kind, refused
from tests.rules.albraxas.stage import (
    AX,
    FOUR_FIVE_FOUR,
    GAME,
    GM,
    HOLE_UP,
    R1,
    R2,
    RULESET,
    battle,
    begin,
    blitz,
    go,
    opposing,
    orders,
    own,
    proves,
    turn,
    values,
)

FIVE = timedelta(minutes=5)


def two(**more: int) -> Playbook:
    """A game of two rebels of (4, 5, 4)."""
    return begin(FOUR_FIVE_FOUR, FOUR_FIVE_FOUR, **more)


@pytest.mark.rule("AX-TRN-1")
def test_every_turn_has_its_steps_in_order() -> None:
    book = begin()
    turn(book, 1, (HOLE_UP,))
    rows = [e for e in (h.event for h in book.log) if isinstance(e, StepStarted | JunctureStarted | TurnChecked)]
    names = [e.step if isinstance(e, StepStarted) else type(e).__name__ for e in rows]
    assert names == [Step.LOCATE, Step.ORDER, Step.RESOLVE, "JunctureStarted", "TurnChecked", Step.LOCATE]


@pytest.mark.rule("AX-TRN-5")
def test_orders_are_secret_until_all_are_in_and_may_be_rewritten() -> None:
    book = begin()
    go(book, 1)
    written, sealed = book.when(WriteOrders(orders=(battle(),)), by=R1)
    assert isinstance(written, OrdersWritten) and isinstance(sealed, OrdersSealed)
    assert [h.audience for h in book.log[-2:]] == [seat_and_gm(R1), PUBLIC]
    assert [type(e) for e in book.when(WriteOrders(orders=(HOLE_UP,)), by=R1)] == [OrdersWritten]
    assert not book.state.view_for(frozenset({AX})).answers
    events = book.when(WriteOrders(), by=AX, dice=[])
    (shown,) = of_kind(events, OrdersRevealed)
    assert [p.orders for p in shown.papers] == [(HOLE_UP,), ()] and all(proves(p) for p in shown.papers)
    assert shown.papers[0].digest != sealed.digest
    assert of_kind(events, ActionResolved) == [event_like(ActionResolved, seat=R1, action="hole_up")]


@pytest.mark.rule("AX-END-7")
@pytest.mark.parametrize("gone", [LeaveSeat(), Concede()], ids=["left", "conceded"])
def test_a_rebel_whose_seat_is_empty_holes_up_whatever_was_written(gone: LeaveSeat | Concede) -> None:
    book = two()
    go(book, 1, 2)
    book.when(WriteOrders(orders=(battle(),)), by=R1)
    book.when(gone, by=R1)
    book.when(WriteOrders(orders=(HOLE_UP,)), by=R2)
    events = book.when(WriteOrders(), by=AX, dice=[])
    (shown,) = of_kind(events, OrdersRevealed)
    assert [p.orders for p in shown.papers] == [(), (HOLE_UP,), ()]


@pytest.mark.rule("AX-END-7")
def test_albraxas_holes_up_when_the_seat_was_left_and_still_comes_nearer() -> None:
    book = begin()
    go(book, 1)
    book.when(WriteOrders(orders=(battle(), battle())), by=AX)
    book.when(LeaveSeat(), by=AX)
    events = book.when(WriteOrders(orders=(HOLE_UP,)), by=R1, dice=[])
    assert [e.seat for e in of_kind(events, ActionResolved)] == [R1]
    assert (book.state.storm.turn, book.state.characters[AX].phase) == (2, 99)


@pytest.mark.rule("AX-END-7")
def test_what_a_seat_wrote_counts_again_when_it_is_taken_before_all_are_in() -> None:
    book = two()
    go(book, 1, 2)
    book.when(WriteOrders(orders=(HOLE_UP,)), by=R1)
    book.when(LeaveSeat(), by=R1)
    book.when(HandOver(seat=R1, user=GAME, reason="Another sits down."), by=GM)
    book.when(WriteOrders(), by=R2)
    (shown,) = of_kind(book.when(WriteOrders(), by=AX), OrdersRevealed)
    assert [p.orders for p in shown.papers] == [(HOLE_UP,), (), ()]


BUYS, POLICY = pytest.mark.rule("AX-ACT-4"), pytest.mark.rule("AX-DIE-5")


@pytest.mark.rule("AX-TRN-5")
@pytest.mark.parametrize(
    ("order", "code"),
    [
        (Order(action="pray"), "action.unknown"),
        (Order(action="convalesce"), "action.unknown"),
        (Order(action="Battle"), "action.unknown"),
        pytest.param(Order(action="blitz"), "dice.range", marks=BUYS),
        pytest.param(Order(action="blitz", dice=0), "dice.range", marks=BUYS),
        pytest.param(Order(action="blitz", dice=-1), "dice.range", marks=BUYS),
        pytest.param(Order(action="blitz", dice=5), "dice.range", marks=BUYS),
        *(
            pytest.param(Order(action=other, dice=2), "dice.range", marks=BUYS)
            for other in ("recover", "battle", "backbone", "hole_up")
        ),
        pytest.param(Order(action="battle", tie=TiePolicy(max=-1)), "policy.invalid", marks=POLICY),
        pytest.param(Order(action="battle", tie=TiePolicy(mode="perhaps")), "policy.invalid", marks=POLICY),
    ],
)
def test_impossible_orders_are_refused(order: Order, code: str) -> None:
    book = begin()
    go(book, 1)
    with refused(code, book.state):
        book.when(WriteOrders(orders=(HOLE_UP, order)), by=R1)


@pytest.mark.rule("AX-ACT-4", "AX-AMB-18", "AX-DIE-5")
def test_a_blitz_buys_one_die_to_all_of_them_even_for_a_clone_and_no_limit_of_a_policy_is_too_high() -> None:
    book = begin()
    turn(book, 1, ())
    go(book, 1)
    bold = Order(action="blitz", dice=4, tie=TiePolicy(max=1_000_000, mode="always"))
    book.when(WriteOrders(orders=(blitz(1), bold)), by=R1)
    assert Paper.model_validate_json(next(iter(book.state.answers.values())).value).orders == (blitz(1), bold)


@pytest.mark.rule("AX-TRN-5", "AX-TRN-6")
@pytest.mark.rule("AX-ASK-1")
def test_a_silent_seat_holes_up_and_what_was_written_last_counts() -> None:
    book = two()
    go(book, 1, 2)
    book.when(WriteOrders(orders=(HOLE_UP, HOLE_UP)), by=R2)
    events = book.wait(FIVE)
    (shown,) = of_kind(events, OrdersRevealed)
    assert [len(p.orders) for p in shown.papers] == [0, 2, 0]
    assert of_kind(events, DeadlinePassed) == [event_like(DeadlinePassed, seats=(R1, AX))]


@pytest.mark.rule("AX-TRN-6", "AX-AMB-4")
def test_a_visit_has_blitz_less_clones_junctures_and_convalescing_takes_them_all() -> None:
    book = begin()
    turn(book, 1, ())
    go(book, 1)
    with refused("orders.too_many", book.state):
        book.when(WriteOrders(orders=(HOLE_UP,) * 4), by=R1)
    with refused("orders.too_many", book.state):
        book.when(WriteOrders(convalesce=True, orders=(HOLE_UP,)), by=R1)
    book.when(WriteOrders(orders=(HOLE_UP,) * 3), by=R1)


def exhausted_rebel() -> Playbook:
    """ORDER of turn 2: a rebel with neither a juncture nor Dynamism for a Convalesce."""
    book = begin((1, 11, 1))
    turn(book, 1, ())
    book.state.set_character(R1, dynamism=1)  # the stay takes the last
    go(book, 1)
    return book


@pytest.mark.rule("AX-TRN-6", "AX-ASK-1")
def test_a_seat_with_neither_juncture_nor_dynamism_owes_no_orders() -> None:
    book = exhausted_rebel()
    book.when(WriteOrders(), by=AX, dice=[])
    assert book.state.storm.turn == 3


@pytest.mark.rule("AX-TRN-6", "AX-ACT-11")
def test_a_convalesce_that_is_not_owed_may_be_written_and_fizzles() -> None:
    book = exhausted_rebel()
    own = Actor(Issuer.SEAT, seat=R1)
    assert "write-orders" in {
        o.command for o in legal_commands_for(book.state, RULESET.open_commands.values(), own) if o.legal
    }
    with refused("orders.too_many", book.state):
        book.when(WriteOrders(orders=(HOLE_UP,)), by=R1)
    foreseen = WriteOrders(convalesce=True).forecast(book.state, book.context(own), own)
    assert foreseen.price == 1
    book.when(WriteOrders(convalesce=True), by=R1)
    assert book.state.storm.step is Step.ORDER
    events = book.when(WriteOrders(), by=AX, dice=[])
    assert of_kind(events, OrderFizzled) == [OrderFizzled(seat=R1, juncture=0, price=1)]
    assert of_kind(events, BackboneChanged, DynamismChanged, Convalesced) == [] and book.state.storm.turn == 3


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
    events = orders(
        book,
        (blitz(1),),
        (blitz(2),),
        albraxas=(blitz(1),),
        dice=[
            own(1),
            opposing(2),
            own(3, 4),
            opposing(5),
            own(6),
            opposing(7),
        ],
    )
    assert [(e.dice, e.opposing) for e in of_kind(events, ActionResolved)] == [
        ((1,), (2,)),
        ((3, 4), (5,)),
        ((6,), (7,)),
    ]
    labels = [r.label for h in book.log for r in h.rolls]
    assert labels[0] == f"0/turn:1/juncture:1/{R1}/own" and labels[1] == f"0/turn:1/juncture:1/{R1}/opposing"


@pytest.mark.rule("AX-TRN-9", "AX-AMB-19", "AX-AMB-20")
def test_no_phase_ever_has_less_than_nothing() -> None:
    book = begin()
    events = turn(book, 2, (Order(action="backbone"), blitz(1)), [own(9, 1, 1, 1), opposing(3), own(1), opposing(9)])
    assert values(book, 2) == (0, 0) and of_kind(events, ValuesChanged) == []


@pytest.mark.rule("AX-TRN-5")
def test_a_game_master_answers_for_an_absent_seat() -> None:
    book = begin()
    book.when(SetLocation(phase=3), by=Actor(Issuer.GM, user=GM.user, on_behalf_of=R1))
    assert book.state.choices[R1].phase == 3 and book.log[-1].on_behalf_of == R1


def test_every_legal_command_is_accepted() -> None:
    book = begin()
    own = Actor(Issuer.SEAT, seat=R1)
    legal = {o.command for o in legal_commands_for(book.state, RULESET.own.commands, own) if o.legal}
    assert legal == {"set-location", "concede", "leave-seat"}
    go(book, 1)
    legal = {o.command for o in legal_commands_for(book.state, RULESET.own.commands, own) if o.legal}
    assert legal == {"write-orders", "seal-orders", "concede", "leave-seat"}
    book.when(LeaveSeat(), by=R1)


@pytest.mark.rule("AX-CLN-4", "AX-AMB-11")
def test_an_earlier_visit_is_not_played_again_and_a_new_one_counts_from_now_on() -> None:
    book = begin(check_from=99)
    turn(book, 1, (battle(),), [own(9, 1, 1, 1, 1), opposing(3)])
    assert values(book, 1) == (1, 1)
    assert of_kind(turn(book, 1, ()), JunctureStarted) == []
    assert values(book, 1) == (1, 1)
    turn(book, 1, (battle(),), [own(9, 1, 1, 1, 1), opposing(3)])
    assert values(book, 1) == (1, 4)


@pytest.mark.rule("AX-CLN-4")
def test_a_new_visit_leaves_what_later_visits_of_other_phases_have_made() -> None:
    book = begin(check_from=99)
    turn(book, 1, (battle(),), [own(9, 1, 1, 1, 1), opposing(3)])
    turn(book, 2, (battle(),), [own(9, 1, 1, 1, 1), opposing(3)])
    first, second = values(book, 1), values(book, 2)
    turn(book, 1, (battle(),), [own(9, 1, 1, 1, 1), opposing(3)])
    assert values(book, 1) != first and values(book, 2) == second != (0, 0)
