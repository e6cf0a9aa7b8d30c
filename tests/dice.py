"""Planted dice: each says how many sides it has and what it is for, and the roll must agree (CF-2).

    book.when(FightWarNow(war=war), by=GM, dice=[d(6, "diplomacy/defender", 1), d(6, "city", 2)])

They are read in their order, neither more nor fewer. A use is the part of the label that distinguishes the die
(`attacker` of `0/war:<id>/1/attacker`): whole words of it, after which nothing but ids and numbers follows. Several
parts stand apart by a space, the last one last: `d(6, f"income {ANN}", 3, 4)`, `d(10, "juncture:2 own", 9)`.
"""

import hmac
import re
from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any
from uuid import UUID

from core.ids import in_slot_of
from games.engine import dice as engine_dice
from games.engine import kernel
from games.engine.dice import Source

IDS = re.compile(r"(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|/\d+(,\d+)?)*/")


@dataclass(frozen=True, slots=True)
class Planted:
    """One or more dice of one size for one use."""

    sides: int
    use: str
    values: tuple[int, ...]

    def __post_init__(self) -> None:
        if not self.use or not all(1 <= value <= self.sides for value in self.values):
            raise ValueError(f"{self} has no use, or shows what its sides do not")

    def fits(self, label: str, sides: int) -> bool:
        """Whether this is the die that is rolled."""
        path, parts = _path(label), [_path(part) for part in self.use.split()]
        rest = path[path.rfind(parts[-1]) + len(parts[-1]) - 1 :]
        return sides == self.sides and all(part in path for part in parts) and bool(IDS.fullmatch(rest))


def d(sides: int, use: str, *values: int) -> Planted:
    """Dice to plant: `d(6, "attacker", 4, 2)` are two six-sided dice of the attacker, which show 4 and 2."""
    return Planted(sides, use, values)


class GivenDice:
    """The dice of a test as a source: read in their order, neither more nor fewer."""

    def __init__(self, planted: Iterable[Planted]) -> None:
        self._row = deque((each, value) for each in planted for value in each.values)

    def value(self, label: str, index: int, sides: int) -> tuple[int, Source]:
        """The next planted die. Raises AssertionError when it is not the one that is rolled."""
        if not self._row:
            raise AssertionError(f"no die was given for a d{sides} at {label}/{index}")
        planted, value = self._row.popleft()
        if not planted.fits(label, sides):
            raise AssertionError(f"{value} was given for {planted.use} of d{planted.sides}, not a d{sides} at {label}")
        return value, Source.TEST

    def is_exhausted(self) -> bool:
        """Whether every given die was read."""
        return not self._row


def _path(text: str) -> str:
    return f"/{text.replace(':', '/')}/"


def bind_dice_to_slotless_ids(monkeypatch: Any, renamed: Mapping[str, str] | None = None) -> None:
    """Roll the dice of a known secret as if ids carried no slot. renamed: further ids, as they are bound to.

    A die is bound to the ids in its label; stories with a secret were worked out by hand with ids of 122 free bits.
    """
    slotless = dict(renamed or {})

    def remember(home: UUID, identity: UUID) -> UUID:
        placed = in_slot_of(home, identity)
        slotless[str(placed)] = str(identity)
        return placed

    def new(secret: bytes, message: bytes, digest: Any) -> Any:
        text = message.decode()
        for placed, identity in slotless.items():
            text = text.replace(placed, identity)
        return hmac.new(secret, text.encode(), digest)

    monkeypatch.setattr(kernel, "in_slot_of", remember)
    monkeypatch.setattr(engine_dice, "hmac", SimpleNamespace(new=new))
