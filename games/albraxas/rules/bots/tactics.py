"""How a `steady` bot weighs what a character may do: the orders of a visit, and the phase that a rebel goes to.

Worth is in thousandths of a mark, Dynamism in thousandths too, so that every number is whole; no die is rolled, and
nothing is read but what every seat sees. A juncture is weighed on what the ones
before it are expected to leave (AX-TRN-7).

Dynamism has a price that depends on the standing. Whoever leads spares it, and fights with Battle, Backbone and
Recover; whoever does not spends it on Blitz. So a lead never holds by itself, and both sides have something to do.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from games.albraxas.rules.locate.rules import price_of, reachable, usual
from games.albraxas.rules.orders.odds import Chances, chances, effort
from games.albraxas.rules.orders.rules import junctures_of
from games.albraxas.rules.resolve.actions import convalesce_price, dice, price
from games.albraxas.rules.state.records import Character
from games.albraxas.rules.state.schema_types import PROPOSED_TIE, Action, Mode, Order, Paper, Side
from games.albraxas.rules.state.state import State
from games.albraxas.rules.state.strength import Marks

ONE = 1000
CHEAP, DEAR = 100, 500
"""What a Dynamism is worth to a side that is behind or level, and to one that leads."""
LEAD = 10
"""Marks by which a side must lead before it spares Dynamism: about what a turn of Blitz gains."""
LAST_TURNS = 2
"""So many turns before the first CHECK that counts nobody spares Dynamism any more."""
START = 71
"""Where rebels begin, in percent of the way: Ebb there lowers the Tide of every earlier phase (AX-EFF-1)."""
REACH = 4
"""Dynamism that a Travel may cost while there is something to do within it."""
HOPELESS = 5
"""So many times its own dice are too many for a character to roll against."""
MAX_EFFORT = 20_000
"""Steps that counting the odds of a roll may take (`orders.odds.effort`)."""
NEVER = -1_000_000
"""The gain of a roll that is not made."""
HOLE_UP = Order(action=Action.HOLE_UP.value)
JUNCTURE = 500
"""What a juncture is worth that a tied Recover takes away."""


@dataclass(frozen=True, slots=True)
class Ground:
    """A phase as a character finds it on a visit."""

    against: int
    """The dice that are rolled against the character."""
    own: int
    enemy: int
    """The marks of either side that are stored there."""
    clones: int
    sides: int


@dataclass(frozen=True, slots=True)
class Plan:
    """What a character would write for a visit, and what that is worth."""

    paper: Paper
    worth: int


@dataclass(frozen=True, slots=True)
class Choice:
    """An order with the marks it is expected to gain, its price less what it regains, and what else it puts at risk."""

    order: Order
    gain: int
    cost: int
    risk: int = 0

    def value(self, dear: int) -> int:
        """The gain, less price and risk."""
        return self.gain - self.cost * dear // ONE - self.risk


def orders_for(state: State, character: Character) -> Paper:
    """What a character writes where they are."""
    return _visit(_ground(state, state.marks(), character, character.phase), character, _dear(state, character)).paper


def place_for(state: State, rebel: Character) -> int:
    """Where a rebel goes: the phase within `REACH` where a visit is worth most, the next best one beyond where none is.

    On turn 1 the rebels stand side by side, `START` percent of the way.
    """
    if state.storm.turn == 1:
        place = [each.id for each in state.rebels()].index(rebel.id)
        return max(1, state.storm.phases * START // 100 - place)
    marks, dear, worth = state.marks(), _dear(state, rebel), dict[int, tuple[int, int, int]]()
    prices = {phase: price_of(state, rebel, phase) for phase in reachable(state, rebel)}
    for reach in range(REACH, max(REACH, *prices.values()) + 1):
        for phase in [each for each, cost in prices.items() if cost <= reach and each not in worth]:
            there = _worth_of_place(state, marks, rebel, phase, prices[phase], dear)
            worth[phase] = (there, -prices[phase], phase)
        best = max(worth, key=worth.__getitem__)
        if worth[best][0] > 0:
            return best
    return usual(state, rebel)


def _worth_of_place(state: State, marks: Marks, rebel: Character, phase: int, cost: int, dear: int) -> int:
    """A visit there, less the Travel. It is cheap for who leads, too: a Convalesce on new ground costs nothing."""
    there = replace(
        rebel, phase=phase, clones=state.visit_count(rebel.id, phase), dynamism=rebel.dynamism - cost, forced=False
    )
    return _visit(_ground(state, marks, there, phase), there, dear).worth - cost * CHEAP


def _ground(state: State, marks: Marks, character: Character, phase: int) -> Ground:
    own, enemy = marks.tide[phase - 1], marks.ebb[phase - 1]
    if character.side is Side.REBEL:
        own, enemy = enemy, own
    return Ground(marks.against(character.side, phase), own, enemy, character.clones, state.storm.sides)


def _dear(state: State, character: Character) -> int:
    """The price of a Dynamism (`CHEAP`, `DEAR`). Who leads spares none where a CHECK is near (AX-END-2, AX-END-6)."""
    marks, storm = state.marks(), state.storm
    lead = sum(marks.ebb) - sum(marks.tide)
    if character.side is Side.ALBRAXAS:
        lead = -lead
    return DEAR if lead > LEAD and storm.turn + LAST_TURNS <= storm.check_from else CHEAP


# --- a visit ----------------------------------------------------------------------------------------------------------


def _visit(ground: Ground, character: Character, dear: int) -> Plan:
    """Orders, or a Convalesce where those that the full strength would pay for are worth twice as much."""
    now = _fight(ground, character, dear)
    if convalesce_price(character) > character.dynamism:
        return now
    rested = replace(character, dynamism=character.most_dynamism, backbone=character.start_backbone, clones=0)
    full = _fight(replace(ground, clones=0), rested, dear).worth
    weak = character.dynamism < character.most_dynamism or character.backbone < character.start_backbone
    if 2 * now.worth < full or (now.worth <= 0 and (weak or junctures_of(character) == 0)):
        return Plan(Paper(convalesce=True), full // 2 - JUNCTURE)
    return now


def _fight(ground: Ground, character: Character, dear: int) -> Plan:
    """The best order of each juncture, one after the other; hole_up where none is worth its price."""
    left, orders, worth = character.dynamism * ONE, list[Order](), 0
    against, own, enemy = ground.against * ONE, ground.own * ONE, ground.enemy * ONE
    for still in reversed(range(junctures_of(character))):
        here = Ground(max(1, against // ONE), own // ONE, enemy // ONE, ground.clones, ground.sides)
        choices = (*_choices(here, character, left), *_recovery(here, character, left, still))
        best = max(choices, key=lambda each: each.value(dear), default=None)
        if best is None or best.value(dear) <= 0:
            orders.append(HOLE_UP)
            continue
        orders.append(best.order)
        left, worth = min(character.most_dynamism * ONE, left - best.cost), worth + best.gain
        match best.order.action:
            case Action.BACKBONE:
                against, enemy = against - best.gain, max(0, enemy - best.gain)
            case Action.BATTLE | Action.BLITZ:
                against, own = against - best.gain, max(0, own + best.gain)
    return Plan(Paper(orders=tuple(orders)), worth)


def _choices(here: Ground, character: Character, left: int) -> Iterator[Choice]:
    """What is fought for marks, and can be paid."""
    wanted = [(Action.BATTLE, 0), *((Action.BLITZ, bought) for bought in range(1, character.blitz + 1))]
    if here.enemy:
        wanted.append((Action.BACKBONE, 0))
    for action, bought in wanted:
        cost = price(action, here.clones, bought) * ONE
        if cost <= left:
            own = dice(action, character.backbone, character.battle, character.blitz, bought)
            order = Order(action=action.value, dice=bought or None, tie=PROPOSED_TIE)
            yield Choice(order, _gain(action, own, here, character.backbone), cost)


def _recovery(here: Ground, character: Character, left: int, still: int) -> Iterator[Choice]:
    """A Recover. still: the junctures that a tie takes away."""
    if here.clones * ONE <= left and here.against <= HOPELESS * character.blitz:
        odds, paid = _odds(character.blitz, here), here.clones * ONE
        regained = min(character.backbone * ONE + paid, character.most_dynamism * ONE - left + paid)
        fray = int(odds.lose * _gain(Action.BATTLE, character.battle, here, character.backbone))
        order = Order(action=Action.RECOVER.value, tie=PROPOSED_TIE)
        yield Choice(order, fray, paid - int(odds.win * regained), int(odds.tie * JUNCTURE * still))


@lru_cache(maxsize=65_536)
def _gain(action: Action, own: int, here: Ground, backbone: int) -> int:
    """What a roll is expected to gain: own marks, enemy marks taken, less those lost and wounds (section 4)."""
    if own < 1 or here.against > HOPELESS * own:
        return NEVER
    odds, amount = _odds(own, here), 1 + here.clones
    match action:
        case Action.BATTLE:
            return int((odds.win - odds.lose) * amount * ONE)
        case Action.BACKBONE:
            return int(odds.win * min(here.enemy, amount) * ONE - odds.lose * _wound(backbone, amount))
        case _:  # a Blitz that is lost takes no more marks than there are
            lost = min(odds.lost + odds.lose * here.clones, odds.lose * here.own)
            return int((odds.won + odds.win * here.clones - lost) * ONE - odds.tie * _wound(backbone, 1))


def _odds(own: int, here: Ground) -> Chances:
    """The chances of a roll; those without knock-outs where the others take long to count."""
    roll = (own, here.against, here.sides)
    counted = effort(*roll, PROPOSED_TIE.max, Mode.IF_WINS) <= MAX_EFFORT
    return chances(*roll, PROPOSED_TIE.max if counted else 0)


def _wound(backbone: int, amount: int) -> int:
    """What it is worth not to lose so much Backbone: little while a Convalesce heals it, much when it is the last."""
    match backbone - amount:
        case left if left < 1:
            return 12 * ONE
        case 1:
            return amount * ONE
        case _:
            return amount * ONE // 4
