"""What always holds (`violations`), and what holds besides when nothing is under way (`violations_at_rest`).

Both are asked after every amendment; tests ask the first after every event.
"""

from games.albraxas.rules.state.constants import LEAST_PHASES, LEAST_SIDES, MOST_PHASES, MOST_SIDES
from games.albraxas.rules.state.records import Character
from games.albraxas.rules.state.schema_types import Side, Step
from games.albraxas.rules.state.state import State
from games.engine.deadlines import TABLE_VOTE
from games.engine.game_state import Status
from games.engine.wording import quantity


def violations(state: State) -> list[str]:
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
        if storm.turn and character.side is Side.ALBRAXAS and character.phase != storm.phases + 1 - storm.turn:
            found.append(f"{character.name}: the phase of turn {storm.turn} is {storm.phases + 1 - storm.turn}.")
    for visit in state.visits.values():
        if not (visit.count >= 1 and 1 <= visit.phase <= storm.phases and visit.seat in state.characters):
            found.append(f"Phase {visit.phase} cannot have been visited {quantity(visit.count, 'time')}.")
    return found


def violations_at_rest(state: State) -> list[str]:
    """What does not fit the table: the one course of the game, its question and its end, and a seat for everybody."""
    storm, found = state.storm, []
    if state.info.status is not Status.LOBBY and list(state.storms) != [state.info.id]:
        found.append("A game has one course.")
    rows = state.course_rows.questions
    asked = {rows[p.kind].inside or p.kind for p in state.prompts.values() if p.kind != TABLE_VOTE}
    if asked - {storm.step} or (storm.step in rows and not asked):
        found.append("What is asked does not belong to this step.")
    if (storm.step is Step.FINISHED) is not (state.info.status is Status.FINISHED):
        found.append("The war and the game end together.")
    missing = sorted(character.name for seat, character in state.characters.items() if seat not in state.seats)
    return [*found, *(f"{name} has no seat." for name in missing)]


def amendment_violations(state: State) -> list[str]:
    """What an amendment may not leave: both."""
    return [*violations(state), *violations_at_rest(state)]


def _of(character: Character, phases: int) -> list[str]:
    found = []
    if not 0 <= character.dynamism <= character.most_dynamism:
        found.append("Dynamism is out of range.")
    if not 0 <= character.backbone <= character.start_backbone:
        found.append("Backbone is out of range.")
    if character.fallen is not (character.backbone == 0):
        found.append("a character has fallen exactly when there is no Backbone left.")
    if character.battle < 1 or character.blitz < 1 or character.clones < 0 or not 0 <= character.phase <= phases:
        found.append("an attribute, a phase or a clone count is out of range.")
    return found
