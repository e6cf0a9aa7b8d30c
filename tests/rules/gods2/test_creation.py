"""The second Creation (G2-CREA-1, 2, 5; AMB-49): what follows when no mortal is left."""

import json
from uuid import UUID

import pytest

from games.engine.game_state import dump
from games.engine.insight.legal_commands import legal_commands_for
from games.engine.kernel import Actor, Event, Issuer
from games.engine.lifecycle.amend import Amend, Change, Deed, FieldChange
from games.engine.lifecycle.gm_commands import EndNow, FireNow, Pause
from games.engine.prompts.prompt import DeadlinePassed, PromptClosed, PromptOpened
from games.gods2.rules import RULESET
from games.gods2.rules.calendar.events import GameFinished, SessionClosed
from games.gods2.rules.casting.commands import CastPower
from games.gods2.rules.casting.legal_casts import menu
from games.gods2.rules.casting.war_commands import DeclareWar
from games.gods2.rules.century.commands import OpenSession
from games.gods2.rules.century.events import CenturyOpened, GrowthOrdered
from games.gods2.rules.century.worksheet_commands import ApproveWorksheet
from games.gods2.rules.century.worksheet_events import CenturyClosed
from games.gods2.rules.declarations.events import AggressionRolled, WarDeclared
from games.gods2.rules.effects.events import TerrainChanged
from games.gods2.rules.growth.events import RaceGrew
from games.gods2.rules.setup.commands import DefineRace
from games.gods2.rules.setup.creation_commands import StartSecondCreation
from games.gods2.rules.setup.events import (
    CreationFailed,
    CreationOpened,
    RaceDefined,
    SecondCreationCalled,
    SecondCreationConfirmed,
)
from games.gods2.rules.state.options import Gods2Options
from games.gods2.rules.state.records import Phase
from games.gods2.rules.window.commands import CallNumber, DrawNumber
from games.gods2.rules.window.events import NumberCalled, NumberDropped
from tests.playbook import DAWN, Playbook, event_like, of_kind, refused, state_from_log
from tests.rules.gods2.era import ANA, BEN, GM, HOST, fresh, minutes, shares, two_peoples, units
from tests.rules.gods2.strikes import able, cast, pack_of
from tests.rules.gods2.worlds import earth_of, race

ONE_LONG_SESSION = Gods2Options(plan=(16,))


def change(table: str, row: str, **values: object) -> Change:
    fields = tuple(FieldChange(field=name, value=json.dumps(value)) for name, value in values.items())
    return Change(deed=Deed.ALTER, table=table, row=row, fields=fields)


def doomsday(book: Playbook) -> None:
    """Every mortal dies at once."""
    board = book.state.board
    lived = [(x, y) for y in range(board.height) for x in range(board.width) if board.units[y, x]]
    dead = [change("races", str(r.id), extinct=True) for r in book.state.living()]
    book.when(Amend(changes=(*(change("squares", f"{x},{y}", race=None, units=0) for x, y in lived), *dead),
                    reason="doomsday"), by=GM)  # fmt: skip


def revive(book: Playbook, who: UUID) -> None:
    """The GM corrects: this race has not died out."""
    back = (change("races", str(who), extinct=False), change("squares", "1,1", race=str(who), units=1))
    book.when(Amend(changes=back, reason="a slip"), by=GM)


def emptied_earth(options: Gods2Options = ONE_LONG_SESSION) -> Playbook:
    """Century 1 of 30 minutes, whose mortals all die in it."""
    book, *_ = two_peoples(options)
    doomsday(book)
    return book


def in_creation(options: Gods2Options = ONE_LONG_SESSION) -> Playbook:
    """Century 2, a second Creation that the GM let start."""
    book = emptied_earth(options)
    book.wait(minutes(30))
    book.when(StartSecondCreation(), by=GM)
    return book


@pytest.mark.rule("G2-CREA-1")
def test_a_century_that_ends_without_a_mortal_calls_for_a_second_creation() -> None:
    book = emptied_earth()
    events = book.wait(minutes(30))

    called, closed = of_kind(events, SecondCreationCalled, CenturyClosed)
    assert called == event_like(SecondCreationCalled, century=2) and closed == event_like(CenturyClosed, century=1)
    (prompt,) = book.state.prompts.values()
    assert (prompt.id, prompt.kind, prompt.lane, prompt.owners) == (called.prompt, "CREATION.start", "growth", ("gm",))
    assert [h.audience for h in book.log if h.event == called] == ["public"]
    assert book.state.timers[f"prompt:{prompt.id}"].due == DAWN + minutes(35)
    assert (book.state.era.phase, book.state.era.century, book.state.era.creation) == (Phase.CLOSED, 1, True)
    assert not of_kind(events, CenturyOpened, CreationOpened)


@pytest.mark.rule("G2-CREA-1")
def test_as_long_as_one_race_lives_there_is_no_second_creation() -> None:
    book, _, elves = two_peoples(ONE_LONG_SESSION)
    doomsday(book)
    revive(book, elves)
    events = book.wait(minutes(30))
    assert not of_kind(events, SecondCreationCalled)
    assert of_kind(events, CenturyOpened) == [event_like(CenturyOpened, century=2)]


@pytest.mark.rule("G2-CREA-1", "G2-CREA-2", "G2-AMB-49")
def test_the_gm_lets_it_start_and_it_takes_the_centurys_number_without_growth_or_wars() -> None:
    book = emptied_earth()
    book.wait(minutes(31))
    events = book.when(StartSecondCreation(), by=GM)

    assert of_kind(events, SecondCreationConfirmed, CreationOpened) == [
        SecondCreationConfirmed(century=2),
        CreationOpened(
            century=2,
            starts_at=DAWN + minutes(31),
            activity_ends_at=DAWN + minutes(56),
            ends_at=DAWN + minutes(61),
        ),
    ]
    assert not of_kind(events, CenturyOpened, GrowthOrdered, RaceGrew, AggressionRolled, WarDeclared)
    assert book.state.era.phase is Phase.CREATION and not book.state.prompts
    assert sorted(book.state.timers) == ["century:2/activity", "century:2/end"]
    with refused("prompt.closed", book.state):
        book.when(StartSecondCreation(), by=GM)
    with refused("phase.closed", book.state):
        book.when(DeclareWar(attacker=UUID(int=1), defender=UUID(int=2)), by=ANA)
    assert dump(state_from_log(book.log, fresh())) == dump(book.state)


@pytest.mark.rule("G2-CREA-1")
def test_silence_lets_it_start_five_minutes_later_and_not_before_the_century_is_over() -> None:
    late = emptied_earth()
    late.wait(minutes(34))
    assert late.state.era.phase is Phase.CLOSED
    events = of_kind(late.wait(minutes(1)), DeadlinePassed, SecondCreationConfirmed, CreationOpened)
    assert [type(e) for e in events] == [DeadlinePassed, CreationOpened]
    assert late.state.era.starts_at == DAWN + minutes(35)

    early = emptied_earth()
    early.wait(minutes(10))
    early.when(EndNow(), by=GM)
    early.when(ApproveWorksheet(), by=GM)
    assert of_kind(early.wait(minutes(5)), DeadlinePassed) and early.state.era.phase is Phase.CLOSED
    assert not early.state.prompts
    assert of_kind(early.wait(minutes(15)), CreationOpened) == [
        event_like(CreationOpened, century=2, starts_at=DAWN + minutes(30))
    ]


@pytest.mark.rule("G2-CREA-1")
def test_a_gm_who_starts_it_does_not_wait_for_the_centurys_end_either() -> None:
    book = emptied_earth()
    book.when(EndNow(), by=GM)
    with refused("prompt.closed", book.state):
        book.when(StartSecondCreation(), by=GM)
    book.when(ApproveWorksheet(), by=GM)
    book.when(Pause(), by=HOST)
    book.when(StartSecondCreation(), by=GM)  # a game-master answers while the clock stands still
    assert book.state.era.creation


def test_a_century_that_is_ended_at_once_still_asks_and_the_question_can_be_ended_as_well() -> None:
    book = emptied_earth()
    book.when(FireNow(timer="century:1/end"), by=GM)
    assert book.state.era.phase is Phase.CLOSED and book.state.prompts
    assert of_kind(book.when(EndNow(), by=GM), CreationOpened) == [event_like(CreationOpened, century=2)]


@pytest.mark.rule("G2-CREA-1")
def test_a_race_that_lives_again_by_a_correction_makes_the_next_century_an_ordinary_one() -> None:
    book = emptied_earth()
    elves = next(r.id for r in book.state.races.values() if r.name == "Elves")
    book.wait(minutes(32))
    revive(book, elves)
    with refused("prompt.closed", book.state):
        book.when(StartSecondCreation(), by=GM)
    events = book.wait(minutes(3))
    assert of_kind(events, CenturyOpened, CreationOpened) == [event_like(CenturyOpened, century=2)]
    assert not book.state.prompts and not book.state.era.creation

    soon = emptied_earth()
    soon.when(EndNow(), by=GM)
    soon.wait(minutes(29))
    soon.when(ApproveWorksheet(), by=GM)
    revive(soon, elves)
    events = soon.wait(minutes(1))
    assert of_kind(events, PromptClosed)[-1].result == "withdrawn" and of_kind(events, CenturyOpened)


@pytest.mark.rule("G2-CREA-1", "G2-AMB-49")
def test_in_a_creation_peoples_are_defined_and_grow_and_fight_from_the_next_century_on() -> None:
    book = in_creation()
    humans = DefineRace(name="Humans", placed=units((0, 0, 1), (1, 0, 1)), pantheon=shares(a=60, b=40))
    with refused("name.taken", book.state):
        book.when(DefineRace(name="elves", placed=units((0, 0, 1))), by=GM)
    (defined,) = book.when(humans, by=GM)
    assert defined == event_like(RaceDefined, name="Humans")
    assert [r.id for r in book.state.living()] == [defined.race]
    assert book.state.board.units_of(defined.race) == 2

    events = book.wait(minutes(29))
    assert not of_kind(events, SecondCreationCalled, RaceGrew, AggressionRolled)
    assert of_kind(events, CenturyClosed) == []
    events = book.wait(minutes(1))
    assert not of_kind(events, SecondCreationCalled)
    assert [type(e) for e in of_kind(events, CenturyClosed, CenturyOpened, RaceGrew, AggressionRolled)] == [
        CenturyClosed,
        CenturyOpened,
        RaceGrew,
        AggressionRolled,
    ]
    assert (book.state.era.century, book.state.era.phase, book.state.era.creation) == (3, Phase.OPEN, False)
    with refused("race.fixed", book.state):
        book.when(DefineRace(name="Orcs", placed=units((7, 2, 1))), by=GM)
    assert dump(state_from_log(book.log, fresh())) == dump(book.state)


@pytest.mark.rule("G2-CREA-1")
def test_races_are_fixed_until_the_creation_begins() -> None:
    book = emptied_earth()
    book.wait(minutes(31))
    with refused("race.fixed", book.state):
        book.when(DefineRace(name="Orcs", placed=units((7, 2, 1))), by=GM)


@pytest.mark.rule("G2-CREA-5", "G2-TIME-1", "G2-AMB-74")
def test_a_creation_that_brings_forth_no_mortal_ends_the_era() -> None:
    book = in_creation()
    events = book.wait(minutes(35))
    assert not of_kind(events, SecondCreationCalled, CreationOpened)
    assert of_kind(events, CreationFailed, GameFinished) == [
        CreationFailed(century=2),
        GameFinished(century=2, reason="all mortals died"),
    ]
    assert book.state.era.phase is Phase.FINISHED and not book.state.prompts and not book.state.timers
    assert dump(state_from_log(book.log, fresh())) == dump(book.state)


@pytest.mark.rule("G2-CREA-5")
def test_a_race_that_lives_again_by_a_correction_goes_on_after_a_creation_that_failed() -> None:
    book = in_creation()
    book.when(EndNow(), by=GM)
    events = book.when(ApproveWorksheet(), by=GM)
    assert of_kind(events, CreationFailed) and book.state.era.phase is Phase.CLOSED
    revive(book, next(r.id for r in book.state.races.values() if r.name == "Elves"))
    events = book.wait(minutes(30))
    assert of_kind(events, CenturyOpened, GameFinished) == [event_like(CenturyOpened, century=3)]


@pytest.mark.rule("G2-AMB-49", "G2-QUEUE-1")
def test_the_window_is_open_in_a_creation_but_no_history_power_is_sold() -> None:
    book = in_creation()
    events = book.when(DrawNumber(), by=ANA)
    book.when(DrawNumber(), by=BEN)
    assert of_kind(events, NumberCalled) and of_kind(events, PromptOpened)
    with refused("power.missing", book.state):
        book.when(CastPower(power="declare_war"), by=ANA)
    assert of_kind(book.when(CallNumber(), by=GM), NumberCalled) == [event_like(NumberCalled, number=2)]
    assert len(of_kind(book.when(EndNow(), by=GM), NumberDropped)) == 2
    assert book.state.era.phase is Phase.RECKONING


@pytest.mark.rule("G2-CREA-1", "G2-AMB-49")
def test_powers_of_creation_shape_the_earth_in_a_creation_alone_and_none_is_left_of_heaven() -> None:
    woods = {
        "kind": "creation",
        "codes": ["T"],
        "target": "square",
        "effects": [{"op": "terrain_set", "to": "F", "from": "P", "scope": "target"}],
    }
    packs = pack_of(woods=woods, heaven={**woods, "codes": ["X"]}, bloom={**woods, "kind": "history"})
    state = earth_of(["PPP"], phase=Phase.CREATION, packs=packs)
    god = able(state, "woods")
    assert {dish.power.id for dish in menu(state, god)} == {"woods"}
    for power in ("heaven", "bloom"):
        with refused("power.missing", state):
            cast(state, power, at=[(0, 0)])
    assert of_kind(cast(state, "woods", at=[(0, 1)]), TerrainChanged)
    assert state.plain_special("squares", "1,0") == {"terrain": "F", "race": None, "units": 0}

    later = earth_of(["PPP"], race("Norse", {(0, 0): 1}), packs=packs)
    god = able(later, "woods")
    powers = {dish.power.id for dish in menu(later, god)}
    assert "bloom" in powers and not {"woods", "heaven"} & powers
    with refused("power.missing", later):
        cast(later, "woods", at=[(0, 1)])


@pytest.mark.rule("G2-CREA-2", "G2-CREA-5")
def test_sixteen_centuries_stay_sixteen() -> None:
    book = emptied_earth()
    events: list[Event] = []
    while book.state.era.phase is not Phase.FINISHED:
        events += book.wait(minutes(1))
        if book.state.era.phase is Phase.CREATION and not book.state.living():
            name = f"People {book.state.era.century}"
            events += book.when(DefineRace(name=name, placed=units((0, 0, 1))), by=GM)
        elif book.state.era.phase is Phase.OPEN and book.state.living():
            doomsday(book)
    assert [e.century for e in of_kind(events, CreationOpened)] == list(range(2, 17, 2))
    assert [e.century for e in of_kind(events, SecondCreationCalled)] == list(range(2, 17, 2))
    assert of_kind(events, GameFinished) == [GameFinished(century=16, reason="16 centuries have passed")]
    assert not book.state.prompts and not book.state.timers


@pytest.mark.rule("G2-CREA-1", "G2-TIME-2")
def test_at_the_end_of_a_session_the_creation_waits_for_the_next_one() -> None:
    book = emptied_earth(Gods2Options(plan=(1, 15)))
    book.wait(minutes(31))
    events = book.when(StartSecondCreation(), by=GM)
    assert [type(e) for e in of_kind(events, SecondCreationConfirmed, SessionClosed, CreationOpened)] == [
        SecondCreationConfirmed,
        SessionClosed,
    ]
    assert of_kind(book.when(OpenSession(), by=GM), CreationOpened) == [event_like(CreationOpened, century=2)]


def test_a_command_is_legal_exactly_when_it_may_be_done() -> None:
    def legal_names(book: Playbook, actor: Actor) -> set[str]:
        own = [c for c in RULESET.own.commands if c.issuers - {Issuer.CLOCK}]
        return {o.command for o in legal_commands_for(book.state, own, actor) if o.legal}

    book = emptied_earth()
    assert not {"start-second-creation", "define-race"} & legal_names(book, GM)
    book.wait(minutes(31))
    assert "start-second-creation" in legal_names(book, GM)
    assert "start-second-creation" not in legal_names(book, Actor(Issuer.SEAT, seat=ANA))
    book.when(StartSecondCreation(), by=GM)
    assert "define-race" in legal_names(book, GM) and "start-second-creation" not in legal_names(book, GM)
    assert "draw-number" in legal_names(book, Actor(Issuer.SEAT, seat=ANA))
