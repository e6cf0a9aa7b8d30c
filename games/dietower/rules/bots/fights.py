"""What a player's bot does in an encounter: it comes near, attacks, holds, defends (DT-CMB-3, 4, 5, 12)."""

from uuid import UUID

from games.dietower.rules.actors.rules import attack_uses, defence_uses
from games.dietower.rules.bots.lists import TRIGGERS
from games.dietower.rules.bots.seen import subject_of
from games.dietower.rules.combat.commands import (
    ChooseDefence,
    DeclareAttack,
    EndTurn,
    HoldAction,
    KeepHold,
    MoveActor,
    ReleaseHold,
)
from games.dietower.rules.state.records import Actor
from games.dietower.rules.state.schema_types import ActionKind, ActorKind, Band, Uses
from games.dietower.rules.state.state import State
from games.engine.game_state import Prompt
from games.engine.kernel import Command
from games.engine.policies import RULE, Look

ONE_IN_HOLDS = 6


def take_turn(look: Look[State], prompt: Prompt) -> Command | None:
    """Come near, attack, or hold the attack; then the turn is over."""
    state, tray, use = look.state, look.tray, look.use_for(prompt)
    encounter = state.require_encounter()
    actor = state.actors[encounter.turn] if encounter.turn is not None else None
    if actor is None or actor.seat != look.seat:
        return None
    nearest = nearest_opponent(state, actor)
    if nearest is None:
        return EndTurn()
    held = {hold.action for hold in state.holds.values() if hold.actor == actor.id}
    target, band = nearest
    if not encounter.moved and ActionKind.MOVE not in held and band is not Band.SHORT:
        return MoveActor(actor=actor.id, target=target, band=tuple(Band)[tuple(Band).index(band) - 1])
    if not encounter.attacked and ActionKind.ATTACK not in held:
        if tray.roll(f"{use}/hold", ONE_IN_HOLDS, RULE) == 1:
            trigger = tray.draw(f"{use}/trigger", TRIGGERS, RULE)
            return HoldAction(actor=actor.id, action=ActionKind.ATTACK, trigger=trigger)
        return DeclareAttack(actor=actor.id, target=target, uses=best_use(attack_uses(state, actor.id)))
    return EndTurn()


def answer_trigger(look: Look[State], prompt: Prompt) -> Command:
    """Carry out a held attack on who is nearest; a movement is not worth it."""
    hold = look.state.holds[subject_of(prompt)]
    nearest = nearest_opponent(look.state, look.state.actors[hold.actor])
    if nearest is None or hold.action is not ActionKind.ATTACK:
        return KeepHold(hold=hold.id)
    return ReleaseHold(hold=hold.id, target=nearest[0], uses=best_use(attack_uses(look.state, hold.actor)))


def choose_defence(look: Look[State], prompt: Prompt) -> Command:
    attack = look.state.attacks[subject_of(prompt)]
    return ChooseDefence(attack=attack.id, uses=best_use(defence_uses(look.state, attack.target)))


def best_use(uses: list[Uses]) -> Uses:
    """What gives 2d6, where anything does."""
    return next((each for each in (Uses.WEAPON, Uses.POWER) if each in uses), Uses.NONE)


def nearest_opponent(state: State, actor: Actor) -> tuple[UUID, Band] | None:
    """Who of the other side is up and nearest, with the band, a Monster before all others; None for nobody."""
    found = []
    for distance in state.distances.values():
        if actor.id not in (distance.a, distance.b):
            continue
        other = state.actors[distance.b if distance.a == actor.id else distance.a]
        if state.is_active(other) and other.id in state.members:
            is_other = other.kind is not ActorKind.MONSTER
            found.append((is_other, tuple(Band).index(distance.band), other.id, distance.band))
    return min(found)[2:] if found else None
