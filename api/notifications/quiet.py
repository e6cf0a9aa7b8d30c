"""When mail goes out, by the clock on a person's wall: quiet hours, and a time of each day. Pure: no rows, no clock."""

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo


def end_of_quiet(now: datetime, zone: str, quiet_from: str, quiet_to: str) -> datetime | None:
    """When the quiet hours end in which `now` lies, in UTC; None outside of them, and where there are none.

    quiet_from, quiet_to: "HH:MM" in the zone, the first within and the last not; either empty, or both the same: none.
    An hour that is skipped or repeated by summer time is read as the wall shows it, the end as its first time; an end
    that is skipped is as far behind the gap as it would be in it.
    """
    if not quiet_from or not quiet_to or quiet_from == quiet_to:
        return None
    start, end = time.fromisoformat(quiet_from), time.fromisoformat(quiet_to)
    here = now.astimezone(ZoneInfo(zone))
    wall = here.time().replace(fold=0)
    is_quiet = start <= wall < end if start < end else wall >= start or wall < end
    if not is_quiet:
        return None
    day = here.date() if wall < end else here.date() + timedelta(days=1)
    ends = datetime.combine(day, end, here.tzinfo).astimezone(UTC)
    if ends <= now:  # the wall shows the quiet hours again, after the end of summer time
        ends = datetime.combine(day, end, here.tzinfo).replace(fold=1).astimezone(UTC)
    return ends


def last_time_of_day(now: datetime, zone: str, at: str) -> datetime:
    """The last moment up to `now` at which the wall showed a time of day ("HH:MM"), in UTC: one on each day.

    A time that is skipped by summer time is as far behind the gap as it would be in it; of one that is repeated the
    first counts.
    """
    return _time_of_day(now, zone, at, behind=False)


def next_time_of_day(now: datetime, zone: str, at: str) -> datetime:
    """The first such moment behind `now`."""
    return _time_of_day(now, zone, at, behind=True)


def _time_of_day(now: datetime, zone: str, at: str, *, behind: bool) -> datetime:
    here, moment = ZoneInfo(zone), time.fromisoformat(at)
    today = now.astimezone(here).date()
    days = (today + timedelta(days=number) for number in (-2, -1, 0, 1, 2))
    moments = sorted(datetime.combine(day, moment, here).astimezone(UTC) for day in days)
    return next(each for each in moments if each > now) if behind else [each for each in moments if each <= now][-1]
