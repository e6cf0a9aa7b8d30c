"""Reach: which squares of a map somebody borders, and what stands on them. Nothing here names a game."""

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from games.engine.board.board import Square


@dataclass(frozen=True, slots=True)
class Held:
    """Squares within reach that belong to one other."""

    holder: UUID
    squares: tuple[Square, ...]


@dataclass(frozen=True, slots=True)
class Reach:
    """The squares that somebody reaches, without the own ones. Squares by row and column, holders by id."""

    subject: UUID
    """Whose reach it is: a race, or another that moves on the map."""
    free: tuple[Square, ...]
    """Nobody's, and the subject could settle there."""
    barren: tuple[Square, ...]
    """Nobody's, and the subject could not stay there."""
    held: tuple[Held, ...]
    """Those of others: whom the subject could attack."""


def nobody_reaches(state: object, subject: UUID | None) -> Iterable[Reach]:
    """What a ruleset answers in which nobody reaches squares."""
    return ()
