"""The policy `steady`: a world master's bot, which leads a table through three sessions by itself."""

from datetime import timedelta
from uuid import UUID

from games.dietower.rules.actors.people_commands import SaveMonster
from games.dietower.rules.actors.rules import attack_uses, defence_uses
from games.dietower.rules.bots.players import best_use, miracle, nearest_opponent
from games.dietower.rules.bots.seen import free_name, pause, subject_of, upright
from games.dietower.rules.checks.commands import RequestCheck, SetCheck
from games.dietower.rules.checks.pool import Cd
from games.dietower.rules.combat.commands import DeclareAttack, EndTurn, MoveActor
from games.dietower.rules.combat.encounter_commands import CloseEncounter, OpenEncounter
from games.dietower.rules.combat.ruling_commands import SetAttack, TriggerHold
from games.dietower.rules.state.records import Actor
from games.dietower.rules.state.schema_types import (
    ActionKind,
    ActorKind,
    Asked,
    Band,
    CheckStatus,
    Harm,
    Mode,
    Step,
    Target,
    Terms,
    Until,
)
from games.dietower.rules.state.state import State, missing_of
from games.dietower.rules.table.commands import CloseSession, EndScene, FinishGame, OpenSession
from games.dietower.rules.tower.commands import PlaceDie, ReportDie, WriteConsequence
from games.dietower.rules.wishes.commands import DecideWish
from games.engine.dice import Tray
from games.engine.game_state import Prompt
from games.engine.insight.legal_commands import legal_commands_for
from games.engine.kernel import Actor as CommandActor
from games.engine.kernel import Command, Issuer
from games.engine.policies import RULE, Look, QuestionPolicy

SETUP_LOOKS = 10
"""So much more often it looks at a game in which sheets are written."""
SESSIONS = 3
"""The game is over after so many."""
CHECKS, BEFORE_ENCOUNTER = 12, 7
"""Checks of a session, and how many of them come before its encounter."""
MONSTERS = ("Salt warden", "Grey hound", "Lamp eater", "Ferryman", "Bone choir", "Tide wife")
WEAKNESSES = ("fresh water", "its own name", "silence", "daylight", "")
INJURIES = (
    "The rope burns through both palms.",
    "A step gives way.",
    "The roof comes down.",
    "Something bites, and holds on.",
)
LAST_INJURY = 3
"""Whom terrible things strike so often falls."""
TASKS = ("Hold the door", "Keep the light burning", "Carry the chest", "Cross the yard unseen")
HIGHEST_WISH = 2
"""The dearest Wish for the story that is granted."""
SIDES_OF_LUCK, ONE_IN_WEAKNESSES, ONE_IN_TASKS = 20, 4, 2
"""A real tower that nobody sees falls when a die of so many sides shows less than its height."""


def _check(look: Look[State], prompt: Prompt) -> Command:
    check = look.state.checks[subject_of(prompt)]
    sheet = look.state.sheets.get(check.actor)
    good = sheet is not None and check.trait in sheet.good_at
    free = check.own_turn and _has_attacked(look.state, check.actor)
    return SetCheck(check=check.id, cd=Cd.MODERATE if good else Cd.AVERAGE, good=good, free=free)


def _place(look: Look[State], prompt: Prompt) -> Command:
    """A die of its own of a simulated tower; what happened to a real one, which it does not see."""
    if look.state.tower.mode is Mode.SIMULATED:
        return PlaceDie(placement=subject_of(prompt))
    luck = look.tray.roll(f"{look.use_for(prompt)}/luck", SIDES_OF_LUCK, RULE)
    return ReportDie(placement=subject_of(prompt), stands=luck >= look.state.tower.height)


def _wish(look: Look[State], prompt: Prompt) -> Command:
    wish = look.state.wishes[subject_of(prompt)]
    return DecideWish(wish=wish.id, accept=wish.price <= HIGHEST_WISH, text="")


def _has_attacked(state: State, actor: UUID) -> bool:
    """Whether the attack of somebody's turn is used, or held."""
    encounter = state.encounter
    held = any(hold.actor == actor and hold.action is ActionKind.ATTACK for hold in state.holds.values())
    return held or (encounter is not None and encounter.attacked)


def _consequence(look: Look[State], prompt: Prompt) -> Command:
    """An injury of the placer; the third is one too many."""
    state, consequence = look.state, subject_of(prompt)
    struck = state.consequences[consequence].actor
    before = sum(any(t.actor == struck for t in c.targets) for c in state.consequences.values() if c.written)
    falls = before + 1 >= LAST_INJURY
    return WriteConsequence(
        consequence=consequence,
        kind=Harm.DEATH if falls else Harm.INJURY,
        text=look.tray.draw(f"{look.use_for(prompt)}/text", INJURIES, RULE),
        targets=(Target(actor=struck, fallen=falls),),
    )


def _terms(look: Look[State], prompt: Prompt) -> Command:
    """As both sides have said; now and then somebody finds the weakness of a Monster."""
    state, attack = look.state, look.state.attacks[subject_of(prompt)]
    target = state.actors[attack.target]
    brief = state.briefs.get(target.id)
    known = target.kind is ActorKind.MONSTER and brief is not None and bool(brief.weakness)
    return SetAttack(
        attack=attack.id,
        defence=best_use(defence_uses(state, target.id)) if target.seat is None else None,
        weakness=known and look.tray.roll(f"{look.use_for(prompt)}/weakness", ONE_IN_WEAKNESSES, RULE) == 1,
        attacker=Terms(),
        defender=Terms(),
    )


def _turn(look: Look[State], prompt: Prompt) -> Command | None:
    """The turn of somebody of the world master's: come near, attack, end it. None in the turn of a player."""
    state = look.state
    over = _end_of_encounter(state)
    if over is not None:
        return over
    encounter = state.require_encounter()
    actor = state.actors.get(encounter.turn) if encounter.turn is not None else None
    if actor is None or actor.seat is not None:
        return None
    waits = [hold for hold in state.holds.values() if not hold.hidden and not hold.triggered]
    if waits and not encounter.done:
        return TriggerHold(hold=sorted(waits, key=lambda hold: hold.id)[0].id)
    nearest = nearest_opponent(state, actor) if actor.kind is ActorKind.MONSTER else None
    if nearest is None:
        return EndTurn()
    target, band = nearest
    if not encounter.moved and band is not Band.SHORT:
        return MoveActor(actor=actor.id, target=target, band=tuple(Band)[tuple(Band).index(band) - 1])
    if not encounter.attacked:
        return DeclareAttack(actor=actor.id, target=target, uses=best_use(attack_uses(state, actor.id)))
    return EndTurn()


def _own_idea(look: Look[State]) -> Command | None:
    """What nobody has asked for: sessions, Monsters, encounters, a task for somebody who waits."""
    state = look.state
    match state.course.step:
        case Step.SETUP:
            return OpenSession() if _is_ready(state) else None
        case Step.CLOSED:
            return FinishGame(text="They go home.") if state.course.session >= SESSIONS else OpenSession()
        case Step.TURN:
            return _end_of_encounter(state)
        case Step.FREE:
            return _in_the_open(state, look.tray, look.use)
    return None


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


def _end_of_encounter(state: State) -> Command | None:
    """Close an encounter in which one side has nobody up any more."""
    encounter = state.require_encounter()
    up = [state.actors[member] for member in state.members if state.is_active(state.actors[member])]
    over = not any(a.kind is ActorKind.MONSTER for a in up) or not any(a.kind is ActorKind.PC for a in up)
    return CloseEncounter(text="") if over and not encounter.closing else None


def _in_the_open(state: State, tray: Tray, use: str) -> Command | None:
    """The course of a session: some checks, an encounter, some checks more."""
    master = CommandActor(Issuer.GM)
    session = state.course.session
    done = sum(check.status in (CheckStatus.DONE, CheckStatus.WITHDRAWN) for check in state.checks.values())
    met = sum(encounter.session == session for encounter in state.encounters.values())
    heroes = [a for a in upright(state, ActorKind.PC) if state.is_active(a)]
    is_calm = any(legal.legal for legal in legal_commands_for(state, (CloseSession,), master))
    if is_calm and (not heroes or (met and done >= CHECKS * session)):
        return CloseSession()
    if is_calm and not met and done >= CHECKS * (session - 1) + BEFORE_ENCOUNTER:
        return _encounter(state, tray, use)
    if is_calm and any(bonus.until is Until.SCENE for bonus in state.bonuses.values()) and met:
        return EndScene()
    return _task(state, heroes, master, tray, use)


def _encounter(state: State, tray: Tray, use: str) -> Command:
    """An encounter with a Monster, which is made where there is none."""
    monsters: list[Actor] = upright(state, ActorKind.MONSTER)
    if monsters:
        return OpenEncounter(members=(monsters[0].id,))
    return SaveMonster(
        name=free_name(state, tray.draw(f"{use}/monster", MONSTERS, RULE)),
        health=1 + tray.roll(f"{use}/health", 3, RULE),
        weakness=tray.draw(f"{use}/secret", WEAKNESSES, RULE),
        weapon="claws",
    )


def _task(state: State, heroes: list[Actor], master: CommandActor, tray: Tray, use: str) -> Command | None:
    """A check that it asks of somebody who waits; now and then."""
    able = [legal for legal in legal_commands_for(state, (RequestCheck,), master) if legal.legal]
    free = [a for a in heroes if any(a.id in legal.choices("actor") for legal in able)]
    if not free or tray.roll(f"{use}/task", ONE_IN_TASKS, RULE) != 1:
        return None
    actor = tray.draw(f"{use}/who", free, RULE)
    good_at = state.sheets[actor.id].good_at
    trait = good_at[0] if good_at else ""
    return RequestCheck(actor=actor.id, intent=tray.draw(f"{use}/intent", TASKS, RULE), trait=trait)


def _again_in(look: Look[State], prompt: Prompt | None, command: Command | None) -> timedelta | None:
    is_more = prompt is not None and len(look.asked) > 1
    if is_more:
        return look.state.thinking_time
    wait = pause(look.state, master=True)
    # Sheets are written without a question to the world master, and all wait for the session.
    return max(look.state.thinking_time, wait / SETUP_LOOKS) if look.state.course.step is Step.SETUP else wait


steady: QuestionPolicy[State] = QuestionPolicy(
    answers={
        Asked.CHECK_SET: _check,
        Asked.PLACE: _place,
        Asked.TERRIBLE: _consequence,
        Asked.MIRACLE: miracle,
        Asked.TURN: _turn,
        Asked.ATTACK_SET: _terms,
        Asked.WISH_STORY: _wish,
    },
    silent=(Asked.HELD,),
    unasked=_own_idea,
    again_in=_again_in,
)
