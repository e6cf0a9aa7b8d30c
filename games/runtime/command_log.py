"""What is reported to an operator of each command and of each timer: one line in the log, and what Prometheus counts.

A command that wrote events has an id, `<game>:<first seq>`; with `last_seq` it names its rows in the log, and a row
names its line: the one of its game whose `first_seq`..`last_seq` holds it. No argument, no person, no key stands there.
"""

import logging
from collections.abc import Mapping
from datetime import datetime
from hashlib import sha256
from typing import Any, Protocol
from uuid import UUID

import structlog
from django.db import transaction
from django.utils import timezone

from games.engine.bots import PlayBot
from games.engine.errors import Refused
from games.engine.kernel import Actor, Command
from games.models import Game
from games.runtime import metrics

log = structlog.get_logger(__name__)


class Ended(Protocol):
    """What is asked of an outcome."""

    @property
    def first_seq(self) -> int: ...
    @property
    def last_seq(self) -> int: ...
    @property
    def replayed(self) -> bool: ...


class IssuedCommand(Protocol):
    """What is asked of a command that was issued."""

    @property
    def command(self) -> Command: ...
    @property
    def actor(self) -> Actor: ...
    @property
    def dry_run(self) -> bool: ...


class DecidedCommand(Protocol):
    """What is asked of a command that has been decided."""

    @property
    def game(self) -> UUID: ...
    @property
    def ruleset(self) -> str: ...
    @property
    def about(self) -> Mapping[str, str]: ...
    @property
    def issued(self) -> IssuedCommand | None: ...
    @property
    def key(self) -> str: ...
    @property
    def since(self) -> float: ...
    @property
    def outcome(self) -> Ended | None: ...
    @property
    def error(self) -> Exception | None: ...


def milliseconds(seconds: float) -> float:
    """As the lines give it: to a hundredth."""
    return round(seconds * 1000, 2)


def hash_of(key: str) -> str:
    """An idempotency key as the lines name it: what a client chose is nobody else's to read."""
    return sha256(key.encode()).hexdigest()[:16] if key else ""


def command_id(game: UUID, first_seq: int) -> str:
    """The id of a command or a timer by the first event it wrote."""
    return f"{game}:{first_seq}"


def log_command(decided: DecidedCommand, ended: float, fault: BaseException | None = None) -> None:
    """Log duration and outcome of a command, refusals included.

    ended: when it was decided, as `perf_counter` gives it. fault: what broke off before it was decided.
    """
    issued, done, error = decided.issued, decided.outcome, decided.error or fault
    if issued is None:  # what was sent was no command
        return
    facts: dict[str, Any] = {}
    if done is not None:
        if done.last_seq >= done.first_seq:
            facts = {"command_id": command_id(decided.game, done.first_seq)}
            facts |= {"first_seq": done.first_seq, "last_seq": done.last_seq}
        outcome = "dry_run" if issued.dry_run else "replayed" if done.replayed else "done"
    elif isinstance(error, Refused):
        outcome, facts = "refused", {"code": error.code}
    elif error is not None:
        outcome, facts = "failed", {"code": type(error).__name__}
    else:
        return
    _log_outcome(decided, issued, ended - decided.since, outcome, facts)


def _log_outcome(
    decided: DecidedCommand, issued: IssuedCommand, took: float, outcome: str, facts: dict[str, Any]
) -> None:
    """The line and the figure of one command. took: seconds."""
    command = issued.command
    metrics.command_took(decided.ruleset, command, outcome, took)
    with metrics.forgiving("the line of a command"):
        if key := hash_of(decided.key):
            facts["key_sha256"] = key
        log.info(
            "command", game=str(decided.game), ruleset=decided.ruleset, command=command.slug(), outcome=outcome,
            role=str(issued.actor.role), ms=milliseconds(took), **decided.about, **facts,
        )  # fmt: skip


def log_timer(game: Game, key: str, does: str, due: datetime | None, first_seq: int) -> None:
    """The line and the figure of one timer, once what it did is committed."""
    now = timezone.now()
    lag = (now - due).total_seconds() if due else 0.0
    facts: dict[str, Any] = {"game": str(game.pk), "ruleset": game.ruleset}
    facts |= {"command_id": command_id(game.pk, first_seq), "first_seq": first_seq, "last_seq": game.seq}

    def write() -> None:
        metrics.timer_late_by(lag)
        with metrics.forgiving("the line of a timer"):
            level = logging.DEBUG if does == PlayBot.slug() else logging.INFO  # bots would drown the people
            log.log(level, "timer", timer=key, does=does, lag_ms=milliseconds(lag), **facts)

    transaction.on_commit(write)


def count_events(game: Game, count: int) -> None:
    """Events of a game were written; they count once they are committed."""
    ruleset = game.ruleset
    transaction.on_commit(lambda: metrics.events_stand(ruleset, count))
