"""Standing answers: what a god says in advance to castings and to expulsions (G2-HIST-3; section 12.1)."""

from dataclasses import replace

import pytest

from games.gods2.rules.casting.events import CastingAnswered, CastingWithdrawn, PowerCast, StandingAnswerUsed
from games.gods2.rules.window.standing_answer_commands import SetStandingAnswer
from tests.playbook import of_kind, refused
from tests.rules.gods2.era import ANA, BEN, CLEO
from tests.rules.gods2.joint import balances, each_with_a_war_card, teaching


@pytest.mark.rule("G2-HIST-3")
@pytest.mark.rule("G2-ASK-2")
def test_standing_answers_settle_a_casting_at_once() -> None:
    book, dwarves, _ = each_with_a_war_card()
    book.when(SetStandingAnswer(kind="casting", answer="yes", amount=3), by=BEN)
    book.when(SetStandingAnswer(kind="casting", seat=ANA, answer="yes"), by=CLEO)
    events = book.when(teaching(dwarves, (ANA, 0), (BEN, 0), (CLEO, 0)), by=ANA)
    used = of_kind(events, StandingAnswerUsed)
    assert [e.seat for e in used] == [BEN, CLEO]
    assert {h.audience for h in book.log if h.event == used[0]} == {f"gm+seat:{BEN}"}
    assert len(of_kind(events, CastingAnswered)) == 2 and of_kind(events, PowerCast)
    assert balances(book) == [17, 17, 17]


@pytest.mark.parametrize(
    ("_case", "settings", "withdrawn", "open_"),
    [
        ("no", {"answer": "no"}, True, False),
        ("no to Ashkar, yes to the others", {"answer": "no", "seat": ANA}, True, False),
        ("for less mana only", {"answer": "yes", "amount": 2}, False, True),
        ("ask", {"answer": "ask"}, False, True),
        ("yes to another god", {"answer": "yes", "seat": CLEO}, False, True),
    ],
)
def test_what_standing_answers_do(_case: str, settings: dict, withdrawn: bool, open_: bool) -> None:
    book, dwarves, _ = each_with_a_war_card()
    book.when(SetStandingAnswer(kind="casting", **settings), by=BEN)
    events = book.when(teaching(dwarves, (ANA, 0), (BEN, 0), (CLEO, 0)), by=ANA)
    assert bool(of_kind(events, CastingWithdrawn)) is withdrawn
    assert bool(of_kind(events, StandingAnswerUsed)) is withdrawn
    assert any(p.kind == "CASTING.join" for p in book.state.prompts.values()) is open_


def test_a_standing_yes_does_not_count_for_mana_that_is_not_there() -> None:
    book, dwarves, _ = each_with_a_war_card()
    book.state.purses[BEN] = replace(book.state.purses[BEN], balance=0)
    book.when(SetStandingAnswer(kind="casting", answer="yes"), by=BEN)
    events = book.when(teaching(dwarves, (ANA, 0), (BEN, 0), (CLEO, 0)), by=ANA)
    assert not of_kind(events, StandingAnswerUsed, CastingWithdrawn)


@pytest.mark.parametrize(
    "settings",
    [
        {"kind": "casting", "answer": "decline"},
        {"kind": "expulsion", "answer": "yes"},
        {"kind": "expulsion", "answer": "decline", "seat": ANA},
        {"kind": "casting", "answer": "no", "amount": 3},
    ],
)
@pytest.mark.rule("G2-ASK-2")
def test_pairs_that_mean_nothing_are_refused(settings: dict) -> None:
    book, *_ = each_with_a_war_card()
    with refused("answer.invalid", book.state):
        book.when(SetStandingAnswer(**settings), by=BEN)
