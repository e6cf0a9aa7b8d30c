"""Answers to every question of the Die Tower, so that a game goes on by itself: plain ones, the same every time."""

from typing import Any
from uuid import UUID

from games.dietower.rules.checks.commands import BuyDie, CloseRoll, SetCheck
from games.dietower.rules.checks.pool import Cd
from games.dietower.rules.combat.commands import ChooseDefence, DeclareAttack, EndTurn, KeepHold
from games.dietower.rules.combat.encounter_commands import CloseEncounter
from games.dietower.rules.combat.ruling_commands import SetAttack
from games.dietower.rules.state.schema_types import ActorKind, Asked, Condition, Harm, MiracleKind, Uses
from games.dietower.rules.tower.commands import ChooseMiracle, PlaceDie, WriteConsequence
from games.dietower.rules.wishes.commands import DecideWish
from games.engine.game_state import Prompt
from games.engine.kernel import Actor, Command, Issuer
from tests.playbook import Playbook

GM = Actor(Issuer.GM, user=UUID(int=2))


def settle(book: Playbook, most: int = 200) -> None:
    """Answer every question that is open, the innermost first, until none is."""
    for _ in range(most):
        if not (answered := _next(book.state)):
            return
        command, by = answered
        book.when(command, by=by)
    raise AssertionError("the questions do not end")


def settle_encounter(book: Playbook) -> None:
    """Play the encounter until its Monsters are beaten, and close it then; it closes by itself where nobody is up."""
    while book.state.encounter is not None:
        answered = _next(book.state)
        assert answered is not None
        command, by = answered
        if isinstance(command, EndTurn) and not _monsters(book.state):
            command, by = CloseEncounter(text="It is over."), GM
        book.when(command, by=by)


def _monsters(state: Any) -> list[UUID]:
    """The Monsters of the encounter that are up."""
    up = (state.actors[member] for member in state.members if state.actors[member].condition is Condition.ACTIVE)
    return [actor.id for actor in up if actor.kind is ActorKind.MONSTER]


def _next(state: Any) -> tuple[Command, Actor] | None:
    """The answer to the question that was asked last, and who gives it."""
    asked = [(prompt, list(Asked).index(Asked(prompt.kind))) for prompt in state.prompts.values()]
    inner = [prompt for prompt, _ in sorted(asked, key=lambda p: (p[0].kind == Asked.TURN, p[1]))]
    return (_answer(state, inner[0]), _owner(inner[0])) if inner else None


def _owner(prompt: Prompt) -> Actor:
    """Who is asked: a player's seat, or the world master."""
    (owner,) = prompt.owners
    return Actor(Issuer.SEAT, seat=UUID(owner.removeprefix("seat:"))) if owner.startswith("seat:") else GM


def _answer(state: Any, prompt: Prompt) -> Command:
    subject = prompt.subject
    assert subject is not None
    match Asked(prompt.kind):
        case Asked.CHECK_SET:
            cd = (Cd.AVERAGE, Cd.MODERATE, Cd.TOUGH)[len(state.checks) % 3]
            return SetCheck(check=subject, cd=cd, good=len(state.checks) % 2 == 0)
        case Asked.CHECK_WISH:
            roll = state.rolls[subject]
            short = sum(roll.pool) < state.checks[roll.check].cd
            return BuyDie(roll=subject) if short and state.free_wishes(roll.actor) else CloseRoll(roll=subject)
        case Asked.ATTACK_WISH:
            return CloseRoll(roll=subject)
        case Asked.PLACE:
            return PlaceDie(placement=subject)
        case Asked.TERRIBLE:
            return WriteConsequence(consequence=subject, kind=Harm.INJURY, text="A bad fall.")
        case Asked.MIRACLE:
            return ChooseMiracle(miracle=subject, kind=MiracleKind.EXTRA_DIE, target=state.miracles[subject].actor)
        case Asked.WISH_STORY:
            return DecideWish(wish=subject, accept=True)
        case Asked.ATTACK_DEFEND:
            return ChooseDefence(attack=subject, uses=Uses.NONE)
        case Asked.ATTACK_SET:
            return SetAttack(attack=subject)
        case Asked.HELD:
            return KeepHold(hold=subject)
        case Asked.TURN:
            return _turn(state, subject)


def _turn(state: Any, actor: UUID) -> Command:
    """One attack a turn: a Monster on a character, a character on a Monster, the first who is up."""
    own = state.actors[actor].kind is ActorKind.MONSTER
    up = [m for m in sorted(state.members) if state.actors[m].condition is Condition.ACTIVE]
    targets = [m for m in up if (state.actors[m].kind is ActorKind.MONSTER) is not own]
    if state.encounter.attacked or not targets:
        return EndTurn()
    return DeclareAttack(actor=actor, target=targets[0], uses=Uses.WEAPON)
