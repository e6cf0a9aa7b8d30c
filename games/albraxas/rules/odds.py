"""The exact odds of every action of a character now (AX-DIE-*, AX-ACT-*): whole numbers of ways, nothing rolled.

Pools are built by convolution, one die after another. A roll with a tie policy is counted face by face from the
highest down: while both pools show as many dice of a face the pairs are tied; the first face where they differ decides.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from math import comb

from games.albraxas.rules.actions import dice, price
from games.albraxas.rules.orders import junctures_of
from games.albraxas.rules.pools import pairs_price
from games.albraxas.rules.records import Character
from games.albraxas.rules.state import State
from games.albraxas.rules.vocabulary import Action, Mode, Result

NOTHING = Fraction(0)


def convolved(a: Mapping[int, int], b: Mapping[int, int]) -> dict[int, int]:
    """The ways of every sum of two independent counts."""
    found: dict[int, int] = {}
    for x, ways in a.items():
        for y, more in b.items():
            found[x + y] = found.get(x + y, 0) + ways * more
    return found


def above(count: int, sides: int, face: int) -> dict[int, int]:
    """The ways in which n of `count` dice are higher than a face, by n: convolved die by die, `sides**count` in all."""
    one = {number: ways for number, ways in ((0, face), (1, sides - face)) if ways}
    pool = {0: 1}
    for _ in range(count):
        pool = convolved(pool, one)
    return pool


def highest(count: int, sides: int) -> dict[int, int]:
    """In how many ways each face is the highest of `count` dice."""
    return {face: face**count - (face - 1) ** count for face in range(1, sides + 1)}


def successes(own: int, opposing: int, sides: int) -> dict[int, int]:
    """The ways of every result without knock-outs: n for a win with n successes, -n for a loss, 0 for a tie.

    own, opposing: numbers of dice. The ways add up to `sides ** (own + opposing)`.
    """
    found: dict[int, int] = {}
    for sign, winners, losers in ((1, own, opposing), (-1, opposing, own)):
        for face, ways in highest(losers, sides).items():
            for number, more in above(winners, sides, face).items():
                if number:
                    found[sign * number] = found.get(sign * number, 0) + ways * more
    found[0] = sides ** (own + opposing) - sum(found.values())
    return dict(sorted(found.items()))


@dataclass(frozen=True, slots=True)
class Chances:
    """Exact chances of a roll under a tie policy; successes and spent Dynamism are expectations over all rolls."""

    win: Fraction = NOTHING
    lose: Fraction = NOTHING
    tie: Fraction = NOTHING
    won: Fraction = NOTHING
    """Expected successes of the actor."""
    lost: Fraction = NOTHING
    """Expected successes of the opposition."""
    spent: Fraction = NOTHING
    """Expected Dynamism for knocked-out pairs."""


@dataclass(slots=True)
class _Ways:
    """Ways by result; successes and Dynamism weighted with their ways."""

    by: dict[Result, int] = field(default_factory=lambda: dict.fromkeys((Result.WIN, Result.LOSE, Result.TIE), 0))
    gained: dict[Result, int] = field(default_factory=lambda: {Result.WIN: 0, Result.LOSE: 0})
    spent: int = 0


@lru_cache(maxsize=512)
def chances(own: int, opposing: int, sides: int, most: int = 0, mode: Mode = Mode.IF_WINS) -> Chances:
    """The exact chances of a roll (AX-DIE-2 to 7).

    own, opposing: numbers of dice, 1 at least. most: the lesser of the policy's limit and the Dynamism after the price.
    """
    whole, ways = sides ** (own + opposing), _Ways()
    for pairs, result, number, gained in _broken(own, opposing, sides):
        cost = pairs_price(pairs)
        if pairs == 0 or (cost <= most and (mode is Mode.ALWAYS or result is Result.WIN)):
            ways.by[result] += number
            ways.gained[result] += gained
            ways.spent += cost * number
    ways.by[Result.TIE] = whole - ways.by[Result.WIN] - ways.by[Result.LOSE]
    return Chances(
        win=Fraction(ways.by[Result.WIN], whole),
        lose=Fraction(ways.by[Result.LOSE], whole),
        tie=Fraction(ways.by[Result.TIE], whole),
        won=Fraction(ways.gained[Result.WIN], whole),
        lost=Fraction(ways.gained[Result.LOSE], whole),
        spent=Fraction(ways.spent, whole),
    )


def _broken(own: int, opposing: int, sides: int) -> Iterator[tuple[int, Result, int, int]]:
    """How rolls are decided: (tied pairs before it, result, ways, successes weighted with their ways)."""
    tied = {0: 1}  # pairs above the present face -> ways
    for face in range(sides, 0, -1):
        going: dict[int, int] = {}
        for pairs, before in tied.items():
            a, b = own - pairs, opposing - pairs
            for mine in range(a + 1):
                for theirs in range(b + 1):
                    ways = before * comb(a, mine) * comb(b, theirs)
                    if mine == theirs:
                        if mine < min(a, b):  # a side's last die, tied, is a tie for good (AX-DIE-4)
                            going[pairs + mine] = going.get(pairs + mine, 0) + ways
                    elif mine > theirs and theirs < b:
                        number, gained = _decided(face, mine - theirs, a - mine, b - theirs)
                        yield pairs + theirs, Result.WIN, ways * number, ways * gained
                    elif theirs > mine and mine < a:
                        number, gained = _decided(face, theirs - mine, b - theirs, a - mine)
                        yield pairs + mine, Result.LOSE, ways * number, ways * gained
        tied = going


@lru_cache(maxsize=65_536)
def _decided(face: int, over: int, winners: int, losers: int) -> tuple[int, int]:
    """The ways of the dice below a face, and the winner's successes weighted with them.

    over: the winner's dice that show the face; winners, losers: dice of each side that show less.
    """
    below = face - 1
    number = below ** (winners + losers)
    gained = over * number
    if winners:
        for top in range(1, below + 1):  # the loser's highest die
            ways = top**losers - (top - 1) ** losers
            gained += ways * winners * (below - top) * below ** (winners - 1)
    return number, gained


@dataclass(frozen=True, slots=True)
class Odds:
    """What an action would be for a character now."""

    action: Action
    price: int
    dice: int
    opposing: int
    affordable: bool
    chances: Chances


def odds_of(state: State, character: Character, *, most: int = 0, mode: Mode = Mode.IF_WINS) -> list[Odds]:
    """The odds of every rolled action of a character where he is now; a blitz once for each number of dice.

    most, mode: the tie policy. Nothing where he has no juncture, or is in no phase yet.
    """
    if character.phase == 0 or character.fallen or junctures_of(character) == 0:
        return []
    against = state.marks().against(character.side, character.phase)
    bought = [(Action.RECOVER, 0), (Action.BATTLE, 0), (Action.BACKBONE, 0)]
    bought += [(Action.BLITZ, k) for k in range(1, character.blitz + 1)]
    found = []
    for action, number in bought:
        cost = price(action, character.clones, number)
        own = dice(action, character.backbone, character.battle, character.blitz, number)
        left = max(0, character.dynamism - cost)
        found.append(
            Odds(
                action=action,
                price=cost,
                dice=own,
                opposing=against,
                affordable=cost <= character.dynamism,
                chances=chances(own, against, state.storm.sides, min(most, left), mode),
            )
        )
    return found
