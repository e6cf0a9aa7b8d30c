"""Entries of the log and buttons of questions, clause by clause (no database)."""

from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest

from api.pages.desk_log import Issuers, _entry
from tests.event_pages.played import PlayedDesk, row_of
from tests.play.moments import moments

NOBODY = Issuers([], {}, {}, {})


def event(seq: int, text: str = "", *, undone: bool = False) -> Any:
    """An event of the log as a game-master reads it."""
    at = datetime(2026, 6, 1, 12, tzinfo=UTC)
    return SimpleNamespace(seq=seq, text=text, undone=undone, at=at, rules=(), cause="hide-coins", on_behalf_of=None)


@pytest.mark.parametrize(
    ("_case", "undone", "is_undone", "number"),
    [
        ("nothing was undone", (False, False), False, 12),
        ("a seat that was taken in it stays", (True, False), False, 12),
        ("what it began with stays", (False, True), False, 11),
        ("all of it was undone", (True, True), True, None),
    ],
)
def test_an_entry_is_undone_when_all_of_it_is_and_leads_to_the_last_of_its_events_that_stands(
    _case: str, undone: tuple[bool, bool], is_undone: bool, number: int | None
) -> None:
    told = [event(1, "One.", undone=undone[0]), event(2, "Two.", undone=undone[1])]
    entry = _entry(told, {1: 11, 2: 12}, NOBODY)
    assert (entry.undone, entry.number, entry.sentences) == (is_undone, number, ("One.", "Two."))


def test_an_entry_of_which_no_event_has_a_number_leads_nowhere() -> None:
    assert _entry([event(1, "One.")], {}, NOBODY).number is None


@pytest.fixture(scope="module")
def asked() -> tuple[PlayedDesk, dict[str, Any]]:
    """A desk with a question that is open, and its row as a game-master reads it."""
    desk = next(d for d in map(PlayedDesk, moments("albraxas")) if any(p.answered_by for p in d.seen.prompts.values()))
    prompt = next(p for p in desk.seen.prompts.values() if p.answered_by and p.owners != ("gm",))
    return desk, row_of(desk.seen, prompt) | {"answerable": True}


def answers(asked: tuple[PlayedDesk, dict[str, Any]], **row: Any) -> Any:
    """Who is offered to answer a question that differs so."""
    desk, whole = asked
    names = {seat.id: seat.name for seat in desk.seen.seats.values()}
    return desk.panels.question(whole | row, names, None).answers


def test_a_question_is_answered_for_those_who_are_asked_while_no_inner_one_is_open(
    asked: tuple[PlayedDesk, dict[str, Any]],
) -> None:
    assert {each.name for each in answers(asked)} == {
        s.name for s in asked[0].seen.seats.values() if s.role == "player"
    }
    assert answers(asked, answerable=False) == ()


def test_who_has_answered_has_no_button_though_the_question_is_open_still() -> None:
    """The kind: a question of the one at the desk which others have to answer, too."""
    desk = PlayedDesk(moments("gods2")[0])
    own = {
        "id": None, "kind": "ASK", "owners": ["gm"], "answered_by": ["pause"], "question": "?", "subject": None,
        "choices": [], "silence": "", "sealed": False, "due_in": 60, "frozen": False, "answerable": True,
        "asks_me": True, "answered": False,
    }  # fmt: skip
    assert [b.command for b in desk.panels.question(own, {}, None).buttons] == ["pause"]
    assert desk.panels.question(own | {"answered": True}, {}, None).buttons == ()
    assert desk.panels.question(own | {"answerable": False}, {}, None).buttons == ()
