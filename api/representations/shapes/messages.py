"""The shapes of what is sent without being asked: the other words of a stream, and messages of webhooks."""

from datetime import datetime
from typing import Literal
from uuid import UUID

from api.representations.shapes.shape import EventJson, Shape


class ByeShape(Shape):
    """The last word of a stream that the service ends."""

    reason: str
    """A code: `token.refused`, `view.changed`, `reader.slow`, `game.missing`, `cursor.ahead`, `server.stopping`."""


class WebhookEventsShape(Shape):
    """Some of a game's log, as the owner of the webhook may read it when it is posted."""

    webhook: UUID
    game: UUID
    ruleset: str
    """Slug, as in `/rulesets/`."""
    start: str
    """Right before the first event: `after` of `link`."""
    cursor: str
    """Right after the last event."""
    events: list[EventJson]
    """In the order of the log; empty where they are too large for a message."""
    is_whole: bool
    """Whether `events` are all; else `link` leads to them."""
    link: str
    """Address of these events in the REST API, below the service's own."""


class WebhookMessage(Shape):
    """What happened in a game."""

    type: Literal["game.events"]
    timestamp: datetime
    """When this message was made, or the webhook where it was asked for again."""
    data: WebhookEventsShape


class TestedShape(Shape):
    """Which webhook is tried."""

    webhook: UUID
    game: UUID


class WebhookTestMessage(Shape):
    """A message that was asked for to see whether it arrives."""

    type: Literal["webhook.test"]
    timestamp: datetime
    data: TestedShape
