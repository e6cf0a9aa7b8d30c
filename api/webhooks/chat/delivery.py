"""Lines are posted and marked: what a hook is to say is read anew for each attempt, so nothing is posted late.

At least once: what was posted is marked behind the answer, so a worker that is killed between the two posts it again.
The lease, the pauses and the end of a hook are those of webhooks.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import orjson
import structlog
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from api.outbound.posting import Answer, send
from api.webhooks.attempts import COUNTED, count_attempt, current_viewer, is_free, lease
from api.webhooks.chat import steps, wording
from api.webhooks.chat.news import News, news_of
from api.webhooks.chat.steps import Kind, Step
from games.models import ChatHook, Game
from games.runtime import failpoints, metrics

GONE = (404, 410)
"""What an address answers that was deleted."""
MAX_ANSWER_BYTES = 20_000
"""Of an answer with the id of a message."""
HEADERS = {"content-type": "application/json", "user-agent": "Theogony"}
MARKS = (
    "is_test_asked", "chapter", "is_end_posted", "message", "line", "called", "posted_at", "look_at",
    "status", "error", "tried_at",
)  # fmt: skip
logger = structlog.get_logger(__name__)
Clock = Callable[[], datetime]


@dataclass(frozen=True, slots=True)
class Work:
    """A step that is ready, and what it was decided on."""

    hook: ChatHook
    news: News
    step: Step


def take(now: datetime, most: int) -> list[UUID]:
    """Lease the chat hooks of the place in force that are to be looked at, as `delivery.take` does with webhooks."""
    return lease(_due(now), now, most)


def _due(now: datetime) -> QuerySet[ChatHook]:
    moved = Game.objects.filter(pk=OuterRef("game_id"), seq__gt=OuterRef("seq"))
    rows: QuerySet[ChatHook] = ChatHook.objects.filter(is_free(now)).filter(Exists(moved) | Q(look_at__lte=now))
    return rows


def deliver(hook_id: UUID, clock: Clock = timezone.now) -> Answer | None:
    """Do the next step of a hook that was taken, and mark what came of it; None where there is none."""
    began = clock()
    work = _prepare(hook_id, began)
    if work is None:
        ChatHook.objects.filter(pk=hook_id).update(leased_until=None)
        return None
    failpoints.reach(failpoints.MESSAGE_WRITTEN)
    answer = _send(work)
    failpoints.reach(failpoints.MESSAGE_POSTED)
    metrics.count_post("chat_hook", answer.status, is_success=answer.is_success)
    _mark(work, answer, began, clock())
    return answer


def _prepare(hook_id: UUID, now: datetime) -> Work | None:
    """The next step; where there is none, the hook is past what has happened."""
    hook = ChatHook.objects.filter(pk=hook_id, is_active=True).first()
    viewer = current_viewer(hook, now) if hook is not None else None
    if hook is None or viewer is None:
        return None
    news = news_of(hook, viewer.game, now)
    step = steps.next_step(hook, news, now)
    if isinstance(step, Step):
        return Work(hook, news, step)
    as_read = (
        Q(look_at__isnull=True) if hook.look_at is None else Q(look_at=hook.look_at)
    )  # else it was asked meanwhile
    called = orjson.dumps(steps.remaining_calls(hook, news)).decode()
    ChatHook.objects.filter(as_read, pk=hook_id).update(seq=viewer.game.seq, look_at=step, called=called)
    return None


def _send(work: Work) -> Answer:
    hook, step = work.hook, work.step
    body = wording.payload(hook, step.text, step.called)
    match step.kind:
        case Kind.WAITING:
            return send("POST", wording.address_of_new(hook), body, HEADERS, most_bytes=MAX_ANSWER_BYTES)
        case Kind.EDIT:
            return send("PATCH", wording.address_of_message(hook), body, HEADERS)
        case Kind.CLEAR:
            return send("DELETE", wording.address_of_message(hook), b"", HEADERS)
        case _:
            return send("POST", hook.url, body, HEADERS)


def _mark(work: Work, answer: Answer, began: datetime, ended: datetime) -> None:
    """Write down what came of a step. What was changed or deleted meanwhile stays so."""
    is_about_message = work.step.kind in (Kind.EDIT, Kind.CLEAR)
    is_message_gone = is_about_message and answer.status in GONE  # somebody has deleted the line: so it shall be
    with transaction.atomic():
        hook = ChatHook.objects.select_for_update().filter(pk=work.hook.pk).first()
        if hook is None:
            return
        hook.status, hook.error, hook.tried_at = answer.status, answer.error, began
        hook.look_at = ended
        if hook.url != work.hook.url:
            hook.leased_until = None  # what its former address answered says nothing of this one
        elif answer.is_success or is_message_gone:
            count_attempt(hook, Answer(200), began, ended)
            for name, value in _marks(work, answer, ended, is_message_gone=is_message_gone).items():
                setattr(hook, name, value)
        else:
            count_attempt(hook, answer, began, ended, () if is_about_message else GONE)
        hook.save(update_fields=[*COUNTED, *MARKS])
    logger.info(
        "chat_hook_posted", chat_hook=str(hook.pk), step=work.step.kind.value, status=answer.status,
        error=answer.error, failures=hook.failures,
    )  # fmt: skip


def _marks(work: Work, answer: Answer, ended: datetime, *, is_message_gone: bool) -> dict[str, Any]:
    """The columns that a step that was taken changes."""
    hook, news = work.hook, work.news
    match work.step.kind:
        case Kind.TEST:
            return {"is_test_asked": False}
        case Kind.BEGINNING:
            return {"chapter": news.chapter}
        case Kind.END:
            return {"is_end_posted": True}
        case Kind.CLEAR:
            return {"message": "", "line": ""}
        case Kind.WAITING:
            return {
                "message": wording.id_of_message(hook.format, answer.body),
                "line": steps.digest_of(hook, news),
                "called": orjson.dumps(steps.calls_of(news)).decode(),
                "posted_at": ended,
            }
        case Kind.EDIT:
            return {"message": ""} if is_message_gone else {"line": steps.digest_of(hook, news)}
