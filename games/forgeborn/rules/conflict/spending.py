"""What the sum of a creation or a recruiting buys (FB-ART-5, FB-HER-1), and what silence buys (section 11: SPEND)."""

from collections.abc import Iterable

from games.engine.errors import Refused
from games.forgeborn.rules.state.constants import LEAST_SUM
from games.forgeborn.rules.state.schema_types import Bought, Size
from games.forgeborn.rules.state.wording import dice_in_words

STEP = 2
"""What a die costs more for each size."""


def price(dice: Iterable[int]) -> int:
    """What dice cost: each its faces and 1 (FB-ART-5)."""
    return sum(die + 1 for die in dice)


def most_dice(total: int) -> int:
    """How many dice a sum buys at most: the largest Power of an artifact; 0 for a failure."""
    return total // LEAST_SUM


def require_affordable(total: int, dice: tuple[int, ...]) -> int:
    """The points that are lost when a sum is spent on these dice. Raises `purchase.empty`, `points.short`."""
    if not dice:
        raise Refused(
            "purchase.empty",
            "At least one die is bought; a d4 costs 5.",
            rules=("FB-ART-5", "FB-HER-1"),
            total=total,
        )
    cost = price(dice)
    if cost > total:
        raise Refused(
            "points.short",
            f"{dice_in_words(dice)}: the price is {cost}, and the dice have shown {total}.",
            rules=("FB-ART-5", "FB-HER-1"),
            need=cost,
            have=total,
        )
    return total - cost


def default_purchase(total: int, bought: Bought) -> tuple[Size, ...]:
    """What silence buys; nothing with a sum below 5 (FB-AMB-39, FB-AMB-40)."""
    return default_artifact(total) if bought is Bought.ARTIFACT else default_heroine(total)


def default_artifact(total: int) -> tuple[Size, ...]:
    """As many d4 as the sum pays; the rest raises them from the first on, 2 points a size, in turn."""
    dice, rest = [0] * most_dice(total), total % LEAST_SUM
    for step in range(rest // STEP if dice else 0):
        dice[step % len(dice)] += 1
    return tuple(tuple(Size)[raised] for raised in dice)


def default_heroine(total: int) -> tuple[Size, ...]:
    """The largest die that the rest pays, again and again."""
    dice = list[Size]()
    while total >= LEAST_SUM:
        dice.append(max(size for size in Size if price((size,)) <= total))
        total -= price((dice[-1],))
    return tuple(dice)
