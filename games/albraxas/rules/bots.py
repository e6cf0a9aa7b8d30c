"""How a seat without a player plays: `random`, any legal thing; `steady`, walk on, fight while it can be paid.

A policy sees what its seat may see and nothing else, and throws dice of its own.
"""

from datetime import timedelta
from uuid import UUID

from games.albraxas.rules.locate.commands import LockLocation, SetLocation
from games.albraxas.rules.locate.rules import reachable, usual
from games.albraxas.rules.orders.commands import WriteOrders
from games.albraxas.rules.orders.rules import junctures_of, owing
from games.albraxas.rules.resolve.actions import convalesce_price
from games.albraxas.rules.setup.commands import DefineCharacter
from games.albraxas.rules.state.constants import ALBRAXAS_SUM, BOT_WAIT, REBEL_SUM
from games.albraxas.rules.state.records import Character
from games.albraxas.rules.state.schema_types import Action, Mode, Order, Paper, Side, Step, TiePolicy
from games.albraxas.rules.state.state import State
from games.engine.audience import reader
from games.engine.bots import Policy, Thought
from games.engine.dice import Tray
from games.engine.kernel import Command

RULE = "bot"
SLOW = timedelta(seconds=15)  # until the start: Albraxas may still be given to another seat
ACTIONS = (Action.RECOVER, Action.BATTLE, Action.BACKBONE, Action.BLITZ, Action.HOLE_UP)


def play_random(state: State, seat: UUID, tray: Tray) -> Thought:
    """The policy `random`: any place it can pay, any orders, any character."""
    return _think(state, seat, tray, steady=False)


def play_steady(state: State, seat: UUID, tray: Tray) -> Thought:
    """The policy `steady`: three even attributes, walk on, strike where few dice stand against it, rest when spent."""
    return _think(state, seat, tray, steady=True)


def _think(state: State, seat: UUID, tray: Tray, *, steady: bool) -> Thought:
    use = f"bot/{seat}/{state.storm.step}/{state.storm.turn}/{state.info.timers_set}"
    if state.storm.step is Step.CHARACTERS:
        return Thought(_character(state, seat, tray, use, steady=steady), SLOW)
    character = state.characters.get(seat)
    if character is None or character.fallen or character.conceded:
        return Thought(None, None)
    if state.storm.step is Step.LOCATE and character.side is Side.REBEL:
        return _place(state, character, tray, use, steady=steady)
    if state.storm.step is Step.ORDER and character in owing(state) and not _has_written(state, seat):
        paper = _steady_orders(state, character) if steady else _random_orders(character, tray, use)
        return Thought(WriteOrders(convalesce=paper.convalesce, orders=paper.orders), None)
    return Thought(None, None)


def _character(state: State, seat: UUID, tray: Tray, use: str, *, steady: bool) -> Command | None:
    if seat in state.sheets:
        return None
    whole = ALBRAXAS_SUM if state.storm.albraxas == seat else REBEL_SUM
    backbone = whole // 3 if steady else tray.roll(f"{use}/backbone", whole - 2, RULE)
    rest = whole - backbone
    battle = (rest + 1) // 2 if steady else tray.roll(f"{use}/battle", rest - 1, RULE)
    return DefineCharacter(name=state.seats[seat].name, backbone=backbone, battle=battle, blitz=rest - battle)


def _place(state: State, rebel: Character, tray: Tray, use: str, *, steady: bool) -> Thought:
    choice = state.choices.get(rebel.id)
    if choice is not None:
        return Thought(None if choice.locked else LockLocation(), None)
    phase = usual(state, rebel) if steady else tray.draw(f"{use}/phase", reachable(state, rebel), RULE)
    return Thought(SetLocation(phase=phase), BOT_WAIT)  # and lock it when asked again


def _has_written(state: State, seat: UUID) -> bool:
    return (state.question(Step.ORDER), reader(seat)) in state.answers


def _random_orders(character: Character, tray: Tray, use: str) -> Paper:
    room = junctures_of(character)
    if room == 0 or tray.roll(f"{use}/rest", 8, RULE) == 1:
        return Paper(convalesce=True)
    orders = []
    for juncture in range(tray.roll(f"{use}/length", room, RULE)):
        action = tray.draw(f"{use}/{juncture}/action", ACTIONS, RULE)
        bought = tray.roll(f"{use}/{juncture}/dice", character.blitz, RULE) if action is Action.BLITZ else None
        most = tray.roll(f"{use}/{juncture}/most", 7, RULE) - 1
        mode = tray.draw(f"{use}/{juncture}/mode", tuple(Mode), RULE)
        orders.append(Order(action=action.value, dice=bought, tie=TiePolicy(max=most, mode=mode.value)))
    return Paper(orders=tuple(orders))


def _steady_orders(state: State, character: Character) -> Paper:
    """Blitz with all dice against a weak place, battle otherwise, recover when the Dynamism would not do."""
    if convalesce_price(character) <= character.dynamism and (
        junctures_of(character) == 0 or 4 * character.dynamism < character.most_dynamism
    ):
        return Paper(convalesce=True)
    against = state.marks().against(character.side, character.phase)
    left, orders = character.dynamism, []
    for _ in range(junctures_of(character)):
        if 2 * against <= character.blitz and left >= character.blitz + character.clones:
            order, cost = Order(action=Action.BLITZ.value, dice=character.blitz), character.blitz
        elif against <= character.battle and left > character.clones:
            order, cost = Order(action=Action.BATTLE.value, tie=TiePolicy(max=1)), 1
        elif left < character.most_dynamism and character.clones <= left and against <= character.blitz:
            order, cost = Order(action=Action.RECOVER.value), 0
        else:
            order, cost = Order(action=Action.HOLE_UP.value), -character.clones
        left = max(0, left - cost - character.clones)
        orders.append(order)
    return Paper(orders=tuple(orders))


POLICIES: dict[str, Policy[State]] = {"random": play_random, "steady": play_steady}
