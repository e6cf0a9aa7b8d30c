"""What a roll would come to: exact, from what lies on the table (FB-CON-3, FB-ART-5, FB-HER-1, FB-FOR-1).

Where no pool is named, it is that of silence: the three largest dice, free. `won` and `granted` are 0 or 1; `dice` is
the largest number of dice that the sum buys, 0 for a failure.
"""

from collections.abc import Sequence
from fractions import Fraction
from uuid import UUID

from games.engine.insight.forecast import Forecast, either, forecast_of
from games.forgeborn.rules.conflict.odds import (
    PurchaseOdds,
    commune_chance,
    conflict_odds,
    creation_odds,
    recruiting_odds,
)
from games.forgeborn.rules.conflict.pool import PoolChoice, largest_dice
from games.forgeborn.rules.state.dice import dice_of
from games.forgeborn.rules.state.records import Character
from games.forgeborn.rules.state.schema_types import Size
from games.forgeborn.rules.state.state import State

RULINGS = "Which artifacts the game-master refuses."
HELP = "Whose dice help: the others at the Citadel are asked when form and function are paid."


def forecast_conflict(
    state: State, character: Character, power: int, pool: PoolChoice | None, lent: UUID | None = None
) -> Forecast:
    """How likely a conflict is won. lent: the artifact of a Test, whose dice are in the roll."""
    own, artifacts = _dice(state, character, pool, lent)
    odds = conflict_odds(own, power, artifacts=artifacts)
    asked = state.has_referee and pool is not None and pool.artifacts and lent is None
    return forecast_of([("won", character.id, "", either(odds.chance))], *((RULINGS,) if asked else ()))


def forecast_recruiting(state: State, character: Character, pool: PoolChoice | None) -> Forecast:
    """How many dice the sum of a recruiting buys at most."""
    own, artifacts = _dice(state, character, pool)
    return _purchase(character, recruiting_odds(own, artifacts=artifacts))


def forecast_creation(maker: Character, own: Sequence[Size], helpers: Sequence[Size] = ()) -> Forecast:
    """How many dice the sum of a creation buys at most: its largest Power."""
    return _purchase(maker, creation_odds(own, helpers=helpers))


def forecast_begun_creation(
    maker: Character, price: Sequence[str], own: Sequence[Size], *, is_helped: bool
) -> Forecast:
    """How many dice the sum of a creation buys at most, and what is paid first. price: `d8`, `resource`, `secret`.

    is_helped: whether others could help, which is not known before they are asked.
    """
    paid = [("paid", maker.id, each, {1: Fraction(1)}) for each in price]
    chances = dict(enumerate(creation_odds(own).dice_chances()))
    return forecast_of([("dice", maker.id, "", chances), *paid], *((HELP,) if is_helped else ()))


def forecast_commune(smith: Character, dice: Sequence[Size]) -> Forecast:
    """How likely the Spirits grant these dice."""
    return forecast_of([("granted", smith.id, "", either(commune_chance(dice)))])


def _purchase(roller: Character, odds: PurchaseOdds) -> Forecast:
    chances = dict(enumerate(odds.dice_chances()))
    return forecast_of([("dice", roller.id, "", chances)])


def _dice(
    state: State, character: Character, pool: PoolChoice | None, lent: UUID | None = None
) -> tuple[tuple[Size, ...], list[Size]]:
    """(own dice, dice of artifacts) of a pool, or of silence."""
    own = (*pool.free, *pool.sacrifice) if pool is not None else largest_dice(character)
    named = [each.artifact for each in pool.artifacts] if pool is not None and lent is None else []
    named += [lent] if lent is not None else []
    return own, [size for artifact in named for size in dice_of(state.artifacts[artifact])]
