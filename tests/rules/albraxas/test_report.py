"""The report of a turn: what each sentence says, the rules it rests on, and who reads it."""

from typing import Any
from uuid import UUID

import pytest

from games.albraxas.rules.locate.commands import LockLocation, SetLocation, UnlockLocation
from games.albraxas.rules.orders.commands import WriteOrders
from games.albraxas.rules.resolve.events import ActionResolved
from games.albraxas.rules.state.schema_types import Action, Result
from games.engine.audience import readable
from tests.dice import d
from tests.playbook import Playbook, of_kind
from tests.rules.albraxas.stage import AX, R1, R2, battle, begin, blitz, go, opposing, orders, own, recover, turn

Line = tuple[str, tuple[str, ...]]


def report(book: Playbook, since: int, *seats: UUID, gm: bool = False) -> list[Line]:
    """The sentences that a viewer may read, with their rules, from an event on."""
    here = book.log[since:]
    return [(h.text, h.rules) for h in here if h.text and readable(h.audience, frozenset(seats), gm)]


def rules_of(lines: list[Line], message: str) -> tuple[str, ...]:
    """The rules of the one sentence with this text."""
    (rules,) = [rules for text, rules in lines if message in text]
    return rules


@pytest.mark.rule("AX-TRN-7", "AX-ACT-2", "AX-ACT-4", "AX-DIE-2", "AX-END-2")
def test_a_turn_is_reported_from_places_to_check() -> None:
    book = begin(check_from=99)
    go(book, 4)
    since = len(book.log)
    orders(book, (battle(), blitz(3)), dice=[own(9, 2, 3, 4, 5), opposing(8, 7), own(9, 9, 4), opposing(8)])
    lines = report(book, since)
    assert [text for text, _ in lines if "written" not in text][:9] == [
        "All orders are shown. Character 11: battle, blitz 3. Character 20: hole up.",
        "Juncture 1: Character 11 in phase 4 against 2 dice.",
        "Character 11 in phase 4: battle for 1 Dynamism, 9 2 3 4 5 against 8 7: won with 1 success.",
        "Phase 4: Tide 1, Ebb 1.",
        "Character 11: Dynamism 20 to 19.",
        "Juncture 2: Character 11 in phase 4 against 1 die.",
        "Character 11 in phase 4: blitz for 3 Dynamism, 9 9 4 against 8: won with 2 successes.",
        "Phase 4: Tide 1, Ebb 3.",
        "Character 11: Dynamism 19 to 16.",
    ]
    assert rules_of(lines, "battle for 1") == ("AX-ACT-2", "AX-DIE-2")
    assert rules_of(lines, "blitz for 3") == ("AX-ACT-4", "AX-DIE-2")
    assert rules_of(lines, "CHECK") == ("AX-END-2",)
    assert "CHECK: Tide 10 and Ebb 3 over all phases; it cannot end the game yet." in [text for text, _ in lines]


@pytest.mark.rule("AX-ACT-1", "AX-ACT-10", "AX-DIE-5", "AX-CLN-3")
def test_a_fray_knocked_out_pairs_and_clones_are_reported_with_their_rules() -> None:
    book = begin()
    since = len(book.log)
    turn(
        book,
        4,
        (recover(1, "always"),),
        dice=[
            own(8, 5, 1, 1),
            opposing(8, 6),
            d(10, "fray/own", 8, 5, 2, 1, 1),
            d(10, "fray/opposing", 8, 3),
        ],
    )
    lines = report(book, since)
    first, second = of_kind([h.event for h in book.log], ActionResolved)
    assert (first.result, second.result) == (Result.LOSE, Result.WIN)
    assert rules_of(lines, "recover for 0") == ("AX-ACT-1", "AX-DIE-2", "AX-DIE-3", "AX-DIE-5")
    assert "1 Dynamism for tied pairs: lost" in next(text for text, _ in lines if "recover for 0" in text)
    assert rules_of(lines, "drawn into the fray") == ("AX-ACT-10",)
    assert rules_of(lines, "battle for 0") == ("AX-ACT-2", "AX-DIE-2", "AX-DIE-3", "AX-DIE-5")
    since = len(book.log)
    turn(book, 4, (battle(),), dice=[own(9, 1, 1, 1, 1), opposing(3)])
    lines = report(book, since)
    assert "Character 11 is in phase 4, a Travel for 1 Dynamism, visit 2." in [text for text, _ in lines]
    assert rules_of(lines, "battle for 2") == ("AX-ACT-2", "AX-DIE-2", "AX-CLN-2", "AX-CLN-3")


def test_every_sentence_of_a_turn_has_a_rule() -> None:
    book = begin((4, 5, 4), (3, 5, 5))
    since = len(book.log)
    go(book, 4, 9)
    for seat in (R1, R2, AX):
        book.when(WriteOrders(orders=(battle(), blitz(2), recover())), by=seat)
    lines = report(book, since, gm=True)
    assert len(lines) > 20
    assert [text for text, rules in lines if not rules] == []


def test_an_order_that_holes_up_cites_no_die() -> None:
    idle: dict[str, Any] = {"seat": R1, "juncture": 1, "phase": 4, "clones": 2, "price": 0}
    assert ActionResolved(**idle, action=Action.HOLE_UP, result=Result.NONE).cites() == ("AX-ACT-6",)


@pytest.mark.rule("AX-TRN-2", "AX-TRN-5")
def test_albraxas_reads_of_no_place_before_the_last_lock_and_no_seat_of_orders_before_all_are_in() -> None:
    book = begin((4, 5, 4), (4, 5, 4))
    since = len(book.log)
    book.when(SetLocation(phase=37), by=R1)
    book.when(LockLocation(), by=R1)
    book.when(UnlockLocation(), by=R1)
    book.when(SetLocation(phase=73), by=R1)
    assert report(book, since, AX) == report(book, since) == []
    assert [text for text, _ in report(book, since, R2)] == [
        "Character 11 means to go to phase 37.", "Character 11 means to go to phase 73.",
    ]  # fmt: skip
    book.when(LockLocation(), by=R1)
    book.when(SetLocation(phase=9), by=R2)
    book.when(LockLocation(), by=R2)
    assert any("phase 73" in text and "phase 9" in text for text, _ in report(book, since, AX))
    assert not any("37" in text for text, _ in report(book, since, AX))
    since = len(book.log)
    book.when(WriteOrders(orders=(blitz(3),)), by=R1)
    for readers in ((AX,), (R2,), ()):
        assert [text for text, _ in report(book, since, *readers)] == ["Character 11 has written orders."]
    since = len(book.log)
    book.when(WriteOrders(orders=(blitz(4),)), by=R1)
    assert report(book, since, AX) == report(book, since, R2) == [], "nor that somebody thought again"
