"""The river of phases: Tide and Ebb along the line, what they come to in each phase, and who stands where.

Asked of the state as somebody may see it: where a rebel means to go is in it for the rebels and GMs alone until all
places are open (AX-TRN-2); orders are in it for nobody.
"""

from games.albraxas.rules.state.records import Character
from games.albraxas.rules.state.schema_types import Side
from games.albraxas.rules.state.state import State
from games.albraxas.rules.state.wording import STANDS
from games.engine.insight.charts import Bank, Line, Stander


def river(state: State) -> Line | None:
    """The line of phases; None before the Battle of the Beginning has laid any."""
    if not state.phases:
        return None
    marks, phases = state.marks(), range(1, len(state.phases) + 1)
    ordered = sorted(state.characters.values(), key=lambda c: (c.side is Side.ALBRAXAS, c.id))
    return Line(
        title="The river of phases",
        word="Phase",
        upper=Bank("Tide", marks.tide, tuple(marks.effective_tide(p) for p in phases)),
        lower=Bank("Ebb", marks.ebb, tuple(marks.effective_ebb(p) for p in phases)),
        standers=tuple(_stander(state, character) for character in ordered),
        note=_note(state),
    )


def _stander(state: State, character: Character) -> Stander:
    choice = state.choices.get(character.id)
    told = [f"phase {character.phase}"] if character.phase and not character.fallen else []
    if choice is not None:
        told.append(f"{'goes' if choice.locked else 'means to go'} to {choice.phase}")
    told.append(f"Backbone {character.backbone} of {character.start_backbone}")
    told.append(f"Dynamism {character.dynamism} of {character.most_dynamism}")
    if character.clones and not character.fallen:
        told.append(f"{character.clones + 1} visits here")
    told += ["has fallen"] if character.fallen else ["has given up"] if character.conceded else []
    return Stander(
        name=character.name,
        place=0 if character.fallen else character.phase,
        meant=choice.phase if choice is not None else 0,
        upper=character.side is Side.REBEL,
        told=", ".join(told),
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
