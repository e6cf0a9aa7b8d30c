"""Whose leave a shaping needs (DW-LAND-3, DW-LAND-5): owners, refusers, drowned cities; fantastic ones (DW-LAND-4)."""

from dataclasses import replace
from datetime import timedelta

import pytest

from games.dawn.rules.command.arguments import Act, Args
from games.dawn.rules.command.commands import CommandRace
from games.dawn.rules.conflict.events import ConflictOpened, ConflictResolved
from games.dawn.rules.land.events import LandShaped
from games.dawn.rules.powers.answer_commands import OpenConflict, WithdrawPower
from games.dawn.rules.powers.events import DeclinedWithoutPoints, LeaveAnswered, LeaveAsked, PowerFailed, PowerWithdrawn
from games.dawn.rules.state.schema_types import Pace, Place, Terrain
from games.dawn.rules.trade.commands import GivePoints
from games.dawn.rules.turn.commands import LeaveSeat
from games.dawn.rules.war.battles import fantastic_defence
from games.engine.prompts.prompt import PromptOpened
from tests.playbook import event_like, of_kind, refused
from tests.rules.dawn.shaping import ROW, answer, bid, fold, set_shaper, shape
from tests.rules.dawn.stage import ELVES, HAVEN, A, B, C, D, balances, city, inner_prompt, order, people, playing, sound

# -- DW-LAND-3: leave ------------------------------------------------------------------------------------------------


@pytest.mark.rule("DW-LAND-3", "DW-LAND-2")
def test_all_who_shaped_these_squares_are_asked_together_and_all_must_grant_it():
    book = playing(a=9)
    set_shaper(book, C, (0, 0))
    set_shaper(book, B, (2, 0))
    set_shaper(book, A, (1, 0))
    events = book.when(shape(*ROW), by=A)
    squares = (Place(x=0, y=0), Place(x=2, y=0))
    assert of_kind(events, LeaveAsked, LandShaped) == [event_like(LeaveAsked, seats=(B, C), squares=squares)]
    assert of_kind(answer(book, C, True), LeaveAnswered, LandShaped) == [event_like(LeaveAnswered, seat=C, yes=True)]
    assert of_kind(answer(book, B, True), LeaveAnswered, LandShaped) == [
        event_like(LeaveAnswered, seat=B, yes=True),
        event_like(LandShaped),
    ]
    assert {book.state.squares[at].shaped_by for at in ROW} == {A} and balances(book, A) == [5] and sound(book)


@pytest.mark.rule("DW-LAND-3")
def test_own_squares_and_those_that_nobody_shaped_need_no_leave():
    book = playing(a=9)
    set_shaper(book, A, (0, 0))
    assert of_kind(book.when(shape((0, 0), (1, 0)), by=A), LeaveAsked, LandShaped) == [event_like(LandShaped)]


@pytest.mark.rule("DW-LAND-3")
def test_a_shaper_whose_seat_was_left_is_not_asked():
    book = playing(a=9)
    set_shaper(book, B, (0, 0))
    book.when(LeaveSeat(), by=B)
    assert of_kind(book.when(shape((0, 0)), by=A), LeaveAsked, LandShaped) == [event_like(LandShaped)]


@pytest.mark.rule("DW-LAND-3")
def test_after_a_refusal_the_shaper_may_drop_it():
    book = playing(a=9, b=3)
    set_shaper(book, B, (0, 0))
    book.when(shape(*ROW), by=A)
    before = {at: book.state.squares[at] for at in ROW}
    answer(book, B, False)
    events = book.when(WithdrawPower(prompt=inner_prompt(book)), by=A)
    assert of_kind(events, PowerWithdrawn) == [event_like(PowerWithdrawn, refund=4)]
    assert balances(book, A) == [9] and {at: book.state.squares[at] for at in ROW} == before and sound(book)


@pytest.mark.rule("DW-EX-44", "DW-LAND-3")
def test_a_conflict_lost_leaves_the_squares_as_they_were():
    book = playing(a=10, b=5)
    set_shaper(book, B, (0, 0), (1, 0))
    before = {at: book.state.squares[at] for at in ROW}
    book.when(shape((0, 0), (1, 0)), by=A)
    assert balances(book, A) == [8]
    answer(book, B, False)
    book.when(OpenConflict(prompt=inner_prompt(book)), by=A)
    bid(book, A, 1)
    bid(book, B, 2)
    events = fold(book, A)
    assert of_kind(events, ConflictResolved, PowerFailed) == [
        event_like(ConflictResolved, paid_invoker=1, paid_challenger=2),
        event_like(PowerFailed, refund=2),
    ]
    assert balances(book, A, B) == [9, 3] and {at: book.state.squares[at] for at in ROW} == before and sound(book)


@pytest.mark.rule("DW-LAND-3", "DW-AMB-36")
def test_every_refuser_must_be_beaten_in_turn_order_and_between_them_the_shaper_may_stop():
    book = playing(4, a=20, b=3, c=3, d=3)
    for seat, at in zip((D, C, B), ROW, strict=False):
        set_shaper(book, seat, at)
    book.when(shape(*ROW), by=A)
    for seat, yes in ((C, False), (D, True), (B, False)):
        answer(book, seat, yes)
    events = book.when(OpenConflict(prompt=inner_prompt(book)), by=A)
    assert of_kind(events, ConflictOpened) == [event_like(ConflictOpened, invoker=A, challenger=B)]
    bid(book, A, 1)
    assert of_kind(fold(book, B), LandShaped, ConflictOpened) == []
    events = book.when(OpenConflict(prompt=inner_prompt(book)), by=A)
    assert of_kind(events, ConflictOpened) == [event_like(ConflictOpened, invoker=A, challenger=C)]
    events = bid(book, A, 3)
    assert of_kind(events, ConflictResolved, LandShaped) == [event_like(ConflictResolved), event_like(LandShaped)]
    assert balances(book, A) == [20 - 4 - 1 - 3] and sound(book)


@pytest.mark.rule("DW-LAND-3")
def test_a_caster_without_a_point_is_not_asked_whether_to_fight_for_leave():
    book = playing(a=4, b=3)
    set_shaper(book, B, (0, 0))
    book.when(shape(*ROW), by=A)
    events = answer(book, B, False)
    assert of_kind(events, DeclinedWithoutPoints, PowerWithdrawn) == [
        event_like(DeclinedWithoutPoints, seat=A),
        event_like(PowerWithdrawn),
    ]


@pytest.mark.rule("DW-LAND-3", "DW-DC-2")
def test_a_god_who_grants_leave_is_not_fought_and_a_conflict_needs_a_point():
    book = playing(a=5, b=3, c=3)
    set_shaper(book, B, (0, 0))
    set_shaper(book, C, (1, 0))
    book.when(shape(*ROW), by=A)
    answer(book, B, True)
    answer(book, C, False)
    decide = inner_prompt(book)
    with refused("prompt.not_yours", book.state):
        book.when(WithdrawPower(prompt=decide), by=C)
    book.when(GivePoints(to=B, amount=1), by=A)
    with refused("points.short", book.state):
        book.when(OpenConflict(prompt=decide), by=A)
    book.when(GivePoints(to=A, amount=1), by=B)
    events = book.when(OpenConflict(prompt=decide), by=A)
    assert of_kind(events, ConflictOpened) == [event_like(ConflictOpened, invoker=A, challenger=C)]
    bid(book, A, 1)
    assert of_kind(fold(book, C), LandShaped, ConflictOpened) == [event_like(LandShaped)]
    assert balances(book, A, B, C) == [0, 3, 3] and sound(book)


@pytest.mark.rule("DW-LAND-3", "DW-AMB-36")
@pytest.mark.parametrize("drops", [True, False])
def test_after_a_conflict_won_the_shaper_may_still_drop_it_or_lose_to_the_next(drops: bool):
    book = playing(a=9, b=3, c=3)
    set_shaper(book, B, (0, 0))
    set_shaper(book, C, (1, 0))
    before = dict(book.state.squares)
    book.when(shape(*ROW), by=A)
    answer(book, B, False)
    answer(book, C, False)
    book.when(OpenConflict(prompt=inner_prompt(book)), by=A)
    bid(book, A, 1)
    fold(book, B)
    if drops:
        events = book.when(WithdrawPower(prompt=inner_prompt(book)), by=A)
        assert of_kind(events, PowerWithdrawn, LandShaped) == [event_like(PowerWithdrawn, refund=4)]
    else:
        book.when(OpenConflict(prompt=inner_prompt(book)), by=A)
        bid(book, A, 1)
        bid(book, C, 2)
        assert of_kind(fold(book, A), PowerFailed, LandShaped) == [event_like(PowerFailed, refund=4)]
    assert balances(book, A) == [9 - 1 if drops else 9 - 2] and dict(book.state.squares) == before and sound(book)


@pytest.mark.rule("DW-LAND-3", "DW-AMB-31")
@pytest.mark.parametrize(("deadlines", "wait"), [("live", timedelta(seconds=90)), ("post", timedelta(hours=24))])
def test_silence_refuses_and_then_withdraws(deadlines: str, wait: timedelta):
    book = playing(a=9)
    book.state.set_course(deadlines=Pace(deadlines))
    set_shaper(book, B, (0, 0))
    book.when(shape((0, 0)), by=A)
    assert of_kind(book.wait(wait), LeaveAnswered) == [event_like(LeaveAnswered, seat=B, yes=False)]
    assert of_kind(book.wait(wait), PowerWithdrawn) == [event_like(PowerWithdrawn, refund=1)]
    assert balances(book, A) == [9] and sound(book)


# -- DW-LAND-4, 5: cities --------------------------------------------------------------------------------------------


@pytest.mark.rule("DW-LAND-4", "DW-AMB-9")
def test_a_city_has_one_more_defence_while_its_square_is_fantastic():
    book = playing(a=20)
    haven = book.state.cities[city(book, people(book))]
    assert fantastic_defence(book.state, haven) == 0
    book.when(shape((1, 1), kind="fantastic"), by=A)
    assert fantastic_defence(book.state, haven) == 1
    book.when(shape((1, 1)), by=A)
    assert fantastic_defence(book.state, haven) == 0


@pytest.mark.rule("DW-LAND-4", "DW-AMB-9")
def test_it_does_not_matter_which_came_first_the_city_or_the_fantastic_land():
    book = playing(age=2, a=20)
    people(book, A)
    order(book, ELVES, A)
    book.when(shape((1, 1), kind="fantastic"), by=A)
    founding = Args(square=Place(x=1, y=1), name="Haven")
    book.when(CommandRace(race=ELVES, act=Act.FOUND_CITY, args=founding), by=A)
    (haven,) = book.state.cities.values()
    assert fantastic_defence(book.state, haven) == 1
    book.when(shape((1, 1)), by=A)
    assert fantastic_defence(book.state, haven) == 0


@pytest.mark.rule("DW-LAND-5", "DW-AMB-10")
def test_a_drowned_citys_controller_and_the_squares_owner_are_asked_together_and_either_may_refuse():
    book = playing(a=20, b=5, c=5)
    book.state.squares[1, 1] = replace(book.state.squares[1, 1], terrain=Terrain.PLAINS)
    set_shaper(book, C, (1, 1))
    city(book, people(book), controller=B)
    events = book.when(shape((1, 1), terrain="ocean"), by=A)
    assert of_kind(events, LeaveAsked) == [event_like(LeaveAsked, seats=(B, C), squares=(Place(x=1, y=1),))]
    answer(book, C, True)
    answer(book, B, False)
    assert of_kind(book.when(WithdrawPower(prompt=inner_prompt(book)), by=A), PowerWithdrawn) != []
    assert book.state.squares[1, 1].terrain is Terrain.PLAINS
    assert of_kind(book.when(shape((1, 1), terrain="hills"), by=A), LeaveAsked) == [event_like(LeaveAsked, seats=(C,))]


@pytest.mark.rule("DW-LAND-5")
def test_a_god_who_is_asked_reads_which_cities_of_others_would_be_drowned():
    book = playing(a=20)
    for at, seat, number in (((1, 1), A, HAVEN), ((2, 1), B, ELVES)):
        book.state.squares[at] = replace(book.state.squares[at], terrain=Terrain.PLAINS)
        city(book, people(book), controller=seat, at=at, id=number)
    events = book.when(shape((1, 1), (2, 1), terrain="lake"), by=A)
    assert of_kind(events, LeaveAsked) == [event_like(LeaveAsked, seats=(B,), squares=(Place(x=2, y=1),))]
    (asking,) = (e.question for e in events if isinstance(e, PromptOpened))
    assert "drowns City e1." in asking and "City c1" not in asking


@pytest.mark.rule("DW-LAND-5")
def test_a_shaper_who_controls_the_city_drowns_it_and_granted_leave_drowns_it_without_a_conflict():
    book = playing(a=20)
    book.state.squares[1, 1] = replace(book.state.squares[1, 1], terrain=Terrain.PLAINS)
    city(book, people(book, B), controller=A)
    assert of_kind(book.when(shape((1, 1), terrain="lake"), by=A), LeaveAsked, LandShaped) == [event_like(LandShaped)]
    book.when(shape((1, 1), terrain="hills"), by=A)
    city(book, controller=B)
    book.when(shape((1, 1), terrain="lake"), by=A)
    assert of_kind(answer(book, B, True), ConflictOpened, LandShaped) == [event_like(LandShaped)]


@pytest.mark.rule("DW-LAND-5", "DW-AMB-10")
@pytest.mark.parametrize("kind", ["mundane", "fantastic"])
def test_a_city_is_drowned_only_with_its_controllers_leave(kind: str):
    book = playing(a=20, b=5)
    book.state.squares[1, 1] = replace(book.state.squares[1, 1], terrain=Terrain.PLAINS)
    city(book, people(book), controller=B)
    events = book.when(shape((1, 1), (1, 2), kind=kind, terrain="lake"), by=A)
    assert of_kind(events, LeaveAsked) == [event_like(LeaveAsked, seats=(B,), squares=(Place(x=1, y=1),))]
    question = next(e for e in of_kind(events, PromptOpened) if e.owners == (f"seat:{B}",))  # type: ignore[attr-defined]
    assert book.state.title(HAVEN) in question.question  # type: ignore[attr-defined]
    answer(book, B, False)
    book.when(OpenConflict(prompt=inner_prompt(book)), by=A)
    bid(book, A, 1)
    assert of_kind(fold(book, B), LandShaped) == [event_like(LandShaped, terrain=Terrain.LAKE)]
    assert HAVEN in book.state.cities and book.state.squares[1, 1].terrain is Terrain.LAKE and sound(book)


@pytest.mark.rule("DW-LAND-5", "DW-AMB-10")
def test_dry_land_under_a_city_and_water_that_was_there_need_no_controllers_leave():
    book = playing(a=20)
    city(book, people(book), controller=B)
    assert of_kind(book.when(shape((1, 1), terrain="lake"), by=A), LeaveAsked) == [], "it lay on the ocean before"
    assert of_kind(book.when(shape((1, 1), terrain="hills"), by=A), LeaveAsked) == []
    city(book, controller=A)
    assert of_kind(book.when(shape((1, 1), terrain="ocean"), by=A), LeaveAsked) == [], "A's own city"
