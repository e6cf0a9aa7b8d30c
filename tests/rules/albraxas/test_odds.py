"""The exact odds against the enumeration of every roll of small pools."""

from fractions import Fraction
from itertools import product

import pytest

from games.albraxas.rules.orders.odds import Chances, chances, highest, odds_of, successes
from games.albraxas.rules.resolve.pools import outcome_of_roll
from games.albraxas.rules.state.schema_types import Action, Mode, Result
from tests.rules.albraxas.stage import R1, begin, go

SMALL = [(own, opposing, sides) for own in (1, 2, 3) for opposing in (1, 2, 3) for sides in (2, 3, 4)]


def enumeration(own: int, opposing: int, sides: int, most: int, mode: Mode) -> Chances:
    """The same by rolling every possible roll."""
    faces = range(1, sides + 1)
    whole = sides ** (own + opposing)
    by, won, lost, spent = dict.fromkeys(Result, 0), 0, 0, 0
    for a in product(faces, repeat=own):
        for b in product(faces, repeat=opposing):
            ended = outcome_of_roll(a, b, most=most, mode=mode, dynamism=most)
            by[ended.result] += 1
            won += ended.successes if ended.result is Result.WIN else 0
            lost += ended.successes if ended.result is Result.LOSE else 0
            spent += ended.spent
    counts = (by[Result.WIN], by[Result.LOSE], by[Result.TIE], won, lost, spent)
    return Chances(*(Fraction(n, whole) for n in counts))


@pytest.mark.rule("AX-DIE-2", "AX-DIE-3", "AX-DIE-4", "AX-DIE-5", "AX-DIE-7")
@pytest.mark.parametrize("mode", Mode)
@pytest.mark.parametrize("most", [0, 1, 3])
def test_the_odds_are_those_of_every_roll(most: int, mode: Mode) -> None:
    for own, opposing, sides in SMALL:
        assert chances(own, opposing, sides, most, mode) == enumeration(own, opposing, sides, most, mode)


@pytest.mark.rule("AX-DIE-2")
@pytest.mark.parametrize(("own", "opposing", "sides"), SMALL)
def test_the_ways_of_successes_are_those_of_every_roll(own: int, opposing: int, sides: int) -> None:
    found: dict[int, int] = {0: 0}
    for a in product(range(1, sides + 1), repeat=own):
        for b in product(range(1, sides + 1), repeat=opposing):
            ended = outcome_of_roll(a, b)
            signed = ended.successes * (1 if ended.result is Result.WIN else -1)
            found[signed] = found.get(signed, 0) + 1
    assert successes(own, opposing, sides) == dict(sorted(found.items()))


def test_pools_add_up() -> None:
    assert highest(2, 3) == {1: 1, 2: 3, 3: 5}
    assert sum(successes(11, 30, 100).values()) == 100**41
    large = chances(11, 30, 20, 10, Mode.ALWAYS)
    assert large.win + large.lose + large.tie == 1


@pytest.mark.rule("AX-EFF-3", "AX-DIE-1")
def test_the_odds_of_a_character_are_those_of_their_place() -> None:
    book = begin()
    assert odds_of(book.state, book.state.characters[R1]) == []
    go(book, 4)
    found = odds_of(book.state, book.state.characters[R1], most=1)
    assert [(o.action, o.price, o.dice, o.opposing) for o in found] == [
        (Action.RECOVER, 0, 4, 2),
        (Action.BATTLE, 1, 5, 2),
        (Action.BACKBONE, 1, 4, 2),
        *((Action.BLITZ, k, k, 2) for k in (1, 2, 3, 4)),
    ]
    assert all(o.affordable for o in found)
    assert found[1].chances == chances(5, 2, 10, 1)
