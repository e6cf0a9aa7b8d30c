"""Planted positions for the tests of bots: two or three peoples, one god whose cards and mana a test chooses."""

from typing import Any
from uuid import UUID

from games.engine.bots import Thought
from games.engine.dice import SecretDice, Tray
from games.gods2.rules.bots import POLICIES
from games.gods2.rules.bots.options import Option, options
from games.gods2.rules.bots.tempers import TEACHER, Temper
from games.gods2.rules.bots.view import View
from games.gods2.rules.casting.commands import CastPower
from games.gods2.rules.state.records import Cards, Purse
from tests.playbook import Playbook
from tests.rules.gods2.era import ANA

PLAINS = ("PPPPPPPPPP",) * 6


def give(book: Playbook, mana: int, seat: UUID = ANA, **cards: int) -> None:
    """Exactly these cards and this mana for a seat."""
    for key in [key for key in book.state.cards if key[0] == seat]:
        del book.state.cards[key]
    for sphere, count in cards.items():
        book.state.cards[seat, sphere] = Cards(seat, sphere, count)
    book.state.purses[seat] = Purse(seat, mana)


def think(book: Playbook, seat: UUID = ANA, policy: str = "god", lot: int = 0) -> Thought:
    """What a policy does for a seat. lot: which of its dice it throws."""
    dice = Tray(SecretDice(b"bots %d" % lot, "tests"))
    return POLICIES[policy](book.state.view_for(frozenset({seat})), seat, dice)


def commands(book: Playbook, seat: UUID = ANA, policy: str = "god", lots: int = 30) -> list[Any]:
    """What a policy does with each of so many dice."""
    return [think(book, seat, policy, lot).command for lot in range(lots)]


def castings(book: Playbook, seat: UUID = ANA, policy: str = "god", lots: int = 30) -> list[CastPower]:
    """The powers among that."""
    return [c for c in commands(book, seat, policy, lots) if isinstance(c, CastPower)]


def view_of(book: Playbook, seat: UUID = ANA, temper: Temper = TEACHER) -> View:
    """What a bot at a seat sees."""
    view = book.state.view_for(frozenset({seat}))
    return View(view, view.gods[seat], temper)


def options_of(book: Playbook, seat: UUID = ANA, temper: Temper = TEACHER) -> dict[str, Option]:
    """What a bot would think of, by power."""
    return {option.power: option for option in options(view_of(book, seat, temper))}
