"""What a player's bot does in an encounter: it comes near, attacks, holds, defends (DT-CMB-3, 4, 5, 12)."""

from uuid import UUID

from games.dietower.rules.actors.rules import attack_uses, defence_uses
from games.dietower.rules.bots.lists import RETREATS, TRIGGERS
from games.dietower.rules.bots.seen import strikes, subject_of
from games.dietower.rules.bots.wishes import take_back_wish
from games.dietower.rules.combat.commands import (
    ChooseDefence,
    DeclareAttack,
    EndTurn,
    HoldAction,
    KeepHold,
    MoveActor,
    ReleaseHold,
)
from games.dietower.rules.combat.rules import BANDS, is_quiet
from games.dietower.rules.state.records import Actor, Hold
from games.dietower.rules.state.schema_types import ActionKind, ActorKind, Band, Uses
from games.dietower.rules.state.state import State
from games.engine.game_state import Prompt
from games.engine.kernel import Command
from games.engine.policies import RULE, Look

ONE_IN_HOLDS, ONE_IN_STEPS_BACK = 6, 2


def take_turn(look: Look[State], prompt: Prompt) -> Command | None:
    """Come near, attack, or hold the attack; who stands near may hold a step back. Then the turn is over."""
    state, tray, use = look.state, look.tray, look.use_for(prompt)
    encounter = state.require_encounter()
    actor = state.actors[encounter.turn] if encounter.turn is not None else None
    if actor is None or actor.seat != look.seat:
        return None
    late = take_back_wish(state, look.seat)
    if late is not None:
        return late
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
    can_step_back = not encounter.moved and ActionKind.MOVE not in held and band is Band.SHORT
    if can_step_back and tray.roll(f"{use}/step-back", ONE_IN_STEPS_BACK, RULE) == 1:
        trigger = tray.draw(f"{use}/trigger", RETREATS, RULE)
        return HoldAction(actor=actor.id, action=ActionKind.MOVE, trigger=trigger)
    return EndTurn()


def answer_trigger(look: Look[State], prompt: Prompt) -> Command:
    """Carry out what is held, or keep it for a better moment (DT-CMB-4)."""
    hold = look.state.holds[subject_of(prompt)]
    return _release(look.state, hold) or KeepHold(hold=hold.id)


def holds_action(state: State, seat: UUID) -> bool:
    """Whether somebody of a seat holds an action."""
    return any(state.actors[hold.actor].seat == seat for hold in state.holds.values())


def release_late(state: State, seat: UUID) -> Command | None:
    """Carry out what the seat has kept, once its moment has come and nothing is open in the turn (DT-CMB-4)."""
    for hold in state.holds.values():
        holder = state.actors[hold.actor]
        if holder.seat == seat and hold.triggered and state.is_active(holder) and is_quiet(state):
            return _release(state, hold)
    return None


def _release(state: State, hold: Hold) -> Command | None:
    """What is held, carried out; None while its moment has not come.

    An attack with a weapon waits until somebody is at hand, for out of reach it gives no 2d6 (DT-CMB-15). A movement
    leads who was struck before out of reach, while somebody else stands in the way.
    """
    nearest = nearest_opponent(state, state.actors[hold.actor])
    if nearest is None:
        return None
    target, band = nearest
    if hold.action is ActionKind.ATTACK:
        uses = best_use(attack_uses(state, hold.actor))
        is_out_of_reach = uses is Uses.WEAPON and band is not Band.SHORT
        return None if is_out_of_reach else ReleaseHold(hold=hold.id, target=target, uses=uses)
    others = [each for each in state.distances.values() if target == each.b and each.a != hold.actor]
    is_covered = any(each.band is Band.SHORT and state.is_active(state.actors[each.a]) for each in others)
    if band is Band.SHORT and is_covered and strikes(state, hold.actor):
        return ReleaseHold(hold=hold.id, target=target, band=Band.MEDIUM)
    return None


def choose_defence(look: Look[State], prompt: Prompt) -> Command:
    attack = look.state.attacks[subject_of(prompt)]
    return ChooseDefence(attack=attack.id, uses=best_use(defence_uses(look.state, attack.target)))


def best_use(uses: list[Uses]) -> Uses:
    """What gives 2d6, where anything does."""
    return next((each for each in (Uses.WEAPON, Uses.POWER) if each in uses), Uses.NONE)


def nearest_opponent(state: State, actor: Actor) -> tuple[UUID, Band] | None:
    """Whom a player's character turns to, with the band: all to the same of those who are nearest. None for nobody."""
    return next(iter(nearest_opponents(state, actor)), None)


def nearest_opponents(state: State, actor: Actor) -> list[tuple[UUID, Band]]:
    """Those of the other side who are up and nearest, with their band, in a fixed order.

    In an encounter with Monsters nobody else is a player's opponent: who goes along is not struck at.
    """
    only_monsters = actor.seat is not None and any(
        state.actors[member].kind is ActorKind.MONSTER for member in state.members
    )
    found = []
    for distance in state.distances.values():
        if actor.id not in (distance.a, distance.b):
            continue
        other = state.actors[distance.b if distance.a == actor.id else distance.a]
        if only_monsters and other.kind is not ActorKind.MONSTER:
            continue
        if state.is_active(other) and other.id in state.members:
            found.append((other.id, distance.band))
    near = min((band for _, band in found), key=BANDS.index, default=None)
    return sorted((other, band) for other, band in found if band is near)
