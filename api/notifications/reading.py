"""What somebody reads of their notifications, in every place; what each says is worded here, when it is read.

A row grants nothing: who no longer holds the seat is not shown it, and its text is of what the seat may see now.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import Http404

from api.common.exceptions import Fault
from api.common.keyset import beyond
from api.notifications.attacks import events_of_attacks
from core.places import routing
from games import registry
from games.engine.audience import Audience, readable
from games.engine.game_state import Role
from games.models import Game, LoggedEvent, Notification, NotificationKind, Prompt, Seat

ORDER = ("-created_at", "id")
MAX_IDS = 100
"""Notifications that are marked as read by their ids in one go."""
MESSAGES = {
    NotificationKind.ASKED: "You are asked: {question}",
    NotificationKind.TURN: "You may act.",
    NotificationKind.DEADLINE: "Your deadline is near: {question}",
    NotificationKind.ALONE: "Everybody waits for you alone: {question}",
    NotificationKind.ATTACKED: "You were attacked: {attack}",
    NotificationKind.CHAPTER: "{chapter} has begun.",
    NotificationKind.OVER: "The game is over.",
}
PAST_QUESTION = "a question that is no longer open."
UNTOLD_ATTACK = "the log of the game says how."


@dataclass(frozen=True, slots=True)
class Worded:
    """A notification as its owner reads it now."""

    id: UUID
    kind: NotificationKind
    game: UUID
    game_name: str
    ruleset: str
    seat: UUID | None
    """The seat it is about; None where it is about the game."""
    role: Role | None
    """That of the seat."""
    question: UUID | None
    """The open question that it is about, where its owner may read it."""
    message: str
    due: datetime | None
    created_at: datetime
    read_at: datetime | None


def notifications_of(
    user: UUID, limit: int, *, unread: bool = False, position: Sequence[Any] | None = None, backward: bool = False
) -> list[Worded]:
    """Those that stand, the newest first, `limit` at most: three queries in each place.

    position: values of `ORDER` behind which they begin; with `backward` they end before it, the nearest first.
    """
    found = routing.in_places_at_hand(_page, user, limit, unread, position, backward)
    # Newest first, and by id among those of one moment.
    rows = sorted((row for rows in found for row in rows), key=lambda row: row.id)
    rows.sort(key=lambda row: row.created_at, reverse=True)
    return (rows[::-1] if backward else rows)[:limit]


def notifications_behind(user: UUID, last: UUID | None, limit: int, *, unread: bool = False) -> list[Worded]:
    """The same, behind one that the user has seen. Raises Http404 where that is not the user's."""
    position = None
    if last is not None:
        row = _own(user, last)
        position = (row.created_at, row.pk)
    return notifications_of(user, limit, unread=unread, position=position)


def unread_notification(user: UUID, notification: UUID) -> Worded | None:
    """One in the place in force, while it stands, is not read, and is the user's."""
    return next(iter(unread_notifications(user, [notification])), None)


def unread_notifications(user: UUID, notifications: Collection[UUID]) -> list[Worded]:
    """Those of some in the place in force that stand, are not read, and are the user's: three queries."""
    rows = _of(user).filter(pk__in=notifications, read_at=None).select_related("game")
    return _word_all(rows)


def standing_among(user: UUID, notifications: Collection[UUID]) -> list[Worded]:
    """Those of some that stand and are the user's, the oldest first: three queries in each place of them."""
    found: list[Worded] = []
    for place, held in routing.by_place(notifications).items():
        with routing.at_place(place):
            found += _word_all(_of(user).filter(pk__in=held).select_related("game"))
    return sorted(found, key=lambda row: (row.created_at, row.id))


def changes_since(users: Collection[UUID], moment: datetime) -> list[tuple[UUID, UUID, datetime]]:
    """What of these people's has been written since a moment and stands: who, its id, when; one query in each place."""
    found = routing.in_places_at_hand(_changes_here, users, moment)
    return [row for rows in found for row in rows]


def newer_than(user: UUID, last: UUID, limit: int) -> list[Worded]:
    """What stands and is newer than one that the user has seen, the oldest first.

    last: may be no longer so. Raises Http404 where it is not the user's.
    """
    with routing.at(last):
        row = Notification.objects.filter(user=user, pk=last).first()
    if row is None:
        raise Http404
    return notifications_of(user, limit, position=(row.created_at, row.pk), backward=True)


def count_unread(user: UUID) -> int:
    """How many stand that are not read: one query in each place."""
    return sum(routing.in_places_at_hand(lambda: _of(user).filter(read_at=None).count()))


def read(user: UUID, ids: Collection[UUID], now: datetime) -> None:
    """Mark these as read; those that are already stay as they are. Raises Http404 where one is not the user's."""
    for place, held in routing.by_place(ids).items():
        with routing.at_place(place):
            if _of(user).filter(pk__in=held).count() < len(set(held)):
                raise Http404
    for place, held in routing.by_place(ids).items():
        with routing.at_place(place):
            Notification.objects.filter(user=user, pk__in=held, read_at=None).update(read_at=now, changed_at=now)


def read_up_to(user: UUID, last: UUID, now: datetime) -> None:
    """Mark one as read and all that are older. Raises Http404 where it is not the user's."""
    routing.in_every_place(_read_older, user, _own(user, last).created_at, now)


def mark_read(user: UUID, ids: Collection[UUID] | None, up_to: UUID | None, now: datetime) -> int:
    """Mark by ids, or all up to one, and count what is unread then. Raises Http404, Fault (query.invalid)."""
    if (ids is None) == (up_to is None):
        raise Fault("query.invalid", "Send `ids` or `up_to`.", parameter="ids")
    if up_to is not None:
        read_up_to(user, up_to, now)
    else:
        read(user, ids or (), now)
    return count_unread(user)


def _own(user: UUID, notification: UUID) -> Notification:
    with routing.at(notification):
        row: Notification | None = _of(user).filter(pk=notification).first()
    if row is None:
        raise Http404
    return row


def _read_older(user: UUID, moment: datetime, now: datetime) -> None:
    rows = Notification.objects.filter(user=user, gone_at=None, read_at=None, created_at__lte=moment)
    rows.update(read_at=now, changed_at=now)


def _changes_here(users: Collection[UUID], moment: datetime) -> list[tuple[UUID, UUID, datetime]]:
    rows = Notification.objects.filter(user__in=users, changed_at__gte=moment, gone_at=None)
    found = rows.values_list("user", "pk", "changed_at")
    return [(who, pk, at) for who, pk, at in found if at is not None]


def _of(user: UUID) -> QuerySet[Notification]:
    """Those of the place in force that stand, about seats and games that are still the user's."""
    held = Seat.objects.filter(user=user, game=OuterRef("game"))
    is_theirs = Exists(held.filter(pk=OuterRef("seat"))) | (Q(seat=None) & Exists(held))
    rows: QuerySet[Notification] = Notification.objects.filter(is_theirs, user=user, gone_at=None)
    return rows


def _page(user: UUID, limit: int, unread: bool, position: Sequence[Any] | None, backward: bool) -> list[Worded]:
    rows = _of(user).filter(read_at=None) if unread else _of(user)
    if position is not None:
        rows = rows.filter(beyond(ORDER, position, backward))
    order = ("created_at", "-id") if backward else ORDER
    return _word_all(list(rows.select_related("game").order_by(*order)[:limit]))


def _word_all(rows: Iterable[Notification]) -> list[Worded]:
    found = list(rows)
    seats = {seat.pk: seat for seat in Seat.objects.filter(pk__in={row.seat for row in found if row.seat})}
    asked = {row.subject for row in found if row.subject}
    prompts = {prompt.pk: prompt for prompt in Prompt.objects.filter(pk__in=asked)} if asked else {}
    attacks = events_of_attacks((row.game_id, row.key) for row in found)
    return [
        _word(
            row,
            seats.get(row.seat) if row.seat else None,
            prompts.get(row.subject) if row.subject else None,
            attacks.get((row.game_id, row.key)),
        )
        for row in found
    ]


def _word(row: Notification, seat: Seat | None, prompt: Prompt | None, attack: LoggedEvent | None) -> Worded:
    kind, asked = NotificationKind(row.kind), None
    if seat is not None and prompt is not None:
        asked = prompt if _may_read(seat, prompt.audience) else None
    attack_text = attack.text if seat is not None and attack is not None and _may_read(seat, attack.audience) else ""
    question = PAST_QUESTION if asked is None else asked.question
    return Worded(
        id=row.pk,
        kind=kind,
        game=row.game_id,
        game_name=row.game.name,
        ruleset=row.game.ruleset,
        seat=row.seat,
        role=Role(seat.role) if seat is not None else None,
        question=asked.pk if asked is not None else None,
        message=MESSAGES[kind].format(
            question=question,
            chapter=_chapter(row.game),
            attack=attack_text or UNTOLD_ATTACK,
        ),
        due=row.due,
        created_at=row.created_at,
        read_at=row.read_at,
    )


def _may_read(seat: Seat, audience: str) -> bool:
    return readable(Audience(audience), {seat.pk}, seat.role == Role.GM)


def _chapter(game: Game) -> str:
    chapters = registry.ruleset(game.ruleset).chapters
    return "" if chapters is None else f"{chapters.word} {game.chapter}"
