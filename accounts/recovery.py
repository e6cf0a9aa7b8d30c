"""A new password for somebody who has forgotten theirs: a link that works once, for a day.

A new password and a new sign-in end it.
"""

from django.conf import settings
from django.contrib.auth.tokens import default_token_generator
from django.core.mail import send_mail
from django.db import transaction

from accounts.errors import AccountError
from accounts.links import LinkKeys
from accounts.models import User
from accounts.services import change_password

KEYS = LinkKeys("theopass", default_token_generator)
SUBJECT = "A new password for Theogony"
TEXT = """Somebody, probably you, asked for a new password for the account {username}.

Choose it here, within a day:
{address}

If it was not you, leave this message alone: nothing has changed.
"""


def recovery_key(user: User) -> str:
    """The key of a link with which this person, or who is given it, chooses a new password.

    Raises AccountError (user.inactive) for somebody who may not sign in.
    """
    if not user.is_active:
        raise AccountError("user.inactive", "This account may not sign in; a new password would not change that.")
    return KEYS.key_for(user)


def person_of(key: str) -> User:
    """Whose key it is. Raises AccountError (recovery.unusable) for one that was used, is too old, or is none."""
    user = KEYS.person_of(key)
    if user is None:
        raise AccountError("recovery.unusable", "This link was used already, or is too old; ask for a new one.")
    return user


@transaction.atomic
def recover(key: str, new: str) -> User:
    """Set a new password by a key, which ends the key, every sign-in and every token of the person.

    Raises AccountError (recovery.unusable, password.weak); then nothing changed.
    """
    user = person_of(key)
    change_password(User.objects.select_for_update().get(pk=user.pk), new=new)
    return user


def people_at(email: str) -> list[User]:
    """Those who may sign in and have given this address; several may share one."""
    return list(User.objects.filter(email__iexact=email, is_active=True)) if email else []


def send_recovery(user: User, address: str) -> None:
    """Write to a person. address: the link, with its key. Raises what the mail server's connection raises."""
    send_mail(SUBJECT, TEXT.format(username=user.username, address=address), settings.DEFAULT_FROM_EMAIL, [user.email])
