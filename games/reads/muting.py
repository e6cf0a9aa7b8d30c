"""Muted seats: whose messages a person does not want to read. The one place where that is applied.

A muted message keeps its place, its cursor and its number; its text alone is withheld from the person who mutes.
What others read, and what a seat that is muted learns, is the same as without it.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, TypeVar
from uuid import UUID

from django.db.models import Q

from games.models import MutedSeat
from games.models.log import AnyEventRow

MESSAGE = "MessageSent"
Shown = TypeVar("Shown", bound=Any)
"""An event as it is shown: a frozen dataclass with `text`, `data` and `muted`."""


def muted_seats_for(game: UUID, user: UUID | None) -> list[UUID]:
    """The seats of a game that a person mutes, by id: one query; none for nobody, who asks nothing."""
    if user is None:
        return []
    return list(MutedSeat.objects.filter(game=game, user=user).order_by("seat").values_list("seat", flat=True))


def muted_senders(game: UUID, user: UUID | None, rows: Iterable[AnyEventRow]) -> frozenset[str]:
    """The seats that a person mutes, as events name them; asked only where one of these rows is a message."""
    if user is None or not any(row.type == MESSAGE for row in rows):
        return frozenset()
    return frozenset(map(str, muted_seats_for(game, user)))


def without_text(event: Shown) -> Shown:
    """A muted message as it is shown to who mutes it."""
    muted: Shown = replace(event, text="", data={**event.data, "text": ""}, muted=True)
    return muted


def muted_messages(game: UUID, user: UUID | None) -> Q:
    """The messages of a game that a person does not want to read; none of them where they mute nobody."""
    found = Q(pk__in=[])
    for seat in muted_seats_for(game, user):
        found |= Q(type=MESSAGE, body__contains=f'"sender":"{seat}"')
    return found
