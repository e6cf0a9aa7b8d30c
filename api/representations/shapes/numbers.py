"""The shapes of numbers with their sources: breakdowns and reaches."""

from typing import Literal
from uuid import UUID

from api.representations.shapes.shape import Shape
from games.storage.board_store import SquareShape


class StepShape(Shape):
    """One source of a number, and what it does to the value before it."""

    kind: str
    """Where it comes from: attribute, knowledge, modification, feature, level, city, base, rule ..."""
    key: str
    """Which one."""
    name: str
    rule: str
    """Id of the rule that lets it count."""
    does: Literal["add", "multiply", "set", "bound", "round_up"]
    """What the amount does: it is added, multiplies, takes the place; a bound and a rounding add what is missing."""
    amount: int
    amount_over: int
    """The amount is `amount` / `amount_over`, exactly."""
    value: int
    value_over: int
    """The value after this step is `value` / `value_over`, exactly."""


class BreakdownShape(Shape):
    """A number of somebody, step by step; the last step ends in the value that the rules use."""

    subject: UUID
    """Whose number it is: a race, a character (by its seat)."""
    stat: str
    role: str | None
    """`attacker` or `defender`; null: in neither role."""
    member: str | None
    """The seat whose number it is, where it is not the subject's alone."""
    square: SquareShape | None
    """Where it holds; null: everywhere."""
    unit: str
    """What is counted."""
    value: int
    value_over: int
    """The value is `value` / `value_over`, exactly."""
    steps: list[StepShape]


class BreakdownList(Shape):
    """Numbers with their sources, as this viewer may see them."""

    cursor: str
    results: list[BreakdownShape]


class HeldShape(Shape):
    """Squares within reach that belong to one other."""

    holder: UUID
    squares: list[SquareShape]


class ReachShape(Shape):
    """The squares that a race borders, its own left out, by row and column."""

    subject: UUID
    """The race."""
    free: list[SquareShape]
    """Nobody's, and it could settle there."""
    barren: list[SquareShape]
    """Nobody's, and it could not stay there."""
    held: list[HeldShape]
    """Those of others, by holder: whom it is in contact with and could attack."""


class ReachList(Shape):
    """The squares that races border, as this viewer may see them."""

    cursor: str
    """The position for which this holds."""
    results: list[ReachShape]
