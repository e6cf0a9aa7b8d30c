"""What a player's bot does with Wishes: dice for a roll, a part of the story, savings for a group (DT-WSH-3, 4, 5)."""

from collections.abc import Sequence
from uuid import UUID

from games.dietower.rules.bots.lists import WISHES
from games.dietower.rules.bots.seen import able, fresh, subject_of, upright
from games.dietower.rules.checks.commands import BuyDie, CloseRoll
from games.dietower.rules.state.constants import PRICES
from games.dietower.rules.state.records import Actor, Roll
from games.dietower.rules.state.schema_types import ActorKind, Condition, WishKind, WishStatus
from games.dietower.rules.state.state import State
from games.dietower.rules.wishes.commands import AskWish, WithdrawWish
from games.engine.game_state import Prompt
from games.engine.kernel import Command
from games.engine.policies import RULE, Look

BOUGHT = 6
"""The most that a die can add."""
ONE_IN_WISHES = 4
LEAST_PRICE, PRICE_OF_GROUP = min(PRICES.values()), PRICES[WishKind.GROUP]
HIGH_TOWER = 8
"""From this height on no die is owed for the sake of savings: half of all towers have fallen by then (chapter 4)."""


def answer_window(look: Look[State], prompt: Prompt) -> Command:
    """Buy a die while one can turn the roll, else close it; who saves buys on a high tower alone."""
    roll = look.state.rolls[subject_of(prompt)]
    has = sum(roll.pool) + roll.flat
    needed = _goal(look.state, roll)
    can_turn = needed is not None and has < needed <= has + BOUGHT and look.state.free_wishes(roll.actor) > 0
    if can_turn and (look.state.tower.height >= HIGH_TOWER or roll.actor != saver(look.state)):
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


def saver(state: State) -> UUID | None:
    """Who saves so many Wishes that a group can be convinced, for all: nobody pools (DT-WSH-5).

    Of the characters whose level lets them hold as many, or will after one more rise, the richest; None for nobody.
    """
    rich = []
    for actor in upright(state, ActorKind.PC):
        sheet = state.sheets[actor.id]
        if sheet.level >= PRICE_OF_GROUP - 1:
            rich.append((sheet.level, sheet.wishes, actor.id))
    return max(rich)[-1] if rich else None


def wish_for_story(look: Look[State], mine: Sequence[Actor]) -> Command | None:
    """The dearest Wish for the story that somebody can pay, now and then; who saves for a group asks that, and at once.

    mine: the characters of the seat that are up.
    """
    state = look.state
    rich = [actor for actor in mine if state.free_wishes(actor.id) >= LEAST_PRICE]
    if not rich:
        return None
    saves = saver(state)
    ready = [actor for actor in rich if actor.id == saves and state.free_wishes(actor.id) >= PRICE_OF_GROUP]
    asks = ready or [actor for actor in rich if actor.id != saves]
    if not asks or not (ready or look.tray.roll(f"{look.use}/wish", ONE_IN_WISHES, RULE) == 1):
        return None
    if not able(state, look.seat, AskWish, asks[:1]):
        return None
    actor = asks[0].id
    free = state.free_wishes(actor)
    kind = WishKind(max((price, name) for name, price in PRICES.items() if price <= free)[1])
    texts = fresh(WISHES[kind], (wish.asked for wish in state.wishes.values()))
    return AskWish(actor=actor, kind=kind, text=look.tray.draw(f"{look.use}/words", texts, RULE))


def take_back_wish(state: State, seat: UUID) -> Command | None:
    """Take back what can come true no more, so that its Wishes are free: None where nothing waits, or all still may.

    Who asked has fallen; or an encounter runs, for bots ask between encounters, of what lies before them then.
    """
    for wish in state.wishes.values():
        if wish.seat == seat and wish.status is WishStatus.PENDING:
            has_fallen = state.actors[wish.actor].condition is Condition.FALLEN
            if has_fallen or state.encounter is not None:
                return WithdrawWish(wish=wish.id)
    return None
