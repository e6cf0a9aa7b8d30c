"""When deadlines fall: the calendar of a game by post, and those who are away.

One rule says which deadlines these are: those of windows of an hour or more (`SHORTEST`). What is shorter (a
challenge, dice of a real table, a called number) is a matter of the moment, and stays as it is to the second. Times in
the log are times on the clock: no replay asks for a time zone again.
"""

from collections.abc import Collection, Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from uuid import UUID
from zoneinfo import ZoneInfo

from games.engine.audience import Reader, reader
from games.engine.game_state import GameState, Prompt, Timer
from games.engine.kernel import Event
from games.engine.post_options import PostOptions, post_options
from games.engine.timer import NOTHING_LEFT, Extended

SHORTEST = timedelta(hours=1)
"""The shortest window whose deadline follows the calendar, and waits for those who are away."""
A_DAY = timedelta(days=1)
A_SECOND = timedelta(seconds=1)
TABLE_VOTE = "TABLE_VOTE"
"""The kind of question that a vote of the players is; it stands in no row of a course."""
BY_CALENDAR = "The calendar of the game has this time."


def moment_of(day: date, at: time, zone: ZoneInfo) -> datetime:
    """The moment (UTC) at which the clocks of a zone show a time of day.

    Of a time that exists twice, the first; instead of one that does not exist, the first moment after the gap.
    """
    wall = datetime.combine(day, at, tzinfo=zone)
    found = wall.astimezone(UTC)
    if found.astimezone(zone).replace(tzinfo=None) == wall.replace(tzinfo=None):
        return found
    before, after = wall.replace(fold=1).astimezone(UTC), found  # the clocks go forward between these two
    offset = before.astimezone(zone).utcoffset()
    while after - before > A_SECOND:
        middle = (before + (after - before) / 2).replace(microsecond=0)
        if middle.astimezone(zone).utcoffset() == offset:
            before = middle
        else:
            after = middle
    return after


def first_slot(options: PostOptions, moment: datetime) -> datetime:
    """The first time at or after a moment (UTC) at which deadlines may fall; the moment itself without a calendar."""
    at = options.slot
    if at is None:
        return moment
    day = moment.astimezone(options.zone).date()
    while True:
        slot = moment_of(day, at, options.zone)
        if slot >= moment and not options.is_rest(day.weekday()):
            return slot
        day += A_DAY


def window_end(options: PostOptions, now: datetime, window: timedelta) -> datetime:
    """When a window that opens now ends (UTC).

    By the calendar, where there is one and the window has an hour or more: its length is counted on the clocks of the
    zone (a day is a day, of 23 hours or of 25), and the deadline falls at the first slot from then on.
    """
    if options.slot is None or window < SHORTEST:
        return now + window
    wall = now.astimezone(options.zone).replace(tzinfo=None) + window
    return first_slot(options, moment_of(wall.date(), wall.time(), options.zone))


def deadline_of_window(state: GameState, now: datetime, window: timedelta) -> datetime:
    """When a window ends that opens now in this game, be it of a question or of a part of the game."""
    return window_end(post_options(state.info.options), now, window)


def deadline_for(state: GameState, now: datetime, window: timedelta, owners: Collection[Reader]) -> datetime:
    """When the window of a question to these owners ends: none of an hour or more while one of them is on vacation."""
    due = deadline_of_window(state, now, window)
    return due if window < SHORTEST else after_vacations(state, due, owners)


def after_vacations(state: GameState, due: datetime, owners: Collection[Reader]) -> datetime:
    """A deadline (UTC), put off to the first slot at which none of these owners is on vacation.

    A seat that a bot plays waits for nobody.
    """
    asked = {leave.seat for leave in state.leaves.values() if leave.is_vacation and reader(leave.seat) in owners}
    seats = sorted(seat for seat in asked if not state.seats[seat].bot)
    while away := [until for seat in seats if (until := away_until(state, seat, due)) is not None]:
        due = first_slot(post_options(state.info.options), max(away))
    return due


def away_until(state: GameState, seat: UUID, moment: datetime) -> datetime | None:
    """Until when (UTC) a seat is on vacation that is so at this moment; None for one that is not."""
    found = (v.ends_at for v in state.leaves.values() if v.is_vacation and v.seat == seat and v.covers(moment))
    return max(found, default=None)


def end_vacations(state: GameState, seat: UUID) -> None:
    """End the vacations of a seat that are not over, at the time of the event that is applied."""
    for leave in list(state.leaves.values()):
        if leave.is_vacation and leave.seat == seat and leave.ends_at > state.log_time:
            state.leaves[leave.id] = replace(leave, ends_at=max(leave.starts_at, state.log_time))


def forget_missed(state: GameState, seat: UUID) -> None:
    """Forget at how many deadlines a seat was silent. Called by events while they are applied."""
    for leave in [leave for leave in state.leaves.values() if leave.seat == seat and leave.is_missed]:
        del state.leaves[leave.id]


def is_dated(state: GameState, prompt: Prompt) -> bool:
    """Whether the deadline of a question follows the calendar: its window has an hour or more."""
    if prompt.kind == TABLE_VOTE:
        return True
    course = state.course_rows
    windows = {row.window for row in course.questions.values() if row.kind == prompt.kind and row.window}
    return any(course.windows[name].is_dated and state.window(name) >= SHORTEST for name in windows)


def dated_question(state: GameState, timer: Timer) -> Prompt | None:
    """The question whose deadline a timer is, where it follows the calendar."""
    prompt = state.prompts.get(timer.subject) if timer.subject is not None else None
    return prompt if prompt is not None and is_dated(state, prompt) else None


def time_by_calendar(state: GameState, timer: Timer, due: datetime) -> datetime:
    """When a timer that should fire at `due` does so by the calendar: then, where it does not follow it.

    The end of a part of the game falls at a slot, and what comes before that end as much before the slot.
    """
    options, ahead = post_options(state.info.options), state.calendar_timers().get(timer.key)
    if ahead is not None:
        return first_slot(options, due + ahead) - ahead
    asked = dated_question(state, timer)
    if asked is None:
        return due
    return after_vacations(state, first_slot(options, due), waited_owners(state, asked, timer))


def waited_owners(state: GameState, prompt: Prompt, timer: Timer) -> set[Reader]:
    """The owners of a question whose answer is not in, as far as everybody knows who sees its deadline.

    Of a sealed question all of them, and so where more see the deadline than the answers: it tells who has answered.
    """
    are_hidden = not tells_answers(prompt, timer)
    return {owner for owner in prompt.owners if are_hidden or (prompt.id, owner) not in state.answers}


def tells_answers(prompt: Prompt, timer: Timer) -> bool:
    """Whether all who see the deadline of a question see who has answered it."""
    return not prompt.sealed and timer.shown == prompt.audience


def realign(state: GameState, by: timedelta) -> Iterator[Event]:
    """Put every deadline that follows the calendar to a slot again, after what lies ahead was moved.

    by: how far it was moved. Not in a pause: its end moves all of them again.
    """
    if state.info.paused_at is None and (state.leaves or post_options(state.info.options).slot is not None):
        for key in sorted(state.timers):
            yield from realign_timer(state, key, by)


def realign_timer(state: GameState, key: str, by: timedelta) -> Iterator[Event]:
    """Put one deadline that was moved to the first slot from there on, where it follows the calendar.

    by: how far it was moved. By less than an hour later: it stays where it was, and falls now if that has passed.
    """
    timer = state.timers[key]
    if timer.due is None:
        return
    is_kept = post_options(state.info.options).slot is not None and NOTHING_LEFT < by < SHORTEST
    if is_kept and (key in state.calendar_timers() or dated_question(state, timer) is not None):
        due = max(timer.due - by, state.now)
    else:
        due = time_by_calendar(state, timer, timer.due)
    if due != timer.due:
        yield Extended(timer=key, due=due, reason=BY_CALENDAR)


def put_off_for_absent(state: GameState, reason: str) -> Iterator[Event]:
    """Put the deadlines of open questions off that fall while somebody who is asked is on vacation."""
    for key in sorted(state.timers):
        timer = state.timers[key]
        asked = dated_question(state, timer)
        if asked is None or timer.due is None:
            continue
        due = after_vacations(state, timer.due, waited_owners(state, asked, timer))
        if due != timer.due:
            yield Extended(timer=key, due=due, reason=reason)
