"""What orders would do, before they are sealed: price, dice, odds and effects, each as if it came first in the phase.

All of it follows from what lies open: characters, Tide and Ebb. What others order is not known and not guessed; it
changes nothing in the first juncture, which is fought on the values of now (AX-TRN-7). Chances are exact while a roll
has a billion ways at most; else they are rounded to billionths, in which both APIs can show them.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from games.albraxas.rules.orders.odds import (
    MOST_EFFORT,
    Odds,
    Roll,
    effort,
    odds_for,
    odds_of,
    require_countable,
    results,
)
from games.albraxas.rules.resolve.actions import Effect, convalesce_price, effect, price
from games.albraxas.rules.resolve.events import RULE
from games.albraxas.rules.resolve.pools import Outcome
from games.albraxas.rules.state.records import Character
from games.albraxas.rules.state.schema_types import PROPOSED_TIE, Action, Mode, Order, Paper, Result, Side
from games.albraxas.rules.state.state import State
from games.engine.errors import Refused
from games.engine.insight.breakdown import Sum
from games.engine.insight.forecast import PARTS, Forecast, ForecastOutcome, Odd, odds_in_parts

OTHERS = "What the others order: from the second juncture on it changes Tide, Ebb and who stands."
BEFORE = "What your own orders before it bring: each order is forecast as if it came first."
ROUNDED = "The chances are rounded to billionths."
Chance = dict[int, Fraction]


@dataclass(frozen=True, slots=True)
class Ending:
    """One way in which a rolled action ends, and how likely it is."""

    chance: Fraction
    number: int
    """Successes: the actor's, less than 0 the opposition's, 0 for a tie."""
    effect: Effect
    """What it changes, a fray's Battle included."""
    left: int
    """Dynamism after the price and the knock-outs."""
    fray: bool = False


def forecast_orders(state: State, character: Character, paper: Paper) -> Forecast:
    """What orders would do; without any, what each action would do, under the tie policy that forms begin with.

    The orders are ones that could be written. Without any, `won_unpaid` is the chance of a win where nothing is spent
    for ties, and where the policy is too much to count, nothing is. Raises `odds.large` where there is too much to
    count.
    """
    if paper.convalesce:
        return _resting(character)
    deeds = [(_key(o, f"{n}:"), _odds(state, character, o), o.policy.max) for n, o in enumerate(paper.orders, start=1)]
    if not paper.orders:
        deeds = [(_name_of(odds), odds, most) for most, odds in _every_action(state, character)]
    rolled = [(key, odds, most) for key, odds, most in deeds if odds is not None]
    paid = [(odds, most) for _, odds, most in rolled if odds.affordable]
    frays = [(odds, most) for odds, most in paid if odds.action is Action.RECOVER]
    require_countable(
        *(odds.roll for odds, _ in paid), *(roll for odds, most in frays for roll in _frays(character, odds, most))
    )
    cases = max((_cases(character, odds) for odds, _ in paid), default=1)
    exact = cases <= PARTS
    found = [p for key, odds, most in rolled for p in _prospects(character, key, odds, most, exact=exact)]
    total = _price(character, paper.orders)
    hidden = [*((OTHERS, BEFORE) if len(paper.orders) > 1 else ()), *(() if exact else (ROUNDED,))]
    return Forecast(
        price=int(total.value) if paper.orders else None,
        steps=tuple(total.steps),
        exact=exact,
        cases=cases if exact else PARTS,
        prospects=(*found, *(() if paper.orders else (*_unpaid(state, character, exact=exact), *_rest(character)))),
        hidden=tuple(hidden),
        barred=_short(character, int(total.value)),
    )


def _every_action(state: State, character: Character) -> list[tuple[int, Odds]]:
    """(most Dynamism for ties, odds) of each action: as proposed, or 0 where the chances of that are not counted."""
    policy = PROPOSED_TIE
    proposed = odds_of(state, character, most=policy.max, mode=Mode(policy.mode))
    paid = [odds for odds in proposed if odds.affordable]
    frays = [roll for odds in paid if odds.action is Action.RECOVER for roll in _most_frays(character, odds)]
    if sum(effort(*roll) for roll in {*(odds.roll for odds in paid), *frays}) <= MOST_EFFORT:
        return [(policy.max, odds) for odds in proposed]
    return [(0, odds) for odds in odds_of(state, character)]


def _most_frays(character: Character, odds: Odds) -> list[Roll]:
    """Every Battle that a lost Recover could draw a character into, whether its Dynamism may be spent or not."""
    return [_fray(character, odds, PROPOSED_TIE.max, spent) for spent in range(odds.roll[3] + 1)]


def _unpaid(state: State, character: Character, *, exact: bool) -> Iterator[ForecastOutcome]:
    """The chance that an action is won where nothing is spent for ties."""
    for odds in odds_of(state, character):
        if odds.affordable:
            win = odds.chances.win
            parts = odds_in_parts({0: 1 - win, 1: win}, exact=exact)
            yield ForecastOutcome("won_unpaid", character.id, _name_of(odds), parts)


def _key(order: Order, number: str) -> str:
    return f"{number}{order.action}" + (f":{order.dice}" if order.dice else "")


def _name_of(odds: Odds) -> str:
    return odds.action.value + (f":{odds.bought}" if odds.bought else "")


def _odds(state: State, character: Character, order: Order) -> Odds | None:
    """The odds of an order; None for hole_up, for which nothing is rolled."""
    action = Action(order.action)
    if action is Action.HOLE_UP:
        return None
    return odds_for(state, character, action, order.dice or 0, order.policy.max, Mode(order.policy.mode))


def _price(character: Character, orders: Iterable[Order]) -> Sum:
    """What orders cost together: of each the price and the clones' surcharge (AX-ACT-1 to 6, AX-CLN-2)."""
    total = Sum()
    for number, order in enumerate(orders, start=1):
        action, key = Action(order.action), _key(order, f"{number}:")
        if action is Action.HOLE_UP:
            continue
        total.step("action", key, action.value.title(), RULE[action], "add", price(action, 0, order.dice or 0))
        _surcharge(total, character, key)
    return total


def _surcharge(total: Sum, character: Character, key: str) -> None:
    if character.clones:
        label = f"{character.clones} earlier visits" if character.clones > 1 else "1 earlier visit"
        total.step("clones", key, label, "AX-CLN-2", "add", character.clones)


def _short(character: Character, cost: int) -> Refused | None:
    """What a character lacks to pay, unless they recover some before."""
    if cost <= character.dynamism:
        return None
    return Refused(
        "dynamism.short",
        f"This costs {cost} Dynamism; {character.name} has {character.dynamism}. "
        "An order that cannot be paid when its juncture comes is a hole up.",
        rules=("AX-ACT-8",),
        price=cost,
        dynamism=character.dynamism,
    )


def _resting(character: Character) -> Forecast:
    """A Convalesce: no die, and nothing disturbs it (AX-ACT-5, AX-ACT-11)."""
    total, cost = Sum(), convalesce_price(character)
    total.step("action", "convalesce", "Convalesce", "AX-ACT-5", "add", 0)
    if cost:
        _surcharge(total, character, "convalesce")
    barred = _short(character, cost)
    return Forecast(cost, tuple(total.steps), True, 1, () if barred else tuple(_rest(character)), (), barred)


def _rest(character: Character) -> Iterator[ForecastOutcome]:
    """What a Convalesce brings, its price taken off."""
    amount = min(character.start_backbone, character.backbone + 1 + character.clones) - character.backbone
    for what, number in (
        ("price", convalesce_price(character)),
        ("backbone", amount),
        ("dynamism", character.most_dynamism - character.dynamism),
    ):
        yield ForecastOutcome(what, character.id, "convalesce", (Odd(number, Fraction(1)),))


def _cases(character: Character, odds: Odds) -> int:
    """In how many ways the dice of an action may fall, those of a fray with them."""
    own, against, sides, _, _ = odds.roll
    fray = character.battle + against if odds.action is Action.RECOVER else 0
    return int(sides ** (own + against + fray))


def _frays(character: Character, odds: Odds, most: int) -> list[Roll]:
    """The Battles that a lost Recover may draw a character into, by what knock-outs leave (AX-ACT-10, AX-AMB-27)."""
    lost = {spent for (number, spent) in results(*odds.roll).by if number < 0}
    return [_fray(character, odds, most, spent) for spent in sorted(lost)]


def _fray(character: Character, odds: Odds, most: int, spent: int) -> Roll:
    """The free Battle after a Recover in which so much was spent."""
    _, against, sides, _, mode = odds.roll
    return character.battle, against, sides, min(most, character.dynamism - odds.price - spent), mode


def _prospects(character: Character, key: str, odds: Odds, most: int, *, exact: bool) -> Iterator[ForecastOutcome]:
    """Every outcome of one rolled action; one that cannot be paid is hole_up (AX-ACT-8)."""
    certain = {"price": odds.price, "dice": odds.dice, "opposing_dice": odds.opposing}
    if not odds.affordable:
        certain = {"price": odds.price, "fizzles": 1}
    for what, number in certain.items():
        yield ForecastOutcome(what, character.id, key, (Odd(number, Fraction(1)),))
    if not odds.affordable:
        return
    outcomes: dict[str, Chance] = {name: {0: Fraction(0), 1: Fraction(0)} for name in ("won", "tied", "lost")}
    for ending in _endings(character, odds, most):
        for what, number in _amounts_of_ending(character, odds, ending).items():
            chances = outcomes.setdefault(what, {})
            chances[number] = chances.get(number, Fraction(0)) + ending.chance
    for what, chances in outcomes.items():
        if what in ("won", "tied", "lost") or set(chances) != {0}:
            yield ForecastOutcome(what, character.id, key, odds_in_parts(chances, exact=exact))


def _amounts_of_ending(character: Character, odds: Odds, ending: Ending) -> dict[str, int]:
    """The outcomes of an ending: amounts by what they are."""
    changed, number = ending.effect, ending.number
    after = min(character.most_dynamism, ending.left + changed.dynamism)
    own, enemy = ("ebb", "tide") if character.side is Side.REBEL else ("tide", "ebb")
    return {
        "won": int(number > 0),
        "tied": int(number == 0),
        "lost": int(number < 0),
        **({"successes": number} if odds.action is Action.BLITZ else {}),
        own: changed.own,
        enemy: changed.enemy,
        "backbone": max(-character.backbone, changed.backbone),
        "dynamism": after - character.dynamism,
        "fray": int(ending.fray),
        "phase_lost": int(changed.lost),
    }


def _endings(character: Character, odds: Odds, most: int) -> Iterator[Ending]:
    """The ways in which a rolled action ends; of a lost Recover those of the free Battle that follows (AX-ACT-10)."""
    room = character.dynamism - odds.price
    for (number, spent), chance in _ways(odds.roll, counted=odds.action is Action.BLITZ).items():
        changed = effect(odds.action, _outcome(number, spent), character.clones, character.backbone)
        if not changed.fray:
            yield Ending(chance, number, changed, room - spent)
            continue
        for (fought, more), then in _ways(_fray(character, odds, most, spent), counted=False).items():
            struck = effect(Action.BATTLE, _outcome(fought, more), character.clones, character.backbone)
            yield Ending(chance * then, number, struck, room - spent - more, fray=True)


def _ways(roll: Roll, *, counted: bool) -> dict[tuple[int, int], Fraction]:
    """The chances of a roll by successes and Dynamism for pairs; where they are not counted 1, 0 and -1 stand."""
    found: dict[tuple[int, int], int] = {}
    rolled = results(*roll)
    for (number, spent), ways in rolled.by.items():
        key = (number if counted else (number > 0) - (number < 0)), spent
        found[key] = found.get(key, 0) + ways
    return {key: Fraction(ways, rolled.whole) for key, ways in found.items() if ways}


def _outcome(number: int, spent: int) -> Outcome:
    result = Result.WIN if number > 0 else Result.LOSE if number < 0 else Result.TIE
    return Outcome(result, abs(number), spent)
