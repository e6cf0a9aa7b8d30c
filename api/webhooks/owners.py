"""Whose a webhook is, and whether they are still here."""

from datetime import datetime
from uuid import UUID

from django.db.models import Q

from accounts.models import Token, User, WebhookEndpoint
from games.models import PostedTo, Webhook


class OwnerGone(Exception):  # a state, as `Refused` is
    """The person, or the application, that wanted these messages is here no more. code: which of them."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def require_owner(row: PostedTo, now: datetime) -> None:
    """Raise OwnerGone where its person is no more, the sign-in of the application or the endpoint that made it."""
    if not User.objects.filter(pk=row.user_id, is_active=True).exists():
        raise OwnerGone("owner.gone")
    if row.application is not None and not _is_signed_in(row.user_id, row.application, now):
        raise OwnerGone("application.gone")
    endpoint = row.endpoint if isinstance(row, Webhook) else None
    if endpoint is not None and not WebhookEndpoint.objects.filter(pk=endpoint).exists():
        raise OwnerGone("endpoint.gone")


def delete_for_good(row: PostedTo) -> None:
    """Delete what has no owner any more, and the endpoint that made it: its other webhooks go at their next message."""
    if isinstance(row, Webhook) and row.endpoint is not None:
        WebhookEndpoint.objects.filter(pk=row.endpoint).delete()
    row.delete()


def _is_signed_in(user: UUID, application: UUID, now: datetime) -> bool:
    """Whether a person's sign-in to an application still stands: no token of it was revoked, and one is in time."""
    in_time = Q(expires_at__gt=now) | Q(refresh_tokens__used_at=None, refresh_tokens__expires_at__gt=now)
    held = Token.objects.filter(user=user, application=application, revoked_at=None, application__revoked_at=None)
    return held.filter(in_time).exists()
