"""How bots reckon the odds of a march, and that they attack from 40 % on alone."""

from fractions import Fraction

import pytest

from games.dawn.rules.avatars.actions import Doing
from games.dawn.rules.avatars.commands import CommandAvatar
from games.dawn.rules.bots.avatars import walk
from games.dawn.rules.bots.march_odds import WORTHWHILE, odds_of_march
from games.dawn.rules.bots.war import attack
from games.dawn.rules.state.schema_types import EdgeKind
from games.engine.dice import SecretDice, Tray
from tests.playbook import Playbook
from tests.rules.dawn.field import EAST, HOLD, armies, field, target
from tests.rules.dawn.stage import A, B, avatar, edge

EVEN, UPHILL = Fraction(15, 36), Fraction(10, 36)


def tray(number: int) -> Tray:
    return Tray(SecretDice(f"bots {number}".encode(), "dawn"))


@pytest.mark.rule("DW-WAR-5", "DW-WAR-6", "DW-WAR-8", "DW-WAR-10")
def test_the_odds_of_a_march_are_those_of_all_its_battles() -> None:
    book = field(2)
    assert odds_of_march(book.state, A, target(), ()) == EVEN
    assert odds_of_march(book.state, A, target(), (), leader=True) == Fraction(21, 36)
    assert odds_of_march(book.state, A, target(), armies(book)) == Fraction(181, 216)
    assert odds_of_march(field(0, 1).state, A, target(), ()) == EVEN * EVEN
    edge(book, HOLD, "walls", EdgeKind.DEFENSIVE)
    assert odds_of_march(book.state, A, target(), ()) == UPHILL
    book = field()
    avatar(book, B, EAST, defending=True)
    assert odds_of_march(book.state, A, target(), ()) == UPHILL * UPHILL
    lone = avatar(book, B, (3, 3))
    assert odds_of_march(book.state, A, target((3, 3), lone), ()) == EVEN


def walled_hold() -> Playbook:
    """The hold without an army, behind walls."""
    book = field()
    edge(book, HOLD, "walls", EdgeKind.DEFENSIVE)
    return book


@pytest.mark.parametrize(
    ("stage", "attacks"),
    [(field, True), (lambda: field(0, 1), False), (walled_hold, False)],
    ids=["empty", "an army in it", "walls"],
)
def test_an_avatar_attacks_alone_only_from_fair_odds_on(stage: object, attacks: bool) -> None:
    assert callable(stage)
    found = set()
    for number in range(60):
        book = stage()
        avatar(book, A, EAST)
        wish = walk(book.state, A, tray(number))
        if isinstance(wish, CommandAvatar):
            found |= {action.action for action in wish.actions}
    assert (Doing.ATTACK_CITY in found) is attacks and Doing.DEFEND_CITY in found


@pytest.mark.parametrize(("ours", "theirs", "attacks"), [(2, 1, True), (1, 3, False)])
def test_armies_march_only_from_fair_odds_on(ours: int, theirs: int, attacks: bool) -> None:
    book = field(ours, theirs)
    assert (odds_of_march(book.state, A, target(), armies(book)) >= WORTHWHILE) is attacks
    wishes = [attack(book.state, A, tray(number)) for number in range(20)]
    assert any(wishes) is attacks
