"""How the game ends (AX-END-*), and amendments that cannot be."""

from typing import Any

import pytest

from games.albraxas.rules.ending.commands import Concede, LeaveSeat
from games.albraxas.rules.ending.events import Conceded, GameFinished, SeatLeft, TurnChecked
from games.albraxas.rules.locate.commands import LockLocation, SetLocation
from games.albraxas.rules.locate.events import LocationsRevealed
from games.albraxas.rules.orders.commands import WriteOrders
from games.albraxas.rules.orders.events import OrdersRevealed
from games.albraxas.rules.resolve.events import CharacterFell
from games.albraxas.rules.state.records import Phase
from games.albraxas.rules.state.schema_types import Step
from games.engine.game_state import Status, dump
from games.engine.lifecycle.amend import Amend, Change, Deed, FieldChange
from games.engine.lifecycle.seating import HandOver
from tests.playbook import event_like, of_kind, refused
from tests.rules.albraxas.stage import (
    AX,
    FOUR_FIVE_FOUR,
    GM,
    HOLE_UP,
    R1,
    R2,
    backbone,
    battle,
    begin,
    blitz,
    go,
    log_folds_to_state,
    opposing,
    orders,
    own,
    turn,
    values,
    winner,
)

FRAIL = (1, 6, 6)


def lay(book: Any, phase: int, tide: int, ebb: int) -> None:
    book.state.phases[phase] = Phase(phase, tide, ebb)


@pytest.mark.rule("AX-END-1")
def test_a_fallen_character_is_out_their_orders_lapse_and_what_they_laid_stays() -> None:
    book = begin(FRAIL, FOUR_FIVE_FOUR, check_from=99)
    go(book, 1, 1)
    events = orders(book, (blitz(1), backbone(), battle()), (), dice=[own(9), opposing(3), own(1), opposing(9)])
    assert of_kind(events, CharacterFell) == [CharacterFell(seat=R1)]
    assert values(book, 1) == (1, 1) and winner(book) is None
    with refused("character.out", book.state):
        book.when(SetLocation(phase=2), by=R1)
    assert book.state.storm.turn == 2 and [r.id for r in book.state.rebels()] == [R2]


@pytest.mark.rule("AX-END-2", "AX-AMB-12")
def test_equality_is_not_enough_and_every_turn_is_checked() -> None:
    book = begin(phases=4)
    lay(book, 3, 0, 2)
    assert of_kind(turn(book, 1, ()), TurnChecked) == [TurnChecked(total_tide=2 + 1 - 1, total_ebb=2, counts=True)]
    assert winner(book) is None
    lay(book, 3, 0, 3)
    turn(book, 2, ())
    assert winner(book) == "rebel" and book.state.info.status is Status.FINISHED


@pytest.mark.rule("AX-END-3", "AX-AMB-13")
def test_albraxas_falls_even_with_the_last_rebel_and_at_once() -> None:
    book = begin(FRAIL, albraxas=(1, 10, 9))
    go(book, 1)
    events = orders(
        book, (backbone(), HOLE_UP), albraxas=(backbone(), HOLE_UP), dice=[own(1), opposing(9), own(1), opposing(9)]
    )
    assert of_kind(events, GameFinished) == [event_like(GameFinished, winner="rebel", reason="albraxas_fell")]
    assert not of_kind(events, TurnChecked)


@pytest.mark.rule("AX-END-4", "AX-AMB-26")
def test_when_the_last_rebel_falls_albraxas_wins_unless_there_is_more_ebb() -> None:
    book = begin(FRAIL, check_from=50)
    events = turn(book, 1, (backbone(), HOLE_UP), [own(1), opposing(9)])
    assert of_kind(events, TurnChecked) == [TurnChecked(total_tide=10, total_ebb=0, counts=True)]
    assert of_kind(events, GameFinished) == [event_like(GameFinished, winner="albraxas", reason="rebels_fell")]


@pytest.mark.rule("AX-END-5", "AX-AMB-14")
def test_the_turn_in_phase_two_is_the_last() -> None:
    book = begin(phases=5)
    for phase in (1, 2, 3, 4):
        assert winner(book) is None
        events = turn(book, phase, ())
    assert of_kind(events, GameFinished) == [event_like(GameFinished, winner="albraxas", reason="arrived")]
    assert book.state.storm.turn == 4 and book.state.characters[AX].phase == 2


@pytest.mark.rule("AX-END-6", "AX-AMB-24")
def test_an_early_check_is_reported_but_does_not_count() -> None:
    book = begin(check_from=3)
    lay(book, 50, 0, 30)
    event = [of_kind(turn(book, phase, ()), TurnChecked)[0].counts for phase in (1, 2, 3)]
    assert event == [False, False, True] and winner(book) == "rebel"


@pytest.mark.rule("AX-END-7", "AX-AMB-29")
def test_each_rebel_concedes_alone_and_the_last_one_ends_the_game() -> None:
    book = begin(FOUR_FIVE_FOUR, FOUR_FIVE_FOUR)
    assert book.when(Concede(), by=R1) == [Conceded(seat=R1)]
    with refused("character.out", book.state):
        book.when(Concede(), by=R1)
    go_on = book.when(SetLocation(phase=9), by=R2)
    assert len(go_on) == 1
    events = book.when(Concede(), by=R2)
    assert of_kind(events, GameFinished) == [event_like(GameFinished, winner="albraxas", reason="conceded")]
    with refused("phase.closed", book.state):
        book.when(Concede(), by=AX)


@pytest.mark.rule("AX-END-7", "AX-END-4")
@pytest.mark.parametrize(("ebb", "won", "reason"), [(0, "albraxas", "rebels_fell"), (11, "rebel", "ebb_over_tide")])
def test_when_the_last_rebel_concedes_and_another_fell_the_check_decides(ebb: int, won: str, reason: str) -> None:
    book = begin(FRAIL, FOUR_FIVE_FOUR, check_from=99)
    go(book, 1, 1)
    orders(book, (backbone(),), (), dice=[own(1), opposing(9)])
    assert [r.id for r in book.state.rebels()] == [R2]
    lay(book, 50, 0, ebb)
    events = book.when(Concede(), by=R2)
    assert of_kind(events, TurnChecked) == [event_like(TurnChecked, total_ebb=ebb, counts=True)]
    assert of_kind(events, GameFinished) == [event_like(GameFinished, winner=won, reason=reason)]
    assert not book.state.prompts and book.state.info.status is Status.FINISHED


@pytest.mark.rule("AX-END-7")
def test_nobody_waits_for_a_rebel_who_has_conceded() -> None:
    book = begin(FOUR_FIVE_FOUR, FOUR_FIVE_FOUR)
    book.when(Concede(), by=R1)
    book.when(SetLocation(phase=9), by=R2)
    (places,) = of_kind(book.when(LockLocation(), by=R2), LocationsRevealed)
    assert {(p.seat, p.phase) for p in places.places} == {(R1, 1), (R2, 9)}
    assert [p.owners for p in book.state.prompts.values()] == [(f"seat:{R2}", f"seat:{AX}")]
    book.when(WriteOrders(), by=R2)
    (shown,) = of_kind(book.when(WriteOrders(), by=AX), OrdersRevealed)
    assert {(p.seat, p.orders) for p in shown.papers} == {(R1, ()), (R2, ()), (AX, ())}


@pytest.mark.rule("AX-END-7", "AX-AMB-29")
def test_albraxas_concedes() -> None:
    book = begin()
    book.when(Concede(), by=AX)
    assert winner(book) == "rebel"


@pytest.mark.rule("AX-END-7")
def test_a_seat_that_left_walks_on_and_holes_up_until_it_is_taken_again() -> None:
    book = begin(FOUR_FIVE_FOUR, FOUR_FIVE_FOUR, phases=9)
    go(book, 9, 4)
    book.when(WriteOrders(), by=R2)
    book.when(WriteOrders(), by=AX)
    events = book.when(LeaveSeat(), by=R1)
    assert events[0] == SeatLeft(seat=R1) and of_kind(events, OrdersRevealed)
    book.when(SetLocation(phase=5), by=R2)
    assert book.state.storm.step is Step.LOCATE
    events = book.when(LockLocation(), by=R2)
    assert [p.phase for e in of_kind(events, LocationsRevealed) for p in e.places] == [9, 5]
    book.when(WriteOrders(), by=R2)
    book.when(WriteOrders(), by=AX)
    assert book.state.storm.turn == 3
    book.when(HandOver(seat=R1, user=R1, reason="back"), by=GM)
    book.when(SetLocation(phase=6), by=R2)
    book.when(LockLocation(), by=R2)
    assert book.state.storm.step is Step.LOCATE  # R1 is waited for again


@pytest.mark.rule("AX-END-7")
def test_when_every_seat_was_left_the_game_plays_itself_out() -> None:
    book = begin(phases=400)
    book.when(LeaveSeat(), by=R1)
    events = book.when(LeaveSeat(), by=AX)
    assert winner(book) == "albraxas" and book.state.storm.turn == 399
    assert len(of_kind(events, TurnChecked)) == 399
    assert dump(log_folds_to_state(book, R1, AX)) == dump(book.state)
    with refused("phase.closed", book.state):
        book.when(LeaveSeat(), by=AX)


@pytest.mark.rule("CF-10")
@pytest.mark.parametrize(
    ("table", "row", "field", "value"),
    [("phases", "4", "tide", "-1"), ("characters", str(R1), "dynamism", "21"), ("storms", "", "check_from", "0")],
)
def test_an_amendment_that_breaks_an_invariant_is_refused(table: str, row: str, field: str, value: str) -> None:
    book = begin()
    row = row or str(book.state.info.id)
    change = Change(deed=Deed.ALTER, table=table, row=row, fields=(FieldChange(field=field, value=value),))
    with refused("amend.invalid"):
        book.when(Amend(changes=(change,), reason="wrong"), by=GM)
