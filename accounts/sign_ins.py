"""Sign-ins: what a session is worth now, for streams, which outlive the request that opened them."""

from uuid import UUID

from django.conf import settings
from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.base import SessionBase
from django.utils.crypto import constant_time_compare
from django.utils.module_loading import import_string

from accounts.models import User


def user_of_session(session_key: str) -> User | None:
    """Who is signed in with a session, as long as it lasts.

    None after a log-out, a new password, a retirement, and of a key that no session has. Nothing is written: Django's
    own `get_user` ends a session that has lost its worth, and renews one where the service's key was changed.
    """
    session: SessionBase = import_string(f"{settings.SESSION_ENGINE}.SessionStore")(session_key)
    user = User.objects.filter(pk=_user_of(session), is_active=True).first()
    if user is None:
        return None
    given = str(session.get(HASH_SESSION_KEY, ""))
    known = [user.get_session_auth_hash(), *user.get_session_auth_fallback_hash()]
    return user if any(constant_time_compare(given, each) for each in known) else None


def _user_of(session: SessionBase) -> UUID | None:
    """The user whom a session names; None where it is over, or nobody's."""
    named = session.get(SESSION_KEY)
    return UUID(named) if named else None
