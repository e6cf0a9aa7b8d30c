"""What people do to their chat hooks; REST, GraphQL and the admin call these. An address comes out never again.

Those of an application's token are the ones that it made for the person: it neither sees nor changes others.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

import orjson
from django.db.models import QuerySet
from django.http import Http404

from accounts.models import User
from api.common.authentication import Principal
from api.common.exceptions import Fault
from api.common.time_zones import require_time_zone
from api.common.viewer import viewer_of
from api.outbound.addresses import require_public
from api.webhooks.attempts import switch_off
from api.webhooks.chat.wording import MENTIONS
from api.webhooks.subscriptions import application_of
from core.ids import in_slot_of
from core.places import routing
from games.engine.game_state import Status
from games.models import ChatFormat, ChatHook, Game, Seat

MAX_CHAT_HOOKS = 20
"""Of one person, over all games."""
MAX_MENTIONS = 50
"""Seats of one hook that call somebody."""
HOW = {
    ChatFormat.DISCORD: "`<@id>` of a person or `<@&id>` of a role",
    ChatFormat.SLACK: "`<@U...>` of a person or `<!subteam^S...>` of a group",
    ChatFormat.MATTERMOST: "`@name` of a person",
}


@dataclass(frozen=True, slots=True)
class Wish:
    """What is asked for: where lines go, of which game, in which form; mentions: each `seat` and `mention`."""

    url: str
    game: UUID
    format: str
    time_zone: str = "UTC"
    mentions: Sequence[Mapping[str, Any]] = ()


def hooks_for(principal: Principal) -> list[ChatHook]:
    """All that a principal may know of, the newest first; a query in each place."""
    found = routing.in_places_at_hand(lambda: list(_hooks_of(principal)))
    return sorted((row for rows in found for row in rows), key=lambda row: (row.created_at, row.pk), reverse=True)


def hook_for(principal: Principal, hook_id: UUID) -> ChatHook:
    """One of them, in the place in force. Raises Http404."""
    found = _hooks_of(principal).filter(pk=hook_id).first()
    if found is None:
        raise Http404
    return found


def _hooks_of(principal: Principal) -> QuerySet[ChatHook]:
    if principal.user is None:
        return ChatHook.objects.none()
    rows: QuerySet[ChatHook] = ChatHook.objects.filter(user=principal.user.pk)
    return rows if principal.is_personal else rows.filter(application=application_of(principal))


def create(principal: Principal, wish: Wish, now: datetime) -> ChatHook:
    """A new chat hook: it says who is waited for now, and then what happens next.

    Raises Fault (webhook.address, time_zone.unknown, chat_hook.mention, chat_hooks.many), Refused (game.missing).
    """
    assert principal.user is not None  # SignedIn
    require_public(wish.url)
    require_time_zone(wish.time_zone)
    with routing.making(wish.game):
        User.objects.select_for_update().get(pk=principal.user.pk)  # two at once are counted one after the other
        game = viewer_of(wish.game, principal.user.pk).game
        mentions = pack_mentions(game, wish.format, wish.mentions)
        if _count(principal.user) >= MAX_CHAT_HOOKS:
            raise Fault("chat_hooks.many", f"You have {MAX_CHAT_HOOKS} chat hooks; delete one first.")
        made: ChatHook = ChatHook.objects.create(
            id=in_slot_of(wish.game, uuid4()), game=game, user=principal.user, application=application_of(principal),
            url=wish.url, format=wish.format, time_zone=wish.time_zone, mentions=mentions, seq=game.seq,
            chapter=game.chapter, is_end_posted=game.status == Status.FINISHED, look_at=now, next_try_at=now,
            created_at=now,
        )  # fmt: skip
    return made


def _count(user: User) -> int:
    return sum(routing.in_places_at_hand(lambda: ChatHook.objects.filter(user=user.pk).count()))


def pack_mentions(game: Game, format: str, mentions: Sequence[Mapping[str, Any]]) -> str:
    """Whom to call for which seat, as JSON. Raises Fault (chat_hook.mention, 422)."""
    seats = set(Seat.objects.filter(game=game).values_list("pk", flat=True)) if mentions else set()
    for position, each in enumerate(mentions):
        if each["seat"] not in seats:
            message = "There is no such seat in this game."
            raise Fault("chat_hook.mention", message, pointer=f"/mentions/{position}/seat")
        if not MENTIONS[ChatFormat(format)].fullmatch(each["mention"]):
            message = f"A mention of {format} is {HOW[ChatFormat(format)]}; a whole channel is never called."
            raise Fault("chat_hook.mention", message, pointer=f"/mentions/{position}/mention")
    return orjson.dumps({str(each["seat"]): each["mention"] for each in mentions}).decode()


def mentions_of(hook: ChatHook) -> list[dict[str, Any]]:
    """Whom a hook calls for which seat, as they are given."""
    return [{"seat": UUID(seat), "mention": mention} for seat, mention in orjson.loads(hook.mentions).items()]


def change(hook: ChatHook, now: datetime, **changes: Any) -> ChatHook:
    """Change what is given of address, time zone, mentions and whether it is active.

    Raises Fault (webhook.address, time_zone.unknown, chat_hook.mention). Switched on, it says what is so then.
    """
    columns: dict[str, Any] = {"look_at": now} if changes else {}
    if "url" in changes:
        columns |= {"url": require_public(changes["url"]), "message": "", "line": "", "called": "{}", "posted_at": None}
    if "time_zone" in changes:
        require_time_zone(changes["time_zone"])
        columns["time_zone"] = changes["time_zone"]
    if "mentions" in changes:
        columns["mentions"] = pack_mentions(hook.game, hook.format, changes["mentions"])
    is_active = changes.get("is_active", hook.is_active)
    if is_active and ("is_active" in changes or "url" in changes):
        columns |= {"is_active": True, "reason": "", "failures": 0, "failing_since": None, "next_try_at": now}
    if columns:
        ChatHook.objects.filter(pk=hook.pk).update(**columns)
    if not is_active:
        switch_off(ChatHook, hook.pk, "owner.off")
    hook.refresh_from_db()
    return hook


def send_test(hook: ChatHook, now: datetime) -> ChatHook:
    """Let a line without news be posted next. Raises Fault (chat_hook.off)."""
    active = ChatHook.objects.filter(pk=hook.pk, is_active=True)
    if not active.update(is_test_asked=True, look_at=now, next_try_at=now):
        raise Fault("chat_hook.off", "This chat hook is off; switch it on first.", reason=hook.reason)
    hook.refresh_from_db()
    return hook
