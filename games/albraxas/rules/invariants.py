"""What always holds of a settled state: asked after every amendment and by tests."""

from typing import TYPE_CHECKING

from games.albraxas.rules.records import Character
from games.albraxas.rules.tables import LEAST_PHASES, LEAST_SIDES, MOST_PHASES, MOST_SIDES
from games.albraxas.rules.vocabulary import Side

if TYPE_CHECKING:
    from games.albraxas.rules.state import State


def violations(state: "State") -> list[str]:
    """Everything that cannot be, one sentence each; an empty list is a sound state."""
    storm, found = state.storm, []
    if not (LEAST_PHASES <= storm.phases <= MOST_PHASES and LEAST_SIDES <= storm.sides <= MOST_SIDES):
        found.append("Phases or sides are out of range.")
    if not 1 <= storm.check_from < storm.phases or not 0 <= storm.turn < storm.phases:
        found.append("A turn is out of range.")
    if state.characters:
        if sorted(state.phases) != list(range(1, storm.phases + 1)):
            found.append(f"There are {len(state.phases)} phases, not {storm.phases}.")
        if [c.id for c in state.characters.values() if c.side is Side.ALBRAXAS] != [storm.albraxas]:
            found.append("One seat plays Albraxas, and that alone.")
    found += [f"Phase {p.number} has less than nothing." for p in state.phases.values() if p.tide < 0 or p.ebb < 0]
    for character in state.characters.values():
        found += [f"{character.name}: {what}" for what in _of(character, storm.phases)]
    found += [f"Nobody visits a phase {v.count} times." for v in state.visits.values() if v.count < 1]
    return found


def _of(character: Character, phases: int) -> list[str]:
    found = []
    if not 0 <= character.dynamism <= character.most_dynamism:
        found.append("Dynamism is out of range.")
    if not 0 <= character.backbone <= character.start_backbone:
        found.append("Backbone is out of range.")
    if character.fallen is not (character.backbone == 0):
        found.append("he has fallen exactly when his Backbone is 0.")
    if character.battle < 1 or character.blitz < 1 or character.clones < 0 or not 0 <= character.phase <= phases:
        found.append("an attribute, a phase or a clone count is out of range.")
    return found
