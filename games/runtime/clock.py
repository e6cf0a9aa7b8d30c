"""The clock of one locked game: fires what is due, each timer in its own savepoint, and outlives a rule that fails."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import structlog
from django.conf import settings
from django.db import OperationalError, transaction

from games.engine.errors import DieOwed, Refused
from games.engine.game_state import Timer as TimerRecord
from games.engine.kernel import CLOCK, Event, EventRecord, apply_events
from games.engine.lifecycle.gm_commands import ClockSlipped, Paused
from games.engine.prompts.manual_dice import put_off
from games.engine.prompts.prompt import close, innermost, timer_key
from games.engine.savepoint import Savepoint
from games.engine.timer import MAX_FAILURES, TimerFailed, TimerRefused, fire
from games.models import Receipt, Timer
from games.runtime import command_log, failpoints
from games.runtime.session import GameSession, commit_events, context_of, reload

MAX_TIMERS_PER_RUN = 50  # timers fired in one go; more wait for the next
logger = structlog.get_logger(__name__)


def due_by(session: GameSession, at: datetime) -> list[tuple[datetime, int, str]]:
    """The timers due by `at`: (due, generation, key), earliest first."""
    timers = session.state.timers.values()
    return sorted((t.due, t.generation, t.key) for t in timers if t.due is not None and t.due <= at)


def fire_all(session: GameSession, at: datetime) -> int:
    """Fire every timer due by `at`, each at its own time, at most 50; how many fired."""
    slip = timedelta(seconds=settings.CLOCK_SLIP_SECONDS)
    due = due_by(session, at)
    if due and slip and at - due[0][0] > slip and session.game.paused_at is None:
        ctx = context_of(session, at, CLOCK)
        commit_events(session, apply_events(session.state, [ClockSlipped(by=at - due[0][0])], ctx), cause="clock")
    fired = 0
    while fired < MAX_TIMERS_PER_RUN and session.game.paused_at is None and (due := due_by(session, at)):
        moment, _, key = due[0]
        last = session.game.last_at
        if not _fire_one(session, key, max(moment, last) if last else moment):
            break
        fired += 1
    return fired


def _fire_one(session: GameSession, key: str, at: datetime) -> bool:
    """Fire one timer in a savepoint. A refusal settles it and notifies the GM; a fault is counted and ends this go."""
    timer = session.state.timers[key]
    rewinds = session.state.table.rewinds  # a rewind brings timers back that have fired before
    name = f"{key}#{timer.generation}" + (f"/{rewinds}" if rewinds else "")
    try:
        with transaction.atomic():
            first = session.game.seq + 1
            failpoints.reach(failpoints.TIMER_LOADED, key)
            happened = _fire(session, key, at)
            failpoints.reach(failpoints.TIMER_FIRED, key)
            commit_events(session, happened, cause=name)
            Receipt.objects.create(
                game=session.game, principal="clock", key=name, command=timer.does,
                fingerprint="", first_seq=first, last_seq=session.game.seq, at=at,
            )  # fmt: skip
            failpoints.reach(failpoints.RECEIPT_WRITTEN, key)
            command_log.log_timer(session.game, key, timer.does, timer.due, first)
    except OperationalError:
        raise  # the database's fault, not the timer's: all of this go is taken back, and the next one tries again
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
        reason = "The service could not carry out what was due; a game-master looks into it."
        failure = TimerFailed(key=key, does=row.does, times=row.failures, reason=row.last_error)
        ctx = context_of(session, at, CLOCK)
        commit_events(session, apply_events(session.state, [failure, Paused(reason=reason)], ctx), cause="clock")
