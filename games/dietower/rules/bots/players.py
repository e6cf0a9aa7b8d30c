"""The policy `sensible`: a player's bot that tries what its characters are good at, and lets nobody wait."""

from uuid import UUID

from games.dietower.rules.actors.commands import SaveSheet
from games.dietower.rules.actors.rules import attack_uses, defence_uses
from games.dietower.rules.bots.seen import RULE, entry_by_hand, free_name, pause, upright
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
from games.dietower.rules.state.records import Actor, Roll
from games.dietower.rules.state.schema_types import (
    ActionKind,
    ActorKind,
    Asked,
    Band,
    MiracleKind,
    Step,
    Uses,
    WishKind,
)
from games.dietower.rules.state.state import State
from games.dietower.rules.tower.commands import ChooseMiracle, PlaceDie
from games.dietower.rules.tower.rules import revival_targets
from games.dietower.rules.wishes.commands import AskWish
from games.engine.bots import Thought, questions_of
from games.engine.dice import Tray
from games.engine.game_state import Prompt
from games.engine.insight.legal_commands import LegalCommand, legal_commands_for
from games.engine.kernel import Actor as CommandActor
from games.engine.kernel import Command, Issuer

WEAPONS = ("long knife", "crossbow", "boat hook", "sling", "iron staff", "two hatchets")
SHIELDS = ("round shield", "heavy cloak")
POWERS = ("talks with birds", "hears stone", "kindles with a look", "walks on water", "is forgotten at will")
DRAWBACKS = ("they talk back", "is deaf for an hour", "is cold all night", "never on the way back", "forgets, too")
DEVIATIONS = ("black feathers", "no shadow", "eyes like a goat", "leaves wet footprints", "a voice from elsewhere")
MYSTERIES = ("Who paid?", "What was promised?", "Whose grave is empty?", "Who writes the letters?")
TRAITS = ("climbing", "lies", "locks", "old songs", "tracks", "herbs", "numbers", "knots")
INTENTS = ("Find the way with", "Get past the guard by", "Learn what happened here by", "Save the rope with")
WISHES = ("There is a boat after all.", "The dogs are asleep.", "It begins to rain.")
TRIGGERS = ("it comes nearer", "somebody runs", "the light goes out")
BOUGHT = 6
"""The most that a die can add."""
ONE_IN_WISHES, ONE_IN_HOLDS, ONE_IN_SHIELDS = 8, 6, 4


def play(state: State, seat: UUID, tray: Tray) -> Thought:
    """Write sheets, answer what is asked, try something now and then."""
    use = f"bot/{seat}/{state.info.timers_set}"
    if state.course.step is Step.SETUP:
        return Thought(sheet_command(state, seat, tray, use), pause(state))
    asked = questions_of(state, seat, last=Asked.TURN)
    for prompt in asked:
        command = entry_by_hand(prompt, tray, use) or _answer(state, seat, prompt, tray, f"{use}/{prompt.id}")
        if command is not None:
            is_more = len(asked) > 1 or isinstance(command, BuyDie)  # a roll to which a die was bought is still open
            return Thought(command, state.thinking_time if is_more else pause(state))
    return Thought(_own_idea(state, seat, tray, use) if state.course.step is Step.FREE else None, pause(state))


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
        good_at=tuple(tray.shuffle(f"{use}/traits", TRAITS, RULE)[:2]),
    )


def _answer(state: State, seat: UUID, prompt: Prompt, tray: Tray, use: str) -> Command | None:
    """What it answers to a question; None where it leaves it to the deadline."""
    subject = prompt.subject
    if subject is None:
        return None
    match prompt.kind:
        case Asked.CHECK_WISH | Asked.ATTACK_WISH:
            return _wish_window(state, state.rolls[subject])
        case Asked.PLACE:
            return PlaceDie(placement=subject)
        case Asked.MIRACLE:
            return miracle_command(state, subject)
        case Asked.TURN:
            return _turn(state, seat, tray, use)
        case Asked.ATTACK_DEFEND:
            uses = defence_uses(state, state.attacks[subject].target)
            return ChooseDefence(attack=subject, uses=best_use(uses))
        case Asked.HELD:
            return _held(state, subject)
    return None


def _wish_window(state: State, roll: Roll) -> Command:
    """Buy a die while one can turn the roll, else close it."""
    has = sum(roll.pool) + roll.flat
    needed = _goal(state, roll)
    if needed is not None and has < needed <= has + BOUGHT and state.free_wishes(roll.actor) > 0:
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


def miracle_command(state: State, miracle: UUID) -> Command:
    """Who has fallen is up again; else the placer's character rolls a die more."""
    fallen = revival_targets(state)
    if fallen:
        return ChooseMiracle(miracle=miracle, kind=MiracleKind.REVIVE, target=fallen[0].id)
    return ChooseMiracle(miracle=miracle, kind=MiracleKind.EXTRA_DIE, target=state.miracles[miracle].actor)


def best_use(uses: list[Uses]) -> Uses:
    """What gives 2d6, where anything does."""
    return next((each for each in (Uses.WEAPON, Uses.POWER) if each in uses), Uses.NONE)


def _turn(state: State, seat: UUID, tray: Tray, use: str) -> Command | None:
    """Come near, attack, or hold the attack; then the turn is over."""
    encounter = state.require_encounter()
    actor = state.actors[encounter.turn] if encounter.turn is not None else None
    if actor is None or actor.seat != seat:
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
    """Who of the other side is up and nearest, with the band; None where there is nobody."""
    found = []
    for distance in state.distances.values():
        if actor.id not in (distance.a, distance.b):
            continue
        other = state.actors[distance.b if distance.a == actor.id else distance.a]
        if state.is_active(other) and other.id in state.members:
            found.append((tuple(Band).index(distance.band), other.id, distance.band))
    return min(found)[1:] if found else None


def _held(state: State, hold: UUID) -> Command:
    """Carry out a held attack on who is nearest; a movement is not worth it."""
    found = state.holds[hold]
    nearest = nearest_opponent(state, state.actors[found.actor])
    if nearest is None or found.action is not ActionKind.ATTACK:
        return KeepHold(hold=hold)
    return ReleaseHold(hold=hold, target=nearest[0], uses=best_use(attack_uses(state, found.actor)))


def _own_idea(state: State, seat: UUID, tray: Tray, use: str) -> Command | None:
    """Try something that a character is good at, once no die waits for the tower; now and then a Wish for the story."""
    asker = CommandActor(Issuer.SEAT, seat=seat)
    mine = [a for a in upright(state, ActorKind.PC) if a.seat == seat]
    rich = [a for a in mine if state.free_wishes(a.id) >= 2]
    if rich and tray.roll(f"{use}/wish", ONE_IN_WISHES, RULE) == 1:
        asked = [legal for legal in legal_commands_for(state, (AskWish,), asker) if legal.legal]
        if _may(asked, rich[0].id):
            text = tray.draw(f"{use}/words", WISHES, RULE)
            return AskWish(actor=rich[0].id, kind=WishKind.ELEMENT, text=text)
    if state.due_placements():
        return None
    able = [legal for legal in legal_commands_for(state, (RequestCheck,), asker) if legal.legal]
    tried = [a for a in mine if _may(able, a.id)]
    if not tried or tray.roll(f"{use}/try", 2, RULE) == 1:
        return None
    actor = tray.draw(f"{use}/who", tried, RULE)
    trait = tray.draw(f"{use}/trait", state.sheets[actor.id].good_at or TRAITS, RULE)
    return RequestCheck(actor=actor.id, intent=f"{tray.draw(f'{use}/intent', INTENTS, RULE)} {trait}.", trait=trait)


def _may(legal: list[LegalCommand], actor: UUID) -> bool:
    return any(actor in each.choices("actor") for each in legal)
