"""Whose session a request is: both rows by statements that are built once, since each page asks for them.

The ORM took twice as long to build the two queries as the database to answer them, together 6 to 10 % of a page.
"""

from datetime import datetime
from uuid import UUID

from django.contrib.auth.backends import ModelBackend
from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.utils import timezone

from accounts.models import User
from core.prepared_queries import Statement, column_names, instance

BACKEND = "accounts.sessions.PasswordBackend"
"""What a session says its user was let in by."""
LIVE = Statement(
    lambda key, now: Session.objects.filter(session_key=key, expire_date__gt=now).values_list(*column_names(Session)),
    str,
    datetime,
)
"""A session that has not expired, by its key."""
PERSON = Statement(lambda key: User.objects.filter(pk=key).values_list(*column_names(User)), UUID)


class SessionStore(db.SessionStore):
    """Sessions in the database, as Django keeps them."""

    @classmethod
    def get_model_class(cls) -> type[Session]:
        """The model of a session."""
        return Session

    def _get_session_from_db(self) -> Session | None:
        """The session of the key; without one that lives the key is forgotten."""
        found = LIVE.first(self.session_key, timezone.now()) if self.session_key else None
        if found is None:
            self._session_key = None
            return None
        session: Session = instance(Session, found)
        return session


class PasswordBackend(ModelBackend):
    """Lets in by a password, as Django does."""

    def get_user(self, user_id: UUID) -> User | None:
        """The user of a session, unless they may not sign in any more."""
        found = PERSON.first(user_id)
        if found is None:
            return None
        user: User = instance(User, found)
        return user if self.user_can_authenticate(user) else None
