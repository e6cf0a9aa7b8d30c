"""Vacations: days by one's own word, out of a budget; deadlines wait, and everybody sees why."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from games.engine.lifecycle.gm_commands import Pause, Resume, Start
from games.engine.lifecycle.seating import HandedOver
from games.engine.lifecycle.vacations import EndVacation, TakeVacation, VacationTaken
from games.engine.prompts.prompt import Rule, answer
from games.engine.timer import Extended
from tests.engine.cairns import ANN, BOB, CYD, GM_ACTOR, HOST, USER, Cairns, table
from tests.playbook import event_like, of_kind, refused
from tests.toy.rules import RULESET
from tests.toy.rules.commands import CastVote, Propose

pytestmark = pytest.mark.rule("CF-6")
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
OPTIONS = (
    '{"tide_seconds":3600,"tides":1000,"vote_seconds":86400,"time_zone":"Europe/Berlin","deadline_at":"20:00"'
    ',"rest_days":["sunday"],"vacation_days":5}'
)


def running(options: str = OPTIONS) -> Cairns:
    """A game of three, on Thursday 2026-01-01 at 13:00 in Berlin."""
    cairns = table(ANN, BOB, CYD, options=options)
    cairns.when(Start(), GM_ACTOR)
    return cairns


def utc(day: int, hour: int) -> datetime:
    return datetime(2026, 1, day, hour, tzinfo=UTC)


def due(cairns: Cairns) -> datetime | None:
    (asked,) = cairns.state.prompts
    return cairns.state.timers[f"prompt:{asked}"].due


def away(first: str, last: str) -> TakeVacation:
    return TakeVacation(first_day=f"2026-01-{first}", last_day=f"2026-01-{last}")


def test_an_open_question_waits_for_who_is_away_and_so_does_the_next():
    cairns = running()
    cairns.when(Propose(text="A feast?"), ANN)
    assert due(cairns) == utc(2, 19)
    events = cairns.when(away("02", "03"), BOB)  # Friday and Saturday; Sunday is a day of rest
    assert of_kind(events, VacationTaken) == [event_like(VacationTaken, seat=BOB, days=2, left=3)]
    assert of_kind(events, Extended) == [event_like(Extended, due=utc(5, 19), reason="Bob is away.")]
    assert cairns.log[-2].text == "Bob is away from 2026-01-01 23:00 to 2026-01-03 23:00 UTC; 3 days of vacation left."
    motion = next(iter(cairns.state.prompts))
    cairns.when(CastVote(prompt=motion, yes=True), ANN)
    cairns.when(CastVote(prompt=motion, yes=True), CYD)
    cairns.when(Propose(text="Another?"), ANN)
    assert due(cairns) == utc(5, 19)
    assert cairns.log_folds_to_state()


def test_who_has_answered_is_not_waited_for():
    cairns = running()
    cairns.when(Propose(text="A feast?"), ANN)
    cairns.when(CastVote(prompt=next(iter(cairns.state.prompts)), yes=True), BOB)
    cairns.when(away("02", "03"), BOB)
    assert due(cairns) == utc(2, 19)


def test_whether_a_sealed_question_waits_does_not_tell_whether_it_is_answered():
    rows = {"MOTION": replace(RULESET.course.questions["MOTION"], sealed=True, settles=Rule.ALL)}
    hidden = replace(RULESET, course=replace(RULESET.course, questions=rows))
    for who in (BOB, CYD):
        cairns = table(ANN, BOB, CYD, ruleset=hidden, options=OPTIONS)
        cairns.when(Start(), GM_ACTOR)
        cairns.when(Propose(text="A feast?"), ANN)
        motion = next(iter(cairns.state.prompts))
        cairns.happens(lambda state, ctx, m=motion: answer(state, ctx, m, "true"), by=who)
        cairns.when(away("02", "03"), BOB)
        assert due(cairns) == utc(5, 19)


def test_a_vacation_from_today_on_begins_now_and_a_seat_that_is_back_is_not_waited_for():
    cairns = running()
    (taken,) = of_kind(cairns.when(away("01", "03"), BOB), VacationTaken)
    assert taken.starts_at == cairns.now and taken.ends_at == utc(3, 23)
    cairns.wait(HOUR)
    cairns.when(EndVacation(), BOB)
    cairns.when(Propose(text="A feast?"), ANN)
    assert due(cairns) == utc(2, 19)
    with refused("vacation.missing", cairns.state):
        cairns.when(EndVacation(), BOB)
    with refused("vacation.short", cairns.state) as told:  # the days are spent
        cairns.when(away("10", "12"), BOB)
    assert (told.value.facts["need"], told.value.facts["have"]) == (3, 2)
    assert cairns.log_folds_to_state()


@pytest.mark.parametrize(
    ("first", "last", "code"),
    [
        ("2025-12-31", "2026-01-02", "vacation.past"),
        ("2026-01-04", "2026-01-03", "vacation.past"),
        ("2026-01-07", "2026-01-07", "vacation.overlap"),
        ("2026-01-10", "2026-01-13", "vacation.short"),
        ("2026-02-30", "2026-03-01", "vacation.day"),
        ("2027-01-03", "2027-01-03", "vacation.far"),
    ],
)
def test_a_vacation_that_cannot_be_taken_is_refused(first, last, code):
    cairns = running()
    cairns.when(away("06", "07"), BOB)
    with refused(code, cairns.state):
        cairns.when(TakeVacation(first_day=first, last_day=last), BOB)


def test_a_game_without_vacations_and_who_does_not_play_are_refused():
    with refused("vacation.none"):
        running('{"tide_seconds":3600}').when(away("02", "03"), BOB)
    with refused("seat.other"):
        running().when(away("02", "03"), HOST)


def test_a_bot_that_stands_in_is_not_waited_for_and_a_new_person_is_not_away():
    cairns = running()
    cairns.when(away("02", "03"), BOB)
    cairns.plant(HandedOver(seat=BOB, user=USER, bot="idle"))
    cairns.when(Propose(text="A feast?"), ANN)
    assert due(cairns) == utc(2, 19)
    cairns.plant(HandedOver(seat=BOB, user=USER))
    assert [leave.ends_at for leave in cairns.state.leaves.values()] == [utc(3, 23)]
    cairns.plant(HandedOver(seat=BOB, user=UUID(int=7)))
    assert [leave.ends_at for leave in cairns.state.leaves.values()] == [utc(1, 23)]


def test_a_deadline_that_a_pause_moves_into_a_vacation_falls_after_it():
    cairns = running()
    cairns.when(Propose(text="A feast?"), ANN)
    cairns.when(away("05", "06"), CYD)
    cairns.when(Pause(), GM_ACTOR)
    cairns.now += 3 * DAY
    cairns.when(Resume(), GM_ACTOR)
    assert due(cairns) == utc(7, 19)
    assert cairns.log_folds_to_state()


def test_vacations_need_no_calendar():
    cairns = running('{"tide_seconds":3600,"tides":1000,"vote_seconds":86400,"vacation_days":5}')
    cairns.when(away("02", "03"), BOB)
    cairns.when(Propose(text="A feast?"), ANN)
    assert due(cairns) == utc(4, 0)
