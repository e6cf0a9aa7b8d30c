"""The exact odds of conflicts, creations, recruitings and communes (FB-CON-3, FB-ART-5, FB-HER-1, FB-FOR-1).

Nothing is thrown or rounded. Pools that take too long to count are refused with `odds.large`: about 220d12 a side.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

from games.engine.errors import Refused
from games.engine.insight.pools import Distribution, compare, sum_of_pool
from games.forgeborn.rules.conflict.spending import LEAST_SUM, Bought, default_purchase, most_dice, price
from games.forgeborn.rules.state.constants import MOST_COMMUNED, MOST_GRANTED, OPPOSING_DIE
from games.forgeborn.rules.state.schema_types import Size

Outcome = TypeVar("Outcome", bound=Hashable)


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

    def chance_of(self, dice: Sequence[int]) -> Fraction:
        """How likely the sum pays for these dice."""
        return self.sums.chance_at_least(price(dice))

    def dice_chances(self) -> tuple[Fraction, ...]:
        """How likely 0, 1, 2, ... is the largest number of dice that the sum buys: the largest Power."""
        found = self._chances(most_dice)
        return tuple(found.get(number, Fraction(0)) for number in range(max(found) + 1))

    def mean_dice(self) -> Fraction:
        """The mean of that number, and so the mean Power that silence makes (FB-AMB-39)."""
        return sum((number * chance for number, chance in enumerate(self.dice_chances())), Fraction(0))

    def default_chances(self, bought: Bought) -> dict[tuple[Size, ...], Fraction]:
        """How likely each purchase is that silence makes; none for a failure. The smallest sum comes first."""
        return self._chances(lambda total: default_purchase(total, bought))

    def _chances(self, outcome: Callable[[int], Outcome]) -> dict[Outcome, Fraction]:
        """The chances of what follows from the sum."""
        ways_of = Counter[Outcome]()
        for total, ways in self.sums:
            ways_of[outcome(total)] += ways
        return {each: Fraction(ways, self.sums.whole) for each, ways in ways_of.items() if ways}


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
