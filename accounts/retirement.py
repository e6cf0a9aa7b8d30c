"""Retirement: a person leaves for good. Their row and id stay, for games keep the id; all else about them is removed.

A seat they hold stays theirs until the game hands it over; it shows no name of theirs.
"""

from uuid import UUID

from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from django.utils import timezone

from accounts.errors import AccountError
from accounts.models import (
    RETIRED_PREFIX,
    USERNAME_LENGTH,
    Invitation,
    NotificationSettings,
    PushSubscription,
    Token,
    User,
    WebhookEndpoint,
)
from accounts.oauth.models import Grant

RETIRED_NAME = "Retired"
"""What a retired person is called everywhere."""


@transaction.atomic
def retire(user: User, *, by: User | None = None) -> None:
    """Remove names, mail, password, rights, tokens and grants of a person; the id stays. A second time changes nothing.

    by: who does it. Raises AccountError (user.self) for one's own account.
    """
    if by is not None and by.pk == user.pk:
        raise AccountError("user.self", "Another administrator must retire you; you would lock yourself out.")
    kept = User.objects.select_for_update().get(pk=user.pk)
    if not kept.is_retired:
        _anonymise(kept)
        Grant.objects.filter(user=kept).delete()
        NotificationSettings.objects.filter(user=kept).delete()
        PushSubscription.objects.filter(user=kept).delete()
        WebhookEndpoint.objects.filter(user=kept).delete()
        Token.objects.filter(user=kept).delete()
        Invitation.objects.filter(created_by=kept, uses_left__gt=0).update(uses_left=0)
        LogEntry.objects.filter(content_type=ContentType.objects.get_for_model(User), object_id=str(kept.pk)).update(
            object_repr=RETIRED_NAME
        )
    user.__dict__.update({field.attname: getattr(kept, field.attname) for field in User._meta.concrete_fields})


def _anonymise(user: User) -> None:
    user.username, user.display_name, user.email = retired_username(user.pk), RETIRED_NAME, ""
    user.calendar_digest = user.confirmed_email = ""
    user.is_active = user.is_staff = user.is_superuser = False
    user.last_login = user.invitation = None
    user.retired_at = timezone.now()
    user.set_unusable_password()
    user.save()
    user.groups.clear()
    user.user_permissions.clear()


def retired_username(user: UUID) -> str:
    """The user name that keeps the place of a retired person's: it follows from the id."""
    return f"{RETIRED_PREFIX}{user.hex[: USERNAME_LENGTH - len(RETIRED_PREFIX)]}"
