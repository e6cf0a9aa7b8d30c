"""What a message of a webhook says: the next of a game's log, as its owner may read it at this moment.

The rule of sight is that of `events/` (`api.common.viewer`); it is asked for each attempt. Events that a rewind has
undone meanwhile say so, as on streams: the rewind itself is an event of its own.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

import orjson

from api.common.viewer import Viewer
from games.models import LoggedEvent, Webhook, WebhookDelivery
from games.reads import selectors
from games.reads.selectors import EventPage, EventView
from games.storage import log

MAX_BODY_BYTES = 20_000
MAX_EVENTS = 50
"""Of one message."""
MAX_READ = 200
"""Events that are looked through at once for those that are wanted."""
EVENTS, TEST = "game.events", "webhook.test"


@dataclass(frozen=True, slots=True)
class Content:
    """What a message is about: a page of the log, and those of its events that are wanted."""

    page: EventPage
    events: Sequence[EventView]


@dataclass(frozen=True, slots=True)
class Span:
    """The next of a game's log, up to an event, and what the message about it is about; None where none is written."""

    last_seq: int
    content: Content | None = None


def next_span(webhook: Webhook, viewer: Viewer) -> Span:
    """What the next message is about, of what its owner may read behind the last one."""
    first, head = webhook.seq + 1, viewer.game.seq
    page = _page(viewer, first, head)
    wanted = _events_for(webhook, page)
    end = page.results[-1].seq if page.more else head
    for count in _counts(min(len(wanted), MAX_EVENTS)):
        last = end if count == len(wanted) else wanted[count - 1].seq
        content = Content(_until(page, last), wanted[:count])
        if count == 1 or len(_body(webhook, webhook.created_at, viewer, content)) <= MAX_BODY_BYTES:
            return Span(last, content)
    return Span(end)


def content_of(webhook: Webhook, delivery: WebhookDelivery, viewer: Viewer) -> Content:
    """What a message is about that was written before, as far as its owner may read it now."""
    page = _page(viewer, delivery.first_seq, delivery.last_seq)
    return Content(page, _events_for(webhook, page))


def body_of(webhook: Webhook, delivery: WebhookDelivery, viewer: Viewer, content: Content | None) -> bytes:
    """The body of a message; empty where nothing of it is left to its owner. content: None for a test message."""
    if delivery.is_test:
        return _json(TEST, delivery.created_at, {"webhook": webhook.id, "game": webhook.game_id})
    if content is None or not content.events:
        return b""
    body = _body(webhook, delivery.created_at, viewer, content)
    if content.page.more or len(body) > MAX_BODY_BYTES:
        body = _body(webhook, delivery.created_at, viewer, content, is_whole=False)
    return body


def _counts(most: int) -> Sequence[int]:
    """Numbers of events to try for a message, the most first, each half of the one before."""
    return [most >> halvings for halvings in range(most.bit_length())]


def _page(viewer: Viewer, first: int, last: int) -> EventPage:
    """The events from `first` to `last` in the log that a viewer may read, `MAX_READ` at most: four queries."""
    may_read = selectors.can_read(viewer.game.pk, viewer.visibility)
    streams = [audience for audience in log.heads_of(viewer.game) if may_read(audience)]
    behind = LoggedEvent.objects.filter(game=viewer.game, audience__in=streams, seq__gte=first, seq__lte=last)
    rows = list(behind.order_by("seq")[: MAX_READ + 1])
    position = log.heads_before(viewer.game.pk, streams, first)
    return selectors.page_of(viewer.game, viewer.visibility, rows[:MAX_READ], position, more=len(rows) > MAX_READ)


def _until(page: EventPage, last: int) -> EventPage:
    """The page up to an event of the log, whole by itself."""
    kept = [event for event in page.results if event.seq <= last]
    return EventPage(kept, page.start, kept[-1].cursor if kept else page.start, more=False)


def _events_for(webhook: Webhook, page: EventPage) -> list[EventView]:
    kinds = frozenset(orjson.loads(webhook.kinds))
    return [event for event in page.results if not kinds or event.type in kinds]


def _body(webhook: Webhook, at: datetime, viewer: Viewer, content: Content, *, is_whole: bool = True) -> bytes:
    """A message about a page. is_whole: whether its events are in it; else they are too large, and `link` has them."""
    page = content.page
    look = {"as": "gm"} if webhook.as_gm else {"seat": webhook.seat} if webhook.seat is not None else {}
    query = urlencode({"after": page.start, "limit": max(1, len(page.results)), **look})
    data = {
        "webhook": webhook.id,
        "game": webhook.game_id,
        "ruleset": viewer.game.ruleset,
        "start": page.start,
        "cursor": page.cursor,
        "events": [event.as_json() for event in content.events] if is_whole else [],
        "is_whole": is_whole,
        "link": f"/api/v1/games/{webhook.game_id}/events/?{query}",
    }
    return _json(EVENTS, at, data)


def _json(kind: str, at: datetime, data: dict[str, Any]) -> bytes:
    return orjson.dumps({"type": kind, "timestamp": at, "data": data}, option=orjson.OPT_UTC_Z)
