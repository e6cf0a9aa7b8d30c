"""How the effective values come about, phase by phase (AX-EFF-1 to 3): the dice that stand against a character.

A phase is asked for as a square: `x` is its number, from 1, and `y` is 0.
"""

from collections.abc import Iterator
from uuid import UUID

from games.albraxas.rules.state.records import Character
from games.albraxas.rules.state.schema_types import Side
from games.albraxas.rules.state.state import State
from games.albraxas.rules.state.strength import Marks
from games.engine.board.board import Square
from games.engine.errors import Refused
from games.engine.insight.breakdown import Breakdown, Sum

LEAST = 1
RULES = {Side.REBEL: "AX-EFF-1", Side.ALBRAXAS: "AX-EFF-2"}


def breakdowns(state: State, subject: UUID | None = None, square: Square | None = None) -> Iterator[Breakdown]:
    """What stands against one character, or against all in play: where they are, or in the phase of a square.

    subject: the character, by the id of the seat. Raises `character.out`, `phase.range`.
    """
    phase = phase_of(state, square) if square is not None else 0
    for character in [one(state, subject)] if subject is not None else state.in_play():
        if phase or character.phase:
            yield effective(state.marks(), character, phase or character.phase)


def one(state: State, seat: UUID) -> Character:
    """The character of a seat. Raises `character.out`."""
    character = state.characters.get(seat)
    if character is None or character.fallen:
        raise Refused("character.out", "No character in play has this id.", rules=("AX-END-1",))
    return character


def phase_of(state: State, square: Square) -> int:
    """The phase that a square names. Raises `phase.range`."""
    last = len(state.phases)
    if square.row != 0 or not 1 <= square.column <= last:
        raise Refused("phase.range", f"A phase is `x`, 1 to {last}, with `y` 0.", rules=("AX-EFF-3",), low=1, high=last)
    return square.column


def effective(marks: Marks, character: Character, phase: int) -> Breakdown:
    """The dice against a character in a phase: one side's mark up to it, less the other side's from it on."""
    rule, total = RULES[character.side], Sum()
    mine, theirs = ("ebb", "tide") if character.side is Side.REBEL else ("tide", "ebb")
    up, down = (marks.tide, marks.ebb) if character.side is Side.REBEL else (marks.ebb, marks.tide)
    for number, amount in enumerate(up[:phase], start=1):
        if amount:
            total.step(theirs, str(number), f"{theirs.title()} of phase {number}", rule, "add", amount)
    for number, amount in enumerate(down[phase - 1 :], start=phase):
        if amount:
            total.step(mine, str(number), f"{mine.title()} of phase {number}", rule, "add", -amount)
    if total.value < LEAST:
        total.step("rule", "at_least_1", "At least 1", rule, "bound", LEAST - total.value)
    return total.close(character.id, f"effective_{theirs}", "dice", square=Square(0, phase))
