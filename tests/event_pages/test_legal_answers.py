"""A question offers the commands that would answer it now, for whoever is asked, and no other (no database)."""

from uuid import UUID

import pytest

from api.pages.forms.legal_answers import LegalAnswers
from games.engine.insight.event_pages import Action, Line, Panel
from games.gods2.rules.pantheon.commands import SignPantheonOrder, UnsignPantheonOrder
from tests.event_pages.played import PlayedDesk, row_of
from tests.rules.gods2.era import ANA, BEN, two_peoples
from tests.rules.gods2.test_free_acts import draft_order

SIGN, UNSIGN = SignPantheonOrder.slug(), UnsignPantheonOrder.slug()


@pytest.fixture
def drafted() -> tuple[PlayedDesk, UUID]:
    """A desk of a game in which Ben has drafted an order that Ben and Ana have to sign, and Ana has signed it."""
    book, dwarves, *_ = two_peoples()
    order = draft_order(book, dwarves)
    book.when(SignPantheonOrder(order=order), by=ANA)
    return PlayedDesk(book.state), order


def test_who_has_not_signed_may_sign_and_who_has_may_take_it_back(drafted: tuple[PlayedDesk, UUID]) -> None:
    desk, _ = drafted
    (question,) = [each for each in desk.questions if UNSIGN in each.row["answered_by"]]
    names = {seat.id: seat.name for seat in desk.seen.seats.values()}
    offered = {each.name: [button.command for button in each.buttons] for each in question.answers}
    assert offered == {names[BEN]: [SIGN], names[ANA]: [UNSIGN]}


def test_what_another_draft_is_named_for_is_not_open(drafted: tuple[PlayedDesk, UUID]) -> None:
    desk, order = drafted
    legal = LegalAnswers(desk.seen, desk.actor())
    assert legal.are_open(SignPantheonOrder, {"order": order}, BEN)
    assert not legal.are_open(SignPantheonOrder, {"order": UUID(int=9)}, BEN)
    assert not legal.are_open(SignPantheonOrder, {"order": order}, ANA)


def test_an_action_of_an_exhibit_that_answers_the_question_is_offered_while_it_would_be_taken(
    drafted: tuple[PlayedDesk, UUID],
) -> None:
    desk, _ = drafted
    prompt = next(iter(desk.seen.prompts.values()))
    row = row_of(desk.seen, prompt) | {"answered_by": ["resume", "pause"]}
    actions = (Action("resume"), Action("pause"))
    shown = desk.panels.show_panel(Panel("x", "X", ("A",), (Line(("",), actions),), actions=actions), row)
    assert [each.command for each in (*shown.buttons, *shown.lines[0].buttons)] == ["pause", "pause"]
    assert [each.command for each in desk.panels.buttons(actions)] == ["resume", "pause"]
