"""Who knows a password: one way to ask, for tokens and for a change of it, so that one count has all wrong tries."""

from django.contrib.auth import authenticate
from django.http import HttpRequest

from accounts.models import User
from api.common.exceptions import Fault


def user_by_password(request: HttpRequest, username: str, password: str) -> User | None:
    """The user of that name and password; None for a wrong one, which django-axes counts by name and address.

    Raises Fault: login.locked (429) after too many wrong ones.
    """
    user = authenticate(request, username=username, password=password)
    if getattr(request, "axes_locked_out", False):
        raise Fault("login.locked", "Too many wrong passwords for this name from this address; wait.")
    return user if isinstance(user, User) else None
