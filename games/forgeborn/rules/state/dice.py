"""Dice by size: a character and an artifact have so many d4, d6, d8, d10 and d12 (FB-CON-9)."""

from collections import Counter
from collections.abc import Iterable
from typing import Any, Protocol

from games.forgeborn.rules.state.schema_types import Size


class DiceSheet(Protocol):
    """Whose dice are counted by size."""

    @property
    def d4(self) -> int: ...
    @property
    def d6(self) -> int: ...
    @property
    def d8(self) -> int: ...
    @property
    def d10(self) -> int: ...
    @property
    def d12(self) -> int: ...


def numbers_of(sheet: DiceSheet) -> dict[Size, int]:
    """The number of dice of each size, the least size first."""
    return {Size.D4: sheet.d4, Size.D6: sheet.d6, Size.D8: sheet.d8, Size.D10: sheet.d10, Size.D12: sheet.d12}


def dice_of(sheet: DiceSheet) -> tuple[Size, ...]:
    """The dice of a sheet, by rising size."""
    return tuple(size for size, number in numbers_of(sheet).items() for _ in range(number))


def fields_of(dice: Iterable[int]) -> dict[str, Any]:
    """Dice as the fields of a sheet: `replace(sheet, **fields_of(dice))`. ValueError for a die of no such size."""
    numbers = Counter(Size(die) for die in dice)
    return {f"d{size}": numbers[size] for size in Size}


def are_held(dice: Iterable[int], sheet: DiceSheet) -> bool:
    """Whether a sheet has all of these dice, each as often as it is named (FB-CON-9)."""
    held = numbers_of(sheet)
    return all(size in held and number <= held[Size(size)] for size, number in Counter(dice).items())


def number_of_dice(sheet: DiceSheet) -> int:
    """How many dice a sheet has: the Power of an artifact (FB-ART-5)."""
    return sum(numbers_of(sheet).values())


def number_of_faces(dice: Iterable[int]) -> int:
    """How many faces dice have together (FB-SET-3)."""
    return sum(dice)


def larger(size: Size) -> Size | None:
    """The next size, to which a die is raised; None for a d12, which cannot rise (FB-CON-5)."""
    return next((other for other in Size if other > size), None)
