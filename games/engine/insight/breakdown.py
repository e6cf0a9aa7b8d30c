"""Breakdowns: how a number of the game came about, source by source, with the rule of each step.

Numbers are exact fractions: a step turns the value before it into the value after it, and the last one is what the
rules use. Nothing here names a game.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal
from uuid import UUID

from games.engine.board.board import Square

Does = Literal["add", "multiply", "set", "bound", "round_up"]


@dataclass(frozen=True, slots=True)
class Step:
    """One source and what it does to the number."""

    kind: str
    """Where it comes from: attribute, knowledge, modification, feature, level, city, base ..."""
    key: str
    """Which one."""
    name: str
    """In words."""
    rule: str
    does: Does
    """What `amount` does to the value before: it is added, multiplies it, takes its place; a bound and a rounding add
    what is missing."""
    amount: Fraction
    value: Fraction
    """After this step."""


@dataclass(frozen=True, slots=True)
class Breakdown:
    """A number of somebody, step by step."""

    subject: UUID
    """Whose number it is: a race, a character."""
    stat: str
    role: str | None
    """As attacker or defender; none: in neither role."""
    member: str | None
    """The seat whose number it is, where it is not the subject's alone."""
    square: Square | None
    """Where it holds; none: everywhere."""
    unit: str
    """What is counted."""
    value: Fraction
    steps: tuple[Step, ...]


class Sum:
    """Writes a breakdown step by step, the running value with it."""

    def __init__(self) -> None:
        self.value, self.steps = Fraction(0), list[Step]()

    def step(self, kind: str, key: str, name: str, rule: str, does: Does, amount: Fraction | int) -> None:
        """Take one step: after it `value` is the new value."""
        self.value = after(self.value, does, Fraction(amount))
        self.steps.append(Step(kind, key, name, rule, does, Fraction(amount), self.value))

    def close(
        self, subject: UUID, stat: str, unit: str, *, role: str | None = None, member: str | None = None,
        square: Square | None = None,
    ) -> Breakdown:  # fmt: skip
        """The breakdown as it stands."""
        return Breakdown(subject, stat, role, member, square, unit, self.value, tuple(self.steps))


def after(value: Fraction, does: Does, amount: Fraction) -> Fraction:
    """The value after a step."""
    match does:
        case "multiply":
            return value * amount
        case "set":
            return amount
        case _:
            return value + amount


def nothing_broken_down(state: object, subject: UUID | None, square: Square | None) -> Iterable[Breakdown]:
    """What a ruleset answers that breaks down no number."""
    return ()
