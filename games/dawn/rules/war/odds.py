"""The odds of a battle: how the sums of dice are distributed, exactly, by convolution (DW-WAR-5, DW-WAR-7)."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import accumulate

from games.engine.errors import Refused

SIDES = 6
MOST_DICE = 200
"""Dice of one side that are counted; more would take too long."""


@dataclass(frozen=True, slots=True)
class Force:
    """What a side throws: so many d6, and one bonus on their sum."""

    dice: int
    bonus: int


@cache
def sums(dice: int) -> tuple[int, ...]:
    """In how many ways so many d6 give each sum: the first number is for the least sum, one a die.

    Raises `odds.large`.
    """
    if dice > MOST_DICE:
        raise Refused(
            "odds.large",
            f"The odds of more than {MOST_DICE} armies a side are not counted.",
            rules=("DW-WAR-5",),
            most=MOST_DICE,
            dice=dice,
        )
    if dice == 0:
        return (1,)
    before = sums(dice - 1)
    return tuple(sum(before[max(0, place - SIDES + 1) : place + 1]) for place in range(len(before) + SIDES - 1))


def chance(attack: Force, defence: Force) -> Fraction:
    """How likely the attack is to win: its total must be the higher one. Raises `odds.large`."""
    ours, theirs = sums(attack.dice), sums(defence.dice)
    up_to = list(accumulate(theirs))
    ahead = attack.dice + attack.bonus - defence.dice - defence.bonus
    won = 0
    for place, ways in enumerate(ours):
        below = min(place + ahead - 1, len(theirs) - 1)
        won += ways * up_to[below] if below >= 0 else 0
    return Fraction(won, SIDES ** (attack.dice + defence.dice))
