"""What is reported to an operator of each command and of each timer: one line in the log, and what Prometheus counts.

A command that wrote events has an id, `<game>:<first seq>`; with `last_seq` it names its rows in the log, and a row
names its line: the one of its game whose `first_seq`..`last_seq` holds it. No argument, no person, no key stands there.
"""

import logging
from collections.abc import Callable
from contextvars import ContextVar
from datetime import datetime
from functools import wraps
from hashlib import sha256
from time import perf_counter
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar
from uuid import UUID

import structlog
from django.db import transaction
from django.utils import timezone

from games.engine.bots import PlayBot
from games.engine.errors import Refused
from games.engine.kernel import Command
from games.models import Game
from games.runtime import metrics

log = structlog.get_logger(__name__)
P = ParamSpec("P")


class Ended(Protocol):
    """What is asked of an outcome."""

    @property
    def first_seq(self) -> int: ...
    @property
    def last_seq(self) -> int: ...
    @property
    def replayed(self) -> bool: ...


Done = TypeVar("Done", bound=Ended)
RULESET: ContextVar[str] = ContextVar("RULESET", default="")
"""The ruleset of the game that this thread has at hand."""


def milliseconds(seconds: float) -> float:
    """As the lines give it: to a hundredth."""
    return round(seconds * 1000, 2)


def hash_of(key: str) -> str:
    """An idempotency key as the lines name it: what a client chose is nobody else's to read."""
    return sha256(key.encode()).hexdigest()[:16] if key else ""


def command_id(game: UUID, first_seq: int) -> str:
    """The id of a command or a timer by the first event it wrote."""
    return f"{game}:{first_seq}"


def at_hand(game: Game) -> None:
    """Say which game a command has locked."""
    RULESET.set(game.ruleset)


def log_command(run: Callable[Concatenate[UUID, Command, P], Done]) -> Callable[Concatenate[UUID, Command, P], Done]:
    """Decorator of the one writer: log duration and outcome of every command, refusals included."""

    @wraps(run)
    def wrapper(game_id: UUID, command: Command, *args: P.args, **more: P.kwargs) -> Done:
        begin, token = perf_counter(), RULESET.set("")
        try:
            done = run(game_id, command, *args, **more)
        except Refused as refused:
            _log_outcome(game_id, command, "refused", begin, more, code=refused.code)
            raise
        except BaseException as fault:
            _log_outcome(game_id, command, "failed", begin, more, code=type(fault).__name__)
            raise
        else:
            if more.get("dry_run"):
                _log_outcome(game_id, command, "dry_run", begin, more)
            else:
                facts: dict[str, Any] = {}
                if done.last_seq >= done.first_seq:
                    facts = {"command_id": command_id(game_id, done.first_seq)}
                    facts |= {"first_seq": done.first_seq, "last_seq": done.last_seq}
                _log_outcome(game_id, command, "replayed" if done.replayed else "done", begin, more, **facts)
            return done
        finally:
            RULESET.reset(token)

    return wrapper


def _log_outcome(game: UUID, command: Command, outcome: str, begin: float, more: Any, **facts: Any) -> None:
    """The line and the figure of one command."""
    took, ruleset = perf_counter() - begin, RULESET.get()
    metrics.command_took(ruleset, command, outcome, took)
    with metrics.forgiven("the line of a command"):
        if key := hash_of(more.get("key", "")):
            facts["key_sha256"] = key
        log.info(
            "command", game=str(game), ruleset=ruleset, command=command.slug(), outcome=outcome,
            role=str(more["actor"].role), ms=milliseconds(took), **facts,
        )  # fmt: skip


def log_timer(game: Game, key: str, does: str, due: datetime | None, first_seq: int) -> None:
    """The line and the figure of one timer, once what it did is committed."""
    now = timezone.now()
    lag = (now - due).total_seconds() if due else 0.0
    facts: dict[str, Any] = {"game": str(game.pk), "ruleset": game.ruleset}
    facts |= {"command_id": command_id(game.pk, first_seq), "first_seq": first_seq, "last_seq": game.seq}

    def write() -> None:
        metrics.timer_late_by(lag)
        with metrics.forgiven("the line of a timer"):
            level = logging.DEBUG if does == PlayBot.slug() else logging.INFO  # bots would drown the people
            log.log(level, "timer", timer=key, does=does, lag_ms=milliseconds(lag), **facts)

    transaction.on_commit(write)


def count_events(game: Game, count: int) -> None:
    """Events of a game were written; they count once they are committed."""
    ruleset = game.ruleset
    transaction.on_commit(lambda: metrics.events_stand(ruleset, count))
