"""The policy `sensible`: a player's bot that tries what its characters are good at, and lets nobody wait."""

from datetime import timedelta
from uuid import UUID

from games.dietower.rules.actors.commands import SaveSheet
from games.dietower.rules.actors.rules import attack_uses, defence_uses
from games.dietower.rules.bots.lists import (
    DEEDS,
    DEVIATIONS,
    DRAWBACKS,
    MYSTERIES,
    POWER_DEEDS,
    POWERS,
    SHIELDS,
    TRIGGERS,
    WEAPON_DEEDS,
    WEAPONS,
    WISHES,
)
from games.dietower.rules.bots.seen import free_name, fresh, has_turn, pause, soon, subject_of, tried, upright
from games.dietower.rules.checks.commands import BuyDie, CloseRoll, RequestCheck
from games.dietower.rules.combat.commands import (
    ChooseDefence,
    DeclareAttack,
    EndTurn,
    HoldAction,
    KeepHold,
    MoveActor,
    ReleaseHold,
)
from games.dietower.rules.state.constants import PRICES
from games.dietower.rules.state.records import Actor, Roll
from games.dietower.rules.state.schema_types import (
    ActionKind,
    ActorKind,
    Asked,
    Band,
    Means,
    MiracleKind,
    Step,
    Uses,
    WishKind,
)
from games.dietower.rules.state.state import State
from games.dietower.rules.tower.commands import ChooseMiracle, PlaceDie
from games.dietower.rules.tower.rules import revival_targets
from games.dietower.rules.wishes.commands import AskWish
from games.engine.dice import Tray
from games.engine.game_state import Prompt
from games.engine.insight.legal_commands import LegalCommand, legal_commands_for
from games.engine.kernel import Actor as CommandActor
from games.engine.kernel import Command, Issuer
from games.engine.policies import RULE, Look, QuestionPolicy

BOUGHT = 6
"""The most that a die can add."""
ONE_IN_WISHES, ONE_IN_HOLDS, ONE_IN_SHIELDS = 4, 6, 4
SIDES_OF_MEANS, BY_POWER, BY_WEAPON = 6, 1, 2
"""The faces of a d6 by which a check is done with the power, and with the weapon; else with what one is good at."""


def sheet_command(state: State, seat: UUID, tray: Tray, use: str) -> Command | None:
    """The sheet of the next character that the seat may have; None where it has all."""
    if len(state.characters_of(seat)) >= state.course.characters:
        return None
    defensive = tray.roll(f"{use}/shield", ONE_IN_SHIELDS, RULE) == 1
    power = tray.roll(f"{use}/power", len(POWERS), RULE) - 1
    return SaveSheet(
        name=free_name(state, state.seats[seat].name),
        weapon=tray.draw(f"{use}/weapon", SHIELDS if defensive else WEAPONS, RULE),
        weapon_defensive=defensive,
        power=POWERS[power],
        power_drawback=DRAWBACKS[power],
        deviation=tray.draw(f"{use}/deviation", DEVIATIONS, RULE),
        mystery=tray.draw(f"{use}/mystery", MYSTERIES, RULE),
        secret_mystery=tray.roll(f"{use}/secret", 2, RULE) == 1,
        good_at=tuple(tray.shuffle(f"{use}/traits", tuple(DEEDS), RULE)[:2]),
    )


def _wish_window(look: Look[State], prompt: Prompt) -> Command:
    """Buy a die while one can turn the roll, else close it."""
    roll = look.state.rolls[subject_of(prompt)]
    has = sum(roll.pool) + roll.flat
    needed = _goal(look.state, roll)
    if needed is not None and has < needed <= has + BOUGHT and look.state.free_wishes(roll.actor) > 0:
        return BuyDie(roll=roll.id)
    return CloseRoll(roll=roll.id)


def _goal(state: State, roll: Roll) -> int | None:
    """What a roll has to reach: the CD of its check, or what the other side has, to beat it or to hold."""
    if roll.check is not None:
        return state.checks[roll.check].cd
    other = next((r for r in state.rolls.values() if r.attack == roll.attack and r.id != roll.id), None)
    if other is None or roll.attack is None:
        return None
    attacks = state.attacks[roll.attack].actor == roll.actor
    return sum(other.pool) + other.flat + (1 if attacks else 0)


def miracle(look: Look[State], prompt: Prompt) -> Command:
    """Who has fallen is up again; else the placer's character rolls a die more."""
    asked, fallen = look.state.miracles[subject_of(prompt)], revival_targets(look.state)
    if fallen:
        return ChooseMiracle(miracle=asked.id, kind=MiracleKind.REVIVE, target=fallen[0].id)
    return ChooseMiracle(miracle=asked.id, kind=MiracleKind.EXTRA_DIE, target=asked.actor)


def _defence(look: Look[State], prompt: Prompt) -> Command:
    attack = look.state.attacks[subject_of(prompt)]
    return ChooseDefence(attack=attack.id, uses=best_use(defence_uses(look.state, attack.target)))


def best_use(uses: list[Uses]) -> Uses:
    """What gives 2d6, where anything does."""
    return next((each for each in (Uses.WEAPON, Uses.POWER) if each in uses), Uses.NONE)


def _turn(look: Look[State], prompt: Prompt) -> Command | None:
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


def _held(look: Look[State], prompt: Prompt) -> Command:
    """Carry out a held attack on who is nearest; a movement is not worth it."""
    hold = look.state.holds[subject_of(prompt)]
    nearest = nearest_opponent(look.state, look.state.actors[hold.actor])
    if nearest is None or hold.action is not ActionKind.ATTACK:
        return KeepHold(hold=hold.id)
    return ReleaseHold(hold=hold.id, target=nearest[0], uses=best_use(attack_uses(look.state, hold.actor)))


def _own_idea(look: Look[State]) -> Command | None:
    """Try something that a character is good at, once no die waits for the tower; now and then a Wish for the story."""
    state, seat, tray, use = look.state, look.seat, look.tray, look.use
    asker = CommandActor(Issuer.SEAT, seat=seat)
    mine = [a for a in upright(state, ActorKind.PC) if a.seat == seat]
    rich = [a for a in mine if state.free_wishes(a.id) >= min(PRICES.values())]
    if rich and tray.roll(f"{use}/wish", ONE_IN_WISHES, RULE) == 1:
        asked = [legal for legal in legal_commands_for(state, (AskWish,), asker) if legal.legal]
        if _may(asked, rich[0].id):
            return _wish_for_story(look, rich[0].id)
    if state.due_placements():
        return None
    able = [legal for legal in legal_commands_for(state, (RequestCheck,), asker) if legal.legal]
    free = [a for a in mine if _may(able, a.id)]
    if not free or tray.roll(f"{use}/try", 2, RULE) == 1:
        return None
    return _attempt(look, tray.draw(f"{use}/who", free, RULE).id)


def _wish_for_story(look: Look[State], actor: UUID) -> Command:
    """The dearest Wish for the story that somebody can pay."""
    free = look.state.free_wishes(actor)
    kind = WishKind(max((price, name) for name, price in PRICES.items() if price <= free)[1])
    texts = fresh(WISHES[kind], (wish.asked for wish in look.state.wishes.values()))
    return AskWish(actor=actor, kind=kind, text=look.tray.draw(f"{look.use}/words", texts, RULE))


def _attempt(look: Look[State], actor: UUID) -> Command:
    """Something that nobody has tried yet: with what they are good at, now and then with the power or the weapon."""
    state, tray, use = look.state, look.tray, look.use
    sheet = state.sheets[actor]
    luck = tray.roll(f"{use}/means", SIDES_OF_MEANS, RULE)
    trait = tray.draw(f"{use}/trait", sheet.good_at or tuple(DEEDS), RULE)
    deeds, means = DEEDS.get(trait, POWER_DEEDS), Means.TRAIT
    if luck == BY_POWER and sheet.power:
        deeds, means, trait = POWER_DEEDS, Means.POWER, ""
    elif luck == BY_WEAPON and sheet.weapon:
        deeds, means, trait = WEAPON_DEEDS, Means.WEAPON, ""
    intent = tray.draw(f"{use}/intent", fresh(deeds, tried(state)), RULE)
    return RequestCheck(actor=actor, intent=intent, trait=trait, uses=means)


def _may(legal: list[LegalCommand], actor: UUID) -> bool:
    return any(actor in each.choices("actor") for each in legal)


def _act_freely(look: Look[State]) -> Command | None:
    match look.state.course.step:
        case Step.SETUP:
            return sheet_command(look.state, look.seat, look.tray, look.use)
        case Step.FREE:
            return _own_idea(look)
    return None


def again_in(look: Look[State], prompt: Prompt | None, command: Command | None) -> timedelta | None:
    """Soon where more is asked, sheets are written, or the turn is its own; else at its ease."""
    state, wait = look.state, pause(look.state)
    is_more = prompt is not None and (len(look.asked) > 1 or isinstance(command, BuyDie))
    if is_more or (command is not None and state.course.step in (Step.SETUP, Step.TURN)):
        return state.thinking_time
    return min(wait, soon(state)) if has_turn(state, look.seat) else wait


sensible: QuestionPolicy[State] = QuestionPolicy(
    answers={
        Asked.CHECK_WISH: _wish_window,
        Asked.ATTACK_WISH: _wish_window,
        Asked.PLACE: lambda look, prompt: PlaceDie(placement=subject_of(prompt)),
        Asked.MIRACLE: miracle,
        Asked.TURN: _turn,
        Asked.ATTACK_DEFEND: _defence,
        Asked.HELD: _held,
    },
    unasked=_act_freely,
    again_in=again_in,
)
