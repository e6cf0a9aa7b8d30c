"""The dice of a century, in the order in which the rulebook rolls them."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from tests.dice import Planted, d

T = TypeVar("T")


class Dice:
    """Dice that remember what they were for and what they showed. roll: 1 to so many sides."""

    def __init__(self, roll: Callable[[int], int]) -> None:
        self._roll = roll
        self.shown: list[Planted] = []

    def roll(self, use: str, sides: int) -> int:
        """One die; one side needs none (G2-DICE-3)."""
        if sides == 1:
            return 1
        value = self._roll(sides)
        self.shown.append(d(sides, use, value))
        return value

    def draw(self, use: str, items: Sequence[T]) -> T:
        """One of the items by dN."""
        return items[self.roll(use, len(items)) - 1]

    def shuffle(self, use: str, items: Sequence[T]) -> list[T]:
        """Drawn without repetition: dN, dN-1, ...; no die for the last."""
        rest, order = list(items), []
        while rest:
            order.append(rest.pop(self.roll(use, len(rest)) - 1))
        return order
