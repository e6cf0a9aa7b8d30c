"""Forecasts: what a command would do, computed on a copy of the state, with the odds of every die.

A forecast uses only what its viewer may see, rolls no die of the game, mints none of its ids and stores
nothing. While the dice have few outcomes each is played through and the odds are exact; else so many are drawn by a
fixed rule that depends on no secret, and the answer says so. Where something hidden could matter it says what, in words
that do not depend on what is hidden. Nothing here names a game.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from hashlib import sha256
from typing import Any, Generic, TypeVar
from uuid import UUID

from games.engine.board.board import Square
from games.engine.dice import Source
from games.engine.errors import Refused
from games.engine.game_state import S_contra
from games.engine.insight.breakdown import Step
from games.engine.insight.legal_commands import Enumerable
from games.engine.kernel import Actor, Context
from games.engine.wording import phrase

T = TypeVar("T")
CASES = 216  # outcomes of dice that are played through: three d6
PARTS = 10**9
"""Chances of dice with more ways than this are rounded to so many parts, in which both APIs can show them."""
MAX_IN_WORDS = 3
"""So many chances are told in words."""
ROUNDED = "The chances are rounded to billionths."
Chances = Mapping[int, Fraction]
"""How likely each amount is."""
Prospect = tuple[str, UUID, str, Chances]
"""What, of whom, which one, and how likely each amount is."""


class PathDice:
    """Dice that show what a path of values says, and 1 behind its end; they remember their sides."""

    def __init__(self, path: list[int]) -> None:
        self.path, self.sides = path, list[int]()

    def value(self, label: str, index: int, sides: int) -> tuple[int, Source]:
        """The next value of the path."""
        place = len(self.sides)
        self.sides.append(sides)
        return (self.path[place] if place < len(self.path) else 1), Source.TEST


class DrawnDice:
    """Dice of one drawing among many: by its number, and by nothing of the game."""

    def __init__(self, drawing: int) -> None:
        self.drawing, self.count = drawing, 0

    def value(self, label: str, index: int, sides: int) -> tuple[int, Source]:
        """A value by the number of the drawing and the place of the die in it."""
        self.count += 1
        digest = sha256(f"{self.drawing}/{self.count}".encode()).digest()
        return 1 + int.from_bytes(digest[:8]) % sides, Source.TEST


@dataclass(frozen=True, slots=True)
class Case(Generic[T]):
    """One way the dice may fall, and how likely it is."""

    chance: Fraction
    result: T


def enumerate_outcomes(play: Callable[[Any], T], most: int = CASES) -> tuple[list[Case[T]], bool]:
    """What comes of each way the dice may fall; whether these are all ways, so that the chances are exact.

    play: from dice to a result; it must throw the same dice when the ones before have shown the same.
    """
    found: list[Case[T]] = []
    path: list[int] | None = []
    while path is not None:
        if len(found) == most:
            return [Case(Fraction(1, most), play(DrawnDice(n))) for n in range(most)], False
        dice = PathDice(path)
        result, chance = play(dice), Fraction(1)
        for sides in dice.sides:
            chance /= sides
        found.append(Case(chance, result))
        path = _next(path, dice.sides)
    return found, True


def _next(path: list[int], sides: list[int]) -> list[int] | None:
    """The path after this one; None after the last."""
    shown = path + [1] * (len(sides) - len(path))
    while shown and shown[-1] == sides[len(shown) - 1]:
        shown.pop()
    return [*shown[:-1], shown[-1] + 1] if shown else None


@dataclass(frozen=True, slots=True)
class Odd:
    """An amount and how likely it is."""

    amount: int
    chance: Fraction


@dataclass(frozen=True, slots=True)
class ForecastOutcome:
    """One thing that may happen: to whom, what, how much of it, with which odds."""

    what: str
    subject: UUID | None
    """To whom it happens: a race, a character; None: to nobody."""
    key: str
    """Which one: a knowledge, a cause of death, a terrain."""
    odds: tuple[Odd, ...]
    """By amount, the least first; they add up to 1."""
    squares: tuple[Square, ...] = ()
    """Where, in any of the cases."""


@dataclass(frozen=True, slots=True)
class Forecast:
    """What a command would do."""

    price: int | None
    steps: tuple[Step, ...]
    """How the price came about."""
    exact: bool
    """Whether every way the dice may fall was played through; else a number of drawings was."""
    cases: int
    prospects: tuple[ForecastOutcome, ...]
    hidden: tuple[str, ...] = ()
    """What could matter and is not the viewer's to know, or is not decided yet."""
    barred: Refused | None = None
    """What the actor lacks now, though the rest would be possible."""


Happened = Mapping[tuple[str, UUID | None, str], "Amount"]


@dataclass(slots=True)
class Amount:
    """How much of one thing happens in one case, and where."""

    amount: int = 0
    squares: set[Square] = field(default_factory=set)


def prospects(found: list[Case[Happened]]) -> tuple[ForecastOutcome, ...]:
    """The odds of everything that happens in any case, in the order in which it is first met."""
    keys = dict.fromkeys(key for case in found for key in case.result)
    return tuple(_prospect(key, found) for key in keys)


def _prospect(key: tuple[str, UUID | None, str], found: list[Case[Happened]]) -> ForecastOutcome:
    chances: dict[int, Fraction] = {}
    squares: set[Square] = set()
    for case in found:
        here = case.result.get(key) or Amount()
        chances[here.amount] = chances.get(here.amount, Fraction(0)) + case.chance
        squares |= here.squares
    odds = tuple(Odd(amount, chances[amount]) for amount in sorted(chances))
    return ForecastOutcome(*key, odds, tuple(sorted(squares)))


def odds_in_parts(chances: Mapping[int, Fraction], *, exact: bool) -> tuple[Odd, ...]:
    """Chances by amount, the least first; rounded so that they still add up to 1. What has none left is left out."""
    possible = {amount: chance for amount, chance in sorted(chances.items()) if chance}
    if not exact:
        parts = {amount: int(chance * PARTS) for amount, chance in possible.items()}
        missing = PARTS - sum(parts.values())
        for amount in sorted(possible, key=lambda a: (parts[a] - possible[a] * PARTS, a))[:missing]:
            parts[amount] += 1
        possible = {amount: Fraction(part, PARTS) for amount, part in parts.items() if part}
    return tuple(Odd(amount, chance) for amount, chance in possible.items())


def forecast_of(prospects: Iterable[Prospect], *hidden: str) -> Forecast:
    """A forecast without a price, from chances by amount. hidden: what is not the viewer's to know, or not decided yet.

    The chances are exact while they have a billion parts at most, else rounded to billionths.
    """
    found = list(prospects)
    whole = max((chance.denominator for *_, chances in found for chance in chances.values()), default=1)
    exact = whole <= PARTS
    shown = tuple(ForecastOutcome(what, of, key, odds_in_parts(odds, exact=exact)) for what, of, key, odds in found)
    return Forecast(
        price=None,
        steps=(),
        exact=exact,
        cases=min(whole, PARTS),
        prospects=shown,
        hidden=(*hidden, *(() if exact else (ROUNDED,))),
    )


def chances_in_words(forecast: Forecast) -> str:
    """How likely the first thing is that happens or not, for each of a few: `battle: won 62%`; "" without chance."""
    open_ones = [each for each in forecast.prospects if {odd.amount for odd in each.odds} == {0, 1}]
    first = [each for each in open_ones if each.what == open_ones[0].what][:MAX_IN_WORDS]
    chances = (next(odd.chance for odd in each.odds if odd.amount == 1) for each in first)
    return ", ".join(
        ": ".join(filter(None, (phrase(each.key), f"{phrase(each.what)} {percent(chance)}")))
        for each, chance in zip(first, chances, strict=True)
    )


def percent(chance: Fraction) -> str:
    """A chance between 0 and 1 in whole percent; neither is said to be certain."""
    whole = round(100 * chance)
    return "under 1%" if whole < 1 else "over 99%" if whole > 99 else f"{whole}%"


def either(chance: Fraction) -> Chances:
    """Of something that happens or not."""
    return {0: 1 - chance, 1: chance}


class Forecastable(Enumerable[S_contra], abstract=True):
    """A command that has a forecast."""

    def forecast(self, state: S_contra, ctx: Context, actor: Actor) -> Forecast:
        """What it would do, from what the actor may see. Raises Refused where it is not possible at all."""
        raise TypeError(f"{type(self).__name__} has no forecast")
