"""Shaping land (DW-LAND-1, DW-LAND-2): prices, regions, what becomes of a square, legal commands and forecasts."""

from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest

from games.dawn.rules.land.commands import ShapeLand
from games.dawn.rules.land.events import LandShaped
from games.dawn.rules.land.shaping import ANSWERS
from games.dawn.rules.powers.answer_commands import OpenConflict
from games.dawn.rules.powers.events import LeaveAsked, PowerDeclared, PowerResolved
from games.dawn.rules.powers.forecast import CHALLENGES
from games.dawn.rules.races.commands import CreateRace
from games.dawn.rules.standing_answers.commands import SetStandingAnswer
from games.dawn.rules.state.records import Region
from games.dawn.rules.state.schema_types import AdvanceKind, AdvanceWord, Climate, ShapeKind, Terrain
from games.dawn.rules.turn.commands import EndTurn
from games.engine.board.board import Square
from games.engine.insight.domains import SHOWN, Choices, Flag, Range
from games.engine.insight.legal_commands import EVERYTHING, LegalCommand, LegalCommandFilter
from games.engine.kernel import Actor, Issuer
from tests.playbook import Playbook, event_like, of_kind, refused
from tests.rules.dawn.shaping import ROW, answer, bid, fold, set_shaper, shape
from tests.rules.dawn.stage import (
    HAVEN,
    A,
    B,
    C,
    balances,
    begin,
    city,
    give,
    inner_prompt,
    log_folds_to_state,
    people,
    playing,
    sound,
)


def legal_shapings(book: Playbook, seat: UUID, narrow: LegalCommandFilter = EVERYTHING) -> list[LegalCommand]:
    return list(ShapeLand.matching_legal_commands(book.state, Actor(Issuer.SEAT, seat=seat), narrow))


def forecast_of(book: Playbook, command: ShapeLand, seat: UUID = A) -> Any:
    actor = Actor(Issuer.SEAT, seat=seat)
    return command.forecast(book.state, book.context(actor), actor)


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
    assert book.state.title(made.region) == "Long Meadow"
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
    book = begin(width=10, height=6)
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


@pytest.mark.rule("DW-LAND-2", "DW-LAND-1")
@pytest.mark.parametrize("kind", list(ShapeKind))
def test_every_square_of_a_shaping_is_the_casters_and_keeps_its_climate_unless_one_is_named(kind: ShapeKind):
    book = playing(a=40)
    for at, climate in zip(ROW[:3], (Climate.COLD, Climate.ARID, Climate.POLAR), strict=True):
        book.state.squares[at] = replace(book.state.squares[at], climate=climate, shaped_by=None)
    untouched = book.state.squares[3, 0]
    book.when(shape(*ROW[:3], kind=kind.value, terrain="mountains"), by=A)
    assert [book.state.squares[at].climate for at in ROW[:3]] == [Climate.COLD, Climate.ARID, Climate.POLAR]
    shaped = {(s.terrain, s.fantastic, s.floating, s.shaped_by) for s in map(book.state.square, ROW[:3])}
    assert shaped == {(Terrain.MOUNTAINS, kind is ShapeKind.FANTASTIC, False, A)}
    assert book.state.squares[3, 0] == untouched
    book.when(shape(*ROW[:3], kind=kind.value, climate=Climate.TROPICAL), by=A)
    assert {book.state.squares[at].climate for at in ROW[:3]} == {Climate.TROPICAL}
    names = [region.name for region in book.state.regions.values()]
    assert names == ["Mountains", "Plains"]


@pytest.mark.rule("DW-LAND-2")
def test_earthly_land_does_not_float():
    book = playing(a=9)
    with refused("act.invalid", book.state):
        book.when(shape((0, 0), floating=True), by=A)
    book.state.squares[0, 0] = replace(book.state.squares[0, 0], floating=True)
    with pytest.raises(AssertionError):
        sound(book)


# -- legal commands and forecasts ------------------------------------------------------------------------------------


def test_legal_commands_have_squares_words_and_the_price_of_a_square():
    book = playing(age=2, a=4)
    mundane, fantastic = legal_shapings(book, A)
    assert (mundane.price, mundane.legal) == (3, True)
    assert (fantastic.price, fantastic.barred.code if fantastic.barred else "") == (5, "points.short")
    columns, rows = Range(low=0, high=5), Range(low=0, high=4)
    assert (mundane.domain("squares.x"), mundane.domain("squares.y")) == (columns, rows)
    assert "floating" not in mundane.arguments and fantastic.arguments["floating"] == Flag()
    assert mundane.choices("terrain") == tuple(t.value for t in Terrain)
    with refused("turn.not_yours"):
        legal_shapings(book, B)


def test_a_large_map_is_listed_page_by_page():
    book = begin(width=24, height=18)
    for at, square in list(book.state.squares.items()):
        book.state.squares[at] = replace(square, terrain=Terrain.PLAINS)
    actor = Actor(Issuer.SEAT, seat=A)
    listed = [CreateRace.matching_legal_commands(book.state, actor, LegalCommandFilter(page=n)) for n in range(3)]
    first, second, third = (legal.arguments["home"] for page in listed for legal in page)
    assert isinstance(first, Choices) and isinstance(second, Choices) and isinstance(third, Choices)
    pages = [page.values for page in (first, second, third)]
    assert [len(page) for page in pages] == [SHOWN, SHOWN, 24 * 18 - 2 * SHOWN]
    assert len({(square["x"], square["y"]) for page in pages for square in page}) == 24 * 18
    assert (first.more, third.more) == (24 * 18 - SHOWN, 0)


@pytest.mark.rule("DW-LAND-3", "DW-LAND-5")
def test_a_forecast_says_who_would_be_asked_and_nothing_of_what_they_would_answer():
    book = playing(a=3)
    book.state.squares[1, 1] = replace(book.state.squares[1, 1], terrain=Terrain.PLAINS)
    city(book, people(book), controller=C)
    set_shaper(book, B, (1, 0), (1, 1))
    command = shape((0, 0), (1, 0), (1, 1), terrain="lake")
    found = forecast_of(book, command)
    assert [(p.what, p.key, p.odds[0].amount, p.squares) for p in found.prospects] == [
        ("shaped", "lake", 3, (Square(0, 0), Square(0, 1), Square(1, 1))),
        ("leave", str(B), 2, (Square(0, 1), Square(1, 1))),
        ("leave", str(C), 1, (Square(1, 1),)),
        ("drowned", str(HAVEN), 1, (Square(1, 1),)),
    ]
    assert (found.price, found.hidden, found.barred, found.exact) == (3, (ANSWERS,), None, True)
    assert [(step.does, step.amount, step.value) for step in found.steps] == [("add", 1, 1), ("multiply", 3, 3)]
    book.when(SetStandingAnswer(kind=AdvanceKind.LEAVE, answer=AdvanceWord.NEVER), by=B)
    assert forecast_of(book, command) == found
    events = book.when(command, by=A)
    assert of_kind(events, LeaveAsked) == [event_like(LeaveAsked, seats=(B, C))]


def test_a_forecast_says_what_the_shaper_lacks_and_refuses_what_cannot_be():
    book = playing(a=2)
    assert forecast_of(book, shape(*ROW)).barred.code == "points.short"
    assert forecast_of(book, shape((0, 0)), seat=B).barred.code == "turn.not_yours"
    assert forecast_of(book, shape((0, 0))).barred is None and forecast_of(book, shape((0, 0))).hidden == ()
    book.state.set_course(open_challenge=True)
    assert forecast_of(book, shape((0, 0))).hidden == (CHALLENGES,)
    with refused("squares.apart"):
        forecast_of(book, shape((0, 0), (3, 3)))


def test_the_log_has_a_sentence_for_each_event_of_land():
    book = begin(deadlines="post")
    book.when(shape((1, 1), (2, 1), name="Old Wood", terrain="forest"), by=A)
    book.when(EndTurn(), by=A)
    book.when(shape((2, 1), kind="fantastic", climate=Climate.POLAR, floating=True, text="Ice."), by=B)
    answer(book, A, False)
    book.when(OpenConflict(prompt=inner_prompt(book)), by=B)
    bid(book, B, 1)
    fold(book, A)
    assert book.state.squares[2, 1].shaped_by == B and sound(book)
    assert log_folds_to_state(book, deadlines="post")
