"""Setting up: configure-game, set-map, define-god, define-race, plan-sessions, start."""

from decimal import Decimal
from uuid import UUID

import pytest
from pydantic import ValidationError

from games.engine.audience import seat_and_gm
from games.engine.game_state import Role, Seat
from games.engine.lifecycle.gm_commands import EndNow, Start
from games.engine.lifecycle.seating import HandOver
from games.gods2.rules.calendar.commands import PlanSessions
from games.gods2.rules.calendar.events import SessionsPlanned
from games.gods2.rules.cities.events import CityFounded
from games.gods2.rules.mana.events import ManaGained
from games.gods2.rules.pantheon.events import PantheonChanged
from games.gods2.rules.setup.commands import ConfigureGame, DefineGod, DefineRace, SetMap
from games.gods2.rules.setup.events import (
    AbsenceMarked,
    CardsSet,
    EraPrepared,
    FeatureAdded,
    GameConfigured,
    GodDefined,
    GodMarked,
    MapSet,
    PackPinned,
    RaceDefined,
)
from games.gods2.rules.setup.roster_commands import MarkAbsent, MarkGod, SetCards
from games.gods2.rules.state.options import Gods2Options, even_plan, scaled_window
from games.gods2.rules.state.records import GodStatus, Level, Phase
from games.gods2.rules.state.value_types import CardOf, Cell, CityAt, ShareOf
from tests.playbook import Playbook, event_like, of_kind, refused
from tests.rules.gods2.era import (
    ANA,
    BEN,
    CLEO,
    GM,
    HOST,
    A,
    B,
    begin,
    define,
    fresh,
    lobby,
    place,
    set_up,
    shares,
    two_peoples,
    units,
)

CIVIL = ("agriculture", "civilization", "toolmaking", "tribal_law")


@pytest.mark.rule("G2-W52")
@pytest.mark.rule("G2-TIME-2")
@pytest.mark.parametrize(("sessions", "plan"), [(2, (8, 8)), (3, (6, 5, 5)), (5, (4, 3, 3, 3, 3))])
def test_sixteen_centuries_are_spread_as_evenly_as_possible(sessions: int, plan: tuple[int, ...]) -> None:
    assert even_plan(sessions) == plan


@pytest.mark.rule("G2-KNOW-7")
def test_configuring_settles_the_options_and_pins_the_newest_pack() -> None:
    book = lobby(Gods2Options(session_count=2, century_seconds=90))

    assert [type(h.event) for h in book.log] == [GameConfigured, PackPinned]
    era = book.state.era
    assert (era.plan, era.century_seconds, era.pack_version) == ((8, 8), 90, 1)
    assert len(era.pack_digest) == 64
    assert scaled_window(book.state, 300) == 15


@pytest.mark.rule("G2-SET-1")
def test_nothing_is_set_up_before_the_game_is_configured() -> None:
    book = Playbook(lobby().ruleset, fresh())
    with refused("config.missing", book.state):
        book.when(SetMap(width=1, height=1, rows=("P",)), by=HOST)


def test_a_pack_that_does_not_exist_is_refused() -> None:
    book = lobby()
    with refused("pack.missing", book.state):
        book.when(ConfigureGame(pack_version=77), by=HOST)


@pytest.mark.rule("G2-MAP-2")
@pytest.mark.rule("G2-MAP-7")
def test_a_map_is_laid_row_by_row_with_its_features() -> None:
    book = lobby()
    cells = (
        Cell(terrain="P", features=("fertile_land", "river")),
        Cell(terrain="M"),
        Cell(terrain="W"),
        Cell(terrain="I"),
    )

    events = book.when(SetMap(width=2, height=2, cells=cells), by=HOST)

    assert [type(e) for e in events] == [MapSet, FeatureAdded, FeatureAdded]
    assert book.state.board.terrain.tolist() == [[0, 3], [5, 4]]
    assert sorted(f.kind for f in book.state.features.values()) == ["fertile_land", "river"]


@pytest.mark.rule("G2-MAP-1")
@pytest.mark.parametrize(
    "command",
    [
        SetMap(width=2, height=2, rows=("PP",)),
        SetMap(width=2, height=1, rows=("PX",)),
        SetMap(width=2, height=1),
        SetMap(width=2, height=1, cells=(Cell(terrain="P"),)),
        SetMap(width=1, height=1, cells=(Cell(terrain="W", features=("river",)),)),
        SetMap(width=1, height=1, cells=(Cell(terrain="P", features=("city",)),)),
        SetMap(width=1, height=1, cells=(Cell(terrain="P", features=("no_such_thing",)),)),
    ],
)
def test_a_bad_map_is_refused(command: SetMap) -> None:
    book = lobby()
    with refused("map.invalid", book.state):
        book.when(command, by=HOST)


@pytest.mark.rule("G2-PAN-2")
@pytest.mark.rule("G2-SET-1")
def test_a_god_gets_cards_and_twenty_mana_and_both_are_secret() -> None:
    book = lobby()

    events = book.when(DefineGod(seat=ANA, name="Ashkar", cards=(CardOf(sphere="FE", count=6),)), by=HOST)

    assert events == [
        event_like(GodDefined, seat=ANA, name="Ashkar"),
        event_like(CardsSet, seat=ANA),
        event_like(ManaGained, seat=ANA, amount=20, balance=20),
    ]
    assert [h.audience for h in book.log[-3:]] == ["public", f"gm+seat:{ANA}", f"gm+seat:{ANA}"]
    assert book.state.cards[ANA, "FE"].count == 6
    assert (book.state.purses[ANA].balance, book.state.purses[ANA].carried) == (20, Decimal(0))
    view = book.state.view_for(frozenset({BEN}))
    assert not view.purses and not view.cards and view.gods


@pytest.mark.rule("G2-NAME-1")
def test_a_god_needs_a_players_own_seat_and_known_spheres() -> None:
    book = set_up()
    with refused("god.invalid", book.state):
        book.when(DefineGod(seat=ANA, name="Zor"), by=HOST)
    with refused("seat.missing", book.state):
        book.when(DefineGod(seat=GM.user, name="Zor"), by=HOST)
    with refused("cards.invalid", book.state):
        book.when(SetCards(seat=ANA, cards=(CardOf(sphere="ZZ", count=1),)), by=GM)


@pytest.mark.rule("G2-LVL-1")
@pytest.mark.rule("G2-CITY-8")
def test_a_race_gets_its_level_from_what_it_knows() -> None:
    book = set_up()

    primitive = define(book, "Elves", units((0, 0, 1)))
    barbarian = define(book, "Orcs", units((2, 0, 3)), knowledges=("tribal_law",))
    events = book.when(
        DefineRace(
            name="Greeks",
            knowledges=CIVIL,
            placed=units((4, 0, 5)),
            cities=(CityAt(square=place(4)),),
            pantheon=shares(a=100),
        ),
        by=HOST,
    )

    levels = [book.state.races[r].level for r in (primitive, barbarian, events[0].race)]
    assert levels == [Level.PRIMITIVE, Level.BARBARIAN, Level.CIVILIZED]
    assert [type(e) for e in events] == [RaceDefined, CityFounded]
    assert book.state.pantheon(primitive) == {"atheism": 10_000}
    assert book.state.pantheon(events[0].race) == {A: 10_000}
    assert book.state.board.units_of(events[0].race) == 5


@pytest.mark.rule("G2-PAN-1")
@pytest.mark.rule("G2-LIM-1")
@pytest.mark.rule("G2-MAP-6")
@pytest.mark.parametrize(
    ("code", "fields"),
    [
        ("pantheon.sum", {"pantheon": shares(a=99)}),
        ("pantheon.sum", {"pantheon": shares(a=100, b=0)}),
        ("pantheon.invalid", {"pantheon": shares(a=50, nobody=50)}),
        ("race.invalid", {"attributes": ("clever",)}),
        ("race.invalid", {"knowledges": CIVIL}),
        ("race.invalid", {"cities": (CityAt(square=place(5)),)}),
        ("race.invalid", {"placed": units((5, 0, 1), (5, 0, 1))}),
        ("name.taken", {"name": "elves"}),
        ("square.off_map", {"placed": units((8, 0, 1))}),
        ("square.taken", {"placed": units((0, 0, 1))}),
        ("square.full", {"placed": units((5, 0, 2))}),
    ],
)
def test_an_impossible_race_is_refused(code: str, fields: dict[str, object]) -> None:
    book = set_up()
    define(book, "Elves", units((0, 0, 1)))
    command = DefineRace(**{"name": "Orcs", "placed": units((5, 0, 1)), **fields})  # type: ignore[arg-type]
    with refused(code, book.state):
        book.when(command, by=HOST)


@pytest.mark.rule("G2-LIM-2")
def test_the_abilities_of_a_race_count_when_its_units_are_placed() -> None:
    book = set_up(rows=("DDPP",))
    race = define(
        book, "Sandwalkers", units((0, 0, 4)), attributes=("desert_race",), knowledges=("tribal_law", "desert_survival")
    )
    assert book.state.board.units_of(race) == 4


@pytest.mark.rule("G2-ATTR-1")
def test_races_are_fixed_once_the_era_runs() -> None:
    book, *_ = two_peoples()
    with refused("race.fixed", book.state):
        book.when(DefineRace(name="Late", placed=units((0, 0, 1))), by=HOST)


@pytest.mark.rule("G2-SET-1")
def test_the_game_starts_with_a_map_a_god_and_a_race() -> None:
    book = lobby()
    with refused("map.missing", book.state):
        book.when(Start(), by=HOST)
    book.when(SetMap(width=2, height=1, rows=("PP",)), by=HOST)
    with refused("god.missing", book.state):
        book.when(Start(), by=HOST)
    book.when(DefineGod(seat=ANA, name="Ashkar"), by=HOST)
    with refused("race.missing", book.state):
        book.when(Start(), by=HOST)
    define(book, "Elves", units((0, 0, 1)))

    events = book.when(Start(), by=HOST)

    assert type(events[-1]) is EraPrepared
    assert book.state.era.phase is Phase.TRANSITION


@pytest.mark.rule("G2-TIME-2")
def test_sessions_are_planned_with_sixteen_centuries() -> None:
    book = set_up()
    assert book.when(PlanSessions(plan=(10, 6), minutes=20), by=HOST) == [
        event_like(SessionsPlanned, plan=(10, 6), minutes=20, seconds=1200)
    ]
    with refused("plan.invalid", book.state):
        book.when(PlanSessions(plan=(10, 5)), by=HOST)
    with refused("plan.invalid", book.state):
        book.when(PlanSessions(plan=(16, 0)), by=HOST)
    with refused("century.length", book.state):
        book.when(PlanSessions(plan=(10, 6), minutes=46), by=HOST)
    with refused("century.length", book.state):
        book.when(PlanSessions(plan=(10, 6), minutes=14), by=HOST)


@pytest.mark.rule("G2-TIME-2")
def test_sessions_that_were_held_stay_as_they_were() -> None:
    book, *_ = two_peoples(Gods2Options(plan=(1, 15)))
    for end in (EndNow(), EndNow()):
        book.when(end, by=GM)
    assert book.state.era.phase is Phase.TRANSITION
    with refused("plan.invalid", book.state):
        book.when(PlanSessions(plan=(2, 14)), by=GM)
    book.when(PlanSessions(plan=(1, 7, 8)), by=GM)
    assert book.state.era.plan == (1, 7, 8)


@pytest.mark.parametrize("plan", [(10, 5), (16, 0), (17,)])
def test_a_game_is_not_opened_with_a_plan_of_other_than_sixteen_centuries(plan: tuple[int, ...]) -> None:
    with pytest.raises(ValidationError, match="a plan has 16 centuries"):
        Gods2Options(plan=plan)


@pytest.mark.rule("G2-AMB-48")
def test_an_obliterated_gods_share_becomes_atheism_and_a_killed_ones_stays() -> None:
    book, dwarves, elves = two_peoples()

    assert of_kind(book.when(MarkGod(seat=ANA, status=GodStatus.KILLED), by=GM), PantheonChanged) == []
    events = book.when(MarkGod(seat=BEN, status=GodStatus.OBLITERATED), by=GM)

    assert type(events[0]) is GodMarked
    assert {e.race for e in of_kind(events, PantheonChanged)} == {dwarves, elves}
    assert book.state.pantheon(dwarves) == {A: 6000, "atheism": 4000}
    assert (dwarves, B) not in book.state.shares


@pytest.mark.rule("G2-HIST-2")
def test_an_absence_is_shown_to_the_player_and_the_gms_alone() -> None:
    book, *_ = two_peoples()
    events = book.when(MarkAbsent(seat=CLEO, absent=True), by=GM)
    assert [h.audience for h in book.log if isinstance(h.event, AbsenceMarked)] == [seat_and_gm(CLEO)]
    assert events == [event_like(AbsenceMarked, seat=CLEO, absent=True)]
    for seat, gm, known in ((CLEO, False, {CLEO}), (ANA, False, set()), (ANA, True, {CLEO})):
        assert set(book.state.view_for(frozenset({seat}), gm=gm).absences) == known
    book.when(MarkAbsent(seat=CLEO, absent=False), by=GM)
    assert not book.state.absences


def test_a_player_who_takes_a_seat_is_present() -> None:
    book, *_ = two_peoples()
    book.when(MarkAbsent(seat=CLEO, absent=True), by=GM)
    book.when(HandOver(seat=CLEO, user=UUID(int=901), reason="ill"), by=GM)
    assert not book.state.absences


def test_notes_are_made_about_gods_and_absence_about_players() -> None:
    book, *_ = two_peoples()
    watcher = UUID(int=77)
    book.state.seats.load(watcher, Seat(watcher, Role.OBSERVER, "Eve"))
    with refused("seat.missing", book.state):
        book.when(MarkGod(seat=watcher, status=GodStatus.KILLED), by=GM)
    with refused("seat.missing", book.state):
        book.when(MarkAbsent(seat=watcher, absent=True), by=GM)


def test_the_game_without_a_plan_follows_the_even_spread() -> None:
    book: Playbook = begin_with_one()
    assert book.state.era.plan == (6, 5, 5)
    assert sum(s.share for s in book.state.shares.values()) == 10_000
    assert ShareOf(member=A, share=10_000) in shares(a=100)


def begin_with_one() -> Playbook:
    """One people, one century open."""
    book = set_up()
    define(book, "Elves", units((0, 0, 1)), pantheon=shares(a=100))
    return begin(book)


@pytest.mark.rule("G2-MAP-1")
def test_a_map_is_as_large_as_its_rows_and_small_letters_are_letters() -> None:
    book = lobby()
    assert book.when(SetMap(rows=("pw ", "FF", "")), by=HOST) == [
        event_like(MapSet, width=2, height=2, rows=("PW", "FF"))
    ]
    assert book.state.board.terrain.tolist() == [[0, 5], [1, 1]]


@pytest.mark.rule("G2-MAP-1")
def test_a_map_that_cannot_be_laid_says_where_and_what_stands_there() -> None:
    book = lobby()
    for rows, sentence in (
        (("PW", "PX"), "Row 2, column 2: 'X' is no terrain; use one of P plains"),
        (("PW", "PWF"), "Row 2, column 3: 'F' stands there"),
    ):
        with refused("map.invalid", book.state) as found:
            book.when(SetMap(rows=rows), by=HOST)
        assert found.value.message.startswith(sentence)
        assert (found.value.facts["line"], found.value.facts["column"]) == (2, int(sentence[14]))
