"""What a room reads first: headline, countdown, for whom all wait, bars of standings, as far as strangers may know."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from api.pages.event import screen_view
from api.pages.event.screen_view import sight_of, standings_json, stranger
from api.pages.forms.commands import what_ends
from games.engine.insight.event_pages import Line, Panel
from tests.games.albraxas import begin

pytestmark = pytest.mark.django_db


def body_of(game) -> str:
    """What moves of the screen."""
    return Client().get(f"/games/{game.pk}/screen/body/").content.decode()


def test_the_clock_of_a_question_that_is_a_secret_stands_on_the_screen_without_its_words():
    here = begin(now=timezone.now())
    state = sight_of(stranger(here.game.pk)).state
    assert not state.prompts and state.timers  # the rebels alone read the question; the deadline is for everybody
    clock = re.search(r'<div class="clock".*?</div>', body_of(here.game), re.DOTALL)[0]
    assert "data-left=" in clock and "then:" not in clock and "place you have set" not in body_of(here.game)


def test_a_deadline_whose_question_is_not_for_these_eyes_has_no_words():
    timer = {"key": "prompt:7", "does": "settle-default", "subject": None}
    assert what_ends(timer, [], {}) == ""
    assert what_ends(timer, [{"id": 7, "silence": "You stop."}], {}) == "You stop."
    assert what_ends(timer | {"key": "phase"}, [], {}) == "Settle default"


def test_the_one_for_whom_all_wait_is_named_and_of_several_nobody():
    here = begin(now=timezone.now())
    here.go(ria=1, rex=1)
    here.write(albert=())
    assert "All wait for" not in body_of(here.game)
    here.write(ria=())
    left = re.search(r"All wait for <strong>(.*?)</strong>", body_of(here.game))
    assert left is None or left[1] in ("Rex", "Great rex")


def test_a_screen_that_is_behind_names_nobody_who_is_asked_now(monkeypatch):
    now = timezone.now()
    here = begin({"phases": 4, "sides": 6, "spectator_delay": 60}, now=now)
    monkeypatch.setattr(timezone, "now", lambda: now + timedelta(seconds=61))
    assert "All wait for" not in body_of(here.game)


def test_the_newest_sentence_is_the_headline_and_stands_nowhere_else():
    here = begin(now=timezone.now())
    body = body_of(here.game)
    headline = re.search(r'<p class="headline( long)?" id="headline">(.*?)</p>', body, re.DOTALL)
    text = re.sub(r"<.*?>|\u00a0", "", headline[2]).strip()
    assert text and (headline[1] is not None) == (len(text) > 48)
    assert re.sub(r"<.*?>|\u00a0", "", body).count(text) == 1


def test_before_anything_is_told_the_headline_says_what_the_game_is(monkeypatch):
    here = begin(now=timezone.now())
    for name in ("chronicle_lines", "event_lines"):
        monkeypatch.setattr(screen_view, name, lambda *of: [])
    headline = re.search(r'<p class="headline long" id="headline">(.*?)</p>', body_of(here.game))[1]
    assert (
        headline
        == "Albraxas walks back through the phases of the Battle of the Beginning, and rebels lay Ebb against the Tide."
    )


def test_a_bar_is_as_long_as_a_count_is_of_the_largest():
    lines = tuple(Line((name, count, "x")) for name, count in (("A", 40), ("B", 10), ("C", 0), ("D", -3)))
    shown = standings_json(Panel("standings", "Gods", ("God", "Points", ""), lines))
    assert [line["share"] for line in shown["lines"]] == [100, 25, 0, 0]
    unsaid = standings_json(Panel("standings", "Gods", ("God", ""), (Line(("A", "x")),)))
    assert [line["share"] for line in unsaid["lines"]] == [None]
