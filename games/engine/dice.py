"""Dice that an outsider can check: HMAC over a committed secret, bound to their use by a label (CF-2, CF-3).

die = HMAC-SHA256(secret, "game:label:index:try"): the first four bytes, big-endian, are v; the next try while
v >= floor(2^32 / sides) * sides; the value is 1 + v mod sides. The commitment SHA-256(secret) is public from the start,
the secret is shown at the end, and no outcome is ever derived from the commitment. docs/dice.md says it for outsiders.
"""

import hmac
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from hashlib import sha256
from itertools import dropwhile, takewhile
from typing import Protocol, TypeVar
from uuid import UUID

from games.engine.errors import DieOwed, Refused

T = TypeVar("T")
SPAN = 2**32
MAX_HAND_DICE = 100
"""Dice that a person is asked for at once; the rest of a larger pool follows."""


class Source(StrEnum):
    """Where a die's value comes from."""

    SERVER = "server"
    ENTERED = "entered"
    TEST = "test"


@dataclass(frozen=True, slots=True)
class Roll:
    """One die. `label` carries the number of rewinds and the use, `index` the die's place in that use."""

    label: str
    index: int
    sides: int
    value: int
    source: Source
    rule: str


def commitment(secret: bytes) -> str:
    """What is published at the start: the SHA-256 of the secret, in hexadecimal."""
    return sha256(secret).hexdigest()


def reveal_matches(published: str, secret: bytes) -> bool:
    """Whether a shown secret is the one that was committed to. Both are public by then."""
    return published.lower() == commitment(secret)


def die(secret: bytes, game: str, label: str, index: int, sides: int) -> int:
    """The value, 1 to `sides`, of die `index` under `label`: fair by rejection sampling.

    The message is read from its end, so a label may hold colons; `game` may not. Test vectors: docs/dice-vectors.json.
    """
    if not 1 <= sides <= SPAN:
        raise ValueError(f"a die of {sides} sides")
    limit, attempt = SPAN // sides * sides, 0
    while True:
        digest = hmac.new(secret, f"{game}:{label}:{index}:{attempt}".encode(), sha256).digest()
        v = int.from_bytes(digest[:4], "big")
        if v < limit:
            return 1 + v % sides
        attempt += 1


class DiceSource(Protocol):
    """Where a tray's dice come from."""

    def value(self, label: str, index: int, sides: int) -> tuple[int, Source]:
        """The die under this label and index."""


class SecretDice:
    """The server's dice: computed from a game's secret."""

    def __init__(self, secret: bytes, game: str) -> None:
        self._secret, self._game = secret, game

    def value(self, label: str, index: int, sides: int) -> tuple[int, Source]:
        return die(self._secret, self._game, label, index, sides), Source.SERVER


def _never(label: str, index: int) -> bool:
    return False


def _none(label: str) -> int:
    return 0


class Tray:
    """The dice of one decision: rolls them, and keeps them until an event takes them along.

    rolled: how many dice of the game were rolled under a label before; the index counts on from there, so that no die
    has the label and index of another (CF-3).
    """

    def __init__(
        self,
        source: DiceSource,
        *,
        rewinds: int = 0,
        entered: Mapping[tuple[str, int], int] | None = None,
        by_hand: Callable[[str, int], bool] = _never,
        rolled: Callable[[str], int] = _none,
    ) -> None:
        self._source, self._rewinds, self._rolled = source, rewinds, rolled
        self._entered: Mapping[tuple[str, int], int] = {} if entered is None else entered
        self._by_hand = by_hand
        self._indices: dict[str, int] = {}
        self._waiting: list[Roll] = []
        self.all: list[Roll] = []

    def roll(self, use: str, sides: int, rule: str, *, roller: UUID | None = None) -> int:
        """One die, 1 to `sides`. One side needs no die (G2-DICE-3). Raises DieOwed when a person has to roll it.

        roller: the seat whose die it is; that of the one who decides unless said.
        """
        if sides < 1:
            raise ValueError(f"a die of {sides} sides")
        if sides == 1:
            return 1
        label = f"{self._rewinds}/{use}"
        index = self._next(label)
        value, source = self._value(label, index, sides, rule, roller)
        self._indices[label] = index + 1
        rolled = Roll(label, index, sides, value, source, rule)
        self._waiting.append(rolled)
        self.all.append(rolled)
        return value

    def _value(self, label: str, index: int, sides: int, rule: str, roller: UUID | None) -> tuple[int, Source]:
        if (label, index) in self._entered:
            value = self._entered[label, index]
            if not 1 <= value <= sides:
                raise Refused("die.range", f"This die shows 1 to {sides}.", low=1, high=sides)
            return value, Source.ENTERED
        if self._by_hand(label, index):
            raise DieOwed(label, index, sides, rule, roller=roller)
        return self._source.value(label, index, sides)

    def pool(self, use: str, count: int, sides: int, rule: str, *, roller: UUID | None = None) -> list[int]:
        """`count` dice of one size. Raises DieOwed for all of them that a person has to roll, before any is rolled."""
        label = f"{self._rewinds}/{use}"
        first = self._next(label)
        places = range(first, first + count) if sides > 1 else range(0)
        owed = list(takewhile(partial(self._is_owed, label), dropwhile(partial(self._is_settled, label), places)))
        if owed:
            raise DieOwed(label, owed[0], sides, rule, min(len(owed), MAX_HAND_DICE), roller)
        return [self.roll(use, sides, rule, roller=roller) for _ in range(count)]

    def _next(self, label: str) -> int:
        """The index of the next die under a label: behind those of this decision, and of all before it."""
        if label not in self._indices:
            self._indices[label] = self._rolled(label)
        return self._indices[label]

    def _is_owed(self, label: str, index: int) -> bool:
        return (label, index) not in self._entered and self._by_hand(label, index)

    def _is_settled(self, label: str, index: int) -> bool:
        return not self._is_owed(label, index)

    def draw(self, use: str, items: Sequence[T], rule: str) -> T:
        """One of the items, by dN in their order; no die when there is one."""
        if not items:
            raise ValueError(f"nothing to draw for {use}")
        return items[self.roll(use, len(items), rule) - 1]

    def shuffle(self, use: str, items: Sequence[T], rule: str) -> list[T]:
        """The items in a random order: draws without repetition, dN, dN-1, ...; no die for the last."""
        rest, order = list(items), []
        while rest:
            order.append(rest.pop(self.roll(use, len(rest), rule) - 1))
        return order

    def take(self) -> tuple[Roll, ...]:
        """The rolls since the last take; they are forgotten here."""
        taken, self._waiting = tuple(self._waiting), []
        return taken
