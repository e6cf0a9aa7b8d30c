"""Shaping land (DW-LAND-*): prices, regions, what becomes of a square, whose leave is needed."""

from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest

from games.dawn.rules.advances import SetStandingAnswer
from games.dawn.rules.answering import AnswerLeave, OpenConflict, WithdrawPower
from games.dawn.rules.answers import LeaveAnswered, LeaveAsked
from games.dawn.rules.battles import fantastic_defence
from games.dawn.rules.bidding import Fold, PlaceBid
from games.dawn.rules.conflicts import ConflictOpened, ConflictResolved
from games.dawn.rules.land import ANSWERS, CHALLENGES, LandShaped, ShapeLand
from games.dawn.rules.powers import PowerDeclared, PowerFailed, PowerResolved, PowerWithdrawn
from games.dawn.rules.records import Region
from games.dawn.rules.turning import EndTurn, LeaveSeat
from games.dawn.rules.vocabulary import AdvanceKind, AdvanceWord, Climate, Place, ShapeKind, Terrain
from games.engine.board import Square
from games.engine.kernel import Actor, Event, Issuer
from games.engine.offers import EVERYTHING, SHOWN, Narrow, Offer
from games.engine.prompt import PromptOpened
from tests.playbook import Playbook, event_like, of_kind, refused
from tests.rules.dawn.stage import (
    HAVEN,
    A,
    B,
    C,
    D,
    asked,
    balances,
    begun,
    city,
    give,
    log_tells_the_state,
    people,
    playing,
    sound,
)

ROW = [(0, 0), (1, 0), (2, 0), (3, 0)]


def shape(*squares: tuple[int, int], kind: str = "mundane", terrain: str = "plains", **fields: Any) -> ShapeLand:
    places = tuple(Place(x=x, y=y) for x, y in squares)
    return ShapeLand(kind=ShapeKind(kind), squares=places, terrain=Terrain(terrain), **fields)


def owned(book: Playbook, seat: UUID, *squares: tuple[int, int]) -> None:
    """Let a god have shaped squares."""
    for at in squares:
        book.state.squares[at] = replace(book.state.squares[at], shaped_by=seat)


def answer(book: Playbook, seat: UUID, yes: bool) -> list[Event]:
    return book.when(AnswerLeave(prompt=asked(book), yes=yes), by=seat)


def bid(book: Playbook, seat: UUID, total: int) -> list[Event]:
    (conflict,) = book.state.conflicts
    return book.when(PlaceBid(conflict=conflict, total=total), by=seat)


def fold(book: Playbook, seat: UUID) -> list[Event]:
    (conflict,) = book.state.conflicts
    return book.when(Fold(conflict=conflict), by=seat)


def offers(book: Playbook, seat: UUID, narrow: Narrow = EVERYTHING) -> list[Offer]:
    return list(ShapeLand.narrowed(book.state, Actor(Issuer.SEAT, seat=seat), narrow))


def foretold(book: Playbook, command: ShapeLand, seat: UUID = A) -> Any:
    actor = Actor(Issuer.SEAT, seat=seat)
    return command.foretell(book.state, book.context(actor), actor)


# -- DW-LAND-1: one shaping, one region ------------------------------------------------------------------------------


@pytest.mark.rule("DW-EX-06", "DW-EX-07", "DW-LAND-1")
@pytest.mark.parametrize(
    ("kind", "squares", "age", "price"),
    [
        ("mundane", 4, 1, 4),
        ("mundane", 4, 2, 12),
        ("mundane", 4, 3, 20),
        ("fantastic", 3, 1, 9),
        ("fantastic", 3, 2, 15),
        ("fantastic", 3, 3, 24),
    ],
)
def test_each_square_costs_the_price_of_the_age(kind: str, squares: int, age: int, price: int):
    book = playing(age=age, a=30)
    events = book.when(shape(*ROW[:squares], kind=kind), by=A)
    assert of_kind(events, PowerDeclared, LandShaped, PowerResolved) == [
        event_like(PowerDeclared, price=price, escrow=price),
        event_like(LandShaped, by=A),
        event_like(PowerResolved),
    ]
    assert balances(book, A) == [30 - price] and sound(book)
    with refused("points.short", book.state):
        book.when(shape(*[(x, y) for y in (1, 2, 3, 4) for x in range(6)] + ROW, kind="fantastic"), by=A)


@pytest.mark.rule("DW-LAND-1")
def test_the_squares_become_one_named_region():
    book = playing(a=9)
    (made,) = of_kind(book.when(shape((1, 1), (1, 2), name="Long Meadow", text="Bells at dusk."), by=A), LandShaped)
    assert book.state.regions[made.region] == Region(made.region, "Long Meadow", "Bells at dusk.", False, A)
    assert {at for at, square in book.state.squares.items() if square.region == made.region} == {(1, 1), (1, 2)}
    assert book.state.called(made.region) == "Long Meadow"
    (second,) = of_kind(book.when(shape((1, 2), (2, 2), terrain="swamp"), by=A), LandShaped)
    assert second.name == "Swamp" and book.state.squares[1, 1].region == made.region
    assert book.state.squares[1, 2].region == second.region != made.region


@pytest.mark.rule("DW-LAND-1", "DW-AMB-50")
@pytest.mark.parametrize(
    ("_case", "code", "squares"),
    [
        ("none", "squares.count", []),
        ("fifty-one", "squares.count", [(x, y) for y in range(6) for x in range(10)][:51]),
        ("the same twice", "squares.count", [(0, 0), (1, 0), (0, 0)]),
        ("two parts", "squares.apart", [(0, 0), (2, 0)]),
        ("only a corner in common", "squares.apart", [(0, 0), (1, 1)]),
        ("off the map", "square.off_map", [(9, 5), (10, 5)]),
        ("off the map in the north", "square.off_map", [(0, 0), (0, -1)]),
    ],
)
def test_one_to_fifty_different_squares_hang_together(_case: str, code: str, squares: list[tuple[int, int]]):
    book = begun(width=10, height=6)
    give(book, A, 60)
    with refused(code, book.state):
        book.when(shape(*squares), by=A)
    book.when(shape(*[(x, y) for y in range(6) for x in range(10)][:50]), by=A)
    assert balances(book, A) == [10]


# -- DW-LAND-2: what becomes of a square -----------------------------------------------------------------------------


@pytest.mark.rule("DW-LAND-2")
def test_fantastic_land_may_float_and_mundane_shaping_ends_both():
    book = playing(a=40)
    book.when(shape((0, 0), kind="fantastic", terrain="forest", climate=Climate.COLD, floating=True), by=A)
    square = book.state.squares[0, 0]
    assert (square.terrain, square.climate, square.fantastic, square.floating, square.shaped_by) == (
        Terrain.FOREST,
        Climate.COLD,
        True,
        True,
        A,
    )
    book.when(shape((0, 0), kind="fantastic", terrain="hills"), by=A)
    square = book.state.squares[0, 0]
    assert (square.terrain, square.climate, square.fantastic, square.floating) == (
        Terrain.HILLS,
        Climate.COLD,
        True,
        False,
    )
    book.when(shape((0, 0), kind="fantastic", floating=True), by=A)
    book.when(shape((0, 0), terrain="waste", climate=Climate.ARID), by=A)
    square = book.state.squares[0, 0]
    assert (square.terrain, square.climate, square.fantastic, square.floating) == (
        Terrain.WASTE,
        Climate.ARID,
        False,
        False,
    )
    assert sound(book)


@pytest.mark.rule("DW-LAND-2")
def test_earthly_land_does_not_float():
    book = playing(a=9)
    with refused("act.invalid", book.state):
        book.when(shape((0, 0), floating=True), by=A)
    book.state.squares[0, 0] = replace(book.state.squares[0, 0], floating=True)
    with pytest.raises(AssertionError):
        sound(book)


# -- DW-LAND-3: leave ------------------------------------------------------------------------------------------------


@pytest.mark.rule("DW-LAND-3")
def test_all_who_shaped_these_squares_are_asked_together_and_all_must_grant_it():
    book = playing(a=9)
    owned(book, C, (0, 0))
    owned(book, B, (2, 0))
    owned(book, A, (1, 0))
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
    owned(book, A, (0, 0))
    assert of_kind(book.when(shape((0, 0), (1, 0)), by=A), LeaveAsked, LandShaped) == [event_like(LandShaped)]


@pytest.mark.rule("DW-LAND-3")
def test_who_has_left_is_not_asked():
    book = playing(a=9)
    owned(book, B, (0, 0))
    book.when(LeaveSeat(), by=B)
    assert of_kind(book.when(shape((0, 0)), by=A), LeaveAsked, LandShaped) == [event_like(LandShaped)]


@pytest.mark.rule("DW-LAND-3")
def test_after_a_refusal_the_shaper_may_drop_it():
    book = playing(a=9, b=3)
    owned(book, B, (0, 0))
    book.when(shape(*ROW), by=A)
    before = {at: book.state.squares[at] for at in ROW}
    answer(book, B, False)
    events = book.when(WithdrawPower(prompt=asked(book)), by=A)
    assert of_kind(events, PowerWithdrawn) == [event_like(PowerWithdrawn, refund=4)]
    assert balances(book, A) == [9] and {at: book.state.squares[at] for at in ROW} == before and sound(book)


@pytest.mark.rule("DW-EX-44", "DW-LAND-3")
def test_a_conflict_lost_leaves_the_squares_as_they_were():
    book = playing(a=10, b=5)
    owned(book, B, (0, 0), (1, 0))
    before = {at: book.state.squares[at] for at in ROW}
    book.when(shape((0, 0), (1, 0)), by=A)
    assert balances(book, A) == [8]
    answer(book, B, False)
    book.when(OpenConflict(prompt=asked(book)), by=A)
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
        owned(book, seat, at)
    book.when(shape(*ROW), by=A)
    for seat, yes in ((C, False), (D, True), (B, False)):
        answer(book, seat, yes)
    events = book.when(OpenConflict(prompt=asked(book)), by=A)
    assert of_kind(events, ConflictOpened) == [event_like(ConflictOpened, invoker=A, challenger=B)]
    bid(book, A, 1)
    assert of_kind(fold(book, B), LandShaped, ConflictOpened) == []
    events = book.when(OpenConflict(prompt=asked(book)), by=A)
    assert of_kind(events, ConflictOpened) == [event_like(ConflictOpened, invoker=A, challenger=C)]
    events = bid(book, A, 3)
    assert of_kind(events, ConflictResolved, LandShaped) == [event_like(ConflictResolved), event_like(LandShaped)]
    assert balances(book, A) == [20 - 4 - 1 - 3] and sound(book)


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


@pytest.mark.rule("DW-LAND-5", "DW-AMB-10")
@pytest.mark.parametrize("kind", ["mundane", "fantastic"])
def test_a_city_is_drowned_only_with_its_controllers_leave(kind: str):
    book = playing(a=20, b=5)
    book.state.squares[1, 1] = replace(book.state.squares[1, 1], terrain=Terrain.PLAINS)
    city(book, people(book), controller=B)
    events = book.when(shape((1, 1), (1, 2), kind=kind, terrain="lake"), by=A)
    assert of_kind(events, LeaveAsked) == [event_like(LeaveAsked, seats=(B,), squares=(Place(x=1, y=1),))]
    question = next(e for e in of_kind(events, PromptOpened) if e.owners == (f"seat:{B}",))  # type: ignore[attr-defined]
    assert book.state.called(HAVEN) in question.question  # type: ignore[attr-defined]
    answer(book, B, False)
    book.when(OpenConflict(prompt=asked(book)), by=A)
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
    assert of_kind(book.when(shape((1, 1), terrain="ocean"), by=A), LeaveAsked) == [], "his own city"


# -- what is offered and foretold ------------------------------------------------------------------------------------


def test_the_offers_name_squares_words_and_the_price_of_a_square():
    book = playing(age=2, a=4)
    mundane, fantastic = offers(book, A)
    assert (mundane.price, mundane.legal) == (3, True)
    assert (fantastic.price, fantastic.barred.code if fantastic.barred else "") == (5, "points.short")
    assert (mundane.arguments["squares"].values or ())[6] == {"x": 0, "y": 1}
    assert "floating" not in mundane.arguments and fantastic.arguments["floating"].values == (False, True)
    assert mundane.arguments["terrain"].values == tuple(t.value for t in Terrain)
    with refused("turn.not_yours"):
        offers(book, B)


def test_a_large_map_is_offered_page_by_page():
    book = begun(width=24, height=18)
    first, second, third = (offers(book, A, Narrow(page=n))[0].arguments["squares"] for n in range(3))
    pages = [page.values or () for page in (first, second, third)]
    assert [len(page) for page in pages] == [SHOWN, SHOWN, 24 * 18 - 2 * SHOWN]
    assert len({(square["x"], square["y"]) for page in pages for square in page}) == 24 * 18
    assert (first.more, third.more) == (24 * 18 - SHOWN, 0)


@pytest.mark.rule("DW-LAND-3", "DW-LAND-5")
def test_a_foretelling_says_who_would_be_asked_and_nothing_of_what_they_would_answer():
    book = playing(a=3)
    book.state.squares[1, 1] = replace(book.state.squares[1, 1], terrain=Terrain.PLAINS)
    city(book, people(book), controller=C)
    owned(book, B, (1, 0), (1, 1))
    command = shape((0, 0), (1, 0), (1, 1), terrain="lake")
    told = foretold(book, command)
    assert [(p.what, p.key, p.odds[0].amount, p.squares) for p in told.prospects] == [
        ("shaped", "lake", 3, (Square(0, 0), Square(0, 1), Square(1, 1))),
        ("leave", str(B), 2, (Square(0, 1), Square(1, 1))),
        ("leave", str(C), 1, (Square(1, 1),)),
        ("drowned", str(HAVEN), 1, (Square(1, 1),)),
    ]
    assert (told.price, told.hidden, told.barred, told.exact) == (3, (ANSWERS,), None, True)
    assert [(step.does, step.amount, step.value) for step in told.steps] == [("add", 1, 1), ("multiply", 3, 3)]
    book.when(SetStandingAnswer(kind=AdvanceKind.LEAVE, answer=AdvanceWord.NEVER), by=B)
    assert foretold(book, command) == told
    events = book.when(command, by=A)
    assert of_kind(events, LeaveAsked) == [event_like(LeaveAsked, seats=(B, C))]


def test_a_foretelling_says_what_the_shaper_lacks_and_refuses_what_cannot_be():
    book = playing(a=2)
    assert foretold(book, shape(*ROW)).barred.code == "points.short"
    assert foretold(book, shape((0, 0)), seat=B).barred.code == "turn.not_yours"
    assert foretold(book, shape((0, 0))).barred is None and foretold(book, shape((0, 0))).hidden == ()
    book.state.set_course(open_challenge=True)
    assert foretold(book, shape((0, 0))).hidden == (CHALLENGES,)
    with refused("squares.apart"):
        foretold(book, shape((0, 0), (3, 3)))


def test_the_log_tells_the_land():
    book = begun(deadlines="post")
    book.when(shape((1, 1), (2, 1), name="Old Wood", terrain="forest"), by=A)
    book.when(EndTurn(), by=A)
    book.when(shape((2, 1), kind="fantastic", climate=Climate.POLAR, floating=True, text="Ice."), by=B)
    answer(book, A, False)
    book.when(OpenConflict(prompt=asked(book)), by=B)
    bid(book, B, 1)
    fold(book, A)
    assert book.state.squares[2, 1].shaped_by == B and sound(book)
    assert log_tells_the_state(book, deadlines="post")
