"""What some games have to do, in one transaction: locked together, decided one after the other, written in one go.

One game with one command is a batch, too: everything that changes a game comes through `play`; games of several places
(ADR 115) are a transaction each place. An outcome holds once `play` has returned. A failing batch is rolled back and
retried game by game, then command by command: only what fails alone has failed.
"""

import math
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from time import perf_counter
from uuid import UUID

import structlog
from django.conf import settings
from django.db import OperationalError, transaction

from core.places.place import BeingMoved, Place
from core.places.routing import at_place, has_moved, place_of
from games.engine.errors import Refused
from games.runtime import clock, command_log, failpoints
from games.runtime.clock import fire_all, fire_apart
from games.runtime.decision import PendingCommand
from games.runtime.session import GameSession, cache_on_commit, lock, missing, thread_lock, time_of, write

logger = structlog.get_logger(__name__)


@dataclass(slots=True)
class GameWork:
    """What one game has to do: what its clock has due, then the commands that wait for it, in order."""

    game: UUID
    waiting: list[PendingCommand] = field(default_factory=list)
    now: datetime | None = None
    """The time that counts where no command waits."""
    fired: int = 0
    """How many timers have fired, where no command waited."""
    is_over: bool = False
    """Whether all of it is done. Where it is not, another process held it, or there was no time left."""
    was_held: bool = False
    """Whether another process held it."""


def play(works: Sequence[GameWork], *, wait: bool = True, seconds: float = math.inf, logs_later: bool = False) -> None:
    """Do what some games have to do, each game once; outcomes and errors stand in the commands.

    wait: whether for games that others hold; else these are left out. seconds: of deciding after which no
    further command begins; what is not decided then has not begun. logs_later: whether the caller writes the lines of
    what was decided (`log_commands`), once they are answered; those of what breaks off are written here. Raises what a
    database raises that is not there (OperationalError) and what a clock cannot get over by itself; then what has
    neither outcome nor error was taken back, or nobody knows.
    """
    try:
        (_play_by_places if settings.PLACES else _play)(works, wait, seconds)
    except BaseException as fault:
        for each in _commands(works):
            command_log.log_command(each, perf_counter(), fault)
        raise
    if not logs_later:
        log_commands(works, perf_counter())


def log_commands(works: Sequence[GameWork], ended: float) -> None:
    """Write the line of each command that was decided. ended: when that was, as `perf_counter` gives it."""
    for each in _commands(works):
        command_log.log_command(each, ended)


def _commands(works: Sequence[GameWork]) -> Iterator[PendingCommand]:
    return (part for work in works for each in work.waiting for part in each.parts)


def _play_by_places(works: Sequence[GameWork], wait: bool, seconds: float) -> None:
    """The games of each place in a transaction of their own; what a clock could not get over is raised at the end."""
    shares: dict[Place | None, list[GameWork]] = {}
    for work in works:
        shares.setdefault(place_of(work.game), []).append(work)
    begun, left, faults = perf_counter(), seconds, list[Exception]()
    for place, share in shares.items():
        if place is not None and place.is_moving:
            _refuse(share)
            continue
        try:
            with at_place(place):
                _play(share, wait, left)
        except OperationalError as fault:
            if place is None or not place.server:
                raise
            faults.append(fault)  # that server is away, and the games of other places go on
        except Exception as fault:  # noqa: BLE001  (raised once the others are done)
            faults.append(fault)
        left = seconds - (perf_counter() - begun)
        if left < 0:
            break
    moved = [
        work for place, share in shares.items() for work in share if _is_gone(work) and has_moved(work.game, place)
    ]
    for work in moved:
        work.is_over = False
        for each in work.waiting:
            each.error = None
    if moved:
        _play_by_places(moved, wait, max(0.0, left))
    if faults:
        raise faults[0]


def _refuse(works: Sequence[GameWork]) -> None:
    """Nothing is done in a place that is being moved: commands are refused, what is due stays due."""
    for work in works:
        work.is_over = bool(work.waiting)
        for each in work.waiting:
            each.error = Refused("game.moving", str(BeingMoved()))


def _is_gone(work: GameWork) -> bool:
    """Whether there was no such game where it was sought."""
    return any(isinstance(each.error, Refused) and each.error.code == "game.missing" for each in work.waiting)


def _play(works: Sequence[GameWork], wait: bool, seconds: float) -> None:
    """In one go; where that fails, apart."""
    try:
        _play_in_one_go(works, wait, seconds)
        return
    except OperationalError:
        raise  # the database's fault, nobody else's: all of this is taken back
    except Exception as fault:  # noqa: BLE001  (what fails alone, too, is raised or answered there)
        logger.warning("batch.apart", games=[str(work.game) for work in works], error=type(fault).__name__)
    parts = works if len(works) > 1 else [GameWork(work.game, [each]) for work in works for each in work.waiting]
    if len(parts) == 1 or not parts:
        _play_with_care(works[0])
        return
    faults = [found for part in parts if (found := _fault_of(part))]
    for work in works:
        work.is_over = True
    if faults:
        raise faults[0]


def _fault_of(work: GameWork) -> Exception | None:
    """Do the work of one game alone; what its clock could not get over."""
    try:
        _play([work], True, math.inf)
    except OperationalError:
        raise
    except Exception as fault:  # noqa: BLE001  (raised once the others are done)
        return fault
    return None


@contextmanager
def _lock_games(works: Sequence[GameWork], *, wait: bool) -> Iterator[dict[UUID, GameSession]]:
    """The games of this work in their order, locked by this thread and in the database until the block ends.

    When it breaks off, nothing of this work has happened.
    """
    games = sorted(work.game for work in works)
    keys = [(each.game, each.principal, each.key) for each in _commands(works) if each.key]
    with ExitStack() as stack:
        for game in games:
            stack.enter_context(thread_lock(game, None if wait else 0.0))
        try:
            with transaction.atomic():
                locked = lock(games, keys, skip_locked=not wait)
                sessions = {work.game: locked[work.game] for work in works if work.game in locked}
                yield sessions
                for session in sessions.values():
                    cache_on_commit(session)
        except BaseException:
            for work in works:
                work.fired, work.is_over = 0, False
            for each in (*(each for work in works for each in work.waiting), *_commands(works)):
                each.outcome = each.error = None
            raise


def _play_in_one_go(works: Sequence[GameWork], wait: bool, seconds: float) -> None:
    with _lock_games(works, wait=wait) as sessions:
        begun = perf_counter()
        for work in works:
            work.was_held = not wait and work.game not in sessions
        for work in works:
            session = sessions.get(work.game)
            if session is not None:
                failpoints.reach(failpoints.GAME_LOCKED)
                if not work.waiting:
                    work.fired = fire_all(session, time_of(session, work.now))
                for each in work.waiting:
                    if perf_counter() - begun > seconds:
                        break
                    each.settle(session, time_of(session, each.now), fire_all)
                else:
                    work.is_over = True
            elif wait:
                work.is_over = True
                for each in work.waiting:
                    each.error = missing()
            if perf_counter() - begun > seconds:
                break
        write(*sessions.values())
        failpoints.reach(failpoints.GAME_DONE)


def turn_back(game: UUID, by: timedelta, at: datetime) -> bool:
    """Let one game follow a clock that went back to `at`; False where its rules fail: then it is parked."""
    try:
        with _lock_games([GameWork(game)], wait=True) as sessions:
            for session in sessions.values():
                clock.turn_back(session, by, at)
    except OperationalError:
        raise
    except Exception as fault:
        logger.exception("clock.game_not_turned_back", game=str(game))
        _park(game, by, at, fault)
        return False
    return True


def _park(game: UUID, by: timedelta, at: datetime, fault: Exception) -> None:
    """Stop the clock of a game that could not follow; one that fails at this, too, is left as it is."""
    try:
        with _lock_games([GameWork(game)], wait=True) as sessions:
            for session in sessions.values():
                clock.park_ahead(session, by, at, fault)
    except OperationalError:
        raise
    except Exception:
        logger.exception("clock.game_not_parked", game=str(game))


def _play_with_care(work: GameWork) -> None:
    """One game and one command at most, each timer by itself. What fails now is the command's error, or is raised."""
    try:
        with _lock_games([work], wait=True) as sessions:
            for session in sessions.values():
                if not work.waiting:
                    work.fired = fire_apart(session, time_of(session, work.now))
                for each in work.waiting:
                    each.settle(session, time_of(session, each.now), fire_apart)
            write(*sessions.values())
    except OperationalError:
        raise
    except Exception as fault:
        if not work.waiting:
            raise
        work.waiting[0].error = fault
    work.is_over = True
