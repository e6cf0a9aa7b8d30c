"""Notifications in GraphQL: the same services, serializers and refusals as in REST."""

from collections.abc import AsyncIterator, Callable
from datetime import datetime
from inspect import getdoc
from typing import Annotated, Any
from uuid import UUID

import strawberry
from django.utils import timezone

from accounts.models import Scope
from api.common.exceptions import Fault
from api.common.permissions import require_personal, require_scope
from api.graphql.commands import Refusal
from api.graphql.context import OperationContext, answer, context_of
from api.graphql.mapping import either, many, object_type
from api.notifications import browsers, reading, web_push
from api.notifications.wishes import change_wishes, wishes_for
from api.representations.resources.notifications import (
    KINDS,
    ChangeWishesSerializer,
    NotificationSerializer,
    PushRenewalSerializer,
    PushSubscriptionSerializer,
    PushSubscriptionWishSerializer,
    ReadSerializer,
    WishesSerializer,
)
from games.engine.wording import listing

MAX_NOTIFICATIONS = 100
NotificationType = object_type(
    "Notification",
    {
        "id": UUID,
        "kind": str,
        "game": UUID,
        "game_name": str,
        "ruleset": str,
        "seat": UUID | None,
        "role": str | None,
        "message": str,
        "due": datetime | None,
        "created_at": datetime,
        "read_at": datetime | None,
    },
    {
        "kind": f"{listing((f'`{kind}`' for kind in KINDS), 'or')}.",
        "game": "The id of the game.",
        "seat": "Your seat that it is about; null: the game.",
        "role": "The role of that seat.",
        "message": "In words, as you may see it now.",
        "due": "Until when you may answer; null without a deadline.",
    },
    "Something that you are told of a game.",
)
SettingsType = object_type(
    "NotificationSettings",
    {
        "time_zone": str,
        "deadline_hours": int,
        "kinds_off": many(str),
        "games_off": many(UUID),
        "mail_kinds": many(str),
        "push_kinds_off": many(str),
        "quiet_from": str,
        "quiet_to": str,
        "mail_digest": str,
    },
    {
        "time_zone": "IANA name of the zone in which pages show you times.",
        "deadline_hours": "How long before a deadline it is near; 0: never.",
        "kinds_off": "The kinds you are not told.",
        "games_off": "The games you are told nothing of.",
        "mail_kinds": "The kinds you are mailed, too.",
        "push_kinds_off": "The kinds that are not pushed to your browsers.",
        "quiet_from": "No mail and no push goes out from then on, as `22:00`; empty: at any time.",
        "quiet_to": "Until then; in your time zone.",
        "mail_digest": "You are mailed once a day, at that time in your zone, as `07:00`; empty: of each by itself.",
    },
    "What you want to be told.",
)


PushSubscriptionType = object_type(
    "PushSubscription",
    {"id": UUID, "host": str, "label": str, "created_at": datetime},
    {
        "host": "The host of its push service.",
        "label": "What you call it.",
        "created_at": "Since when it takes pushes.",
    },
    "A browser of yours that takes pushes; neither its endpoint nor its keys.",
)


def _one_of(name: str, hints: dict[str, Any], description: str) -> Any:
    done = object_type(name, hints, {}, description, apart=True)
    return Annotated[either((done, Refusal)), strawberry.union(f"{name}Result")]


ReadResult = _one_of("NotificationsRead", {"unread": int}, "How many are unread now.")
SubscribedResult = _one_of(
    "PushSubscriptionMade", {"push_subscription": PushSubscriptionType}, "A browser that takes pushes now."
)
RenewedResult = _one_of(
    "PushSubscriptionRenewed", {"push_subscription": PushSubscriptionType}, "A browser that takes pushes elsewhere now."
)
UnsubscribedResult = _one_of("PushSubscriptionDeleted", {"id": UUID}, "A browser that takes none any more.")
ChangedResult = _one_of("NotificationSettingsChanged", {"settings": SettingsType}, "The settings, as they are now.")


def _reader(info: strawberry.Info) -> UUID:
    context = context_of(info)
    require_scope(context.principal, Scope.READ)
    assert context.user is not None  # require_scope
    return context.user


def notifications(info: strawberry.Info, unread: bool = False, before: UUID | None = None) -> Any:
    """What you are told of your games, 100 at most, the newest first. before: only what stands behind this one."""
    rows = reading.notifications_behind(_reader(info), before, MAX_NOTIFICATIONS, unread=unread)
    return NotificationSerializer(rows, many=True).data


async def follow_notifications(info: strawberry.Info, after: UUID | None = None) -> AsyncIterator[Any]:
    """What you are told of your games, as it is written: what is new, and what has changed, while it stands.

    after: begin with all that is newer than this one; else with nothing. Put what comes in the place of what you have
    under its id. What is no longer so is not sent: the list leaves it out.
    """
    context = context_of(info)
    if context.notification_feed is None:
        raise Fault("stream.elsewhere", "Subscriptions are served over WebSocket (graphql-transport-ws).")
    async for row in context.notification_feed(context, after):
        yield NotificationSerializer(row).data


def unread_notifications(info: strawberry.Info) -> int:
    """How many of your notifications are not read."""
    return reading.count_unread(_reader(info))


def notification_settings(info: strawberry.Info) -> Any:
    """What you want to be told, with the defaults where you have said nothing."""
    return WishesSerializer(wishes_for(_reader(info))).data


def _act(info: strawberry.Info, act: Callable[[OperationContext, UUID], dict[str, Any]]) -> Any:
    context = context_of(info)

    def acting() -> dict[str, Any]:
        context.may_act()
        assert context.user is not None  # may_act
        return act(context, context.user)

    return answer(context, acting)


def _without_unset(**values: Any) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def read_notifications(info: strawberry.Info, ids: list[UUID] | None = None, up_to: UUID | None = None) -> Any:
    """Mark some of your notifications as read (`ids`), or one and all that are older (`upTo`)."""

    def act(_: OperationContext, user: UUID) -> dict[str, Any]:
        body = ReadSerializer(data=_without_unset(ids=ids, up_to=up_to))
        body.is_valid(raise_exception=True)
        chosen = body.validated_data
        unread = reading.mark_read(user, chosen.get("ids"), chosen.get("up_to"), timezone.now())
        return {"unread": unread, "__typename": "NotificationsRead"}

    return _act(info, act)


def change_notification_settings(
    info: strawberry.Info,
    time_zone: str | None = None,
    deadline_hours: int | None = None,
    kinds_off: list[str] | None = None,
    games_off: list[UUID] | None = None,
    mail_kinds: list[str] | None = None,
    push_kinds_off: list[str] | None = None,
    quiet_from: str | None = None,
    quiet_to: str | None = None,
    mail_digest: str | None = None,
) -> Any:
    """Change what you want to be told; what is left out stays."""
    given = _without_unset(
        time_zone=time_zone, deadline_hours=deadline_hours, kinds_off=kinds_off, games_off=games_off,
        mail_kinds=mail_kinds, push_kinds_off=push_kinds_off, quiet_from=quiet_from, quiet_to=quiet_to,
        mail_digest=mail_digest,
    )  # fmt: skip

    def act(context: OperationContext, user: UUID) -> dict[str, Any]:
        require_personal(context.principal)
        body = ChangeWishesSerializer(data=given)
        body.is_valid(raise_exception=True)
        changed = change_wishes(user, timezone.now(), body.validated_data)
        return {"settings": WishesSerializer(changed).data, "__typename": "NotificationSettingsChanged"}

    return _act(info, act)


def push_subscriptions(info: strawberry.Info) -> Any:
    """Your browsers that take pushes, the newest first."""
    user = _reader(info)
    require_personal(context_of(info).principal)
    return PushSubscriptionSerializer(browsers.subscriptions_of(user), many=True).data


def push_key(info: strawberry.Info) -> str:
    """The key by which a browser subscribes (`applicationServerKey`); empty where nothing is pushed."""
    _reader(info)
    return web_push.public_key()


def create_push_subscription(info: strawberry.Info, endpoint: str, p256dh: str, auth: str, label: str = "") -> Any:
    """Push what you are told from now on to a browser; the same endpoint again is the same browser."""

    def act(context: OperationContext, user: UUID) -> dict[str, Any]:
        require_personal(context.principal)
        body = PushSubscriptionWishSerializer(
            data={"endpoint": endpoint, "p256dh": p256dh, "auth": auth, "label": label}
        )
        body.is_valid(raise_exception=True)
        made = browsers.subscribe(user, browsers.Wish(**body.validated_data), timezone.now())
        return {"push_subscription": PushSubscriptionSerializer(made).data, "__typename": "PushSubscriptionMade"}

    return _act(info, act)


def renew_push_subscription(
    info: strawberry.Info, former_endpoint: str, former_auth: str, endpoint: str, p256dh: str, auth: str
) -> Any:
    """Put a renewed subscription in the place of the former one; who shows endpoint and secret of that is it."""
    given = {"former_endpoint": former_endpoint, "former_auth": former_auth}

    def act() -> dict[str, Any]:
        body = PushRenewalSerializer(data=given | {"endpoint": endpoint, "p256dh": p256dh, "auth": auth})
        body.is_valid(raise_exception=True)
        renewed = PushSubscriptionSerializer(body.renew()).data
        return {"push_subscription": renewed, "__typename": "PushSubscriptionRenewed"}

    return answer(context_of(info), act)


def delete_push_subscription(info: strawberry.Info, id: UUID) -> Any:
    """Push nothing more to a browser of yours."""

    def act(context: OperationContext, user: UUID) -> dict[str, Any]:
        require_personal(context.principal)
        browsers.unsubscribe(user, id)
        return {"id": id, "__typename": "PushSubscriptionDeleted"}

    return _act(info, act)


def _query(resolve: Any, kind: Any) -> Any:
    return strawberry.field(resolver=resolve, graphql_type=kind, description=resolve.__doc__)


def _mutation(resolve: Any, kind: Any) -> Any:
    return strawberry.mutation(resolver=resolve, graphql_type=kind, description=resolve.__doc__)


QUERIES: dict[str, Any] = {
    "notifications": _query(notifications, many(NotificationType)),
    "unread_notifications": _query(unread_notifications, int),
    "push_subscriptions": _query(push_subscriptions, many(PushSubscriptionType)),
    "push_key": _query(push_key, str),
    "notification_settings": _query(notification_settings, SettingsType),
}
MUTATIONS: dict[str, Any] = {
    "read_notifications": _mutation(read_notifications, ReadResult),
    "create_push_subscription": _mutation(create_push_subscription, SubscribedResult),
    "renew_push_subscription": _mutation(renew_push_subscription, RenewedResult),
    "delete_push_subscription": _mutation(delete_push_subscription, UnsubscribedResult),
    "change_notification_settings": _mutation(change_notification_settings, ChangedResult),
}
SUBSCRIPTIONS = {
    "notifications": strawberry.subscription(
        resolver=follow_notifications, description=getdoc(follow_notifications), graphql_type=NotificationType
    )
}
