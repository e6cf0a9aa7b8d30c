"""One century: its steps, its timers, and the GM's hand on the clock."""

from dataclasses import replace
from datetime import timedelta
from uuid import UUID

import pytest

from games.engine.insight.legal_commands import legal_commands_for
from games.engine.kernel import Actor, Issuer
from games.engine.lifecycle.gm_commands import EndNow, Extend, FireNow, Pause, Resume
from games.gods2.rules import RULESET
from games.gods2.rules.calendar.events import SessionClosed, SessionOpened
from games.gods2.rules.casting.war_commands import DeclareWar
from games.gods2.rules.century.commands import CloseActivity, OpenNextCentury, OpenSession
from games.gods2.rules.century.events import ActivityClosed, CenturyOpened, GrowthOrdered
from games.gods2.rules.century.worksheet_commands import ApproveWorksheet
from games.gods2.rules.century.worksheet_events import (
    CenturyClosed,
    WorksheetApproved,
    WorksheetClosed,
    WorksheetOpened,
)
from games.gods2.rules.declarations.events import AggressionRolled, BoardOpened, WarDeclared, WarHastened, WarHeld
from games.gods2.rules.growth.events import RaceGrew
from games.gods2.rules.mana.events import FactorsTaken, ManaPaid, PoolPaid
from games.gods2.rules.state.options import Gods2Options
from games.gods2.rules.state.records import Phase, WarKind, WarStatus
from games.gods2.rules.war.events import WarAverted, WarFought
from games.gods2.rules.war.schedule_commands import FightWar, FightWarNow, HoldWar
from games.gods2.rules.window.commands import DrawNumber
from games.gods2.rules.window.events import NumberDropped
from tests.playbook import DAWN, Playbook, of_kind, refused
from tests.rules.gods2.era import ANA, BEN, GM, HOST, fresh, minutes, two_peoples


@pytest.mark.rule("G2-SEQ-1")
@pytest.mark.rule("G2-GROW-1")
@pytest.mark.rule("G2-TIME-3")
def test_a_century_opens_in_its_order_up_to_the_open_board() -> None:
    book, *_ = two_peoples()

    first = next(i for i, h in enumerate(book.log) if isinstance(h.event, SessionOpened))
    events = [h.event for h in book.log[first:]]

    steps = (SessionOpened, FactorsTaken, CenturyOpened, GrowthOrdered, RaceGrew, AggressionRolled, BoardOpened)
    assert [type(e) for e in of_kind(events, *steps)] == [
        SessionOpened,
        FactorsTaken,
        FactorsTaken,
        FactorsTaken,
        CenturyOpened,
        GrowthOrdered,
        RaceGrew,
        RaceGrew,
        AggressionRolled,
        AggressionRolled,
        BoardOpened,
    ]
    opened = of_kind(events, CenturyOpened)[0]
    assert (opened.activity_ends_at, opened.ends_at) == (DAWN + minutes(25), DAWN + minutes(30))
    assert book.state.era.phase is Phase.OPEN and book.state.era.growing == ()
    assert {k: t.due for k, t in book.state.timers.items()} == {
        "century:1/activity": DAWN + minutes(25),
        "century:1/end": DAWN + minutes(30),
    }
    assert {t.shown for t in book.state.timers.values()} == {"public"}


@pytest.mark.rule("G2-TIME-3")
@pytest.mark.rule("G2-CALC-1")
def test_activity_calculation_and_the_next_century_follow_by_the_clock() -> None:
    book, *_ = two_peoples()

    closing = book.wait(minutes(25))
    assert [type(e) for e in of_kind(closing, ActivityClosed, WorksheetOpened, ManaPaid)] == [
        ActivityClosed,
        WorksheetOpened,
    ]
    assert book.state.era.phase is Phase.RECKONING
    assert [p.kind for p in book.state.prompts.values()] == ["WORKSHEET"]

    ending = book.wait(minutes(5))
    steps = (WorksheetClosed, ManaPaid, PoolPaid, CenturyClosed, CenturyOpened, BoardOpened)
    assert [type(e) for e in of_kind(ending, *steps)] == [
        WorksheetClosed,
        ManaPaid,
        ManaPaid,
        ManaPaid,
        PoolPaid,
        CenturyClosed,
        CenturyOpened,
        BoardOpened,
    ]
    assert (book.state.era.century, book.state.era.phase) == (2, Phase.OPEN)
    assert not book.state.prompts and not book.state.lines


@pytest.mark.rule("G2-TIME-2")
def test_short_centuries_scale_their_windows() -> None:
    book, *_ = two_peoples(Gods2Options(century_seconds=60))
    era = book.state.era
    assert era.ends_at == DAWN + timedelta(seconds=60)
    assert era.activity_ends_at == DAWN + timedelta(seconds=50)
    dwarves, elves = sorted(book.state.races, key=lambda r: book.state.races[r].name)
    event = of_kind(book.when(DeclareWar(attacker=dwarves, defender=elves), by=ANA), WarDeclared)[0]
    assert event.due == DAWN + timedelta(seconds=10)


@pytest.mark.rule("G2-TIME-2")
def test_a_session_ends_and_the_gm_opens_the_next_one() -> None:
    book, *_ = two_peoples(Gods2Options(plan=(2, 14), century_seconds=60))

    events = book.wait(timedelta(seconds=120))

    assert [e.session for e in of_kind(events, SessionClosed)] == [1]
    assert (book.state.era.phase, book.state.era.century) == (Phase.TRANSITION, 2)
    assert not book.state.timers
    with refused("phase.closed", book.state):
        book.when(DrawNumber(), by=ANA)
    opened = of_kind(book.when(OpenSession(), by=GM), SessionOpened)[0]
    assert (opened.session, opened.century, opened.count) == (2, 3, 14)


@pytest.mark.rule("G2-TIME-2")
def test_sessions_open_by_themselves_where_the_options_say_so() -> None:
    book, *_ = two_peoples(Gods2Options(plan=(1, 15), century_seconds=60, auto_sessions=True))
    events = book.wait(timedelta(seconds=60))
    assert [type(e) for e in of_kind(events, SessionClosed, SessionOpened)] == [SessionClosed, SessionOpened]
    assert book.state.era.century == 2


def test_no_session_is_opened_in_the_middle_of_one() -> None:
    book, *_ = two_peoples()
    with refused("phase.closed", book.state):
        book.when(OpenSession(), by=GM)


@pytest.mark.rule("G2-AMB-39")
@pytest.mark.rule("G2-AMB-53")
def test_all_wars_left_are_fought_when_the_activity_phase_ends() -> None:
    book, dwarves, elves = two_peoples()
    book.wait(minutes(22))
    war = of_kind(book.when(DeclareWar(attacker=dwarves, defender=elves), by=ANA), WarDeclared)[0]
    assert war.due == DAWN + minutes(25)

    events = book.when(EndNow(), by=GM)

    assert [type(e) for e in of_kind(events, WarFought, WarAverted, ActivityClosed)][-1] is ActivityClosed
    assert book.state.wars[war.war].status in (WarStatus.FOUGHT, WarStatus.AVERTED)
    assert f"war:{war.war}" not in book.state.timers
    assert book.state.era.phase is Phase.RECKONING


@pytest.mark.rule("G2-QUEUE-1")
def test_numbers_are_dropped_when_the_activity_phase_ends() -> None:
    book, *_ = two_peoples()
    book.when(DrawNumber(), by=ANA)
    book.when(DrawNumber(), by=BEN)
    events = book.when(EndNow(), by=GM)
    assert sorted(e.number for e in of_kind(events, NumberDropped)) == [1, 2]
    assert not book.state.numbers and not book.state.holders and book.state.era.called is None
    assert not [k for k in book.state.timers if k.startswith("queue")]


@pytest.mark.rule("G2-CALC-2")
def test_an_approved_worksheet_is_paid_at_once_and_the_century_waits_for_its_end() -> None:
    book, *_ = two_peoples()
    book.wait(minutes(26))
    events = book.when(ApproveWorksheet(), by=GM)
    assert type(events[0]) is WorksheetApproved
    assert len(of_kind(events, ManaPaid)) == 3
    assert (book.state.era.phase, book.state.era.century) == (Phase.CLOSED, 1)
    assert of_kind(book.wait(minutes(4)), CenturyOpened)[0].century == 2
    with refused("worksheet.closed", book.state):
        book.when(ApproveWorksheet(), by=GM)


@pytest.mark.rule("G2-TIME-5")
def test_a_pause_moves_every_time_that_lies_ahead() -> None:
    book, dwarves, elves = two_peoples()
    war = of_kind(book.when(DeclareWar(attacker=dwarves, defender=elves), by=ANA), WarDeclared)[0].war
    book.when(Pause(), by=HOST)
    with refused("clock.paused", book.state):
        book.when(DrawNumber(), by=ANA)
    book.now += minutes(7)
    book.when(Resume(), by=HOST)
    era = book.state.era
    assert (era.activity_ends_at, era.ends_at) == (DAWN + minutes(32), DAWN + minutes(37))
    assert book.state.wars[war].due == book.state.timers[f"war:{war}"].due == DAWN + minutes(12)


def test_a_longer_activity_phase_moves_the_end_of_the_century_as_well() -> None:
    book, *_ = two_peoples()
    book.when(Extend(seconds=120), by=GM)
    era = book.state.era
    assert (era.activity_ends_at, era.ends_at) == (DAWN + minutes(27), DAWN + minutes(32))
    assert book.state.timers["century:1/end"].due == era.ends_at
    book.wait(minutes(27))
    book.when(Extend(seconds=60), by=GM)
    assert book.state.era.ends_at == book.state.timers["century:1/end"].due == DAWN + minutes(33)


def test_ending_the_century_now_does_all_that_is_owed() -> None:
    book, *_ = two_peoples()
    events = book.when(FireNow(timer="century:1/end"), by=GM)
    steps = (ActivityClosed, WorksheetClosed, CenturyClosed, CenturyOpened)
    assert [type(e) for e in of_kind(events, *steps)] == list(steps)
    assert sorted(book.state.timers) == ["century:2/activity", "century:2/end"]


@pytest.mark.rule("G2-WAR-1")
def test_a_gm_holds_a_war_back_by_ten_minutes_in_all() -> None:
    book, dwarves, elves = two_peoples()
    war = of_kind(book.when(DeclareWar(attacker=dwarves, defender=elves), by=ANA), WarDeclared)[0].war
    assert of_kind(book.when(HoldWar(war=war, seconds=400), by=GM), WarHeld)[0].due == DAWN + timedelta(seconds=700)
    with refused("war.held", book.state):
        book.when(HoldWar(war=war, seconds=201), by=GM)
    assert book.state.timers[f"war:{war}"].due == book.state.wars[war].due
    book.when(Extend(timer=f"war:{war}", seconds=10), by=GM)
    assert book.state.wars[war].due == DAWN + timedelta(seconds=710)


@pytest.mark.rule("G2-WAR-1")
def test_a_gm_has_a_war_fought_at_once() -> None:
    book, dwarves, elves = two_peoples()
    war = of_kind(book.when(DeclareWar(attacker=dwarves, defender=elves), by=ANA), WarDeclared)[0].war
    events = book.when(FightWarNow(war=war), by=GM)
    assert type(events[0]) is WarHastened
    assert book.state.wars[war].status is not WarStatus.DECLARED and f"war:{war}" not in book.state.timers
    with refused("war.closed", book.state):
        book.when(FightWarNow(war=war), by=GM)
    with refused("war.missing", book.state):
        book.when(FightWarNow(war=dwarves), by=GM)


def test_a_clock_command_that_does_not_fit_the_phase_does_nothing() -> None:
    book, *_ = two_peoples()
    for command in (CloseActivity, OpenNextCentury):
        assert book.when(command(century=2)) == []


BEFORE = {"configure-game", "plan-sessions"}


def test_every_command_says_what_it_would_accept_in_every_phase() -> None:
    book = Playbook(RULESET, fresh())
    actors = [Actor(Issuer.SEAT, seat=ANA), Actor(Issuer.SEAT, seat=UUID(int=77)), GM, HOST]

    def legal_names(actor: Actor) -> set[str]:
        own = [c for c in RULESET.own.commands if c.issuers - {Issuer.CLOCK}]
        return {o.command for o in legal_commands_for(book.state, own, actor) if o.legal}

    assert [legal_names(a) for a in actors] == [set(), set(), BEFORE, BEFORE]
    book, dwarves, elves = two_peoples()
    free = {"draft-pantheon-order", "start-turmoil", "set-standing-answer"}
    assert legal_names(actors[0]) == {"draw-number", "cast-power", "declare-war", "order-migration"} | free
    assert legal_names(GM) == {"mark-god", "mark-absent", "name-place", "record-law", "grant-power", "move-pack"}
    book.when(DeclareWar(attacker=dwarves, defender=elves), by=ANA)
    assert legal_names(GM) >= {"hold-war", "fight-war-now", "set-diplomacy"}
    book.when(EndNow(), by=GM)
    assert legal_names(GM) >= {"correct-worksheet", "approve-worksheet"} and legal_names(HOST) == set()
    assert legal_names(actors[0]) == {"sign-entry", "name-place"} | free


@pytest.mark.rule("G2-DICE-2")
def test_a_game_may_be_played_with_dice_of_a_real_table() -> None:
    by_hand = two_peoples(Gods2Options(dice_by_hand=True))[0]
    assert by_hand.state.dice_by_hand() and not two_peoples()[0].state.dice_by_hand()


@pytest.mark.rule("G2-W63")
@pytest.mark.rule("G2-WAR-1")
def test_of_two_overdue_wars_the_gods_war_is_fought_first() -> None:
    book, dwarves, elves = two_peoples()
    gods = of_kind(book.when(DeclareWar(attacker=dwarves, defender=elves), by=ANA), WarDeclared)[0].war
    other = of_kind(book.when(DeclareWar(attacker=dwarves, defender=elves), by=ANA), WarDeclared)[0].war
    early = replace(book.state.wars[other], kind=WarKind.AGGRESSIVE, order=1, due=DAWN + timedelta(seconds=295))
    book.state.wars[other] = early
    book.now = DAWN + timedelta(seconds=310)

    ended = of_kind(book.when(FightWar(war=other)), WarFought, WarAverted)

    assert [e.war for e in ended] == [gods, other]
    assert not [k for k in book.state.timers if k.startswith("war")]


@pytest.mark.rule("G2-TIME-3")
@pytest.mark.parametrize("left", [Phase.OPENING, Phase.AGGRESSION])
def test_a_century_left_before_its_board_is_open_goes_on_when_its_end_is_fired(left: Phase) -> None:
    book, *_ = two_peoples()
    book.state.set_era(phase=left)
    kinds = [type(event).__name__ for event in book.when(FireNow(timer="century:1/end"), by=GM)]
    assert kinds.index("BoardOpened") < kinds.index("ActivityClosed") < kinds.index("CenturyClosed")
    assert (book.state.era.century, book.state.era.phase) == (2, Phase.OPEN)
