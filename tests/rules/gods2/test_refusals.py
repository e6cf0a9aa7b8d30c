"""Refusals come before payment: each with its code, its rule and its numbers; nobody has paid and there is no event."""

from typing import Any

import pytest

from games.engine.errors import Refused
from games.engine.game_state import dump
from games.gods2.rules import RULESET
from games.gods2.rules.casting.commands import CastPower
from games.gods2.rules.pack.pack import build
from games.gods2.rules.pack.resistance import parse
from games.gods2.rules.pantheon.commands import DraftPantheonOrder, HandInPantheonOrder, SignPantheonOrder
from games.gods2.rules.pantheon.events import PantheonOrderRefused
from games.gods2.rules.state.records import Cards
from games.gods2.rules.state.value_types import PartOf, ShareOf, Target
from games.gods2.rules.window.commands import DrawNumber
from tests.playbook import Playbook
from tests.rules.gods2.era import ANA, BEN, CLEO, GM, HOST, begin, fresh, minutes
from tests.rules.gods2.raw_packs import raw_pack
from tests.rules.gods2.refusals import CASES, Case, Cast, absent, stage


def stage_in_memory() -> tuple[Playbook, Cast]:
    """The stage in memory, its board open."""
    book, cast = Playbook(RULESET, fresh()), Cast(ANA, BEN, CLEO)
    for command in stage(cast):
        book.when(command, by=HOST)
    cast.races.update({race.name: race.id for race in book.state.races.values()})
    begin(book)
    book.when(absent(cast), by=GM)
    return book, cast


def why(book: Playbook, command: Any, by: Any = ANA) -> Refused:
    """Why a command is refused; nothing has changed."""
    before, found = dump(book.state), len(book.log)
    with pytest.raises(Refused) as caught:
        book.when(command, by=by)
    assert dump(book.state) == before and len(book.log) == found
    return caught.value


@pytest.mark.rule(
    "G2-HIST-1", "G2-HIST-2", "G2-HIST-3", "G2-HIST-7", "G2-TERR-2", "G2-FILT-2", "G2-PAN-1", "G2-KNOW-2", "G2-MOVE-6"
)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.label)
def test_impossible_commands_are_refused_with_code_rule_and_numbers_before_any_payment(case: Case) -> None:
    book, cast = stage_in_memory()
    refused = why(book, case.command(cast))
    assert refused.code == case.code
    assert case.rule in (*refused.rules, "")
    assert case.facts.items() <= dict(refused.facts).items()
    assert refused.message


@pytest.mark.rule("G2-TIME-3", "G2-HIST-1")
def test_nothing_is_cast_when_the_activity_phase_is_over() -> None:
    book, cast = stage_in_memory()
    book.wait(minutes(9.5))
    refused = why(book, CastPower(power="call_to_arms", targets=(Target(race=cast.races["Dwarves"]),)))
    assert (refused.code, refused.rules) == ("phase.closed", ("G2-TIME-3",))
    assert refused.facts["step"] == str(book.state.era.phase)


@pytest.mark.rule("G2-QUEUE-1")
def test_no_god_casts_while_others_wait_before_them() -> None:
    book, cast = stage_in_memory()
    book.when(DrawNumber(), by=BEN)
    refused = why(book, CastPower(power="call_to_arms", targets=(Target(race=cast.races["Dwarves"]),)))
    assert (refused.code, refused.rules, dict(refused.facts)) == ("number.not_called", ("G2-QUEUE-1",), {"waiting": 1})


@pytest.mark.rule("G2-HIST-2", "G2-HIST-7")
@pytest.mark.parametrize("theirs", [0, 1, 2])
def test_the_cards_of_a_partner_are_not_in_the_refusal(theirs: int) -> None:
    book, _ = stage_in_memory()
    book.state.cards[BEN, "WA"] = Cards(BEN, "WA", theirs)
    both = (PartOf(seat=ANA), PartOf(seat=BEN))
    refused = why(book, CastPower(power="world_war", parts=both))
    assert (refused.code, dict(refused.facts)) == ("power.level", {"need": 5, "have": 2})
    assert refused.message == "World War needs 5 cards of War; Ashkar and Belun have too few; you hold 2."


@pytest.mark.rule("G2-PAN-3", "G2-PAN-6")
def test_an_unsigned_order_changes_nothing_and_says_who_has_not_signed() -> None:
    book, cast = stage_in_memory()
    before = book.state.pantheon(cast.races["Dwarves"])
    wanted = (ShareOf(member=str(ANA), share=6_000), ShareOf(member=str(BEN), share=4_000))
    order = book.when(DraftPantheonOrder(race=cast.races["Dwarves"], pantheon=wanted), by=ANA)[0].order  # type: ignore[attr-defined]
    book.when(SignPantheonOrder(order=order), by=ANA)
    events = book.when(HandInPantheonOrder(order=order), by=ANA)
    assert events == [PantheonOrderRefused(order=order, reason="unsigned", member=str(BEN))]
    assert book.state.pantheon(cast.races["Dwarves"]) == before


@pytest.mark.rule("G2-PAN-3")
def test_an_order_is_signed_once_by_each() -> None:
    book, cast = stage_in_memory()
    wanted = (ShareOf(member=str(ANA), share=6_000), ShareOf(member=str(BEN), share=4_000))
    order = book.when(DraftPantheonOrder(race=cast.races["Dwarves"], pantheon=wanted), by=ANA)[0].order  # type: ignore[attr-defined]
    book.when(SignPantheonOrder(order=order), by=ANA)
    refused = why(book, SignPantheonOrder(order=order))
    assert (refused.code, refused.rules, dict(refused.facts)) == ("signature.given", ("G2-PAN-3",), {"signed": 1})


@pytest.mark.rule("G2-RES-2")
@pytest.mark.parametrize("code", ["F-0", "Q/2", "F/1", "F*1", "F", "-2", "F--1", "F-1.5", "f-1", "F-01", "FE-1", ""])
def test_a_code_that_the_grammar_does_not_know_is_refused_with_its_pack(code: str) -> None:
    with pytest.raises(Refused) as caught:
        parse(code)
    assert (caught.value.code, caught.value.rules) == ("pack.invalid", ("G2-RES-2",))
    raw = raw_pack(1)
    effect = {"op": "resist", "code": code}
    raw["attributes"].append({"id": "odd", "name": "Odd", "cost": 1, "origin": "test", "effects": [effect]})
    with pytest.raises(Refused) as whole:
        build(2, raw)
    assert whole.value.code == "pack.invalid" and whole.value.facts["entry"] == "attributes/odd"
