"""Chat hooks in GraphQL: the same services, serializers and refusals as in REST."""

from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

import strawberry
from django.utils import timezone

from accounts.models import Scope
from api.common.permissions import require_scope
from api.graphql.commands import Refusal
from api.graphql.context import OperationContext, answer, context_of
from api.graphql.mapping import as_json, either, many, object_type
from api.representations.resources.chat_hooks import (
    ChatHookChangeSerializer,
    ChatHookSerializer,
    ChatHookWishSerializer,
)
from api.webhooks.chat import hooks
from api.webhooks.chat.hooks import Wish

ChatMention = object_type(
    "ChatMention",
    {"seat": UUID, "mention": str},
    {"mention": "What the channel reads as a call."},
    "Whom a channel calls when a seat is waited for.",
)
ChatHookType = object_type(
    "ChatHook",
    {
        "id": UUID,
        "game": UUID,
        "application": UUID | None,
        "address": str,
        "format": str,
        "time_zone": str,
        "mentions": many(ChatMention),
        "is_active": bool,
        "reason": str,
        "failures": int,
        "status": int | None,
        "error": str,
        "tried_at": datetime | None,
        "next_try_at": datetime,
        "created_at": datetime,
    },
    {
        "game": "The id of the game that the channel is told of.",
        "application": "The application that made it; null where people did themselves.",
        "address": "The host and the last four characters of its address.",
        "format": "`discord`, `slack` or `mattermost`.",
        "time_zone": "Where its times are; an IANA name.",
        "reason": "Why it is off; empty while it is on.",
        "failures": "Attempts since the last success.",
        "status": "Of the last answer; null without one.",
        "error": "Why there was no answer; empty with one.",
    },
    "A chat channel that is told of a game; never its address.",
)


@strawberry.input(description="Whom a channel calls when a seat is waited for.")
class ChatMentionInput:
    """Whom a channel calls when a seat is waited for."""

    seat: UUID = strawberry.field(description="A seat of the game.")
    mention: str = strawberry.field(description="What the channel reads as a call, such as `<@123>`.")


def _one_of(name: str, hints: dict[str, Any], description: str) -> Any:
    done = object_type(name, hints, {}, description, apart=True)
    return Annotated[either((done, Refusal)), strawberry.union(f"{name}Result")]


MadeResult = _one_of("ChatHookMade", {"chat_hook": ChatHookType}, "A new chat hook.")
ChangedResult = _one_of("ChatHookChanged", {"chat_hook": ChatHookType}, "A chat hook, as it is now.")
DeletedResult = _one_of("ChatHookDeleted", {"id": UUID}, "A chat hook that is no more.")
TestedResult = _one_of("ChatHookTested", {"chat_hook": ChatHookType}, "A chat hook that is about to post a test.")


def chat_hooks(info: strawberry.Info) -> Any:
    """Your chat hooks, the newest first; an application gets those that it made."""
    context = context_of(info)
    require_scope(context.principal, Scope.READ)
    return ChatHookSerializer(hooks.hooks_for(context.principal), many=True).data


def _act(info: strawberry.Info, act: Any) -> Any:
    context = context_of(info)

    def acting() -> dict[str, Any]:
        context.may_act()
        done: dict[str, Any] = act(context)
        return done

    return answer(context, acting)


def _hook_json(row: Any, name: str) -> dict[str, Any]:
    return {"chat_hook": ChatHookSerializer(row).data, "__typename": name}


def create_chat_hook(
    info: strawberry.Info,
    game: UUID,
    url: str,
    format: str,
    time_zone: str = "UTC",
    mentions: list[ChatMentionInput] | None = None,
) -> Any:
    """Have a channel told when a chapter of a game begins, who is waited for, and when the game is over."""

    def act(context: OperationContext) -> dict[str, Any]:
        given = {"game": str(game), "url": url, "format": format, "time_zone": time_zone}
        body = ChatHookWishSerializer(data={**given, "mentions": as_json(mentions or [])})
        body.is_valid(raise_exception=True)
        made = hooks.create(context.principal, Wish(**body.validated_data), timezone.now())
        return _hook_json(made, "ChatHookMade")

    return _act(info, act)


def change_chat_hook(
    info: strawberry.Info,
    id: UUID,
    url: str | None = None,
    time_zone: str | None = None,
    mentions: list[ChatMentionInput] | None = None,
    is_active: bool | None = None,
) -> Any:
    """Change address, time zone or mentions, or switch it off or on."""
    given = {"url": url, "time_zone": time_zone, "mentions": as_json(mentions), "is_active": is_active}

    def act(context: OperationContext) -> dict[str, Any]:
        body = ChatHookChangeSerializer(data={name: value for name, value in given.items() if value is not None})
        found = hooks.hook_for(context.principal, id)
        body.is_valid(raise_exception=True)
        return _hook_json(hooks.change(found, timezone.now(), **body.validated_data), "ChatHookChanged")

    return _act(info, act)


def delete_chat_hook(info: strawberry.Info, id: UUID) -> Any:
    """Delete a chat hook; what it has posted stays."""

    def act(context: OperationContext) -> dict[str, Any]:
        hooks.hook_for(context.principal, id).delete()
        return {"id": id, "__typename": "ChatHookDeleted"}

    return _act(info, act)


def test_chat_hook(info: strawberry.Info, id: UUID) -> Any:
    """Have a line without news posted, before all others; `status` or `error` say what came of it."""

    def act(context: OperationContext) -> dict[str, Any]:
        found = hooks.hook_for(context.principal, id)
        return _hook_json(hooks.send_test(found, timezone.now()), "ChatHookTested")

    return _act(info, act)


def _mutation(resolve: Any, kind: Any) -> Any:
    return strawberry.mutation(resolver=resolve, graphql_type=kind, description=resolve.__doc__)


QUERIES: dict[str, Any] = {
    "chat_hooks": strawberry.field(resolver=chat_hooks, graphql_type=many(ChatHookType), description=chat_hooks.__doc__)
}
MUTATIONS: dict[str, Any] = {
    "create_chat_hook": _mutation(create_chat_hook, MadeResult),
    "change_chat_hook": _mutation(change_chat_hook, ChangedResult),
    "delete_chat_hook": _mutation(delete_chat_hook, DeletedResult),
    "test_chat_hook": _mutation(test_chat_hook, TestedResult),
}
