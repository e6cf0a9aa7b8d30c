"""The site of a new city (prompt CITY.site): GMs choose among equally good squares, silence takes the middle one."""

from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from games.engine.insight.legal_commands import legal_commands_for
from games.engine.kernel import Actor, Issuer
from games.engine.lifecycle.gm_commands import EndNow, Extend, FireNow
from games.engine.prompts.prompt import DeadlinePassed
from games.gods2.rules.casting.commands import CastPower
from games.gods2.rules.casting.events import DeedAuthored
from games.gods2.rules.casting.war_commands import DeclareWar
from games.gods2.rules.cities.commands import ChooseCitySite
from games.gods2.rules.cities.events import CityFounded, CivilizationLost
from games.gods2.rules.declarations.events import BoardOpened
from games.gods2.rules.gm_previews.commands import AcceptPreview
from games.gods2.rules.history.events import HistoryEntered, NameAsked
from games.gods2.rules.mana.events import SourceCounted
from games.gods2.rules.state.effect_records import Modification, ModStatus
from games.gods2.rules.state.options import Gods2Options
from games.gods2.rules.state.records import Cards, Level, Phase, Purse
from games.gods2.rules.state.value_types import Target
from games.gods2.rules.war.events import DiplomacyTried
from games.gods2.rules.window.commands import DrawNumber
from games.gods2.rules.window.events import NumberCalled, NumberServed
from tests.playbook import Playbook, of_kind, refused
from tests.rules.gods2.era import ANA, BEN, CLEO, GM, begin, define, place, set_up, shares, units
from tests.rules.gods2.joint import replays_alike
from tests.rules.gods2.strikes import pack_of

KNOWN = ("agriculture", "toolmaking", "tribal_law")


def barbarians(previews: bool = True, **powers: Any) -> tuple[Playbook, UUID, UUID]:
    """Norse on a row of five squares, two on each of the middle three; Ashkar can teach them Civilization."""
    book = set_up(("PPPPPPPP",) * 3, options=Gods2Options(previews=previews), cards={ANA: {"CW": 3, "FE": 1}})
    norse = define(
        book, "Norse", units((0, 1, 1), (1, 1, 2), (2, 1, 2), (3, 1, 2), (4, 1, 1)), knowledges=KNOWN,
        attributes=("peaceful",), pantheon=shares(a=60, b=40),
    )  # fmt: skip
    picts = define(book, "Picts", units((7, 1, 1)), attributes=("peaceful",), pantheon=shares(c=100))
    begin(book)
    while book.state.previews:
        book.when(AcceptPreview(prompt=next(iter(book.state.previews))), by=GM)
    book.state.purses[ANA] = Purse(ANA, 60)
    if powers:
        book.state._packs = {book.state.era.pack_version: pack_of(None, **powers)[2]}
    reset_units(book, norse)
    return book, norse, picts


def reset_units(book: Playbook, race: UUID) -> None:
    """Let the race stand as it was defined, whatever its growth has done."""
    board = book.state.board
    for row in range(board.height):
        for column in range(board.width):
            square = place(column, row).square
            if board.people_at(square) == race:
                board.put(square, None, 0)
    for column, count in enumerate((1, 2, 2, 2, 1)):
        board.put(place(column, 1).square, race, count)


def teach(race: UUID) -> CastPower:
    return CastPower(power="teach_civilization", targets=(Target(race=race),))


def site_prompt(book: Playbook) -> Any:
    return next(p for p in book.state.prompts.values() if p.kind == "CITY.site")


@pytest.mark.rule("G2-CITY-5", "G2-CITY-6")
def test_a_gm_chooses_among_the_squares_with_most_units() -> None:
    book, norse, _ = barbarians()
    taught = book.when(teach(norse), by=ANA)
    assert not of_kind(taught, CityFounded, CivilizationLost, NumberServed)
    question = site_prompt(book)
    assert question.choices == ("2,1", "1,1", "3,1") and question.lane == "casting" and question.subject == norse
    assert question.owners == ("gm",) and question.audience == "gm"
    assert book.state.races[norse].level is Level.CIVILIZED and not book.state.cities
    for wrong in ((0, 1), (7, 1), (1, 0)):
        with refused("square.unfit", book.state):
            book.when(ChooseCitySite(prompt=question.id, square=place(*wrong)), by=GM)

    events = book.when(ChooseCitySite(prompt=question.id, square=place(3, 1)), by=GM)

    assert [(e.square.x, e.square.y, e.race) for e in of_kind(events, CityFounded)] == [(3, 1, norse)]
    assert "cw_city_founded" in [e.source for e in of_kind(events, SourceCounted)]
    assert of_kind(events, NumberServed) and [e.seat for e in of_kind(events, DeedAuthored)] == [ANA]
    assert [e.kind for e in of_kind(events, HistoryEntered)] == ["city"] and of_kind(events, NameAsked)
    assert not of_kind(events, CivilizationLost)
    with refused("prompt.closed", book.state):
        book.when(ChooseCitySite(prompt=question.id, square=place(2, 1)), by=GM)


@pytest.mark.rule("G2-CITY-6", "G2-AMB-17")
def test_twenty_seconds_of_silence_found_it_nearest_to_the_centre() -> None:
    book, norse, _ = barbarians()
    book.when(teach(norse), by=ANA)
    question = site_prompt(book)
    assert book.state.timers[f"prompt:{question.id}"].due == book.now + timedelta(seconds=20)
    assert not of_kind(book.wait(timedelta(seconds=19)), CityFounded)
    events = book.wait(timedelta(seconds=1))
    assert [e.prompt for e in of_kind(events, DeadlinePassed)] == [question.id]
    assert [(e.square.x, e.square.y) for e in of_kind(events, CityFounded)] == [(2, 1)]
    assert of_kind(events, NumberServed)


@pytest.mark.rule("G2-CITY-6")
def test_without_a_tie_or_without_the_setting_nobody_is_asked() -> None:
    book, norse, _ = barbarians(previews=False)
    assert [(e.square.x, e.square.y) for e in of_kind(book.when(teach(norse), by=ANA), CityFounded)] == [(2, 1)]
    book, norse, _ = barbarians()
    book.state.board.put(place(3, 1).square, norse, 3)
    assert [(e.square.x, e.square.y) for e in of_kind(book.when(teach(norse), by=ANA), CityFounded)] == [(3, 1)]
    assert not [p for p in book.state.prompts.values() if p.kind == "CITY.site"]


@pytest.mark.rule("G2-QUEUE-1", "G2-WAR-1")
def test_the_queue_and_the_wars_wait_for_the_site() -> None:
    book, norse, picts = barbarians()
    book.state.cards[ANA, "WA"] = Cards(ANA, "WA", 3)
    for column in (5, 6):
        book.state.board.put(place(column, 1).square, picts, 1)
    book.when(DeclareWar(power="declare_war", attacker=norse, defender=picts), by=ANA)
    book.wait(timedelta(seconds=290))
    book.when(DrawNumber(), by=ANA)
    book.when(DrawNumber(), by=BEN)
    book.when(teach(norse), by=ANA)
    during = book.wait(timedelta(seconds=15))
    assert not of_kind(during, DiplomacyTried, NumberCalled)
    kinds = [type(e) for e in of_kind(book.wait(timedelta(seconds=6)), CityFounded, DiplomacyTried, NumberCalled)]
    assert kinds[0] is CityFounded and set(kinds[1:]) == {DiplomacyTried, NumberCalled}


@pytest.mark.rule("G2-CITY-10")
def test_nothing_about_the_race_is_settled_before_its_city_stands() -> None:
    book, norse, _ = barbarians()
    board = book.state.board
    board.terrain[1, 0] = board.terrain[1, 4] = 4  # ice: no civilized unit can stay there
    before = board.units_of(norse)
    book.when(teach(norse), by=ANA)
    assert board.units_of(norse) == before and board.units[1, 0] == 1
    book.when(ChooseCitySite(prompt=site_prompt(book).id, square=place(1, 1)), by=GM)
    assert board.units[1, 0] == 0 and [c.square for c in book.state.cities.values()] == [place(1, 1).square]


@pytest.mark.rule("G2-CITY-6", "G2-TIME-3")
def test_the_end_of_the_activity_phase_takes_the_default_first() -> None:
    book, norse, _ = barbarians()
    book.when(teach(norse), by=ANA)
    kinds = [type(e).__name__ for e in book.when(EndNow(), by=GM)]
    order = ["DeadlinePassed", "CityFounded", "NumberServed", "ActivityClosed"]
    assert [kinds.index(kind) for kind in order] == sorted(kinds.index(kind) for kind in order)


SCHOOL = {"codes": ["Mc"], "effects": [{"op": "learn", "knowledge": "civilization", "on": "century_start"}]}


def game_with_school(grown: bool = True) -> Playbook:
    """The Norse learn Civilization at the start of century 2, and the century waits for their city, or for growth."""
    book, norse, _ = barbarians(school=SCHOOL)
    casting = UUID(int=77)
    book.state.modifications[casting] = Modification(casting, norse, "school", ModStatus.WAITING, 1, 1)
    book.wait(timedelta(minutes=30))
    while grown and book.state.previews:
        race = next(iter(book.state.previews.values())).subject
        if race == norse:
            reset_units(book, norse)
        book.when(AcceptPreview(prompt=next(iter(book.state.previews))), by=GM)
    return book


@pytest.mark.rule("G2-CITY-6", "G2-SEQ-1")
@pytest.mark.parametrize("how", ["chosen", "silence", "end now", "activity end"])
def test_a_city_that_begins_with_the_century_is_asked_in_the_lane_of_growth_and_the_board_waits(how: str) -> None:
    book = game_with_school()
    question = site_prompt(book)
    assert question.lane == "growth" and book.state.era.phase is Phase.STARTING
    if how == "chosen":
        x, _, y = question.choices[-1].partition(",")
        events = book.when(ChooseCitySite(prompt=question.id, square=place(int(x), int(y))), by=GM)
        assert [(e.square.x, e.square.y) for e in of_kind(events, CityFounded)] == [(int(x), int(y))]
    elif how == "silence":
        events = book.wait(timedelta(seconds=20))
    elif how == "end now":
        events = book.when(EndNow(), by=GM)
    else:
        book.when(Extend(timer=f"prompt:{question.id}", seconds=1800), by=GM)
        events = book.wait(timedelta(minutes=30))
    kinds = [type(e) for e in of_kind(events, CityFounded, BoardOpened)]
    assert kinds[:2] == [CityFounded, BoardOpened]
    assert book.state.era.phase in (Phase.OPEN, Phase.RECKONING, Phase.GROWTH)


@pytest.mark.rule("G2-TIME-3")
@pytest.mark.parametrize("grown", [True, False])
def test_a_century_that_is_ended_before_a_site_is_chosen_ends_and_the_next_one_has_an_end(grown: bool) -> None:
    """The kind: the end of a century that is fired while it still begins, whatever of its beginning is still owed."""
    book = game_with_school(grown)
    century = book.state.era.century
    assert book.state.era.phase is (Phase.STARTING if grown else Phase.GROWTH)
    events = book.when(FireNow(timer=f"century:{century}/end"), by=GM)
    kinds = [type(e).__name__ for e in events]
    assert kinds.index("CityFounded") < kinds.index("ActivityClosed") < kinds.index("CenturyClosed")
    assert book.state.era.century == century + 1 and f"century:{century + 1}/end" in book.state.timers


def test_the_squares_are_legal_choices_of_the_gms_alone() -> None:
    book, norse, _ = barbarians()
    assert not [o for o in legal_commands_for(book.state, (ChooseCitySite,), GM) if o.legal]
    book.when(teach(norse), by=ANA)
    (candidate,) = legal_commands_for(book.state, (ChooseCitySite,), GM)
    assert candidate.arguments["square"].values == ({"x": 2, "y": 1}, {"x": 1, "y": 1}, {"x": 3, "y": 1})
    assert not legal_commands_for(book.state, (ChooseCitySite,), Actor(Issuer.SEAT, seat=CLEO))
    view = book.state.view_for(frozenset({ANA, BEN, CLEO}))
    assert "CITY.site" not in [p.kind for p in view.prompts.values()]


def test_a_correction_while_the_question_is_open_is_heeded() -> None:
    book, norse, _ = barbarians()
    book.when(teach(norse), by=ANA)
    book.state.board.put(place(3, 1).square, None, 0)
    with refused("square.unfit", book.state):
        book.when(ChooseCitySite(prompt=site_prompt(book).id, square=place(3, 1)), by=GM)
    book.state.races[norse] = replace(book.state.races[norse], level=Level.BARBARIAN, knowledges=KNOWN)
    events = book.wait(timedelta(seconds=20))
    assert of_kind(events, NumberServed) and not of_kind(events, CityFounded)


@pytest.mark.rule("G2-LOG-1")
def test_the_log_of_a_site_leads_to_the_same_state() -> None:
    book = set_up(("PPPPPPPP",) * 3, options=Gods2Options(previews=True), cards={ANA: {"CW": 3}})
    norse = define(
        book, "Norse", units((1, 1, 4), (2, 1, 4), (3, 1, 4)), knowledges=KNOWN, attributes=("peaceful",),
        pantheon=shares(a=60, b=40),
    )  # fmt: skip
    begin(book)
    while book.state.previews:
        book.when(AcceptPreview(prompt=next(iter(book.state.previews))), by=GM)
    book.when(teach(norse), by=ANA)
    assert replays_alike(book)
    book.when(ChooseCitySite(prompt=site_prompt(book).id, square=place(1, 1)), by=GM)
    assert replays_alike(book)
