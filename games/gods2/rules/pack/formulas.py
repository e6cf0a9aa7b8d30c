"""Cost formulas of powers (section 4.1 of the rulebook): whole numbers, known names, `+ - *` and brackets."""

import re
from collections.abc import Mapping

from games.engine.errors import Refused

TERM = re.compile(r"\s*(?:(\d+)|([a-z]+)|([-+*()]))")
NAMES = ("squares", "units", "level", "tier", "share")
"""What a formula may ask for."""


def formula(text: str, known: Mapping[str, int]) -> int:
    """The value of a cost formula: whole numbers, known names, `+ - *` and brackets. Raises `pack.invalid`."""
    return _Reader(text, known).value()


class _Reader:
    """Reads a formula by the usual order: products before sums."""

    def __init__(self, text: str, known: Mapping[str, int]) -> None:
        self.text, self.known, self.at = text, known, 0

    def value(self) -> int:
        found = self._sum()
        if self.text[self.at :].strip():
            raise self._unreadable()
        return found

    def _sum(self) -> int:
        found = self._product()
        while (sign := self._take("+-")) is not None:
            found += self._product() if sign == "+" else -self._product()
        return found

    def _product(self) -> int:
        found = self._one()
        while self._take("*") is not None:
            found *= self._one()
        return found

    def _one(self) -> int:
        if self._take("(") is not None:
            found = self._sum()
            if self._take(")") is None:
                raise self._unreadable()
            return found
        read = TERM.match(self.text, self.at)
        if read is None or read[3] is not None or (read[2] is not None and read[2] not in self.known):
            raise self._unreadable()
        self.at = read.end()
        return int(read[1]) if read[1] is not None else self.known[read[2]]

    def _take(self, signs: str) -> str | None:
        read = TERM.match(self.text, self.at)
        if read is None or read[3] is None or read[3] not in signs:
            return None
        self.at = read.end()
        return read[3]

    def _unreadable(self) -> Refused:
        names = ", ".join(sorted(self.known))
        return FormulaUnreadable(f"{self.text!r} is no cost; write whole numbers, {names}, + - * and brackets.")


class FormulaUnreadable(Refused, ValueError):
    """A cost that nobody can work out. Also a ValueError, so that data models report it as theirs."""

    def __init__(self, message: str) -> None:
        super().__init__("pack.invalid", message)
