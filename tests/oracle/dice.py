"""The dice of a century, in the order in which the rulebook rolls them."""

from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")


class Dice:
    """Dice that remember what they showed. roll: 1 to so many sides."""

    def __init__(self, roll: Callable[[int], int]) -> None:
        self._roll = roll
        self.shown: list[int] = []

    def roll(self, sides: int) -> int:
        """One die; one side needs none (G2-DICE-3)."""
        if sides == 1:
            return 1
        self.shown.append(self._roll(sides))
        return self.shown[-1]

    def draw(self, items: Sequence[T]) -> T:
        """One of the items by dN."""
        return items[self.roll(len(items)) - 1]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """Drawn without repetition: dN, dN-1, ...; no die for the last."""
        rest, order = list(items), []
        while rest:
            order.append(rest.pop(self.roll(len(rest)) - 1))
        return order
