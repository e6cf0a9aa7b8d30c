"""The clock of one locked game: fires what is due, each timer in its own savepoint, and outlives a rule that fails."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import structlog
from django.conf import settings
from django.db import OperationalError, transaction

from games.engine.errors import DieOwed, Refused
from games.engine.game_state import Timer as TimerRecord
from games.engine.kernel import CLOCK, Command, Context, Event, EventRecord, apply_events
from games.engine.lifecycle.gm_commands import ClockSlipped, Paused
from games.engine.prompts.manual_dice import hold
from games.engine.prompts.prompt import close, innermost, timer_key
from games.engine.timer import TimerFailed, TimerRefused, fire
from games.models import Receipt, Timer
from games.runtime import command_log, failpoints
from games.runtime.session import Sitting, context_of, recover, write

AT_ONCE = 50  # timers fired in one go; more wait for the next
FAILURES = 3  # tries after which a game is parked
logger = structlog.get_logger(__name__)


def due_by(sitting: Sitting, at: datetime) -> list[tuple[datetime, int, str]]:
    """The timers due by `at`: (due, generation, key), earliest first."""
    timers = sitting.state.timers.values()
    return sorted((t.due, t.generation, t.key) for t in timers if t.due is not None and t.due <= at)


def fire_all(sitting: Sitting, at: datetime) -> int:
    """Fire every timer due by `at`, each at its own time, at most 50; how many fired."""
    slip = timedelta(seconds=settings.CLOCK_SLIP_SECONDS)
    due = due_by(sitting, at)
    if due and slip and at - due[0][0] > slip and sitting.game.paused_at is None:
        ctx = context_of(sitting, at, CLOCK)
        write(sitting, apply_events(sitting.state, [ClockSlipped(by=at - due[0][0])], ctx), cause="clock")
    fired = 0
    while fired < AT_ONCE and sitting.game.paused_at is None and (due := due_by(sitting, at)):
        moment, _, key = due[0]
        last = sitting.game.last_at
        if not _fire_one(sitting, key, max(moment, last) if last else moment):
            break
        fired += 1
    return fired


def _fire_one(sitting: Sitting, key: str, at: datetime) -> bool:
    """Fire one timer in a savepoint. A refusal settles it and tells the GM; a fault is counted and ends this go."""
    timer = sitting.state.timers[key]
    rewinds = sitting.state.table.rewinds  # a rewind brings timers back that have fired before
    name = f"{key}#{timer.generation}" + (f"/{rewinds}" if rewinds else "")
    try:
        with transaction.atomic():
            first = sitting.game.seq + 1
            failpoints.reach(failpoints.TIMER_LOADED, key)
            happened = _fired(sitting, key, at)
            failpoints.reach(failpoints.TIMER_FIRED, key)
            write(sitting, happened, cause=name)
            Receipt.objects.create(
                game=sitting.game, principal="clock", key=name, command=timer.does,
                fingerprint="", first_seq=first, last_seq=sitting.game.seq, at=at,
            )  # fmt: skip
            failpoints.reach(failpoints.RECEIPT_WRITTEN, key)
            command_log.timer_fired(sitting.game, key, timer.does, timer.due, first)
    except OperationalError:
        raise  # the database's fault, not the timer's: all of this go is taken back, and the next one tries again
    except Exception as fault:
        logger.exception("timer.failed", game=str(sitting.game.pk), timer=key)
        recover(sitting)
        _count_failure(sitting, key, at, fault)
        return False
    return True


def _fired(sitting: Sitting, key: str, at: datetime) -> list[EventRecord]:
    """What a timer does, or the GM's notice that the rules refused it, or a question for a die."""
    timer = sitting.state.timers[key]
    by = "deadline" if key.startswith("prompt:") else "clock"
    try:
        ctx = context_of(sitting, at, CLOCK, by=by)
        return apply_events(sitting.state, failpoints.passing(fire(sitting.state, key, ctx)), ctx)
    except DieOwed as owed:
        recover(sitting)
        ctx = context_of(sitting, at, CLOCK)
        command = ctx.command(timer.does, timer.arguments)
        return apply_events(sitting.state, _hold_fired(sitting.state, ctx, command, owed, key), ctx)
    except Refused as refused:
        recover(sitting)
        ctx = context_of(sitting, at, CLOCK)
        return apply_events(sitting.state, _settled(sitting.state, timer, refused), ctx)


def _settled(state: Any, timer: TimerRecord, refused: Refused) -> Iterator[Event]:
    """A refused timer is gone, and so is the question whose deadline it was; the GMs are notified."""
    yield TimerRefused(key=timer.key, does=timer.does, code=refused.code, reason=refused.message)
    for prompt in [p for p in state.prompts.values() if timer_key(p.id) == timer.key and innermost(state, p)]:
        yield from close(state, prompt.id, "refused")


def _hold_fired(state: Any, ctx: Context, command: Command, owed: DieOwed, key: str) -> Iterator[Event]:
    """The timer is removed, its command waits for the die."""
    yield next(fire(state, key, ctx))
    yield from hold(state, ctx, command, owed)


def _count_failure(sitting: Sitting, key: str, at: datetime, fault: Exception) -> None:
    """Count a fault; at the third the game's clock stops and its GMs are notified, and the other games go on."""
    row = Timer.objects.get(game=sitting.game, key=key)
    row.failures += 1
    row.last_error = f"{type(fault).__name__}: {fault}"[:2000]
    row.save(update_fields=["failures", "last_error"])
    if row.failures >= FAILURES:
        reason = "The service could not carry out what was due; a game-master looks into it."
        told = TimerFailed(key=key, does=row.does, times=row.failures, reason=row.last_error)
        ctx = context_of(sitting, at, CLOCK)
        write(sitting, apply_events(sitting.state, [told, Paused(reason=reason)], ctx), cause="clock")
