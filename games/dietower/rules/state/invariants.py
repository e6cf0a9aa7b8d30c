"""What always holds; asked after every amendment, and by tests after every event."""

from collections import Counter

from games.dietower.rules.state.constants import MIRACLE_HEIGHT, MOST_CHARACTERS
from games.dietower.rules.state.schema_types import ActorKind, CheckStatus, Condition, Mode, Step
from games.dietower.rules.state.state import State


def violations(state: State) -> list[str]:
    """Everything that cannot be, one sentence each; an empty list is a sound state."""
    return [*_of_people(state), *_of_tower(state), *_of_rolls(state), *_of_encounter(state)]


def _of_people(state: State) -> list[str]:
    found = []
    for actor in state.actors.values():
        of_seat = actor.kind is ActorKind.PC
        if of_seat is not (actor.seat is not None) or of_seat is not (actor.id in state.sheets):
            found.append(f"{actor.name}: a player's character, and nobody else, has a seat and a sheet.")
        if of_seat and not 1 <= actor.number <= MOST_CHARACTERS:
            found.append(f"{actor.name}: a seat has characters 1 to {MOST_CHARACTERS}.")
        if of_seat is (actor.id in state.briefs):
            found.append(f"{actor.name}: what the world master writes is of NPC and Monsters.")
        if (actor.kind is ActorKind.MONSTER) is not (actor.id in state.vitalities):
            found.append(f"{actor.name}: Monsters have Health, and nobody else.")
        if actor.condition is (Condition.FALLEN if actor.kind is ActorKind.MONSTER else Condition.BEATEN):
            found.append(f"{actor.name}: Monsters are beaten, all others fall.")
    for vitality in state.vitalities.values():
        monster = state.actors.get(vitality.actor)
        if monster is not None and (vitality.health == 0) is not (monster.condition is Condition.BEATEN):
            found.append(f"{monster.name}: a Monster is beaten exactly when it has no Health left.")
    for sheet in state.sheets.values():
        if sheet.wishes > sheet.level:
            found.append(f"{_name(state, sheet.actor)}: no more Wishes than the level, {sheet.level}.")
        if state.held_wishes(sheet.actor) > sheet.wishes:
            found.append(f"{_name(state, sheet.actor)}: a story Wish holds more Wishes than there are.")
    return found


def _of_tower(state: State) -> list[str]:
    tower, found = state.tower, []
    if sorted(state.dice) != list(range(1, tower.height + 1)):
        found.append(f"A tower of height {tower.height} has dice 1 to {tower.height}, each once.")
    if tower.height > MIRACLE_HEIGHT or (tower.height == MIRACLE_HEIGHT and not _miracle_open(state)):
        found.append("A tower of 13 is taken down by its miracle.")
    simulated = tower.mode is Mode.SIMULATED
    if any((die.x is None or die.y is None) is simulated for die in state.dice.values()):
        found.append("The dice of a simulated tower have centres, those of a real one have none.")
    return found


def _miracle_open(state: State) -> bool:
    return any(miracle.kind is None for miracle in state.miracles.values())


def _of_rolls(state: State) -> list[str]:
    found = []
    several = Counter(roll.actor for roll in state.rolls.values() if not roll.closed)
    for actor, count in several.items():
        if count > 1:
            found.append(f"{_name(state, actor)} has {count} open rolls; one is the most.")
    asked = Counter(c.actor for c in state.checks.values() if c.status in (CheckStatus.ASKED, CheckStatus.THROWN))
    for actor, count in asked.items():
        if count > 1:
            found.append(f"{_name(state, actor)} has {count} open checks; one is the most.")
    for roll in state.rolls.values():
        check = state.checks.get(roll.check) if roll.check is not None else None
        if check is not None and check.actor != roll.actor:
            found.append(f"{_name(state, roll.actor)} has rolled for another's check.")
        if not roll.closed and state.actors[roll.actor].condition is not Condition.ACTIVE:
            found.append(f"{_name(state, roll.actor)} rolls no dice, having fallen.")
    return found


def _of_encounter(state: State) -> list[str]:
    encounter = state.encounter
    if (encounter is not None) is not (state.course.step is Step.TURN):
        return ["An encounter runs exactly while there are turns."]
    if encounter is None:
        return [] if not state.members else ["Members belong to an encounter that runs."]
    found = []
    if encounter.turn is not None and encounter.turn not in state.members:
        found.append("Who is on turn is a member.")
    if set(encounter.order) - state.members.keys():
        found.append("The order names members alone.")
    turn = state.actors.get(encounter.turn) if encounter.turn is not None else None
    asked = any(prompt.parent is not None for prompt in state.prompts.values())
    if turn is not None and turn.condition is not Condition.ACTIVE and not asked:
        found.append(f"{turn.name} has fallen and is not on turn.")
    return found


def _name(state: State, actor: object) -> str:
    known = next((a.name for a in state.actors.values() if a.id == actor), None)
    return known or "Somebody"
