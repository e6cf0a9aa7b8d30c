"""Tide and Ebb along the phases: effective strength, totals, Travel (AX-SET-6, AX-EFF-*, AX-TRN-3, AX-TRN-6).

Whole numbers; the only rounding is the travel root, which goes up.
"""

from dataclasses import dataclass
from math import isqrt

from games.albraxas.rules.state.schema_types import Side


@dataclass(frozen=True, slots=True)
class Marks:
    """The stored Tide and Ebb of phases 1 to N, in order: a snapshot."""

    tide: tuple[int, ...]
    ebb: tuple[int, ...]

    def effective_tide(self, phase: int) -> int:
        """max(1, Tide of 1..p - Ebb of p..N), both with p: as meant, not as written (AX-EFF-1, AX-AMB-6)."""
        return max(1, sum(self.tide[:phase]) - sum(self.ebb[phase - 1 :]))

    def effective_ebb(self, phase: int) -> int:
        """max(1, Ebb of 1..p - Tide of p..N), both with p (AX-EFF-2)."""
        return max(1, sum(self.ebb[:phase]) - sum(self.tide[phase - 1 :]))

    def against(self, side: Side, phase: int) -> int:
        """The dice that a character of this side rolls against in a phase (AX-EFF-3)."""
        return self.effective_tide(phase) if side is Side.REBEL else self.effective_ebb(phase)


def square(number: int) -> bool:
    """Whether a whole number is a perfect square."""
    return isqrt(number) ** 2 == number


def starting_tide(phases: int) -> list[int]:
    """The phases with a Tide of 1 at the start: the squares and the last (AX-SET-6)."""
    return [n for n in range(1, phases + 1) if square(n) or n == phases]


def root_up(number: int) -> int:
    """The square root of a whole number of at least 0, rounded up."""
    root = isqrt(number)
    return root if root * root == number else root + 1


def travel_price(last: int, to: int) -> int:
    """Dynamism for going from the last phase to another; the next one costs nothing (AX-TRN-3, AX-AMB-17, 21)."""
    return 0 if to == last + 1 else max(1, root_up(abs(to - last)))


def junctures(blitz: int, clones: int) -> int:
    """Junctures of a visit (AX-TRN-6); earlier visits are not played again (AX-CLN-4)."""
    return max(0, blitz - clones)
