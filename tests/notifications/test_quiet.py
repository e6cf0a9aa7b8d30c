"""Quiet hours by the clock on the wall, through both changes of summer time."""

from datetime import UTC, datetime

import pytest

from api.notifications.quiet import end_of_quiet

BERLIN = "Europe/Berlin"


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    "_case, now, begin, end, expected",
    [
        ("before", "2026-03-01T20:59", "22:00", "07:00", None),
        ("first minute", "2026-03-01T21:00", "22:00", "07:00", "2026-03-02T06:00"),
        ("after midnight", "2026-03-02T01:00", "22:00", "07:00", "2026-03-02T06:00"),
        ("the end is not within", "2026-03-02T06:00", "22:00", "07:00", None),
        ("within a day", "2026-03-01T12:30", "13:00", "15:00", "2026-03-01T14:00"),
        ("none", "2026-03-01T12:30", "", "15:00", None),
        ("empty span", "2026-03-01T12:30", "13:30", "13:30", None),
        ("the night that is an hour shorter", "2026-03-28T21:30", "22:00", "07:00", "2026-03-29T05:00"),
        ("the end is skipped", "2026-03-29T00:30", "22:00", "02:30", "2026-03-29T01:30"),
        ("begin is skipped", "2026-03-29T01:00", "02:30", "07:00", "2026-03-29T05:00"),
        ("the night that is an hour longer", "2026-10-24T20:30", "22:00", "07:00", "2026-10-25T06:00"),
        ("an end that comes twice", "2026-10-24T23:30", "22:00", "02:30", "2026-10-25T00:30"),
        ("between its two times", "2026-10-25T00:45", "22:00", "02:30", None),
        ("the wall shows it again", "2026-10-25T01:15", "22:00", "02:30", "2026-10-25T01:30"),
    ],
)
def test_quiet_hours_end_when_the_wall_says_so(_case, now, begin, end, expected):
    assert end_of_quiet(utc(now), BERLIN, begin, end) == (utc(expected) if expected else None)


def test_what_waits_is_outside_of_the_quiet_hours_at_their_end_all_year():
    moments = [
        utc(f"2026-{month:02}-{day:02}T{hour:02}:30")
        for month in (3, 10)
        for day in range(20, 32)
        for hour in range(24)
    ]
    for moment in moments:
        for begin, end in (("22:00", "07:00"), ("01:30", "03:30")):
            ends = end_of_quiet(moment, BERLIN, begin, end)
            assert ends is None or (ends > moment and end_of_quiet(ends, BERLIN, begin, end) is None)
