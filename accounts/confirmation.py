"""An e-mail address is confirmed by a link mailed to it, which works once, for a day.

The link is for the address to which it went: another address of the person ends it. What is confirmed is the address
itself, so that a changed one is unconfirmed without anybody doing anything for it.
"""

import json
from typing import Any

from django.conf import settings
from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.core.mail import send_mail
from django.db import transaction

from accounts.errors import AccountError
from accounts.links import LinkKeys
from accounts.models import User

SUBJECT = "Confirm your e-mail address for Theogony"
TEXT = """Somebody, probably you, gave this address for the account {username}.

Confirm it here, within a day:
{address}

If it was not you, leave this message alone: the address stays unconfirmed.
"""


class _Generator(PasswordResetTokenGenerator):
    """Django's tokens, ended by another address and by the confirmation itself."""

    key_salt = "accounts.confirmation"

    def _make_hash_value(self, user: Any, timestamp: int) -> str:
        return json.dumps([user.pk.hex, user.email, user.confirmed_email, timestamp])


KEYS = LinkKeys("theomail", _Generator())


def require_unconfirmed(user: User) -> None:
    """Raise AccountError where there is nothing to confirm: email.missing, email.confirmed."""
    if not user.email:
        raise AccountError("email.missing", "You have given no e-mail address; give one first.")
    if user.has_confirmed_email:
        raise AccountError("email.confirmed", "Your e-mail address is confirmed already.")


def require_confirmed(user: User) -> None:
    """Raise AccountError where mail may not go to them unasked: email.missing, email.unconfirmed."""
    if not user.email:
        raise AccountError("email.missing", "You have given no e-mail address; give one first.")
    if not user.has_confirmed_email:
        raise AccountError("email.unconfirmed", "Your e-mail address is not confirmed; ask for the link first.")


def person_to_confirm(key: str) -> User:
    """Whose address a key confirms. Raises AccountError (confirmation.unusable) for one that was used, is too old, is
    for an address they have no more, or is none."""
    user = KEYS.person_of(key)
    if user is None or not user.email:
        raise AccountError(
            "confirmation.unusable",
            "This link was used already, is too old, or is for another address; ask for a new one.",
        )
    return user


@transaction.atomic
def confirm_email(key: str) -> User:
    """Confirm the address of the person whose key it is. Raises AccountError (confirmation.unusable)."""
    User.objects.select_for_update().get(pk=person_to_confirm(key).pk)
    user = person_to_confirm(key)  # as it is under the lock: the address may have been changed, or the key used
    user.confirmed_email = user.email
    user.save(update_fields=["confirmed_email"])
    return user


def send_confirmation(user: User, address: str) -> None:
    """Write to a person. address: the link, with its key. Raises what the mail server's connection raises."""
    send_mail(SUBJECT, TEXT.format(username=user.username, address=address), settings.DEFAULT_FROM_EMAIL, [user.email])
