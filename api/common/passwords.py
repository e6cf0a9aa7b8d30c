"""Who knows a password: one way to ask, for tokens and for a change of it, so that one count has all wrong tries."""

from axes.handlers.proxy import AxesProxyHandler
from django.contrib.auth import authenticate
from django.http import HttpRequest

from accounts.login import tried_name
from accounts.models import User
from api.common.exceptions import Fault
from api.common.throttles import address_of_try


def user_by_password(request: HttpRequest, username: str, password: str) -> User | None:
    """The user of that name and password; None for a wrong one, which django-axes counts by name and address.

    A right one clears that count (ADR 10): django-axes does so by itself for sessions alone.

    Raises Fault: login.locked (429) after too many wrong ones.
    """
    user = authenticate(request, username=username, password=password)
    if getattr(request, "axes_locked_out", False):
        raise Fault("login.locked", "Too many wrong passwords for this name from this address; wait.")
    if not isinstance(user, User):
        return None
    AxesProxyHandler.reset_attempts(
        username=tried_name(None, {"username": username}), ip_address=address_of_try(request)
    )
    return user
