"""Whom events attack: the other side, by a Backbone that is won, and nobody by anything else (AX-ACT-3)."""

import pytest

from games.albraxas.rules import RULESET
from games.albraxas.rules.resolve.events import ActionResolved
from tests.playbook import attacks_by
from tests.rules.albraxas.stage import (
    AX,
    FOUR_FIVE_FOUR,
    HOLE_UP,
    R1,
    R2,
    backbone,
    battle,
    begin,
    blitz,
    go,
    opposing,
    orders,
    own,
    recover,
)


def dice(count: int, against: int, *, won: bool) -> list:
    mine, theirs = (9, 2) if won else (2, 9)
    return [own(*[mine] * count), opposing(*[theirs] * against)]


@pytest.mark.parametrize(
    ("order", "count", "won", "is_attack"),
    [
        (backbone(), 4, True, True), (backbone(), 4, False, False), (battle(), 5, True, False),
        (battle(), 5, False, False), (blitz(2), 2, True, False), (blitz(2), 2, False, False),
        (recover(), 4, True, False), (HOLE_UP, 0, True, False),
    ],
)  # fmt: skip
def test_a_rebel_attacks_albraxas_by_winning_a_backbone(order, count, won, is_attack) -> None:
    book = begin(FOUR_FIVE_FOUR, FOUR_FIVE_FOUR)
    go(book, 4, 1)
    position = len(book.log)
    orders(book, (order,), (HOLE_UP,), dice=dice(count, 2, won=won) if count else [])
    assert attacks_by(book, position) == ([(ActionResolved, {AX})] if is_attack else [])


def test_albraxas_attacks_the_rebels_who_have_not_fallen() -> None:
    book = begin(FOUR_FIVE_FOUR, FOUR_FIVE_FOUR)
    go(book, 4, 1)
    position = len(book.log)
    orders(book, (HOLE_UP,), (HOLE_UP,), albraxas=(backbone(),), dice=dice(6, 1, won=True))
    assert attacks_by(book, position) == [(ActionResolved, {R1, R2})]
    book.state.set_character(R2, fallen=True)
    (won,) = [h.event for h in book.log[position:] if h.attacked]
    position = len(book.log)
    book.plant(won)
    assert attacks_by(book, position) == [(ActionResolved, {R1})]


def test_every_event_that_attacks_is_tried_here() -> None:
    assert set(RULESET.attacks) == {ActionResolved}
