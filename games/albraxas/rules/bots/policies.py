"""How a seat without a player plays: `random`, any legal thing; `steady`, what `tactics` says is worth most.

A policy sees what its seat may see and nothing else, and throws dice of its own.
"""

from datetime import timedelta
from functools import partial

from games.albraxas.rules.bots.tactics import orders_for, place_for
from games.albraxas.rules.locate.commands import LockLocation, SetLocation
from games.albraxas.rules.locate.rules import reachable
from games.albraxas.rules.orders.commands import WriteOrders
from games.albraxas.rules.orders.rules import junctures_of, owing
from games.albraxas.rules.setup.commands import DefineCharacter
from games.albraxas.rules.state.constants import ALBRAXAS_SUM, BOT_WAIT, REBEL_SUM
from games.albraxas.rules.state.records import Character
from games.albraxas.rules.state.schema_types import OPENING, Action, Mode, Order, Paper, Step, TiePolicy
from games.albraxas.rules.state.state import State
from games.engine.bots import Policy
from games.engine.dice import Tray
from games.engine.game_state import Prompt
from games.engine.kernel import Command
from games.engine.policies import RULE, Answer, Look, QuestionPolicy

SLOW = timedelta(seconds=15)  # until the start: Albraxas may still be given to another seat
ACTIONS = (Action.RECOVER, Action.BATTLE, Action.BACKBONE, Action.BLITZ, Action.HOLE_UP)


def _use(look: Look[State]) -> str:
    storm = look.state.storm
    return f"bot/{look.seat}/{storm.step}/{storm.turn}/{look.state.info.timers_set}"


def _character(look: Look[State], prompt: Prompt, *, steady: bool) -> Command:
    """Three even attributes, or any."""
    whole = ALBRAXAS_SUM if look.state.storm.albraxas == look.seat else REBEL_SUM
    backbone = whole // 3 if steady else look.tray.roll(f"{_use(look)}/backbone", whole - 2, RULE)
    rest = whole - backbone
    battle = (rest + 1) // 2 if steady else look.tray.roll(f"{_use(look)}/battle", rest - 1, RULE)
    name = look.state.seats[look.seat].name
    return DefineCharacter(name=name, backbone=backbone, battle=battle, blitz=rest - battle)


def _place(look: Look[State], prompt: Prompt, *, steady: bool) -> Command | None:
    """The place that is worth most, or any that it can pay; to be locked when asked again."""
    rebel = next((each for each in look.state.resisting() if each.id == look.seat), None)
    if rebel is None:
        return None
    if rebel.id in look.state.choices:
        return LockLocation()
    if steady:
        return SetLocation(phase=place_for(look.state, rebel))
    phase = look.tray.draw(f"{_use(look)}/phase", reachable(look.state, rebel), RULE)
    return SetLocation(phase=phase)


def _orders(look: Look[State], prompt: Prompt, *, steady: bool) -> Command | None:
    character = next((each for each in owing(look.state) if each.id == look.seat), None)
    if character is None:
        return None
    paper = orders_for(look.state, character) if steady else _random_orders(character, look.tray, _use(look))
    return WriteOrders(convalesce=paper.convalesce, orders=paper.orders)


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


def _again_in(look: Look[State], prompt: Prompt | None, command: Command | None) -> timedelta | None:
    if look.state.storm.step is Step.CHARACTERS:
        return SLOW
    return BOT_WAIT if isinstance(command, SetLocation) else None


def _policy(*, steady: bool) -> Policy[State]:
    """It hands in no digest, so it is not asked to open one."""
    own = {Step.CHARACTERS: _character, Step.LOCATE: _place, Step.ORDER: _orders}
    answers: dict[str, Answer[State]] = {kind: partial(answer, steady=steady) for kind, answer in own.items()}
    return QuestionPolicy(answers=answers, silent=(OPENING,), again_in=_again_in)


POLICIES: dict[str, Policy[State]] = {"random": _policy(steady=False), "steady": _policy(steady=True)}
