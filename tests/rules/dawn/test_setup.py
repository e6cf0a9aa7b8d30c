"""Setting up (section 1)."""

from datetime import timedelta

import pytest

from games.dawn.rules.founding import GodDefined, MapSet, SeatDropped
from games.dawn.rules.setup import ConfigureGame, DefineGod, SetMap, StartGame
from games.dawn.rules.turns import GameFinished, TurnStarted
from games.dawn.rules.vocabulary import Cell, Climate, Moral, Pace, Preset, Step, Terrain
from games.engine.conduct import Start
from games.engine.seating import Join
from games.engine.table import Role
from tests.playbook import Playbook, event_like, of_kind, refused
from tests.rules.dawn.stage import (
    GODS,
    HOST,
    RULESET,
    A,
    B,
    C,
    begun,
    define,
    fresh,
    log_tells_the_state,
    rising,
    setting_up,
    sound,
)


@pytest.mark.rule("DW-SET-1", "DW-AMB-1")
def test_there_are_two_to_ten_gods():
    with refused("seats.few"):
        Playbook(RULESET, fresh(1)).when(Start(), by=HOST)
    book = setting_up(3)
    for seats in (1, 2, 11):
        with refused("config.range", book.state):
            book.when(ConfigureGame(seats=seats), by=HOST)
    book.when(ConfigureGame(seats=3), by=HOST)
    with refused("seats.full", book.state):
        book.when(Join(name="A fourth"), by=HOST)


@pytest.mark.rule("DW-SET-2")
def test_a_god_has_a_name_a_portfolio_and_a_moral_alignment():
    book = setting_up()
    assert of_kind(define(book, A, "Aurin"), GodDefined) == [
        event_like(GodDefined, name="Aurin", moral=Moral.GOOD, ethical=None, warnings=())
    ]
    for portfolio in ((), ("a",) * 6, (" ",)):
        with refused("god.invalid", book.state):
            book.when(DefineGod(name="Borea", portfolio=portfolio, moral=Moral.EVIL), by=B)
    with refused("god.invalid", book.state):
        book.when(DefineGod(name="AURIN", portfolio=("winds",), moral=Moral.EVIL), by=B)
    events = book.when(DefineGod(name="Borea", portfolio=("winds",), moral=Moral.EVIL), by=B)
    assert events == [event_like(GodDefined, warnings=("portfolio.advised",))]


@pytest.mark.rule("DW-SET-3", "DW-SET-4", "DW-AMB-49")
def test_the_host_draws_a_rectangle_that_nobody_has_shaped():
    book = setting_up()
    assert {s.terrain for s in book.state.squares.values()} == {Terrain.OCEAN} and len(book.state.squares) == 30
    cells = tuple(Cell(terrain=Terrain.PLAINS if n == 6 else Terrain.ICE, climate=Climate.COLD) for n in range(20))
    assert of_kind(book.when(SetMap(width=5, height=4, cells=cells), by=HOST), MapSet) == [
        event_like(MapSet, width=5, height=4)
    ]
    assert book.state.squares[1, 1].terrain is Terrain.PLAINS and len(book.state.squares) == 20
    assert {s.shaped_by for s in book.state.squares.values()} == {None}
    for wrong in (
        SetMap(width=3, height=4, preset=Preset.ALL_OCEAN),
        SetMap(width=5, height=65, preset=Preset.ALL_OCEAN),
        SetMap(width=5, height=4, cells=cells[:-1]),
        SetMap(width=5, height=4),
    ):
        with refused("map.invalid", book.state):
            book.when(wrong, by=HOST)


@pytest.mark.rule("DW-SET-6", "DW-AMB-2")
def test_neighbours_share_an_edge():
    state = setting_up().state
    assert state.neighbours((0, 0)) == [(1, 0), (0, 1)]
    assert state.neighbours((2, 2)) == [(2, 1), (1, 2), (3, 2), (2, 3)]
    assert state.connected([(0, 0), (1, 0), (1, 1)]) and not state.connected([(0, 0), (1, 1)])


@pytest.mark.rule("DW-SET-7")
def test_options_hold_from_the_start():
    book = setting_up(open_challenge=True)
    assert book.state.course.open_challenge
    book.when(ConfigureGame(seats=4, free_alignment=True, deadlines=Pace.POST), by=HOST)
    course = book.state.course
    assert (course.seats, course.free_alignment, course.open_challenge, course.deadlines) == (4, True, False, "post")
    define(book, A)
    define(book, B)
    book.when(StartGame(), by=HOST, dice=rising(2))
    with refused("phase.closed", book.state):
        book.when(ConfigureGame(seats=4), by=HOST)
    book.wait(timedelta(hours=71))
    assert book.state.course.active == A


@pytest.mark.rule("DW-SET-8")
def test_two_gods_are_enough_and_the_others_are_dropped():
    book = setting_up(3)
    define(book, A)
    with refused("game.not_ready", book.state):
        book.when(StartGame(), by=HOST)
    define(book, C)
    events = book.when(StartGame(), by=HOST, dice=rising(2))
    assert of_kind(events, SeatDropped, TurnStarted) == [
        event_like(SeatDropped, seat=B),
        event_like(TurnStarted, seat=A),
    ]
    assert book.state.seats[B].role is Role.OBSERVER and sound(book)


@pytest.mark.rule("DW-SET-8", "DW-AMB-31")
def test_at_its_deadline_the_set_up_begins_the_game_or_closes_it():
    book = setting_up(2)
    define(book, A)
    events = book.wait(timedelta(minutes=60))
    assert of_kind(events, GameFinished) == [event_like(GameFinished, reason="unplayed")]
    assert book.state.course.step is Step.FINISHED and log_tells_the_state(book, 2)
    book = setting_up(2)
    define(book, A)
    define(book, B)
    assert of_kind(book.wait(timedelta(minutes=61)), TurnStarted) != []


def test_gods_become_what_they_are_before_the_start_only():
    book = begun()
    with refused("phase.closed", book.state):
        define(book, GODS[0])
