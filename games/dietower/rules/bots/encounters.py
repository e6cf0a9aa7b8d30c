"""How a world master's bot leads an encounter: who takes part, in which order and how far apart, and how it ends.

What the rules leave to the world master in chapter 6 (DT-CMB-1, 2, 12) is decided here, each time for one reason.
"""

from collections import Counter
from collections.abc import Iterator
from uuid import UUID

from games.dietower.rules.actors.commands import RaiseLevel
from games.dietower.rules.bots.lists import BEATEN, BLOWS, LOST, WAITED
from games.dietower.rules.bots.seen import strikes, upright
from games.dietower.rules.combat.encounter_commands import (
    CloseEncounter,
    JoinEncounter,
    LeaveEncounter,
    OpenEncounter,
    SetBand,
    SetInitiative,
)
from games.dietower.rules.combat.rules import band_between, is_quiet
from games.dietower.rules.state.constants import MOST_LEVEL
from games.dietower.rules.state.records import Actor, Attack, Consequence, Placement
from games.dietower.rules.state.schema_types import ActorKind, Band, Condition, Harm, PlacementStatus, Reason
from games.dietower.rules.state.state import State
from games.engine.kernel import Command
from games.engine.policies import RULE, Look

FALLS, DIES = 3, 4
"""Whom terrible things strike for the third time falls, and dies by the fourth."""
ONE_IN_ELSEWHERE = 2
LAIN = (PlacementStatus.STOOD, PlacementStatus.FELL)
LONG = 2
"""From this round on an encounter goes badly."""


def open_encounter(look: Look[State]) -> Command:
    """An encounter with a Monster; who goes along stands by, or is elsewhere when it begins."""
    state = look.state
    people = [actor.id for actor in upright(state, ActorKind.NPC)][:1]
    if people and look.tray.roll(f"{look.use}/elsewhere", ONE_IN_ELSEWHERE, RULE) == 1:
        people = []
    return OpenEncounter(members=(upright(state, ActorKind.MONSTER)[0].id, *people))


def lead_encounter(look: Look[State]) -> Command | None:
    """What the encounter needs now: its end, an order, who leaves, who is thrown back, who joins; None for nothing."""
    state = look.state
    return end_of_encounter(look) or (
        (_first_order(state) or _leaving(state) or _throw_back(state) or _joining(state)) if is_quiet(state) else None
    )


def end_of_encounter(look: Look[State]) -> Command | None:
    """Close an encounter in which one side has nobody up any more; who has beaten the Monsters rises first."""
    state, encounter = look.state, look.state.require_encounter()
    up = [state.actors[member] for member in state.members if state.is_active(state.actors[member])]
    monsters, heroes = (any(a.kind is kind for a in up) for kind in (ActorKind.MONSTER, ActorKind.PC))
    if (monsters and heroes) or encounter.closing:
        return None
    rise = _rise(state) if heroes and is_quiet(state) else None
    return rise or CloseEncounter(text=look.tray.draw(f"{look.use}/end", BEATEN if not monsters else LOST, RULE))


def _rise(state: State) -> Command | None:
    """A level at once for the character that hit what was beaten most often, unless it has that of this session."""
    beaten = {member for member in state.members if state.actors[member].condition is Condition.BEATEN}
    hits = Counter(attack.actor for attack in state.attacks.values() if attack.hit and attack.target in beaten)
    heroes = [actor.id for actor in upright(state, ActorKind.PC) if hits[actor.id]]
    best = max(heroes, key=lambda actor: (hits[actor], actor), default=None)
    if best is None or state.sheets[best].level >= min(MOST_LEVEL, state.course.session + 1):
        return None
    return RaiseLevel(actor=best, reason=BLOWS)


# --- who acts when ----------------------------------------------------------------------------------------------------


def _first_order(state: State) -> Command | None:
    """Before anybody has done anything: who begins, then the seats that have rolled least so far (DT-CMB-2)."""
    encounter = state.require_encounter()
    if encounter.round != 1 or encounter.last_turn is not None or encounter.done or encounter.turn is None:
        return None
    begins = state.actors[encounter.turn]
    rolled = Counter(state.actors[roll.actor].seat for roll in state.rolls.values())

    def place(actor: UUID) -> tuple[bool, bool, int]:
        seat = state.actors[actor].seat
        return seat != begins.seat, seat is None, rolled[seat]

    rest = sorted((actor for actor in encounter.order if actor != begins.id), key=place)
    order = (begins.id, *rest)
    return SetInitiative(order=order, reason=WAITED) if order != encounter.order else None


# --- who comes and goes -----------------------------------------------------------------------------------------------


def _leaving(state: State) -> Command | None:
    """Who is badly hurt is brought away, while a character that is not stays (DT-CMB-1)."""
    hurt = [actor for actor in _people_here(state) if is_badly_hurt(state, actor)]
    stay = [a for a in _people_here(state) if a.kind is ActorKind.PC and a not in hurt] if hurt else []
    return LeaveEncounter(actor=hurt[0].id) if stay else None


def _joining(state: State) -> Command | None:
    """A character that is up again joins; who goes along comes to their side when it goes badly (DT-CMB-1)."""
    outside = [
        actor
        for actor in upright(state, ActorKind.PC, ActorKind.NPC)
        if actor.id not in state.members and state.is_active(actor) and not is_badly_hurt(state, actor)
    ]
    heroes = [actor for actor in outside if actor.kind is ActorKind.PC]
    if heroes:
        return JoinEncounter(actor=heroes[0].id)
    return JoinEncounter(actor=outside[0].id, band=Band.SHORT) if outside and _goes_badly(state) else None


def _goes_badly(state: State) -> bool:
    """Whether it is long, or a character has fallen in it."""
    fallen = any(
        state.actors[member].kind is ActorKind.PC and state.actors[member].condition is Condition.FALLEN
        for member in state.members
    )
    return fallen or state.require_encounter().round >= LONG


def is_badly_hurt(state: State, actor: Actor) -> bool:
    """Whether who was struck in this encounter falls by the next or has no Wish left; who goes along, in any case."""
    if not any(actor.id in {target.actor for target in each.targets} for each in _strikes_here(state)):
        return False
    sheet = state.sheets.get(actor.id)
    return sheet is None or not sheet.wishes or strikes(state, actor.id) >= FALLS - 1


def _people_here(state: State) -> list[Actor]:
    """Members who are up and no Monsters, in a fixed order."""
    return [a for a in upright(state, ActorKind.PC, ActorKind.NPC) if a.id in state.members and state.is_active(a)]


def _strikes_here(state: State) -> Iterator[Consequence]:
    """The terrible things that dice of this encounter have brought."""
    for consequence in state.consequences.values():
        if consequence.written and _attack_of(state, state.placements[consequence.placement]) is not None:
            yield consequence


def _attack_of(state: State, placement: Placement) -> Attack | None:
    """The attack by or on a Monster of this encounter for which a die was owed; None for any other die."""
    roll = state.rolls[placement.roll]
    attack = state.attacks.get(roll.attack) if roll.attack is not None else None
    if attack is None:
        return None
    sides = (attack.actor, attack.target)
    here = any(state.actors[side].kind is ActorKind.MONSTER and side in state.members for side in sides)
    return attack if here else None


# --- how far apart ----------------------------------------------------------------------------------------------------


def _throw_back(state: State) -> Command | None:
    """Whom the Monster on turn has just hit, or injured by the die of the defence, lies a stretch away (DT-CMB-12)."""
    encounter = state.require_encounter()
    lain = [placement for placement in state.placements.values() if placement.status in LAIN]
    newest = max(lain, key=lambda placement: placement.number, default=None)
    attack = _attack_of(state, newest) if newest is not None and encounter.attacked else None
    if newest is None or attack is None or attack.actor != encounter.turn or newest.actor != attack.target:
        return None
    injuries = (each for each in state.consequences.values() if each.placement == newest.id)
    hurts = newest.reason is Reason.HIT or any(each.kind is Harm.INJURY for each in injuries)
    if hurts and state.is_active(state.actors[newest.actor]):
        monster = state.actors[attack.actor]
        if band_between(state, newest.actor, monster.id) is Band.SHORT:
            return SetBand(a=newest.actor, b=monster.id, band=Band.MEDIUM)
    return None
