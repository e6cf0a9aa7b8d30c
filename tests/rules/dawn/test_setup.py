"""Setting up (section 1)."""

from dataclasses import replace
from datetime import timedelta
from uuid import UUID

import pytest
from pydantic import ValidationError

from games.dawn.rules.setup.commands import ConfigureGame, DefineGod, SetMap
from games.dawn.rules.setup.events import GodDefined, MapSet, SeatDropped
from games.dawn.rules.state.options import DawnOptions
from games.dawn.rules.state.records import God, Square
from games.dawn.rules.state.schema_types import Asked, Cell, Climate, Ethical, Moral, Pace, Preset, Step, Terrain
from games.dawn.rules.turn.events import GameFinished, TurnStarted
from games.engine.audience import reader
from games.engine.game_state import Role
from games.engine.kernel import Actor, Issuer
from games.engine.lifecycle.gm_commands import EndSetup, Start
from games.engine.lifecycle.seating import HandOver, Join
from games.engine.lifecycle.waiting import waiting_for
from tests.playbook import Playbook, event_like, of_kind, refused
from tests.rules.dawn.stage import (
    GODS,
    HOST,
    RULESET,
    A,
    B,
    C,
    begin,
    define,
    fresh,
    incomes,
    log_folds_to_state,
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
    for seats in (10, 3):
        book.when(ConfigureGame(seats=seats), by=HOST)
        assert book.state.course.seats == seats
    with refused("seats.full", book.state):
        book.when(Join(name="A fourth"), by=HOST)


@pytest.mark.rule("DW-SET-1", "DW-AMB-1")
def test_a_tenth_god_finds_a_seat_and_an_eleventh_does_not():
    book = Playbook(RULESET, fresh(2))
    for number in range(3, 11):
        book.when(Join(name=f"God no. {number}"), by=HOST)
    with refused("seats.full", book.state):
        book.when(Join(name="God no. 11"), by=HOST)
    book.when(Start(), by=HOST)
    for number, seat in enumerate(book.state.players()):
        book.when(DefineGod(name=f"God {number}", portfolio=("a", "b"), moral=Moral.EVIL), by=seat.id)
    book.when(EndSetup(), by=HOST)
    assert len(book.state.course.order) == 10 and sound(book)
    for seats in (1, 11):
        with pytest.raises(ValidationError):
            DawnOptions(seats=seats)
    assert [DawnOptions(seats=seats).seats for seats in (2, 10)] == [2, 10]
    two = begin(2)
    assert set(two.state.course.order) == {A, B} and sound(two), "two are enough"


@pytest.mark.rule("DW-SET-2")
@pytest.mark.parametrize(
    ("aspects", "warnings"),
    [(1, ("portfolio.advised",)), (2, ()), (3, ()), (4, ("portfolio.advised",)), (5, ("portfolio.advised",))],
)
def test_two_or_three_aspects_are_advised_and_five_are_the_most(aspects: int, warnings: tuple[str, ...]):
    book = setting_up()
    portfolio = tuple(f"aspect {n}" for n in range(aspects))
    events = book.when(DefineGod(name="Aurin", portfolio=portfolio, moral=Moral.NEUTRAL), by=A)
    assert of_kind(events, GodDefined) == [event_like(GodDefined, portfolio=portfolio, warnings=warnings)]
    assert book.state.gods[A].portfolio == portfolio


@pytest.mark.rule("DW-SET-2")
def test_a_god_is_described_whole_and_may_be_described_anew():
    book = setting_up()
    values = {"name": "Q" * 80, "portfolio": ("rivers", "storms"), "moral": Moral.EVIL}
    book.when(DefineGod(**values, ethical=Ethical.CHAOTIC, text="Old and wet."), by=A)
    assert book.state.gods[A] == God(A, "Q" * 80, ("rivers", "storms"), Moral.EVIL, Ethical.CHAOTIC, "Old and wet.")
    for wrong in ({"name": ""}, {"name": "Q" * 81}, {"moral": None}, {"moral": "bored"}, {"ethical": "bored"}):
        with pytest.raises(ValidationError):
            DefineGod(**{**values, **wrong})
    with pytest.raises(ValidationError):
        DefineGod(name="Aurin", portfolio=("rivers",))
    define(book, A, "Aurin")
    assert (book.state.gods[A].name, book.state.gods[A].ethical) == ("Aurin", None)


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


@pytest.mark.rule("DW-SET-2")
def test_who_has_said_which_god_they_are_is_waited_for_no_more_and_may_be_another_still():
    book = setting_up(2)
    define(book, A)
    assert [each.owner for each in waiting_for(book.state) if each.must] == [reader(B)]
    define(book, A, "Aurin")
    assert [each.owner for each in waiting_for(book.state) if each.must] == [reader(B)]
    book.when(Join(name="Who comes late"), by=Actor(Issuer.SEAT, user=UUID(int=99)))
    late = next(seat.id for seat in book.state.players() if seat.name == "Who comes late")
    (unasked,) = of_kind(define(book, late, "Ciel"), GodDefined)
    assert unasked.setup_prompt is None
    assert len(book.state.answers) == 1 and log_folds_to_state(book, 2)


@pytest.mark.rule("DW-SET-3", "DW-SET-4", "DW-AMB-49")
def test_the_host_draws_a_rectangle_that_nobody_has_shaped():
    assert SetMap.issuers == {Issuer.HOST, Issuer.GM}
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
        SetMap(width=4, height=5, preset=Preset.ALL_OCEAN, rows=("PPPP",) * 5),
        SetMap(rows=("PPPP",) * 4, cells=cells),
        SetMap(rows=("PPPPP",) * 3),
        SetMap(rows=("PPP",) * 4),
        SetMap(rows=("PPPPP",) * 4, width=4),
        SetMap(rows=("PPPPP",) * 4, height=5),
        SetMap(cells=cells),
    ):
        with refused("map.invalid", book.state):
            book.when(wrong, by=HOST)


@pytest.mark.rule("DW-SET-3", "DW-SET-4")
def test_a_map_of_letters_is_laid_as_one_of_cells():
    book = setting_up()
    book.when(SetMap(rows=("pfdmi", "WPPPP", "PPPPP", "PPPPW ")), by=HOST)
    assert [book.state.squares[x, 0].terrain for x in range(5)] == [
        Terrain.PLAINS,
        Terrain.FOREST,
        Terrain.DESERT,
        Terrain.MOUNTAINS,
        Terrain.ICE,
    ]
    assert book.state.squares[0, 1].terrain is book.state.squares[4, 3].terrain is Terrain.OCEAN
    assert len(book.state.squares) == 20
    with refused("map.invalid", book.state) as caught:
        book.when(SetMap(rows=("PPPP", "PPQP", "PPPP", "PPPP")), by=HOST)
    assert (caught.value.facts["line"], caught.value.facts["column"]) == (2, 3)


@pytest.mark.rule("DW-SET-3")
def test_a_side_has_4_to_64_squares():
    book = setting_up()
    for width, height in ((4, 64), (64, 4)):
        book.when(SetMap(width=width, height=height, preset=Preset.ALL_OCEAN), by=HOST)
        assert set(book.state.squares) == {(x, y) for x in range(width) for y in range(height)}
    for width, height in ((3, 4), (4, 3), (65, 4), (4, 65)):
        with refused("map.invalid", book.state):
            book.when(SetMap(width=width, height=height, preset=Preset.ALL_OCEAN), by=HOST)
    with refused("square.off_map", book.state):
        book.state.square((64, 0))
    options = DawnOptions()
    assert (options.width, options.height, options.preset) == (24, 18, Preset.ALL_OCEAN)


@pytest.mark.rule("DW-SET-4")
def test_a_starting_square_may_be_fantastic_and_of_any_climate():
    book = setting_up()
    cells = (Cell(terrain=Terrain.FOREST, climate=Climate.ARID, fantastic=True), *[Cell(terrain=Terrain.LAKE)] * 15)
    book.when(SetMap(width=4, height=4, cells=cells), by=HOST)
    assert book.state.squares[0, 0] == Square(0, 0, Terrain.FOREST, Climate.ARID, fantastic=True)
    assert book.state.squares[3, 3] == Square(3, 3, Terrain.LAKE, Climate.TEMPERATE)
    book.when(SetMap(width=4, height=4, preset=Preset.ALL_OCEAN), by=HOST)
    assert {(s.terrain, s.fantastic) for s in book.state.squares.values()} == {(Terrain.OCEAN, False)}
    with refused("map.invalid", book.state):
        book.when(SetMap(width=4, height=4, preset=Preset.ALL_OCEAN, cells=cells), by=HOST)


@pytest.mark.rule("DW-SET-5")
def test_all_begin_with_nothing_in_the_first_round_of_the_first_age():
    book = setting_up(2)
    define(book, A)
    define(book, B)
    assert [book.state.balance(seat) for seat in (A, B)] == [0, 0]
    book.when(EndSetup(), by=HOST, dice=incomes({A: (1, 1), B: (6, 6)}))
    assert [book.state.balance(seat) for seat in (A, B)] == [4, 14], "the first income and nothing else"
    assert (book.state.course.age, book.state.course.round) == (1, 1)


@pytest.mark.rule("DW-SET-6", "DW-AMB-2")
def test_neighbours_share_an_edge():
    state = setting_up().state
    assert state.neighbours((0, 0)) == [(1, 0), (0, 1)]
    assert state.neighbours((2, 2)) == [(2, 1), (1, 2), (3, 2), (2, 3)]
    assert state.are_connected([(0, 0), (1, 0), (1, 1)]) and not state.are_connected([(0, 0), (1, 1)])


@pytest.mark.rule("DW-SET-7", "DW-AMB-42", "DW-AMB-46")
def test_both_options_are_off_unless_the_group_says_otherwise():
    course = setting_up().state.course
    assert (course.free_alignment, course.open_challenge, course.deadlines) == (False, False, Pace.LIVE)
    options = DawnOptions()
    assert (options.seats, options.free_alignment, options.open_challenge) == (10, False, False)
    book = setting_up(free_alignment=True, open_challenge=True, deadlines="post")
    book.when(ConfigureGame(seats=4), by=HOST)
    course = book.state.course
    assert (course.free_alignment, course.open_challenge, course.deadlines) == (False, False, Pace.LIVE)


@pytest.mark.rule("DW-SET-7")
def test_options_hold_from_the_start():
    book = setting_up(open_challenge=True)
    assert book.state.course.open_challenge
    book.when(ConfigureGame(seats=4, free_alignment=True, deadlines=Pace.POST), by=HOST)
    course = book.state.course
    assert (course.seats, course.free_alignment, course.open_challenge, course.deadlines) == (4, True, False, "post")
    define(book, A)
    define(book, B)
    book.when(EndSetup(), by=HOST, dice=rising(2))
    with refused("phase.closed", book.state):
        book.when(ConfigureGame(seats=4), by=HOST)
    with refused("phase.closed", book.state):
        book.when(SetMap(width=4, height=4, preset=Preset.ALL_OCEAN), by=HOST)
    book.wait(timedelta(hours=71))
    assert book.state.course.active == A


@pytest.mark.rule("DW-SET-8")
def test_two_gods_are_enough_and_the_others_are_dropped():
    book = setting_up(3)
    define(book, A)
    with refused("game.not_ready", book.state):
        book.when(EndSetup(), by=HOST)
    define(book, C)
    events = book.when(EndSetup(), by=HOST, dice=incomes({A: (1, 1), C: (1, 2)}))
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
    assert book.state.course.step is Step.FINISHED and log_folds_to_state(book, 2)
    book = setting_up(2)
    define(book, A)
    define(book, B)
    assert book.wait(timedelta(minutes=59)) == []
    assert of_kind(book.wait(timedelta(minutes=1)), TurnStarted) != []
    book = setting_up(3, deadlines="post")
    define(book, B)
    define(book, C)
    assert book.wait(timedelta(days=6)) == []
    assert of_kind(book.wait(timedelta(days=1)), SeatDropped) == [event_like(SeatDropped, seat=A)]
    assert set(book.state.course.order) == {B, C} and sound(book)


@pytest.mark.rule("DW-SET-8")
def test_a_group_that_closes_early_begins_with_the_last_god_of_those_who_hold_a_seat():
    book = setting_up(3, early_close=True)
    define(book, A)
    assert of_kind(define(book, C), TurnStarted) == [], "the third has not said who they are"
    seats_changed = book.when(HandOver(seat=B, user=None, reason="gone"), by=HOST)
    assert of_kind(seats_changed, TurnStarted) == [], "a change of seats alone begins no game"
    renamed = DefineGod(name="Ciel", portfolio=("sky", "birds"), moral=Moral.GOOD)
    events = book.when(renamed, by=C, dice=incomes({A: (1, 1), C: (1, 2)}))
    assert of_kind(events, SeatDropped, TurnStarted) == [
        event_like(SeatDropped, seat=B),
        event_like(TurnStarted, seat=A),
    ]
    assert [prompt.kind for prompt in book.state.prompts.values()] == [Asked.TURN] and sound(book)


@pytest.mark.rule("DW-SET-8")
def test_a_group_that_closes_early_waits_for_two_gods_who_hold_their_seats():
    book = setting_up(2, early_close=True)
    define(book, A)
    book.when(HandOver(seat=A, user=None, reason="gone"), by=HOST)
    define(book, B)
    assert book.state.course.step is Step.SETUP
    book = setting_up(2)
    define(book, A)
    define(book, B)
    assert book.state.course.step is Step.SETUP, "without the option they wait for the host"
    assert "early_close" not in DawnOptions().model_dump()


@pytest.mark.rule("DW-SET-2", "DW-SET-8")
def test_gods_become_what_they_are_before_the_start_only():
    book = begin()
    with refused("phase.closed", book.state):
        define(book, GODS[0])
    with refused("phase.closed", book.state):
        book.when(EndSetup(), by=HOST)
    assert [prompt.kind for prompt in book.state.prompts.values()] == [Asked.TURN], "nobody is asked for a god any more"


@pytest.mark.rule("DW-SET-1", "DW-SET-2")
def test_an_observer_is_no_god_and_finds_a_seat_where_gods_find_none():
    book = setting_up(2)
    book.when(ConfigureGame(seats=2), by=HOST)
    book.when(Join(name="A watcher", role=Role.OBSERVER), by=HOST)
    (watcher,) = (seat.id for seat in book.state.seats.values() if seat.role is Role.OBSERVER)
    with refused("seat.missing", book.state):
        book.when(DefineGod(name="Nobody", portfolio=("mist",), moral=Moral.GOOD), by=watcher)
    define(book, A)
    define(book, B)
    book.when(EndSetup(), by=HOST, dice=rising(2))
    with refused("phase.closed", book.state):
        book.when(Join(name="A late god"), by=HOST)
    book.when(Join(name="A late watcher", role=Role.OBSERVER), by=replace(HOST, user=UUID(int=3)))


@pytest.mark.rule("DW-SET-2")
@pytest.mark.parametrize(("aspect", "fits"), [("w" * 80, True), ("w" * 81, False), ("", False), (" wind", False)])
def test_an_aspect_has_1_to_80_characters(aspect: str, fits: bool):
    book = setting_up()
    command = DefineGod(name="Aurin", portfolio=("storms", aspect), moral=Moral.GOOD)
    if not fits:
        with refused("god.invalid", book.state):
            book.when(command, by=A)
        return
    for _ in range(2):
        book.when(command, by=A)
    assert book.state.gods[A].portfolio == ("storms", aspect), "a god may keep the same name"
