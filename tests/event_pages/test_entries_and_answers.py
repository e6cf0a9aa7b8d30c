"""Entries of the log and buttons of questions, clause by clause (no database)."""

from dataclasses import replace
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any
from uuid import UUID

import pytest

from api.pages.event.desk_log import Issuers, _entry
from api.pages.event.desk_view import is_mine, running_timers, timer_line
from api.pages.event.panels import Question
from games.engine.game_state import Status
from games.engine.insight.event_pages import Action, Panel
from tests.event_pages.played import PlayedDesk, row_of
from tests.play.moments import moments

NOBODY = Issuers([], {}, {}, {})


def event(seq: int, text: str = "", *, undone: bool = False) -> Any:
    """An event of the log as a game-master reads it."""
    at = datetime(2026, 6, 1, 12, tzinfo=UTC)
    own = {"type": "toy.CoinsHidden", "muted": False, "cause": "hide-coins"}
    return SimpleNamespace(seq=seq, text=text, undone=undone, at=at, rules=(), on_behalf_of=None, **own)


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
    entry = _entry(told, {1: 11, 2: 12}, NOBODY, {}, ())
    assert (entry.undone, entry.number, entry.sentences) == (is_undone, number, ("One.", "Two."))


def test_an_entry_of_which_no_event_has_a_number_leads_nowhere() -> None:
    assert _entry([event(1, "One.")], {}, NOBODY, {}, ()).number is None


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


ASKED = {
    "id": UUID(int=7), "kind": "ASK", "owners": ["gm"], "answered_by": ["pause"], "question": "?", "subject": None,
    "choices": [], "silence": "", "sealed": False, "due_in": 60, "frozen": False, "answerable": True,
    "asks_me": True, "answered": False,
}  # fmt: skip
"""A question of the game-masters, who may answer it."""


@pytest.fixture(scope="module")
def desk() -> PlayedDesk:
    infos = ((each, each.info) for each in moments("gods2"))
    return PlayedDesk(next(e for e, info in infos if info.status is Status.RUNNING and info.paused_at is None))


def test_who_has_answered_has_no_button_though_the_question_is_open_still(desk: PlayedDesk) -> None:
    """The kind: a question of the one at the desk which others have to answer, too."""
    assert [b.command for b in desk.panels.question(ASKED, {}, None).buttons] == ["pause"]
    assert desk.panels.question(ASKED | {"answered": True}, {}, None).buttons == ()
    assert desk.panels.question(ASKED | {"answerable": False}, {}, None).buttons == ()


def test_a_question_is_put_off_only_while_a_deadline_of_its_own_runs(desk: PlayedDesk) -> None:
    running = replace(desk.panels, running=frozenset({f"prompt:{ASKED['id']}"}))
    (later,) = [running.question(ASKED, {}, None).later]
    assert later is not None and later.command == "extend"
    for others in (frozenset[str](), frozenset({f"prompt:{UUID(int=8)}"})):
        assert replace(desk.panels, running=others).question(ASKED, {}, None).later is None


def test_what_an_exhibit_offers_is_not_offered_beside_it_again(desk: PlayedDesk) -> None:
    def offered(*commands: str) -> list[str]:
        exhibit = Panel("x", "X", (), (), actions=tuple(Action(each) for each in commands))
        return [b.command for b in desk.panels.question(ASKED, {}, exhibit).buttons]

    assert offered() == offered("resume") == ["pause"]
    assert offered("pause") == []


@pytest.mark.parametrize("differs", [{"asks_me": False}, {"answerable": False}, {"answered": True}])
def test_a_question_waits_for_the_one_who_is_asked_who_may_answer_and_has_not(differs: dict[str, bool]) -> None:
    assert is_mine(Question(ASKED, (), ()))
    assert not is_mine(Question(ASKED | differs, (), ()))


def test_a_timer_that_stands_still_is_none_that_runs_and_has_no_buttons(desk: PlayedDesk) -> None:
    tide = {"key": "tide", "does": "bring-tide", "subject": None, "due_in": 60}
    row = tide | {"due": datetime(2026, 6, 1, tzinfo=UTC), "frozen": False}
    frozen = row | {"key": "storm", "due": None, "frozen": True}
    assert running_timers([row, frozen]) == {"tide"}
    assert [b.command for b in timer_line(row, [], {}, desk.panels)["buttons"]] == ["extend", "fire-now"]
    assert timer_line(frozen, [], {}, desk.panels)["buttons"] == ()
