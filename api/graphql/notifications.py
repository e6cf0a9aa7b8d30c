"""Notifications in GraphQL: the same services, serializers and refusals as in REST."""

from collections.abc import Callable
from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

import strawberry
from django.utils import timezone

from accounts.models import Scope
from api.common.permissions import require_personal, require_scope
from api.graphql.commands import Refusal
from api.graphql.context import OperationContext, answer, context_of
from api.graphql.mapping import either, many, object_type
from api.notifications import reading
from api.notifications.wishes import change_wishes, wishes_for
from api.representations.resources.notifications import (
    ChangeWishesSerializer,
    NotificationSerializer,
    ReadSerializer,
    WishesSerializer,
)

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
        "kind": "`asked`, `turn`, `deadline`, `alone`, `chapter` or `over`.",
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
    {"time_zone": str, "deadline_hours": int, "kinds_off": many(str), "games_off": many(UUID)},
    {
        "time_zone": "IANA name of the zone in which pages show you times.",
        "deadline_hours": "How long before a deadline it is near; 0: never.",
        "kinds_off": "The kinds you are not told.",
        "games_off": "The games you are told nothing of.",
    },
    "What you want to be told.",
)


def _one_of(name: str, hints: dict[str, Any], description: str) -> Any:
    done = object_type(name, hints, {}, description, apart=True)
    return Annotated[either((done, Refusal)), strawberry.union(f"{name}Result")]


ReadResult = _one_of("NotificationsRead", {"unread": int}, "How many are unread now.")
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


def _given(**values: Any) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def read_notifications(info: strawberry.Info, ids: list[UUID] | None = None, up_to: UUID | None = None) -> Any:
    """Mark some of your notifications as read (`ids`), or one and all that are older (`upTo`)."""

    def act(_: OperationContext, user: UUID) -> dict[str, Any]:
        body = ReadSerializer(data=_given(ids=ids, up_to=up_to))
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
) -> Any:
    """Change what you want to be told; what is left out stays."""
    given = _given(time_zone=time_zone, deadline_hours=deadline_hours, kinds_off=kinds_off, games_off=games_off)

    def act(context: OperationContext, user: UUID) -> dict[str, Any]:
        require_personal(context.principal)
        body = ChangeWishesSerializer(data=given)
        body.is_valid(raise_exception=True)
        changed = change_wishes(user, timezone.now(), body.validated_data)
        return {"settings": WishesSerializer(changed).data, "__typename": "NotificationSettingsChanged"}

    return _act(info, act)


def _query(resolve: Any, kind: Any) -> Any:
    return strawberry.field(resolver=resolve, graphql_type=kind, description=resolve.__doc__)


def _mutation(resolve: Any, kind: Any) -> Any:
    return strawberry.mutation(resolver=resolve, graphql_type=kind, description=resolve.__doc__)


QUERIES: dict[str, Any] = {
    "notifications": _query(notifications, many(NotificationType)),
    "unread_notifications": _query(unread_notifications, int),
    "notification_settings": _query(notification_settings, SettingsType),
}
MUTATIONS: dict[str, Any] = {
    "read_notifications": _mutation(read_notifications, ReadResult),
    "change_notification_settings": _mutation(change_notification_settings, ChangedResult),
}
