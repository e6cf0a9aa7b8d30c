"""What accounts refuse, in the same shape as a game's refusals: a code for programs, a sentence for people, facts.

Accounts know nothing of games, so the class is their own; `api.common.problems` answers both alike.
"""

from typing import Any


class AccountError(Exception):
    """A wish about a user, token or invitation that is not granted; nothing has changed.

    code: `noun.reason`, stable. message: who, what is missing, what would do. facts: names and numbers behind it,
    never a password, token or code.
    """

    def __init__(self, code: str, message: str, *, rules: tuple[str, ...] = (), **facts: Any) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.rules = rules
        self.facts = facts
