"""The exact odds of conflicts, creations, recruitings and communes (FB-CON-3, FB-ART-5, FB-HER-1, FB-FOR-1).

Nothing is thrown or rounded. Pools that take too long to count are refused with `odds.large`: about 220d12 a side.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from games.engine.errors import Refused
from games.engine.insight.pools import Distribution, compare, sum_of_pool
from games.forgeborn.rules.conflict.spending import most_dice
from games.forgeborn.rules.state.constants import LEAST_SUM, MOST_COMMUNED, MOST_GRANTED, OPPOSING_DIE


@dataclass(frozen=True, slots=True)
class ConflictOdds:
    """How a conflict may end: the sums of both sides, and how likely it is won."""

    own: Distribution
    """The sum of the character's dice and of the artifacts'."""
    against: Distribution
    """The sum of the opposing d12."""
    chance: Fraction
    """How likely the own sum is at least as great (FB-CON-3)."""


@dataclass(frozen=True, slots=True)
class PurchaseOdds:
    """What the sum of a creation or a recruiting may buy."""

    sums: Distribution

    @property
    def failure(self) -> Fraction:
        """How likely the sum is below 5 (FB-ART-6, FB-HER-1)."""
        return 1 - self.sums.chance_at_least(LEAST_SUM)

    def dice_chances(self) -> tuple[Fraction, ...]:
        """How likely 0, 1, 2, ... is the largest number of dice that the sum buys: the largest Power."""
        ways_of = Counter[int]()
        for total, ways in self.sums:
            ways_of[most_dice(total)] += ways
        return tuple(Fraction(ways_of[number], self.sums.whole) for number in range(max(ways_of) + 1))


def conflict_odds(own: Sequence[int], power: int, *, artifacts: Sequence[int] = ()) -> ConflictOdds:
    """The odds of a conflict against a Power. Raises `dice.none` without an own die, `odds.large`.

    own: the character's dice, free ones and Sacrifices. artifacts: the dice of all artifacts in the pool.
    """
    _require_own_die(own)
    ours = sum_of_pool((*own, *artifacts), rules=("FB-CON-3",))
    against = sum_of_pool((OPPOSING_DIE,) * power, rules=("FB-CON-3",))
    return ConflictOdds(ours, against, compare(ours, against).at_least)


def creation_odds(maker: Sequence[int], *, helpers: Sequence[int] = ()) -> PurchaseOdds:
    """The odds of a creation, in which no artifact helps (FB-ART-4). Raises `dice.none`, `odds.large`.

    maker: the maker's dice, free ones and Sacrifices. helpers: the dice of all who help.
    """
    _require_own_die(maker)
    return PurchaseOdds(sum_of_pool((*maker, *helpers), rules=("FB-ART-5",)))


def recruiting_odds(own: Sequence[int], *, artifacts: Sequence[int] = ()) -> PurchaseOdds:
    """The odds of a recruiting, in which artifacts help (FB-HER-1). Raises `dice.none`, `odds.large`."""
    _require_own_die(own)
    return PurchaseOdds(sum_of_pool((*own, *artifacts), rules=("FB-HER-1",)))


def commune_chance(dice: Sequence[int]) -> Fraction:
    """How likely the Spirits grant these dice: a total of 9 or less (FB-FOR-1). Raises `dice.range`."""
    if not 1 <= len(dice) <= MOST_COMMUNED:
        raise Refused(
            "dice.range",
            f"A Smith asks the Spirits for 1 to {MOST_COMMUNED} dice, not {len(dice)}.",
            rules=("FB-FOR-1", "FB-AMB-36"),
            dice=len(dice),
            most=MOST_COMMUNED,
        )
    return 1 - sum_of_pool(dice, rules=("FB-FOR-1",)).chance_at_least(MOST_GRANTED + 1)


def _require_own_die(own: Sequence[int]) -> None:
    """Refuse (`dice.none`) a roll without a die of one's own."""
    if not own:
        raise Refused("dice.none", "At least one die of the character's own is rolled.", rules=("FB-CON-6",))
