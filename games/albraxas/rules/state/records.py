"""The records of Albraxas: the rows of its state.

Secrets are records of their own: a character before the start (`Sheet`), a rebel's place before all are locked
(`Choice`). Orders stay answers of their prompt until the reveal. A character is known by the id of the seat.
"""

from dataclasses import dataclass
from typing import Annotated
from uuid import UUID

from pydantic import Field

from games.albraxas.rules.state.constants import MOST_COUNT, MOST_MARK, PHASES, SIDES
from games.albraxas.rules.state.schema_types import Action, Mode, Side, Step
from games.engine.audience import Audience, seat_and_gm
from games.engine.lifecycle.seating import StoredName

Count = Annotated[int, Field(ge=0, le=MOST_COUNT)]
"""A small whole number; the bound holds for what a game-master corrects."""
Mark = Annotated[int, Field(ge=0, le=MOST_MARK)]
"""Tide or Ebb of a phase; as many dice may be rolled."""


@dataclass(frozen=True, slots=True)
class Course:
    """The course of the game: one record."""

    id: UUID
    step: Step = Step.LOBBY
    turn: Count = 0
    phases: Count = PHASES
    sides: Count = SIDES
    check_from: Count = 1
    albraxas: UUID | None = None
    """The seat that plays Albraxas."""
    winner: Side | None = None


@dataclass(frozen=True, slots=True)
class Phase:
    """A phase with its stored Tide and Ebb; neither is ever below 0 (AX-TRN-9)."""

    number: Count
    tide: Mark = 0
    ebb: Mark = 0


@dataclass(frozen=True, slots=True)
class Sheet:
    """A character as its owner writes it, before the start."""

    seat: UUID
    name: str
    backbone: int
    battle: int
    blitz: int

    @staticmethod
    def audience(record: "Sheet") -> Audience:
        """The own seat and the GMs."""
        return seat_and_gm(record.seat)


@dataclass(frozen=True, slots=True)
class Character:
    """A rebel or Albraxas; everybody sees it (AX-SET-8)."""

    id: UUID
    side: Side
    name: StoredName
    backbone: Count
    battle: Count
    blitz: Count
    dynamism: Count
    start_backbone: Count
    most_dynamism: Count
    phase: Count = 0
    """The phase the character is in; 0 before the first move."""
    clones: Count = 0
    """Earlier turns in which the character visited it (AX-CLN-1)."""
    forced: bool = False
    """Whether the character is in N, unable to leave: no new visit (AX-TRN-4)."""
    fallen: bool = False
    conceded: bool = False


@dataclass(frozen=True, slots=True)
class Choice:
    """Where a rebel means to go this turn; Albraxas does not see it."""

    seat: UUID
    phase: int
    locked: bool
    readers: Audience

    @staticmethod
    def audience(record: "Choice") -> Audience:
        """The rebels and the GMs."""
        return record.readers


@dataclass(frozen=True, slots=True)
class Visit:
    """In how many turns a rebel has visited a phase."""

    seat: UUID
    phase: Count
    count: Count


@dataclass(frozen=True, slots=True)
class Written:
    """One revealed order of this turn; juncture 0 is a Convalesce for the whole phase."""

    seat: UUID
    juncture: int
    action: Action
    dice: int
    tie_max: int
    tie_mode: Mode
