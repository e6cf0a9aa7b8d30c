"""The river of phases: Tide and Ebb along the line, what they come to in each phase, and who stands where.

Asked of the state as somebody may see it: where a rebel means to go is in it for the rebels and GMs alone until all
places are open (AX-TRN-2); orders are in it for nobody.
"""

from dataclasses import dataclass

from games.albraxas.rules.state.records import Character
from games.albraxas.rules.state.schema_types import Side
from games.albraxas.rules.state.state import State
from games.albraxas.rules.state.wording import STANDS


@dataclass(frozen=True, slots=True)
class Bank:
    """Tide or Ebb: what is laid in each phase, and what all of it comes to there; both in order."""

    name: str
    laid: tuple[int, ...]
    effective: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Stander:
    """Somebody on the line. place: from 1, 0 for nowhere; meant: where they mean to go, 0 for nowhere."""

    name: str
    place: int
    meant: int
    upper: bool
    """Whether they stand at the upper bank, and fight it."""
    summary: str
    """Their numbers, in words."""
    key: str = ""
    """Who it is, as in charts."""


@dataclass(frozen=True, slots=True)
class Line:
    """The phases between two banks, and who stands where."""

    upper: Bank
    lower: Bank
    standers: tuple[Stander, ...]
    note: str
    """How it stands altogether, in a sentence or two."""


def river(state: State) -> Line | None:
    """The line of phases; None before the Battle of the Beginning has laid any."""
    if not state.phases:
        return None
    marks, phases = state.marks(), range(1, len(state.phases) + 1)
    ordered = sorted(state.characters.values(), key=lambda c: (c.side is Side.ALBRAXAS, c.id))
    return Line(
        upper=Bank("Tide", marks.tide, tuple(marks.effective_tide(p) for p in phases)),
        lower=Bank("Ebb", marks.ebb, tuple(marks.effective_ebb(p) for p in phases)),
        standers=tuple(_stander(state, character) for character in ordered),
        note=_note(state),
    )


def _stander(state: State, character: Character) -> Stander:
    choice = state.choices.get(character.id)
    parts = [f"phase {character.phase}"] if character.phase and not character.fallen else []
    if choice is not None:
        parts.append(f"{'goes' if choice.locked else 'means to go'} to {choice.phase}")
    parts.append(f"Backbone {character.backbone} of {character.start_backbone}")
    parts.append(f"Dynamism {character.dynamism} of {character.most_dynamism}")
    if character.clones and not character.fallen:
        parts.append(f"{character.clones + 1} visits here")
    parts += ["has fallen"] if character.fallen else ["has given up"] if character.conceded else []
    return Stander(
        name=character.name,
        place=0 if character.fallen else character.phase,
        meant=choice.phase if choice is not None else 0,
        upper=character.side is Side.REBEL,
        summary=", ".join(parts),
        key=str(character.id),
    )


def _note(state: State) -> str:
    """The turn, the step, and what CHECK would compare (AX-END-2)."""
    storm, marks = state.storm, state.marks()
    where = STANDS[storm.step]
    return (
        f"Turn {storm.turn} of {storm.phases - 1}: {where}. "
        f"Tide {sum(marks.tide)}, Ebb {sum(marks.ebb)} over all phases. "
        "Rebels roll against the effective Tide above them, Albraxas against the effective Ebb below."
    )
