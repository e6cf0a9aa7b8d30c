"""What a world master's bot does unasked: the set-up, the course of a session, and what follows between two.

A session is some checks, an encounter, some checks more; then everybody rises by a level. Whatever is due goes first:
no check is asked or set meanwhile, so that a busy table keeps nothing from happening.
"""

from collections.abc import Sequence
from enum import Enum, auto
from typing import TypeVar
from uuid import UUID

from games.dietower.rules.actors.commands import RaiseLevel, Reveal, SaveChart, SetState, hidden_text
from games.dietower.rules.actors.people_commands import SaveMonster, SaveNpc
from games.dietower.rules.bots.encounters import lead_encounter, open_encounter
from games.dietower.rules.bots.lists import (
    ALL_LOST,
    CHARTS,
    CLAWS,
    LEVELS,
    MONSTERS,
    PEOPLE,
    PEOPLE_TASKS,
    RESTED,
    SOME_LOST,
    SURVIVED,
    TASKS,
    TOLD,
    WEAKNESSES,
)
from games.dietower.rules.bots.rulings import not_now
from games.dietower.rules.bots.seen import free_name, fresh, tried, upright
from games.dietower.rules.checks.commands import RequestCheck
from games.dietower.rules.state.records import Actor, Check
from games.dietower.rules.state.schema_types import (
    ActorKind,
    CheckStatus,
    Condition,
    Harm,
    Hidden,
    Step,
    Until,
    WishReason,
)
from games.dietower.rules.state.state import State, missing_of
from games.dietower.rules.table.commands import CloseSession, EndScene, FinishGame, OpenSession
from games.dietower.rules.wishes.commands import AwardWish
from games.dietower.rules.wishes.rules import deeds_of
from games.engine.insight.legal_commands import legal_commands_for
from games.engine.kernel import Actor as CommandActor
from games.engine.kernel import Command, Issuer
from games.engine.policies import RULE, Look

MASTER = CommandActor(Issuer.GM)
SESSIONS = 3
"""The game is over after so many."""
LEAST_CHECKS, MOST_CHECKS, CHECKS_OF_ONE = 12, 24, 2
"""Checks of a session: so many for each character, within these bounds; its encounter is due after half of them."""
ONE_IN_TASKS, ONE_IN_PEOPLE_TASKS, ONE_IN_DEEDS = 3, 5, 3
SIDES_OF_HEALTH = 3
"""A Monster has as much Health as sessions were begun, one more where several characters meet it, and a d3."""
T = TypeVar("T")


class Due(Enum):
    """What a session has come to."""

    ENCOUNTER = auto()
    END = auto()


def due_of(state: State) -> Due | None:
    """What goes before all else now; None while there is time."""
    if state.course.step is not Step.FREE:
        return None
    here = [check for check in state.checks.values() if check.session == state.course.session]
    done = sum(check.status is CheckStatus.DONE for check in here)
    whole = min(MOST_CHECKS, max(LEAST_CHECKS, CHECKS_OF_ONE * len(state.sheets)))
    if not _heroes(state):
        return Due.END if _rest_again(state) is None else None
    if not _has_met(state):
        return Due.ENCOUNTER if done > whole // 2 else None
    return Due.END if done >= whole else None


def take_due_step(look: Look[State]) -> Command | None:
    """A step towards what is due: it is prepared, checks without dice make way, then it begins."""
    state, due = look.state, due_of(look.state)
    if due is None:
        return None
    if due is Due.ENCOUNTER and not upright(state, ActorKind.MONSTER):
        return _new_monster(look)
    waiting = [check for check in state.checks.values() if check.status is CheckStatus.ASKED]
    if waiting:
        first = min(waiting, key=lambda check: check.id)
        return not_now(first, for_encounter=due is Due.ENCOUNTER)
    if not _is_calm(state):
        return None
    return open_encounter(look) if due is Due.ENCOUNTER else _reveal_mystery(look) or CloseSession()


def own_idea(look: Look[State]) -> Command | None:
    """What nobody has asked for."""
    state = look.state
    match state.course.step:
        case Step.SETUP:
            return _missing_chart(state) or (OpenSession() if _is_ready(state) else None)
        case Step.CLOSED:
            return _between_sessions(look)
        case Step.TURN:
            return lead_encounter(look)
        case Step.FREE if due_of(state) is not None:
            return take_due_step(look)
        case Step.FREE:
            return _in_the_open(look)
    return None


# --- the set-up, and between sessions ---------------------------------------------------------------------------------


def _is_ready(state: State) -> bool:
    """Whether each seat that is held has all its characters, and all sheets are whole."""
    held = [seat.id for seat in state.players() if state.is_held(seat.id)]
    if not held or any(len(state.characters_of(seat)) < state.course.characters for seat in held):
        return False
    for actor in state.player_characters():
        mystery = state.mysteries.get(actor.id)
        if missing_of(state.sheets[actor.id], mystery.text if mystery is not None else ""):
            return False
    return True


def _missing_chart(state: State) -> Command | None:
    """The next chart that nobody has written."""
    missing = [field for field in CHARTS if field not in state.charts]
    return SaveChart(field=missing[0], lines=CHARTS[missing[0]]) if missing else None


def _between_sessions(look: Look[State]) -> Command:
    """A level for everybody who has come so far; then the next session, or the end."""
    state, session = look.state, look.state.course.session
    characters, dead = state.player_characters(), _dead(state)
    alive = [actor for actor in characters if actor.id not in dead]
    rising = [actor for actor in alive if state.sheets[actor.id].level <= min(session, SESSIONS)]
    if rising:
        return RaiseLevel(actor=rising[0].id, reason=of_session(LEVELS, session))
    if session < SESSIONS:
        return OpenSession()
    return FinishGame(text=SURVIVED if len(alive) == len(characters) else SOME_LOST if alive else ALL_LOST)


def of_session(lists: Sequence[T], session: int) -> T:
    """What belongs to a session; the last for all later ones."""
    return lists[min(session, len(lists)) - 1]


# --- a session --------------------------------------------------------------------------------------------------------


def _in_the_open(look: Look[State]) -> Command | None:
    """What a session is made of while nothing is due."""
    state = look.state
    return (
        _new_person(look)
        or _rest_again(state)
        or (None if _has_met(state) or upright(state, ActorKind.MONSTER) else _new_monster(look))
        or (EndScene() if _has_met(state) and any(b.until is Until.SCENE for b in state.bonuses.values()) else None)
        or _deed(look)
        or _task(look)
    )


def _heroes(state: State) -> list[Actor]:
    return [actor for actor in upright(state, ActorKind.PC) if state.is_active(actor)]


def _dead(state: State) -> set[UUID]:
    """Who has died and was not brought back."""
    struck = {t.actor for c in state.consequences.values() if c.kind is Harm.DEATH for t in c.targets if t.fallen}
    return {actor for actor in struck if state.actors[actor].condition is Condition.FALLEN}


def _has_met(state: State) -> bool:
    """Whether the encounter of this session was."""
    return any(encounter.session == state.course.session for encounter in state.encounters.values())


def _is_calm(state: State) -> bool:
    """Whether no roll, die, terrible thing or miracle is open."""
    return any(legal.legal for legal in legal_commands_for(state, (CloseSession,), MASTER))


def _new_person(look: Look[State]) -> Command | None:
    """Somebody who goes along, written of before the first check."""
    if any(actor.kind is ActorKind.NPC for actor in look.state.actors.values()):
        return None
    name, weapon, power, notes = look.tray.draw(f"{look.use}/person", PEOPLE, RULE)
    return SaveNpc(name=free_name(look.state, name), weapon=weapon, power=power, notes=notes)


def _rest_again(state: State) -> Command | None:
    """Before the first check of a session somebody who was struck down is up again, but for the dead."""
    if any(check.session == state.course.session for check in state.checks.values()) or _has_met(state):
        return None
    dead = _dead(state)
    down = [a for a in state.actors.values() if a.condition is Condition.FALLEN and a.id not in dead]
    able = any(legal.legal for legal in legal_commands_for(state, (SetState,), MASTER)) if down else False
    if not able:
        return None
    return SetState(actor=min(a.id for a in down), state=Condition.ACTIVE, reason=RESTED)


def _new_monster(look: Look[State]) -> Command:
    """What is met in this session."""
    state, tray, use = look.state, look.tray, look.use
    session = state.course.session
    return SaveMonster(
        name=free_name(state, tray.draw(f"{use}/monster", of_session(MONSTERS, session), RULE)),
        health=min(session, SESSIONS) + (len(_heroes(state)) > 1) + tray.roll(f"{use}/health", SIDES_OF_HEALTH, RULE),
        weakness=tray.draw(f"{use}/secret", WEAKNESSES, RULE),
        weapon=tray.draw(f"{use}/weapon", CLAWS, RULE),
    )


def _reveal_mystery(look: Look[State]) -> Command | None:
    """From the second session on a mystery is found in each, of a character that a bot plays."""
    state = look.state
    found = sum(shown.field is Hidden.MYSTERY for shown in state.revelations.values())
    secret = [
        actor
        for actor in state.player_characters()
        if actor.seat is not None and state.seats[actor.seat].bot and hidden_text(state, actor, Hidden.MYSTERY)
    ]
    if not secret or found >= state.course.session - 1:
        return None
    return Reveal(actor=look.tray.draw(f"{look.use}/mystery", secret, RULE).id, field=Hidden.MYSTERY)


def _deed(look: Look[State]) -> Command | None:
    """A Wish for a deed of this session, one for each character that has room for it; now and then."""
    state, session = look.state, look.state.course.session
    if look.tray.roll(f"{look.use}/deed", ONE_IN_DEEDS, RULE) != 1:
        return None
    told = {check.actor for check in state.checks.values() if check.told and check.session == session}
    deeds: list[tuple[Actor, Check]] = []
    for actor in _heroes(state):
        sheet = state.sheets[actor.id]
        if actor.id not in told and sheet.wishes < sheet.level:
            own = [check for check in deeds_of(state, actor.id) if check.session == session and check.cd]
            deeds += [(actor, max(own, key=lambda check: (check.cd, check.id)))] if own else []
    if not deeds:
        return None
    actor, check = look.tray.draw(f"{look.use}/whose", deeds, RULE)
    text = look.tray.draw(f"{look.use}/told", TOLD, RULE).format(deed=check.intent.rstrip("."))
    return AwardWish(actor=actor.id, reason=WishReason.STORY, text=text, check=check.id)


def _task(look: Look[State]) -> Command | None:
    """A check that is asked of somebody who waits; now and then of the person who goes along."""
    state, tray, use = look.state, look.tray, look.use
    if tray.roll(f"{use}/task", ONE_IN_TASKS, RULE) != 1:
        return None
    able = _able(state)
    people = [actor for actor in upright(state, ActorKind.NPC) if actor.id in able]
    heroes = [actor for actor in _heroes(state) if actor.id in able]
    if people and tray.roll(f"{use}/people", ONE_IN_PEOPLE_TASKS, RULE) == 1:
        return RequestCheck(actor=people[0].id, intent=_fresh_task(look, PEOPLE_TASKS))
    if not heroes:
        return None
    actor = tray.draw(f"{use}/who", heroes, RULE)
    good_at = state.sheets[actor.id].good_at
    intent = _fresh_task(look, of_session(TASKS, state.course.session))
    return RequestCheck(actor=actor.id, intent=intent, trait=good_at[0] if good_at else "")


def _able(state: State) -> set[UUID]:
    """Of whom a check may be asked."""
    legal = [each for each in legal_commands_for(state, (RequestCheck,), MASTER) if each.legal]
    return {actor for actor in state.actors if any(actor in each.choices("actor") for each in legal)}


def _fresh_task(look: Look[State], tasks: Sequence[str]) -> str:
    return look.tray.draw(f"{look.use}/intent", fresh(tasks, tried(look.state)), RULE)
