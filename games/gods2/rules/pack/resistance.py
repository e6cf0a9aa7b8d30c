"""Resistances (G2-RES-1 to 11): the grammar of their codes, and the arithmetic on deaths and on cuts of limits.

code = cat op; cat = F | E | N | W | A | I | X; op = ("-" | "+" | "/" | "*") digits | "-inf". Deaths are whole units,
calculated once on a race's total, in exact fractions with one rounding up at the end. War and starvation ask nobody
here (G2-RES-11).
"""

import re
from collections.abc import Iterable, Set
from dataclasses import dataclass
from fractions import Fraction
from math import ceil

import numpy as np

from games.engine.board.grid import Numbers
from games.engine.errors import Refused

ELEMENTS = {"F": "fire", "E": "earth", "N": "nature", "W": "water", "A": "air", "I": "ice"}
EVERY = "X"
GRAMMAR = re.compile(r"([FENWAIX])(?:([-+])([1-9][0-9]*)|([/*])([2-9]|[1-9][0-9]+)|-(inf|∞))", re.ASCII)


@dataclass(frozen=True, slots=True)
class Code:
    """One code. operation: `-`, `+`, `/`, `*`, or `inf` for immunity; amount: its number, 0 for immunity."""

    category: str
    operation: str
    amount: int

    @property
    def saves(self) -> bool:
        """Whether it is a finite resistance; the others are vulnerabilities, or immunity."""
        return self.operation in ("-", "/")

    @property
    def immune(self) -> bool:
        """Whether it keeps everything away."""
        return self.operation == "inf"


def parse(text: str) -> Code:
    """A code from its text. Raises `pack.invalid` (G2-RES-2)."""
    read = GRAMMAR.fullmatch(text)
    if read is None:
        raise ResistanceUnreadable(text)
    category, flat, units, fraction, factor, _ = read.groups()
    if flat:
        return Code(category, flat, int(units))
    if fraction:
        return Code(category, fraction, int(factor))
    return Code(category, "inf", 0)


class ResistanceUnreadable(Refused, ValueError):
    """A resistance code that the grammar does not know. Also a ValueError, so that data models report it as theirs."""

    def __init__(self, text: str) -> None:
        super().__init__(
            "pack.invalid",
            f"{text!r} is no resistance code; write F, E, N, W, A, I or X and then -n, +n, /n, *n or -inf.",
            rules=("G2-RES-2",),
        )


def applicable(codes: Iterable[Code], elements: Set[str], *, everywhere: bool) -> list[Code]:
    """The codes that work against something with these elements (`fire` ...).

    everywhere: whether X codes work: always against a disaster, against a global power only if it has an element
    (G2-RES-3, G2-RES-5, AMB-28).
    """
    x_works = everywhere or bool(elements)
    return [c for c in codes if (c.category == EVERY and x_works) or ELEMENTS.get(c.category) in elements]


def deaths(base: int, codes: Iterable[Code], population: int) -> int:
    """The deaths of a race after its applicable codes.

    base: units counted on the whole race. population: the race's units, which cap the result. Multiplications and
    divisions first, then flat changes, then one rounding up, never below 0; immunity beats all, a base of 0 stays 0.
    Rules: G2-RES-4, G2-RES-6.
    """
    working = list(codes)
    if base <= 0 or any(c.immune for c in working):
        return 0
    amount = Fraction(base)
    for code in working:
        if code.operation == "*":
            amount *= code.amount
        elif code.operation == "/":
            amount /= code.amount
    amount += sum(c.amount if c.operation == "+" else -c.amount for c in working if c.operation in ("+", "-"))
    return min(max(0, ceil(amount)), population)


def limit_cut(amount: int, codes: Iterable[Code]) -> int:
    """A cut of population limits after the applicable codes (G2-RES-9, G2-RES-10, AMB-25).

    Any finite resistance lowers it by exactly 1, any vulnerability raises it by 1, both together cancel; immunity
    cancels the cut.
    """
    working = list(codes)
    if any(c.immune for c in working):
        return 0
    saved = any(c.saves for c in working)
    worse = any(not c.saves for c in working)
    return max(0, amount - saved + worse)


def take_from_most(amounts: Numbers, count: int) -> Numbers:
    """How many are taken from each square when `count` go one at a time, always from the square with most left.

    amounts: by row, column, which breaks ties; count: at most their sum. The squares are levelled down together.
    """
    low, high = 0, int(amounts.max(initial=0))
    while low < high:
        middle = (low + high) // 2
        if int(np.maximum(amounts - middle, 0).sum()) <= count:
            high = middle
        else:
            low = middle + 1
    taken: Numbers = np.maximum(amounts - low, 0)
    taken[np.flatnonzero(amounts >= low)[: count - int(taken.sum())]] += 1
    return taken


def give_back(counted: Numbers, remaining: int) -> Numbers:
    """Deaths by square when fewer die than were counted (G2-RES-7).

    counted: by row, column. The saved units are given back one at a time to the square with the most deaths still
    counted; tie: lowest row, column.
    """
    left: Numbers = counted - take_from_most(counted, int(counted.sum()) - remaining)
    return left


def spread_deaths(counted: Numbers, units: Numbers, rings: Numbers, total: int) -> Numbers:
    """Deaths by square when more die than were counted (G2-RES-7, AMB-26).

    units: those who can die, before the disaster; rings: how far each square is from the affected ones; all by row,
    column. The extra deaths come from the units nearest to the affected squares, then lowest row, column.
    """
    order = np.argsort(rings, kind="stable")
    left = (units - counted)[order]
    extra = total - int(counted.sum())
    dead: Numbers = counted.copy()
    dead[order] += np.clip(extra - (np.cumsum(left) - left), 0, left)
    return dead
