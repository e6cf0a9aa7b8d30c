"""The writers: each a thread that takes what waits, lets it be played in one transaction, and answers."""

import math
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter, time
from typing import Any, ClassVar
from uuid import UUID

import orjson
import structlog
from django.conf import settings
from django.db import DatabaseError, close_old_connections, connection, connections
from django.http import HttpRequest, HttpResponse
from pydantic import ValidationError
from rest_framework.exceptions import ParseError

from accounts.models import Scope
from api.common.exceptions import Fault
from api.common.fast_auth import principal_in_use
from api.common.problems import answer, problem_of
from api.common.request_log import log_request
from api.common.throttles import SPENT, Spent, rate_exceeded, spend_many
from api.common.viewer import Viewer
from api.door.answers import Answer, answer_by_learned_head, learn
from api.door.incoming import Incoming
from api.door.middleware import wrap
from api.door.queue import Batch, CommandQueue
from api.door.viewers import viewer_at
from api.representations.issuing.issue import CommandRequest
from api.rest.base import JSON_OPTIONS, VARY
from core.places import routing
from games import services
from games.engine.errors import Refused
from games.runtime.session import GameSession
from games.services import GameWork, IssuedCommand, PendingCommand

log = structlog.get_logger(__name__)
WRITERS = 2
"""One for the usual batch, one for what is cold, held or long."""
GATHER_SECONDS = 0.01
"""At most, behind a usual batch of several commands, until those who were answered have sent their next (ADR 137)."""
SECONDS = 0.02
"""Of deciding, after which a batch is written and the rest waits for the next."""
Answered = list[tuple[Incoming, Answer | None]]


@dataclass(slots=True, kw_only=True)
class DoorCommand(PendingCommand):
    """A command that came in by the door; who issues it is found out under its game's lock."""

    unreadable: ClassVar[tuple[type[Exception], ...]] = (Refused, Fault, ParseError, ValidationError)

    incoming: Incoming
    request: CommandRequest
    spent: Spent
    viewer: Viewer | None = None

    def read_issued(self, session: GameSession) -> IssuedCommand:
        """Who looks, then what they have sent. Raises Refused, Fault and what a body raises."""
        self.viewer = viewer_at(session, self.user, self.incoming.seat, self.incoming.as_)
        return self.request.read(self.viewer)


class Writers:
    """The threads that play what waits in a queue; they begin with the first command."""

    def __init__(self, queue: CommandQueue) -> None:
        self.queue = queue
        self._lock, self._threads = threading.Lock(), list[threading.Thread]()

    def begin(self) -> None:
        """Start them, where that has not happened."""
        with self._lock:
            if not self._threads:
                count = WRITERS if connection.vendor == "postgresql" else 1
                self._threads = [threading.Thread(target=self._work, name="door", daemon=True) for _ in range(count)]
                for thread in self._threads:
                    thread.start()

    def end(self, seconds: float = 5.0) -> None:
        """Let them play what still waits, and go."""
        self.queue.close()
        for thread in self._threads:
            thread.join(seconds)

    def _work(self) -> None:
        while batch := self.queue.take():
            decided, held = set[Incoming](), set[UUID]()
            try:
                for part in parts_of(batch):
                    played = _play_and_answer(part)
                    decided.update(incoming for incoming, _ in played.answered)
                    held |= played.held
                if batch.is_usual and len(decided) > 1:
                    self.queue.gather(len(decided), played.answered_at + GATHER_SECONDS)
            finally:  # a batch that is never given back would keep all others waiting
                self.queue.give_back(batch, set(batch.all) - decided, held)
            if connection.errors_occurred or self.queue.is_idle():  # else the next batch takes it at once
                _give_back_connections()
        connections.close_all()


def _give_back_connections() -> None:
    """Into the pool; those that are broken are dropped."""
    try:
        close_old_connections()
    except Exception:  # a writer that ended would leave its commands to wait; the next batch connects anew
        log.exception("door.unclosed")


def parts_of(batch: Batch) -> list[Batch]:
    """A batch, cut by the places of its games: who plays in one waits for no other."""
    if not settings.PLACES:
        return [batch]
    try:
        shares = routing.by_place(batch.commands)
    except (DatabaseError, LookupError):  # found again, and answered, when it is played
        return [batch]
    return [replace(batch, commands={game: batch.commands[game] for game in games}) for games in shares.values()]


def _play_and_answer(batch: Batch) -> "Played":
    """Play what was taken, hand out the answers, and write the lines that nobody waits for."""
    try:
        played = play(batch, SECONDS)
    except Exception as fault:
        log.exception("door.broken")
        played = Played([(each, _broken(each, fault)) for each in batch.all])
    played.answered_at = perf_counter()
    try:
        _tell(played.answered)
    except Exception:  # their loop has ended, with all who waited in it; others come by the next one
        log.exception("door.untold")
    try:
        played.log()
    except Exception:
        log.exception("door.unlogged")
    return played


def _tell(answered: Answered) -> None:
    """Hand the answers to those who await them, in their event loop."""

    def set_results() -> None:
        for incoming, found in answered:
            if not incoming.answer.done():
                incoming.answer.set_result(found)

    if answered:
        answered[0][0].loop.call_soon_threadsafe(set_results)


@dataclass(slots=True)
class Played:
    """What has become of a batch: who has an answer, and the games that other processes held."""

    answered: Answered
    held: set[UUID] = field(default_factory=set)
    works: Sequence[GameWork] = ()
    ended: float = 0.0
    answered_at: float = 0.0
    """When the answers were handed out, as `perf_counter` gives it."""

    def log(self) -> None:
        """Write the lines of commands and requests that nobody has to wait for."""
        services.log_commands(self.works, self.ended)
        for incoming, found in self.answered:
            if found is not None and found.is_learned:
                log_request(incoming.request, found.status)


def play(batch: Batch, seconds: float = math.inf) -> Played:
    """Play what was taken. seconds: of deciding, after which the rest is left unanswered."""
    answered: Answered = []
    admitted = admit(batch.all, answered)
    waiting = {
        game: [admitted[each] for each in commands if each in admitted] for game, commands in batch.commands.items()
    }
    works = [GameWork(game, list(commands)) for game, commands in waiting.items() if commands]
    fault: Exception | None = None
    try:
        if works:
            services.play(works, wait=batch.waits, seconds=seconds, logs_later=True)
    except DatabaseError as error:
        fault = error
    ended = perf_counter()
    decided = [each for commands in waiting.values() for each in commands if each.is_decided or fault]
    answered += [(each.incoming, answer_of(each, fault)) for each in decided]
    held = {work.game for work in works if work.was_held}
    return Played(answered, held, () if fault else works, ended)


def admit(commands: Sequence[Incoming], answered: Answered) -> Mapping[Incoming, DoorCommand]:
    """Those who may send commands now; to the others is answered why not, or Django is asked."""
    by_secret: dict[str, list[Incoming]] = {}
    for each in commands:
        by_secret.setdefault(each.secret, []).append(each)
    admitted: dict[Incoming, DoorCommand] = {}
    for secret, theirs in by_secret.items():
        principal = principal_in_use(secret)
        if principal is None or principal.user is None or Scope.PLAY not in principal.scopes:
            answered += [(each, None) for each in theirs]
            continue
        able = [each for each in theirs if not each.as_ or Scope.GM in principal.scopes]
        answered += [(each, None) for each in theirs if each not in able]
        new = [each for each in able if each.budget is None]
        for each, budget in zip(new, spend_many("command", str(principal.user.pk), time(), len(new)), strict=True):
            each.budget = budget
        for each, (within, spent) in ((each, each.budget) for each in able if each.budget is not None):
            command = DoorCommand(
                game=each.game, user=principal.user.pk, key=each.key, since=each.since, incoming=each,
                request=each.request_of(principal), spent=spent, about={"request_id": each.request_id},
            )  # fmt: skip
            if within:
                admitted[each] = command
            else:
                command.error = rate_exceeded(spent)
                answered.append((each, answer_of(command, None)))
    return admitted


def answer_of(command: DoorCommand, fault: Exception | None) -> Answer:
    """What is answered to a command that has been decided; fault: what kept it from being decided."""
    incoming, issued = command.incoming, None
    request: Any = incoming.request
    error = command.error or fault
    try:
        with routing.at(incoming.game):
            if command.outcome is not None and command.viewer is not None:
                issued = command.request.answer(command.outcome, command.viewer)
            elif isinstance(error, Refused) and command.was_acknowledged:
                issued = command.request.recall(command.key)
            body = orjson.dumps(issued.json(), option=JSON_OPTIONS, default=str) if issued is not None else b""
    except Exception as broken:  # noqa: BLE001  (answered, and logged there where it is unexpected)
        issued, error = None, broken
    request.__dict__.setdefault(SPENT, []).append(command.spent)
    if issued is None:
        return Answer.of(wrap(request, lambda: error_response(incoming, error)))
    status = 200 if issued.dry_run else 201
    return answer_by_learned_head(request, status, body, command.spent) or _learn(request, status, body)


def _learn(request: HttpRequest, status: int, body: bytes) -> Answer:
    """The answer through the middleware; those after it take its head."""
    headers = {"Cache-Control": "no-store", "Vary": VARY}
    made = HttpResponse(body, status=status, content_type="application/json", headers=headers)
    found = Answer.of(wrap(request, lambda: made))
    learn(request, found)
    return found


def _broken(incoming: Incoming, fault: Exception) -> Answer:
    return Answer.of(wrap(incoming.request, lambda: error_response(incoming, fault)))


def error_response(incoming: Incoming, error: BaseException | None) -> HttpResponse:
    """The problem that an error means; one that is unexpected is logged."""
    found = problem_of(error, request_id=incoming.request_id) if error is not None else None
    if found is None:
        log.error("request_failed", code=500, request_id=incoming.request_id, exc_info=error)
        message = "Something failed in the service; it was logged under this request id."
        found = answer("server.error", message, request_id=incoming.request_id)
    return found.response
