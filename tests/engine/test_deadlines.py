"""The calendar of deadlines: time of day, days of rest, both changes of summer time, pauses and outages."""

import json
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from jsonschema import Draft202012Validator
from pydantic import ValidationError

from games.engine.deadlines import first_slot, moment_of, window_end
from games.engine.lifecycle.gm_commands import Extend, Pause, Resume, Start, shift_time
from games.engine.post_options import WEEKDAYS, PostOptions, post_options
from games.engine.prompts.prompt import Rule, ask, close
from games.engine.timer import Extended
from tests.engine.cairns import ANN, BOB, GM_ACTOR, Cairns, table
from tests.playbook import DAWN, event_like, of_kind, refused
from tests.toy.rules.commands import CastVote, Propose
from tests.toy.rules.state import Options

pytestmark = pytest.mark.rule("CF-6")
BERLIN = ZoneInfo("Europe/Berlin")
EVENING = PostOptions(time_zone="Europe/Berlin", deadline_at="20:00")
WORKDAYS = PostOptions(time_zone="Europe/Berlin", deadline_at="20:00", rest_days=("saturday", "sunday"))
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
BY_POST = (
    '{"tide_seconds":3600,"tides":1000,"vote_seconds":86400,"time_zone":"Europe/Berlin","deadline_at":"20:00"'
    ',"rest_days":["sunday"]}'
)


def berlin(month: int, day: int, hour: int, minute: int = 0, *, fold: int = 0) -> datetime:
    return datetime(2026, month, day, hour, minute, tzinfo=BERLIN, fold=fold).astimezone(UTC)


def by_post() -> Cairns:
    """A game with a calendar, in which Ann puts something to the vote on Thursday at 13:00 in Berlin."""
    cairns = table(options=BY_POST)
    cairns.when(Start(), GM_ACTOR)
    cairns.when(Propose(text="A feast?"), ANN)
    return cairns


def vote_due(cairns: Cairns) -> datetime | None:
    (asked,) = cairns.state.prompts
    return cairns.state.timers[f"prompt:{asked}"].due


@pytest.mark.parametrize(
    ("options", "now", "window", "due"),
    [
        (EVENING, berlin(1, 1, 13), DAY, berlin(1, 2, 20)),
        (EVENING, berlin(1, 1, 20), DAY, berlin(1, 2, 20)),  # a window that ends at a slot ends there
        (EVENING, berlin(1, 1, 20, 1), DAY, berlin(1, 3, 20)),
        (EVENING, berlin(1, 1, 18, 59), HOUR, berlin(1, 1, 20)),
        (EVENING, berlin(1, 1, 13), HOUR - timedelta(seconds=1), berlin(1, 1, 13, 59) + timedelta(seconds=59)),
        (WORKDAYS, berlin(1, 1, 21), DAY, berlin(1, 5, 20)),  # from Friday's evening on to Monday's
        (PostOptions(), berlin(1, 1, 13), DAY, berlin(1, 2, 13)),
    ],
)
def test_a_deadline_falls_at_the_first_slot_from_the_end_of_its_window_on(options, now, window, due):
    assert window_end(options, now, window) == due


def test_a_day_is_a_day_on_the_clocks_of_the_zone_though_it_has_23_or_25_hours():
    assert window_end(EVENING, berlin(3, 28, 20), DAY) == berlin(3, 29, 20) == berlin(3, 28, 20) + 23 * HOUR
    assert window_end(EVENING, berlin(10, 24, 20), DAY) == berlin(10, 25, 20) == berlin(10, 24, 20) + 25 * HOUR


def test_a_time_that_does_not_exist_means_the_end_of_the_gap_and_one_that_exists_twice_the_first():
    assert moment_of(date(2026, 3, 29), time(2, 30), BERLIN) == berlin(3, 29, 3)
    assert moment_of(date(2026, 10, 25), time(2, 30), BERLIN) == berlin(10, 25, 2, 30, fold=0)
    half_past_two = PostOptions(time_zone="Europe/Berlin", deadline_at="02:30")
    assert first_slot(half_past_two, berlin(3, 28, 2, 31)) == berlin(3, 29, 3)
    assert first_slot(half_past_two, berlin(10, 25, 2, 31)) == berlin(10, 26, 2, 30)
    skipped = ZoneInfo("Pacific/Apia")  # 2011-12-30 does not exist there
    assert moment_of(date(2011, 12, 30), time(12), skipped) == datetime(2011, 12, 31, 0, 0, tzinfo=skipped)


@pytest.mark.parametrize(
    "wrong",
    [
        '{"deadline_at": "8 pm"}',
        '{"deadline_at": "24:00"}',
        '{"deadline_at": "20:00", "rest_days": ["sonntag"]}',
        json.dumps({"deadline_at": "20:00", "rest_days": WEEKDAYS}),
        '{"time_zone": "../etc/passwd"}',
    ],
)
def test_a_calendar_that_is_none_is_refused(wrong):
    with pytest.raises(ValidationError):
        Options.model_validate_json(wrong)


@pytest.mark.parametrize(
    ("options", "needed"),
    [
        ({"rest_days": ["sunday"]}, "deadline_at"),
        ({"rest_days": ["sunday"], "deadline_at": ""}, "deadline_at"),
        ({"grace_seconds": 3600}, "excused_absences"),
        ({"grace_seconds": 3600, "excused_absences": 0}, "excused_absences"),
        ({"excused_absences": 1}, "grace_seconds"),
    ],
)
def test_an_option_that_needs_another_is_refused_without_it_and_a_game_that_has_it_goes_on(options, needed):
    text = json.dumps(options)
    with refused("option.alone") as told:
        Options.from_text(text).check(None)
    assert told.value.facts == {"option": next(iter(options)), "needs": needed}
    assert f"`{needed}`" in told.value.message
    monday = datetime(2026, 3, 2, 12, tzinfo=UTC)
    assert first_slot(post_options(text), monday) == monday


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"deadline_at": "20:00"},
        {"deadline_at": "20:00", "rest_days": ["sunday"]},
        {"grace_seconds": 3600, "excused_absences": 1},
        {"rest_days": [], "deadline_at": "", "grace_seconds": 0, "excused_absences": 0},
    ],
)
def test_options_that_have_what_they_need_are_taken_and_their_schema_admits_them(options):
    Options.from_text(json.dumps(options)).check(None)
    assert Draft202012Validator(Options.model_json_schema()).is_valid(options)


@pytest.mark.parametrize("options", [{"rest_days": ["sunday"]}, {"grace_seconds": 3600}, {"excused_absences": 1}])
def test_the_schema_of_options_says_which_need_each_other(options):
    schema = Options.model_json_schema()
    (error,) = Draft202012Validator(schema).iter_errors(options)
    assert error.validator == "dependentRequired"


@pytest.mark.parametrize("zone", ["Berlin", "Europe/Atlantis", "Europe"])
def test_an_unknown_time_zone_is_refused_with_an_example(zone):
    with refused("zone.unknown") as told:
        Options(time_zone=zone).check(None)
    assert "such as Europe/Berlin" in told.value.message


def test_the_usual_options_leave_no_trace_and_those_of_a_game_are_read_out_of_all():
    assert Options().model_dump_json() == Options.model_validate_json("{}").model_dump_json()
    assert not {*PostOptions.model_fields} & {*Options().model_dump()}
    assert post_options(BY_POST).deadline_at == "20:00" and post_options("{}") == PostOptions()


def test_a_question_and_a_part_of_the_game_end_at_a_slot():
    cairns = by_post()
    assert cairns.state.timers["tide"].due == berlin(1, 1, 20)
    assert vote_due(cairns) == berlin(1, 2, 20)
    cairns.wait(7 * HOUR)
    assert cairns.state.timers["tide"].due == berlin(1, 2, 20)
    assert cairns.log_folds_to_state()


def test_after_a_pause_deadlines_fall_at_slots_again():
    cairns = by_post()
    cairns.when(Pause(), GM_ACTOR)
    cairns.now += 26 * HOUR  # what was due on Friday at 20:00 comes to Saturday at 22:00, and Sunday is a day of rest
    events = cairns.when(Resume(), GM_ACTOR)
    assert vote_due(cairns) == berlin(1, 5, 20)
    assert cairns.state.timers["tide"].due == berlin(1, 3, 20)
    assert len(of_kind(events, Extended)) == 2
    assert cairns.log_folds_to_state()


def test_after_an_outage_and_a_clock_that_went_back_deadlines_fall_at_slots_again():
    cairns = by_post()
    cairns.now += 24 * HOUR + timedelta(seconds=37)
    cairns.happens(lambda state, ctx: shift_time(state, 24 * HOUR + timedelta(seconds=37)))
    assert vote_due(cairns) == berlin(1, 5, 20)
    cairns.happens(lambda state, ctx: shift_time(state, -timedelta(minutes=5)))
    assert vote_due(cairns) == berlin(1, 5, 20)
    assert cairns.log_folds_to_state()


def test_less_than_an_hour_moves_no_deadline_of_the_calendar_and_one_that_was_missed_falls_at_once():
    cairns = by_post()
    short = timedelta(minutes=59)
    cairns.when(Pause(), GM_ACTOR)
    cairns.now += short
    cairns.when(Resume(), GM_ACTOR)
    assert (vote_due(cairns), cairns.state.timers["tide"].due) == (berlin(1, 2, 20), berlin(1, 1, 20))
    cairns.now = berlin(1, 1, 20, 2)
    cairns.happens(lambda state, ctx: shift_time(state, timedelta(minutes=2)))
    assert (vote_due(cairns), cairns.state.timers["tide"].due) == (berlin(1, 2, 20), berlin(1, 1, 20, 2))
    cairns.wait(timedelta(seconds=1))
    assert cairns.state.timers["tide"].due == berlin(1, 2, 20)
    assert cairns.log_folds_to_state()


def test_a_deadline_is_put_off_by_an_hour_or_more_to_a_slot_and_by_less_to_the_second():
    cairns = by_post()
    cairns.when(Extend(timer="tide", seconds=3599), GM_ACTOR)
    assert cairns.state.timers["tide"].due == berlin(1, 1, 20) + timedelta(seconds=3599)
    cairns.when(Extend(timer="tide", seconds=3600), GM_ACTOR)
    assert cairns.state.timers["tide"].due == berlin(1, 2, 20)


@pytest.mark.parametrize(("inside", "due"), [(2 * HOUR, berlin(1, 3, 20)), (HOUR / 2, berlin(1, 2, 20))])
def test_a_question_that_was_interrupted_falls_at_a_slot_when_it_goes_on(inside, due):
    cairns = by_post()
    (asked,) = cairns.state.prompts
    inner = {"owners": ["gm"], "lane": "in", "rule": Rule.FIRST, "answered_by": (CastVote,), "parent": asked}
    cairns.happens(lambda state, ctx: ask(state, ctx, "INNER", "Well?", **inner), by=GM_ACTOR)
    cairns.now += inside
    (within,) = set(cairns.state.prompts) - {asked}
    events = cairns.happens(lambda state, ctx: close(state, within, "done"))
    assert of_kind(events, Extended) == [event_like(Extended, due=due)]
    assert cairns.log_folds_to_state()


def test_without_the_options_no_deadline_follows_a_calendar():
    cairns = table(options='{"tide_seconds":3600,"vote_seconds":86400}')
    cairns.when(Start(), GM_ACTOR)
    cairns.when(Propose(text="A feast?"), BOB)
    assert (vote_due(cairns), cairns.state.timers["tide"].due) == (DAWN + DAY, DAWN + HOUR)
    cairns.when(Pause(), GM_ACTOR)
    cairns.now += 7 * HOUR
    assert of_kind(cairns.when(Resume(), GM_ACTOR), Extended) == []
