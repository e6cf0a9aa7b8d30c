"""What the next die does to a simulated tower: of 1,296 ways those that fall, by level and axis (DT-SIM-4 to 6)."""

from collections.abc import Iterator
from fractions import Fraction

from games.dietower.rules.state.constants import OUTCOMES
from games.dietower.rules.state.records import Placement
from games.dietower.rules.state.state import State
from games.dietower.rules.tower.balance import risk, risk_by_level
from games.dietower.rules.tower.rules import centres_of
from games.engine.insight.forecast import Forecast, ForecastOutcome, Odd


def forecast_die(state: State, placement: Placement) -> Forecast:
    """The risk of a die: `falls`, and `falls_at` for each level and direction that can fail (`3:x`)."""
    return Forecast(price=None, steps=(), exact=True, cases=OUTCOMES, prospects=tuple(_prospects(state, placement)))


def _prospects(state: State, placement: Placement) -> Iterator[ForecastOutcome]:
    centres, half_width = centres_of(state), state.tower.half_width
    yield ForecastOutcome("falls", placement.actor, "", _odds(risk(centres, half_width)))
    for each in risk_by_level(centres, half_width):
        yield ForecastOutcome("falls_at", placement.actor, f"{each.level}:{each.axis}", _odds(each.falls))


def _odds(falls: int) -> tuple[Odd, ...]:
    chances = {0: Fraction(OUTCOMES - falls, OUTCOMES), 1: Fraction(falls, OUTCOMES)}
    return tuple(Odd(amount, chance) for amount, chance in chances.items() if chance)
