"""Keys in links that are mailed or handed over: they stand for one person and one purpose, and are stored nowhere.

A key is Django's own token behind the id of its person; its generator says what ends it.
"""

import re
from dataclasses import dataclass
from uuid import UUID

from django.contrib.auth.tokens import PasswordResetTokenGenerator

from accounts.models import User

SHAPE = re.compile(r"(?P<word>[a-z]+)_(?P<user>[0-9a-f]{32})(?P<moment>[0-9a-z]{1,13})(?P<digest>[0-9a-f]{32})")


@dataclass(frozen=True, slots=True)
class LinkKeys:
    """The keys of one purpose. word: what they begin with, so that logs hide them."""

    word: str
    generator: PasswordResetTokenGenerator

    def key_for(self, user: User) -> str:
        """The key of a person's link, good for a day at most."""
        moment, _, digest = self.generator.make_token(user).partition("-")
        return f"{self.word}_{user.pk.hex}{moment}{digest}"

    def person_of(self, key: str) -> User | None:
        """Whose key it is, as long as they may sign in; nobody's where it was used, is too old, or is none."""
        found = SHAPE.fullmatch(key)
        if found is None or found["word"] != self.word:
            return None
        user = User.objects.filter(pk=UUID(found["user"]), is_active=True).first()
        if user is None or not self.generator.check_token(user, f"{found['moment']}-{found['digest']}"):
            return None
        return user
