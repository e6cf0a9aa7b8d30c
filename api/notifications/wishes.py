"""What a person wants to be told: their settings, with the defaults where they have said nothing."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import orjson
from django.conf import settings
from django.db.models import F, QuerySet

from accounts.confirmation import require_confirmed
from accounts.models import DEADLINE_HOURS, NotificationSettings, User
from api.common.exceptions import Fault
from core.places import routing
from games.models import NotificationFollower, NotificationKind, Seat

MAX_DEADLINE_HOURS = 72
MAX_GAMES_OFF = 500
LISTS = ("kinds_off", "games_off", "mail_kinds", "push_kinds_off")
"""Columns that hold JSON."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """The settings of one person."""

    time_zone: str = "UTC"
    """IANA name."""
    deadline_hours: int = DEADLINE_HOURS
    """How long before a deadline they are told of it; 0: never."""
    kinds_off: tuple[str, ...] = ()
    games_off: tuple[UUID, ...] = ()
    mail_kinds: tuple[str, ...] = ()
    """The kinds they are told by e-mail, too."""
    quiet_from: str = ""
    """"HH:MM"; empty: there are no quiet hours."""
    quiet_to: str = ""
    mail_since: datetime | None = None
    """Since when they are told by e-mail."""
    push_kinds_off: tuple[str, ...] = ()
    """The kinds that are not pushed to their browsers."""
    mail_digest: str = ""
    """"HH:MM": they are mailed once a day, at that time in their zone; empty: each by itself."""

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


def wishes_of_mailed(users: Iterable[UUID] | None = None) -> dict[UUID, Wishes]:
    """Those of the people who want mail and whose address is confirmed, or of these among them: one query."""
    rows: QuerySet[NotificationSettings] = NotificationSettings.objects.exclude(mail_since=None).exclude(user__email="")
    rows = rows.filter(user__is_active=True, user__email=F("user__confirmed_email"))
    if users is not None:
        rows = rows.filter(user__in=users)
    return {row.user_id: _wishes(row) for row in rows}


def stop_mail(user: UUID) -> None:
    """Let a person be told nothing by e-mail. Who is told nothing stays so."""
    NotificationSettings.objects.filter(user=user).update(mail_kinds="[]", mail_since=None)


def change_wishes(user: UUID, now: datetime, changes: Mapping[str, Any]) -> Wishes:
    """Store what is given, and let the person's games be looked at anew. changes: fields of `Wishes`, checked.

    Raises Fault (mail.none), AccountError (email.missing, email.unconfirmed) for kinds by e-mail that cannot be sent.
    """
    columns: dict[str, Any] = {
        name: orjson.dumps(list(dict.fromkeys(value))).decode() if name in LISTS else value
        for name, value in changes.items()
    }
    if "mail_kinds" in changes:
        columns["mail_since"] = _mail_since(user, now) if changes["mail_kinds"] else None
    NotificationSettings.objects.update_or_create(user_id=user, defaults=columns)
    routing.in_every_place(_look_again, user, now)
    return wishes_for(user)


def _mail_since(user: UUID, now: datetime) -> datetime:
    """Since when they want mail: what stood before is not sent."""
    since = wishes_for(user).mail_since
    if since is None:
        if not (settings.EMAIL_HOST and settings.PUBLIC_URL):
            raise Fault("mail.none", "This service mails no news of games; leave `mail_kinds` empty.")
        require_confirmed(User.objects.get(pk=user))
    return since or now


def _look_again(user: UUID, now: datetime) -> None:
    held = Seat.objects.filter(user=user).values("game")
    NotificationFollower.objects.filter(game__in=held).update(look_at=now)


def _wishes(row: NotificationSettings) -> Wishes:
    return Wishes(
        row.time_zone,
        row.deadline_hours,
        tuple(orjson.loads(row.kinds_off)),
        tuple(map(UUID, orjson.loads(row.games_off))),
        tuple(orjson.loads(row.mail_kinds)),
        row.quiet_from,
        row.quiet_to,
        row.mail_since,
        tuple(orjson.loads(row.push_kinds_off)),
        row.mail_digest,
    )
