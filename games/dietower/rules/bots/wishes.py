"""What a player's bot does with Wishes: dice for a roll, or a part of the story (DT-WSH-3)."""

from uuid import UUID

from games.dietower.rules.bots.lists import WISHES
from games.dietower.rules.bots.seen import fresh, subject_of
from games.dietower.rules.checks.commands import BuyDie, CloseRoll
from games.dietower.rules.state.constants import PRICES
from games.dietower.rules.state.records import Roll
from games.dietower.rules.state.schema_types import WishKind
from games.dietower.rules.state.state import State
from games.dietower.rules.wishes.commands import AskWish
from games.engine.game_state import Prompt
from games.engine.kernel import Command
from games.engine.policies import RULE, Look

BOUGHT = 6
"""The most that a die can add."""


def answer_window(look: Look[State], prompt: Prompt) -> Command:
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


def wish_for_story(look: Look[State], actor: UUID) -> Command:
    """The dearest Wish for the story that somebody can pay."""
    free = look.state.free_wishes(actor)
    kind = WishKind(max((price, name) for name, price in PRICES.items() if price <= free)[1])
    texts = fresh(WISHES[kind], (wish.asked for wish in look.state.wishes.values()))
    return AskWish(actor=actor, kind=kind, text=look.tray.draw(f"{look.use}/words", texts, RULE))
