"""How far those are behind that follow the logs of games: webhooks, chat hooks, notifications. For metrics.

Who rests after a failure is not counted: that says something of a receiver, and nothing of the service.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Case, Count, DateTimeField, F, Min, OuterRef, Q, QuerySet, Subquery, When
from django.db.models.functions import Coalesce, Greatest

from games.models import ChatHook, DeliveryState, LoggedEvent, NotificationFollower, Webhook, WebhookDelivery

WEBHOOK, CHAT_HOOK, NOTIFICATIONS = "webhook", "chat_hook", "notifications"
KINDS = (WEBHOOK, CHAT_HOOK, NOTIFICATIONS)


@dataclass(frozen=True, slots=True)
class Behind:
    """Those of one kind in the place in force that are to be looked at."""

    kind: str
    count: int
    oldest: timedelta
    """For how long the first of them has waited; zero where none does."""


def followers_behind(now: datetime) -> Iterator[Behind]:
    """Each kind once: a query each."""
    waiting = WebhookDelivery.objects.filter(webhook=OuterRef("pk"), state=DeliveryState.PENDING)
    first_message = Subquery(waiting.order_by("created_at").values("created_at")[:1])
    posted = Q(is_active=True, next_try_at__lte=now)
    asked = Case(When(look_at__lte=now, then=F("look_at")), output_field=DateTimeField())
    webhooks = Webhook.objects.filter(posted).annotate(since=Coalesce(first_message, _next_event("game")))
    chat_hooks = ChatHook.objects.filter(posted).annotate(since=Coalesce(_next_event("game"), asked))
    awake = Q(rests_until=None) | Q(rests_until__lte=now)
    moved = Q(seq__lt=F("game__seq")) | Q(look_at__lte=now)  # of most games neither is so
    games = NotificationFollower.objects.filter(awake, moved).annotate(since=Coalesce(_next_event("pk"), asked))
    yield _behind(WEBHOOK, webhooks, Greatest("since", "next_try_at"), now)
    yield _behind(CHAT_HOOK, chat_hooks, Greatest("since", "next_try_at"), now)
    yield _behind(NOTIFICATIONS, games, Greatest("since", Coalesce("rests_until", "since")), now)


def _next_event(game: str) -> Subquery:
    """When the first event behind a follower's position happened. game: its column that names the game."""
    events = LoggedEvent.objects.filter(game=OuterRef(game), seq=OuterRef("seq") + 1)
    return Subquery(events.values("at")[:1])


def _behind(kind: str, rows: QuerySet[Any], since: Greatest, now: datetime) -> Behind:
    found = rows.exclude(since=None).aggregate(count=Count("pk"), first=Min(since))
    return Behind(kind, found["count"], max(timedelta(0), now - found["first"]) if found["first"] else timedelta(0))
