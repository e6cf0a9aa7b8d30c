"""The clock of one locked game: fires what is due, all in one go or each by itself, and outlives a rule that fails."""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Any

import structlog
from django.conf import settings
from django.db import OperationalError, transaction

from games.engine.errors import DieOwed, Refused
from games.engine.game_state import Timer as TimerRecord
from games.engine.kernel import CLOCK, Event, EventRecord, apply_events
from games.engine.lifecycle.gm_commands import Paused, shift_time
from games.engine.prompts.manual_dice import put_off
from games.engine.prompts.prompt import close, innermost, timer_key
from games.engine.savepoint import Savepoint
from games.engine.timer import MAX_FAILURES, TimerFailed, TimerRefused, fire
from games.models import Timer
from games.runtime import command_log, failpoints
from games.runtime.session import (
    GameSession,
    acknowledge,
    commit_events,
    context_of,
    record,
    reload,
    write,
    write_at_once,
)

MAX_TIMERS_PER_RUN = 200  # timers fired in one go; more wait for the next, for which another process loads the game
logger = structlog.get_logger(__name__)


def next_due(session: GameSession, at: datetime) -> tuple[datetime, int, str] | None:
    """The timer that is due first by `at`: (due, generation, key)."""
    timers = session.state.timers.values()
    return min(((t.due, t.generation, t.key) for t in timers if t.due is not None and t.due <= at), default=None)


def fire_all(session: GameSession, at: datetime) -> int:
    """Fire every timer due by `at`, each at its own time, at most 200, and record what they do; how many fired."""
    if next_due(session, at) is None or session.state.info.paused_at is not None:
        return 0
    _note_slip(session, at)
    return _fire_each(session, at, _fire_one)


def fire_apart(session: GameSession, at: datetime) -> int:
    """As `fire_all`, each timer written by itself: one that fails is counted and ends this go, what went before stands.

    For what could not be done in one go, in a transaction.
    """
    if next_due(session, at) is None or session.state.info.paused_at is not None:
        return 0
    _note_slip(session, at)
    write(session)
    return _fire_each(session, at, _fire_apart)


def _note_slip(session: GameSession, at: datetime) -> None:
    """Say in the log that the clock comes much too late."""
    slip, due = timedelta(seconds=settings.CLOCK_SLIP_SECONDS), next_due(session, at)
    if due and slip and at - due[0] > slip:
        ctx = context_of(session, at, CLOCK)
        record(session, apply_events(session.state, shift_time(session.state, at - due[0]), ctx), cause="clock")


FAILED = "The service could not carry out what was due; a game-master looks into it."


def turn_back(session: GameSession, by: timedelta, at: datetime) -> None:
    """Follow a clock that went back to `at`: all that lies ahead moves by so much (below 0), and the log says so."""
    ctx = context_of(session, at, CLOCK)
    commit_events(session, apply_events(session.state, shift_time(session.state, by), ctx), cause="clock")


def park_ahead(session: GameSession, by: timedelta, at: datetime, fault: Exception) -> None:
    """Stop the clock of a game that cannot follow one that went back to `at`; its GMs are notified.

    by: how far, below 0. It stands where the clock was before, so that what was left is left once the game goes on.
    """
    state = session.state
    if state.info.paused_at is None:
        ctx = context_of(session, at - by, CLOCK)
        record(session, apply_events(state, [Paused(reason=FAILED)], ctx), cause="clock")
    reason = f"{type(fault).__name__}: {fault}"[:2000]
    notice = TimerFailed(key="clock", does="follow-the-wall-clock", times=1, reason=reason)
    commit_events(session, apply_events(state, [notice], context_of(session, at, CLOCK)), cause="clock")


def _fire_each(session: GameSession, at: datetime, fire_one: Callable[[GameSession, str, datetime], bool]) -> int:
    """Fire what is due, one after the other, until one says that this go is over; how many fired."""
    fired = 0
    while fired < MAX_TIMERS_PER_RUN and session.state.info.paused_at is None and (due := next_due(session, at)):
        moment, last = due[0], session.state.info.last_at
        if not fire_one(session, due[2], max(moment, last) if last else moment):
            break
        fired += 1
    return fired


def _fire_one(session: GameSession, key: str, at: datetime) -> bool:
    """Fire one timer and record what it does. A refusal settles it and notifies the GM."""
    timer = session.state.timers[key]
    rewinds = session.state.info.rewinds  # a rewind brings timers back that have fired before
    name = f"{key}#{timer.generation}" + (f"/{rewinds}" if rewinds else "")
    first = session.game.seq + 1
    failpoints.reach(failpoints.TIMER_LOADED, key)
    happened = _fire(session, key, at)
    failpoints.reach(failpoints.TIMER_FIRED, key)
    record(session, happened, cause=name)
    acknowledge(session, name, timer.does, first, at, "clock", "")
    command_log.log_timer(session.game, key, timer.does, timer.due, first)
    write_at_once(session, happened)
    return True


def _fire_apart(session: GameSession, key: str, at: datetime) -> bool:
    """Fire one timer in a savepoint of its own, and write what it does; a fault is counted and ends this go."""
    try:
        with transaction.atomic():
            _fire_one(session, key, at)
            write(session)
    except OperationalError:
        raise
    except Exception as fault:
        logger.exception("timer.failed", game=str(session.game.pk), timer=key)
        reload(session)
        _count_failure(session, key, at, fault)
        return False
    return True


def _fire(session: GameSession, key: str, at: datetime) -> list[EventRecord]:
    """What a timer does, or the GM's notice that the rules refused it, or a question for a die."""
    timer = session.state.timers[key]
    by = "deadline" if key.startswith("prompt:") else "clock"
    state = session.state
    with Savepoint(state) as savepoint:
        try:
            ctx = context_of(session, at, CLOCK, by=by)
            return apply_events(state, failpoints.passing(fire(state, key, ctx)), ctx)
        except DieOwed as owed:
            savepoint.undo()
            ctx = context_of(session, at, CLOCK)
            return apply_events(state, put_off(state, ctx, timer, owed), ctx)
        except Refused as refused:
            savepoint.undo()
            ctx = context_of(session, at, CLOCK)
            return apply_events(state, _drop_refused_timer(state, timer, refused), ctx)


def _drop_refused_timer(state: Any, timer: TimerRecord, refused: Refused) -> Iterator[Event]:
    """A refused timer is gone, and so is the question whose deadline it was; the GMs are notified."""
    yield TimerRefused(key=timer.key, does=timer.does, code=refused.code, reason=refused.message)
    for prompt in [p for p in state.prompts.values() if timer_key(p.id) == timer.key and innermost(state, p)]:
        yield from close(state, prompt.id, "refused")


def _count_failure(session: GameSession, key: str, at: datetime, fault: Exception) -> None:
    """Count a fault; at the third the game's clock stops and its GMs are notified, and the other games go on."""
    row = Timer.objects.get(game=session.game, key=key)
    row.failures += 1
    row.last_error = f"{type(fault).__name__}: {fault}"[:2000]
    row.save(update_fields=["failures", "last_error"])
    if row.failures >= MAX_FAILURES:
        failure = TimerFailed(key=key, does=row.does, times=row.failures, reason=row.last_error)
        ctx = context_of(session, at, CLOCK)
        commit_events(session, apply_events(session.state, [failure, Paused(reason=FAILED)], ctx), cause="clock")
