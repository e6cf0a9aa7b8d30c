"""Refusals: the engine's way of saying no, with a reason that programs and people can read."""

import re
from uuid import UUID

CODE = re.compile(r"[a-z_]+\.[a-z_]+")


class Refused(Exception):
    """A command that the rules do not allow. Nothing has changed.

    code: `noun.reason`, stable, for programs. message: who, what is missing, what would do, for people.
    rules: the ids that say so. facts: the numbers. Raises ValueError for a code of another form.
    """

    def __init__(self, code: str, message: str, *, rules: tuple[str, ...] = (), **facts: object) -> None:
        if not CODE.fullmatch(code):
            raise ValueError(f"{code!r} is no code of the form noun.reason")
        super().__init__(message)
        self.code, self.message, self.rules, self.facts = code, message, rules, facts

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"


class DieOwed(Exception):
    """Dice of one use that a person rolls at a real table and has not entered yet: `count` from `index` on.

    roller: the seat whose dice they are; None for that of the one who decides.
    """

    def __init__(
        self, label: str, index: int, sides: int, rule: str, count: int = 1, roller: UUID | None = None
    ) -> None:
        super().__init__(f"{count if count > 1 else ''}d{sides} for {label}")
        self.label, self.index, self.sides, self.rule = label, index, sides, rule
        self.count, self.roller = count, roller
