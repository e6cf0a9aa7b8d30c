"""What a chat hook posts next: a decision on its row, the news and the time. Pure: it reads and writes nothing.

A chapter and the end are posted once. Who is waited for is one line that stands in the channel: it is edited where the
receiver can do that, which calls nobody, and posted anew when somebody else is waited for, once an hour at most.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from hashlib import sha256
from uuid import UUID

import orjson

from api.webhooks.chat import wording
from api.webhooks.chat.news import News
from games.models import ChatHook

BETWEEN_LINES = timedelta(hours=1)
"""The least time from one line of who is waited for to the next."""


class Kind(StrEnum):
    """What one request does."""

    TEST = "test"
    BEGINNING = "beginning"
    END = "end"
    WAITING = "waiting"
    EDIT = "edit"
    CLEAR = "clear"
    """Delete the line that stands: it is over, or is posted anew."""


@dataclass(frozen=True, slots=True)
class Step:
    """One request. called: the seats whose mentions may call somebody."""

    kind: Kind
    text: str = ""
    called: Sequence[UUID | None] = ()


def next_step(hook: ChatHook, news: News, now: datetime) -> Step | datetime | None:
    """The next request; else when to look again without an event; None where only an event changes anything."""
    if hook.is_test_asked:
        return Step(Kind.TEST, wording.check_text(hook, news))
    if news.beginning:
        return Step(Kind.BEGINNING, wording.beginning_text(hook, news))
    if news.end:
        return Step(Kind.END, wording.end_text(hook, news))
    if news.is_over:
        return Step(Kind.CLEAR) if hook.message else None
    called = remaining_calls(hook, news)
    is_anybody_new = any(each.must > called.get(each.key, -1) for each in news.waiting)
    free_at = now if hook.posted_at is None else hook.posted_at + BETWEEN_LINES
    if is_anybody_new and free_at <= now:
        if hook.message:
            return Step(Kind.CLEAR)
        return Step(Kind.WAITING, wording.waiting_text(hook, news, now), [each.seat for each in news.waiting])
    if hook.message and digest_of(hook, news) != hook.line:
        return Step(Kind.EDIT, wording.waiting_text(hook, news, now))
    return free_at if is_anybody_new else None


def remaining_calls(hook: ChatHook, news: News) -> dict[str, int]:
    """Who was waited for when the line was posted, and is still: 1 who was asked and still is, else 0.

    Who comes back later, or is asked after they only might act, is called again.
    """
    called = orjson.loads(hook.called)
    return {each.key: min(called[each.key], int(each.must)) for each in news.waiting if each.key in called}


def calls_of(news: News) -> dict[str, int]:
    """The same right after a line."""
    return {each.key: int(each.must) for each in news.waiting}


def digest_of(hook: ChatHook, news: News) -> str:
    """What stays the same while a line need not be edited: SHA-256 in hex."""
    return sha256(wording.waiting_text(hook, news, None).encode()).hexdigest()
