"""What a password may not be, besides what Django's validators refuse; asked wherever one is set."""

import re

from django.contrib.auth.password_validation import CommonPasswordValidator
from django.core.exceptions import ValidationError

MIN_DIFFERENT = 5
SERVICE_WORDS = frozenset({"theogony"})
AROUND_A_WORD = re.compile(r"\A[\W\d_]+|[\W\d_]+\Z")


class GuessableValidator(CommonPasswordValidator):
    """Refuses common passwords, common words with digits or signs around them, and few different characters.

    `Winter2026` is a common word with a year, `aaaaaaab` two characters.
    """

    def validate(self, password: str, user: object = None) -> None:
        """Pass a password. Raises ValidationError."""
        super().validate(password)
        if len(set(password.lower())) < MIN_DIFFERENT:
            message = f"A password has at least {MIN_DIFFERENT} different characters."
            raise ValidationError(message, code="password_repeats")
        word = AROUND_A_WORD.sub("", password).lower()
        if word in SERVICE_WORDS or word in self.passwords:
            message = "This password is a common word with digits or signs around it; use several words."
            raise ValidationError(message, code="password_common_word")

    def get_help_text(self) -> str:
        """For forms."""
        return f"No common password, no common word with a year, and at least {MIN_DIFFERENT} different characters."
