"""The exact odds of every action of a character now (AX-DIE-*, AX-ACT-*): whole numbers of ways, nothing rolled.

The top dice of both pools are compared one by one; the first place where they differ decides, and the equal pairs above
it are those that a tie policy knocks out. So the ways are counted by the loser's highest die left, the winner's dice
above it, and the pairs before: never roll by roll. What that takes grows with sides and dice alone while no pair can be
knocked out, and is asked beforehand (`effort`).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import comb, isqrt

from games.albraxas.rules.orders.rules import junctures_of
from games.albraxas.rules.resolve.actions import dice, price
from games.albraxas.rules.resolve.pools import pairs_price
from games.albraxas.rules.state.records import Character
from games.albraxas.rules.state.schema_types import Action, Mode
from games.albraxas.rules.state.state import State
from games.engine.errors import Refused

NOTHING = Fraction(0)
MOST_EFFORT = 2_000_000
"""Steps that the odds of one question may take: about a second. Without knock-outs and with d10 that is 1,700 dice."""
Roll = tuple[int, int, int, int, Mode]
"""Own dice, opposing dice, sides, the most Dynamism for pairs, and when it is spent."""


def above(count: int, sides: int, face: int) -> dict[int, int]:
    """The ways in which n of `count` dice are higher than a face, by n: `sides**count` in all."""
    higher = sides - face
    return {n: comb(count, n) * face ** (count - n) * higher**n for n in range(count + 1 if higher else 1)}


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


def pairs_for(most: int) -> int:
    """How many tied pairs so much Dynamism knocks out (AX-DIE-3)."""
    return (isqrt(8 * most + 1) - 1) // 2


def _pairs(own: int, opposing: int, most: int) -> int:
    """The most pairs that are knocked out of a roll: those that are paid, and never a side's last die (AX-DIE-4)."""
    return min(pairs_for(most), own - 1, opposing - 1)


def effort(own: int, opposing: int, sides: int, most: int, mode: Mode) -> int:
    """About how many steps the odds of a roll take; longer numbers take more of them."""
    pairs, both = _pairs(own, opposing, most), own + opposing
    broken = own if mode is Mode.IF_WINS else both  # each step for a winner's dice above a face
    counted = both * sides + broken * (sides * sides // 2) * pairs * (pairs + 3) // 2
    return counted * (1 + both * sides.bit_length() // 64)


def require_countable(*rolls: Roll) -> None:
    """Refuse (`odds.large`) rolls whose odds together would take too long; the same roll is counted once."""
    steps = {roll: effort(*roll) for roll in rolls}
    if sum(steps.values()) > MOST_EFFORT:
        own, opposing, sides, most, _ = max(steps, key=lambda roll: steps[roll])
        raise Refused(
            "odds.large",
            f"{own} dice against {opposing}, d{sides}, with up to {most} Dynamism for ties, are too much to count; "
            "ask for fewer orders at once, or with less Dynamism for ties.",
            rules=("AX-DIE-2", "AX-DIE-5"),
            own=own,
            opposing=opposing,
            sides=sides,
            most=most,
            effort=sum(steps.values()),
            limit=MOST_EFFORT,
        )


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


@dataclass(frozen=True, slots=True)
class Results:
    """The ways of every result of a roll, by successes as `successes` counts them and Dynamism for pairs."""

    by: dict[tuple[int, int], int]
    whole: int


@lru_cache(maxsize=512)
def results(own: int, opposing: int, sides: int, most: int = 0, mode: Mode = Mode.IF_WINS) -> Results:
    """The ways of every result under a tie policy (AX-DIE-2 to 7). Raises `odds.large`.

    own, opposing: numbers of dice, 1 at least. most: the lesser of the policy's limit and the Dynamism after the price.
    """
    require_countable((own, opposing, sides, most, mode))
    found = {(number, 0): ways for number, ways in successes(own, opposing, sides).items()}
    for pairs, number, ways in _knock_outs(own, opposing, sides, _pairs(own, opposing, most), mode):
        key = number, pairs_price(pairs)
        found[key] = found.get(key, 0) + ways
        found[0, 0] -= ways
    return Results(dict(sorted(found.items())), sides ** (own + opposing))


@lru_cache(maxsize=512)
def chances(own: int, opposing: int, sides: int, most: int = 0, mode: Mode = Mode.IF_WINS) -> Chances:
    """The exact chances of a roll (AX-DIE-2 to 7); arguments as those of `results`. Raises `odds.large`."""
    found = results(own, opposing, sides, most, mode)
    won = [(n, ways) for (n, _), ways in found.by.items() if n > 0]
    lost = [(-n, ways) for (n, _), ways in found.by.items() if n < 0]
    return Chances(
        win=Fraction(sum(ways for _, ways in won), found.whole),
        lose=Fraction(sum(ways for _, ways in lost), found.whole),
        tie=Fraction(found.by[0, 0], found.whole),
        won=Fraction(sum(n * ways for n, ways in won), found.whole),
        lost=Fraction(sum(n * ways for n, ways in lost), found.whole),
        spent=Fraction(sum(spent * ways for (_, spent), ways in found.by.items()), found.whole),
    )


def _knock_outs(own: int, opposing: int, sides: int, most: int, mode: Mode) -> Iterator[tuple[int, int, int]]:
    """The rolls that 1 to `most` pairs decide: (pairs, successes, less than 0 for a loss, ways)."""
    tied = {0: 1}  # pairs above the present face -> ways
    for face in range(sides, 1, -1):
        for before, ways in tied.items():
            a, b = own - before, opposing - before
            yield from _decisions_at_face(face, before, ways, a, b, most, sign=1)
            if mode is Mode.ALWAYS:
                yield from _decisions_at_face(face, before, ways, b, a, most, sign=-1)
        tied = _longer(tied, own, opposing, most)


def _longer(tied: dict[int, int], own: int, opposing: int, most: int) -> dict[int, int]:
    """The pairs above the next face: the present one adds as many to both pools."""
    going: dict[int, int] = {}
    for before, ways in tied.items():
        for more in range(most - before + 1):
            both = comb(own - before, more) * comb(opposing - before, more)
            going[before + more] = going.get(before + more, 0) + ways * both
    return going


def _decisions_at_face(
    face: int, before: int, ways: int, winners: int, losers: int, most: int, *, sign: int
) -> Iterator[tuple[int, int, int]]:
    """The rolls that are decided at a face, after `before` pairs above it. winners, losers: dice that are left."""
    for here in range(0 if before else 1, min(most - before, losers - 1, winners - 1) + 1):
        for top in range(1, face):  # the loser's highest die after the knock-outs
            lost = ways * comb(losers, here) * (top ** (losers - here) - (top - 1) ** (losers - here))
            for over in range(here + 1, winners + 1):  # the winner's dice above it, those of the pairs among them
                won = comb(winners, over) * top ** (winners - over) * _more(over, here, face - 1 - top)
                yield before + here, sign * (over - here), lost * won


@lru_cache(maxsize=65_536)
def _more(dice: int, than: int, below: int) -> int:
    """The ways in which more than so many of some dice show the highest of `below + 1` faces."""
    return int((below + 1) ** dice - sum(comb(dice, n) * below ** (dice - n) for n in range(than + 1)))


@dataclass(frozen=True, slots=True)
class Odds:
    """What a rolled action would be for a character now."""

    action: Action
    bought: int
    """Dice of a blitz; 0 for every other action."""
    price: int
    affordable: bool
    roll: Roll

    @property
    def dice(self) -> int:
        """The dice that are rolled for it."""
        return self.roll[0]

    @property
    def opposing(self) -> int:
        """The dice that are rolled against it."""
        return self.roll[1]

    @property
    def chances(self) -> Chances:
        """Its exact chances. Raises `odds.large`."""
        return chances(*self.roll)


def odds_for(state: State, character: Character, action: Action, bought: int, most: int, mode: Mode) -> Odds:
    """A rolled action of a character where they are now. bought: dice of a blitz. most, mode: the tie policy."""
    cost = price(action, character.clones, bought)
    own = dice(action, character.backbone, character.battle, character.blitz, bought)
    against = state.marks().against(character.side, character.phase)
    spendable = min(most, max(0, character.dynamism - cost))
    return Odds(action, bought, cost, cost <= character.dynamism, (own, against, state.storm.sides, spendable, mode))


def odds_of(state: State, character: Character, *, most: int = 0, mode: Mode = Mode.IF_WINS) -> list[Odds]:
    """The odds of every rolled action of a character where they are now; a blitz once for each number of dice.

    most, mode: the tie policy. Nothing for a character without a juncture, or in no phase yet.
    """
    if character.phase == 0 or character.fallen or junctures_of(character) == 0:
        return []
    bought = [(Action.RECOVER, 0), (Action.BATTLE, 0), (Action.BACKBONE, 0)]
    bought += [(Action.BLITZ, k) for k in range(1, character.blitz + 1)]
    return [odds_for(state, character, action, number, most, mode) for action, number in bought]
