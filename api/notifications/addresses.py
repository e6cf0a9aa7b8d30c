"""Where a notification leads, and the address in a mail with which its reader gets no more of them."""

from uuid import UUID

from django.conf import settings
from django.utils.crypto import constant_time_compare, salted_hmac

from api.notifications.reading import Worded
from games.engine.game_state import Role
from games.models import NotificationKind

SALT = "api.notifications.mail"
WORD = "theostop"
PATHS = {
    "answer": "/answer/{}/",
    "desk": "/games/{}/desk/",
    "mail-off": "/mail-off/{}/",
    "notifications-page": "/notifications/",
    "own-seat": "/games/{}/seat/",
    "replay": "/games/{}/replay/",
    "seat": "/games/{}/seats/{}/",
}
"""Addresses of pages by their names: the process that sends mail serves none, and has no table of them."""


def path_of(row: Worded) -> str:
    """Where somebody goes on: to their seat, to the desk, or to the page that leads to their seat."""
    if row.seat is None:
        return path_to("replay" if row.kind is NotificationKind.OVER else "own-seat", row.game)
    if row.role is Role.PLAYER:
        return path_to("seat", row.game, row.seat)
    return path_to("desk", row.game)


def path_to(page: str, *values: object) -> str:
    """The path of a page. page: a name of `PATHS`."""
    return PATHS[page].format(*values)


def absolute_address(path: str) -> str:
    """The address as people open it."""
    return f"{settings.PUBLIC_URL.rstrip('/')}{path}"


def stop_key(user: UUID) -> str:
    """What a mail holds to end mail to a person: good for that alone, and as long as SECRET_KEY stays."""
    return f"{WORD}_{user.hex}{salted_hmac(SALT, user.hex, algorithm='sha256').hexdigest()}"


def person_of_stop_key(key: str) -> UUID | None:
    """Whose mail a key ends; nobody's where it is none."""
    try:
        user = UUID(key.removeprefix(f"{WORD}_")[:32])
    except ValueError:
        return None
    return user if constant_time_compare(key, stop_key(user)) else None
