"""Checks and attacks as the rulebook has them, throw by throw: nothing is taken from the code that is tested."""

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import NamedTuple

from games.dietower.rules.checks.pool import PoolShape
from games.dietower.rules.state.schema_types import Adv

D6 = range(1, 7)


class Thrown(NamedTuple):
    """One way in which a roll may fall."""

    total: int
    net: int


def kept_dice(shape: PoolShape, dice: tuple[int, ...]) -> list[int]:
    """The dice that count: of the base dice and the advantage die one may go."""
    first = sorted(dice[: shape.base + (shape.adv is not Adv.NONE)])
    if shape.adv is Adv.ADV:
        first = first[1:]
    elif shape.adv is Adv.DIS:
        first = first[:-1]
    return first + list(dice[shape.base + (shape.adv is not Adv.NONE) :])


def number_thrown(shape: PoolShape) -> int:
    """All dice before the Wish window."""
    return shape.base + (shape.adv is not Adv.NONE) + shape.edge_die + shape.miracle_die


def every_pool(pool: list[int], wishes: int, flat: int) -> dict[Thrown, Fraction]:
    """The chances of what comes of a pool that lies open, with Wish dice and extra dice."""
    found: dict[Thrown, Fraction] = {}
    for bought in product(D6, repeat=wishes):
        final = [*pool, *bought]
        net = sum(die == 6 for die in final) - sum(die == 1 for die in final)
        more = max(0, net)
        for extra in product(D6, repeat=more):
            thrown = Thrown(sum(final) + sum(extra) + flat, net)
            found[thrown] = found.get(thrown, Fraction(0)) + Fraction(1, 6 ** (wishes + more))
    return found


def every_roll(shape: PoolShape, wishes: int, flat: int) -> dict[Thrown, Fraction]:
    """The chances of what comes of a roll."""
    found: dict[Thrown, Fraction] = {}
    number = number_thrown(shape)
    pools = Counter(tuple(sorted(kept_dice(shape, dice))) for dice in product(D6, repeat=number))
    for pool, ways in pools.items():
        for thrown, chance in every_pool(list(pool), wishes, flat).items():
            found[thrown] = found.get(thrown, Fraction(0)) + chance * Fraction(ways, 6**number)
    return found


def placements_of_check(rolls: dict[Thrown, Fraction], cd: int) -> dict[tuple[bool, int], Fraction]:
    """The chances of (success, dice for the tower)."""
    found: dict[tuple[bool, int], Fraction] = {}
    for thrown, chance in rolls.items():
        success = thrown.total >= cd
        key = success, (thrown.net < 0) + (not success)
        found[key] = found.get(key, Fraction(0)) + chance
    return found


def cases_of_attack(
    attacker: dict[Thrown, Fraction], defender: dict[Thrown, Fraction]
) -> dict[tuple[bool, bool, bool], Fraction]:
    """The chances of (hit, net of Fails of the attacker, and of the defender)."""
    found: dict[tuple[bool, bool, bool], Fraction] = {}
    for (ours, chance), (theirs, other) in product(attacker.items(), defender.items()):
        key = ours.total > theirs.total, ours.net < 0, theirs.net < 0
        found[key] = found.get(key, Fraction(0)) + chance * other
    return found
