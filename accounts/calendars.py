"""The address of a person's calendar: a secret in it stands for them, and shows their deadlines alone."""

from django.db.models import QuerySet

from accounts import keys
from accounts.models import User


def make_calendar_key(user: User) -> str:
    """A new secret for the address, shown this once; the one before is worthless from now on."""
    secret = keys.new(keys.CALENDAR_WORD, keys.CALENDAR_LETTERS)
    user.calendar_digest = keys.digest(secret)
    user.save(update_fields=["calendar_digest"])
    return secret


def remove_calendar_key(user: User) -> None:
    """Let the address lead nowhere. Where there is none nothing changes."""
    user.calendar_digest = ""
    user.save(update_fields=["calendar_digest"])


def person_of_calendar(secret: str) -> User | None:
    """Whose calendar an address with this secret is; nobody's where it is unknown, or they may not sign in."""
    if not keys.CALENDAR_SHAPE.fullmatch(secret):
        return None
    found: QuerySet[User] = User.objects.filter(calendar_digest=keys.digest(secret), is_active=True)
    return found.first()
