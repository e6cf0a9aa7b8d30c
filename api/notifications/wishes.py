"""What a person wants to be told: their settings, with the defaults where they have said nothing."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import orjson

from accounts.models import DEADLINE_HOURS, NotificationSettings, User
from core.places import routing
from games.models import NotificationFollower, NotificationKind, Seat

MAX_DEADLINE_HOURS = 72
MAX_GAMES_OFF = 500


@dataclass(frozen=True, slots=True)
class Wishes:
    """The settings of one person."""

    time_zone: str = "UTC"
    """IANA name."""
    deadline_hours: int = DEADLINE_HOURS
    """How long before a deadline they are told of it; 0: never."""
    kinds_off: tuple[str, ...] = ()
    games_off: tuple[UUID, ...] = ()

    def wants(self, kind: NotificationKind, game: UUID) -> bool:
        """Whether they are told of this kind in this game."""
        return kind not in self.kinds_off and game not in self.games_off


DEFAULTS = Wishes()


def wishes_for(user: UUID) -> Wishes:
    """Those of one person: one query."""
    row = NotificationSettings.objects.filter(user=user).first()
    return DEFAULTS if row is None else _wishes(row)


def wishes_of_people(users: Iterable[UUID]) -> dict[UUID, Wishes]:
    """Those of several people by id; who is here no more is left out: one query."""
    people = User.objects.filter(pk__in=set(users), is_active=True).select_related("notification_settings")
    return {
        each.pk: _wishes(each.notification_settings) if hasattr(each, "notification_settings") else DEFAULTS
        for each in people
    }


def change_wishes(user: UUID, now: datetime, changes: Mapping[str, Any]) -> Wishes:
    """Store what is given, and let the person's games be looked at anew. changes: fields of `Wishes`, checked."""
    columns = {
        name: orjson.dumps(list(dict.fromkeys(value))).decode() if name in ("kinds_off", "games_off") else value
        for name, value in changes.items()
    }
    NotificationSettings.objects.update_or_create(user_id=user, defaults=columns)
    routing.in_every_place(_look_again, user, now)
    return wishes_for(user)


def _look_again(user: UUID, now: datetime) -> None:
    held = Seat.objects.filter(user=user).values("game")
    NotificationFollower.objects.filter(game__in=held).update(look_at=now)


def _wishes(row: NotificationSettings) -> Wishes:
    return Wishes(
        row.time_zone,
        row.deadline_hours,
        tuple(orjson.loads(row.kinds_off)),
        tuple(map(UUID, orjson.loads(row.games_off))),
    )
