"""What a check would come to, before its dice fall and while its pool lies open: exact, from what lies on the table.

Each prospect is of one number of Wish dice (`wishes:2`), or of one CD (`tough:good`) where nobody has said how hard it
is. `success` is 0 or 1, `placements` how many dice the tower gets, `falls` whether a simulated tower falls by them.
Chances are exact while they have a billion parts at most, else rounded to billionths.
"""

from collections.abc import Iterator
from fractions import Fraction
from uuid import UUID

from games.dietower.rules.checks.odds import (
    CheckOdds,
    Totals,
    attack_odds,
    check_odds,
    fall_chance,
    totals,
    totals_of_open_pool,
)
from games.dietower.rules.checks.pool import Cd, PoolShape, base_dice_of_check, cd_of, is_rolled
from games.dietower.rules.checks.rules import Ruling, has_no_power, shape_of
from games.dietower.rules.state.records import Roll
from games.dietower.rules.state.schema_types import Mode
from games.dietower.rules.state.state import State
from games.dietower.rules.tower.rules import centres_of
from games.engine.insight.forecast import Forecast, Prospect, either, forecast_of

MOST_WISHES = 6
"""Of so many Wish dice the odds are shown."""
GRANTED = "What the world master grants or invokes: advantage, edges, a hindrance."


def forecast_ruling(state: State, actor: UUID, ruling: Ruling) -> Forecast:
    """A check as the world master would set it, with 0 to 6 Wish dice (DT-CHK-3 to 11)."""
    cd = cd_of(ruling.cd)
    shape = shape_of(state, actor, base_dice_of_check(ruling.good, no_power=has_no_power(ruling)), ruling)
    return forecast_of(_by_wishes(state, actor, shape, ruling.edge, cd))


def forecast_unset(state: State, actor: UUID) -> Forecast:
    """A check that nobody has set: each CD by its name, for what somebody is good at and for what not."""
    found = []
    for cd in Cd:
        for good in (True, False):
            roll = totals(PoolShape(base_dice_of_check(good))) if is_rolled(cd_of(cd)) else None
            key = f"{cd.value}:{'good' if good else 'other'}"
            found += list(of_check(state, actor, key, _odds(state, actor, roll, cd_of(cd))))
    return forecast_of(found, GRANTED)


def forecast_open_check(state: State, roll: Roll, most: int) -> Forecast:
    """The pool of a check that lies open, closed with 0 to so many Wish dice more (DT-CHK-6)."""
    cd = state.checks[roll.check].cd if roll.check is not None else 0
    found: list[Prospect] = []
    for count in range(most + 1):
        pool = totals_of_open_pool(roll.pool, flat=roll.flat, wishes=count)
        found += of_check(state, roll.actor, f"wishes:{count}", _odds(state, roll.actor, pool, cd))
    return forecast_of(found)


def forecast_open_attack(state: State, roll: Roll, other: Roll, most: int) -> Forecast:
    """One side of an attack whose pools lie open, with 0 to so many Wish dice more; the other side buys none."""
    found: list[Prospect] = []
    attack = state.attacks[roll.attack] if roll.attack is not None else None
    theirs = totals_of_open_pool(other.pool, flat=other.flat)
    for count in range(most + 1):
        ours = totals_of_open_pool(roll.pool, flat=roll.flat, wishes=count)
        attacks = attack is not None and attack.actor == roll.actor
        sides = (ours, theirs) if attacks else (theirs, ours)
        found.append(("hit", roll.actor, f"wishes:{count}", either(attack_odds(*sides).chance)))
    return forecast_of(found, "What the other side buys.")


def of_check(state: State, actor: UUID, key: str, odds: CheckOdds) -> Iterator[Prospect]:
    """Success, dice for the tower, and whether it falls by them."""
    yield "success", actor, key, either(odds.chance)
    yield from of_placements(state, actor, key, odds.placements)


def of_placements(state: State, actor: UUID, key: str, placements: tuple[Fraction, ...]) -> Iterator[Prospect]:
    """Dice for the tower, and whether it falls by them; of a real one nobody knows."""
    yield "placements", actor, key, dict(enumerate(placements))
    if state.tower.mode is Mode.SIMULATED:
        yield "falls", actor, key, either(fall_chance(placements, centres_of(state), state.tower.half_width))


def _by_wishes(state: State, actor: UUID, shape: PoolShape, flat: int, cd: int) -> Iterator[Prospect]:
    for count in range(MOST_WISHES + 1 if is_rolled(cd) else 1):
        roll = totals(shape, flat=flat, wishes=count) if is_rolled(cd) else None
        yield from of_check(state, actor, f"wishes:{count}", _odds(state, actor, roll, cd))


def _odds(state: State, actor: UUID, roll: Totals | None, cd: int) -> CheckOdds:
    return check_odds(roll, cd, kind=state.actors[actor].kind)
