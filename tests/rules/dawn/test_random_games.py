"""Whole games of bots: they end, the log tells the state, and every point is accounted for after every event."""

import os
from datetime import timedelta
from typing import Any

import pytest

from games.dawn.rules.bidding import OpenDispute
from games.dawn.rules.invariants import violations
from games.dawn.rules.motions import OpenMotion
from games.dawn.rules.turns import GameFinished, RoundStarted
from games.dawn.rules.vocabulary import Step
from games.engine.bots import BotPassed
from games.engine.conduct import Start
from games.engine.kernel import Actor, Issuer
from games.engine.offers import offers_for
from games.engine.table import dump
from games.engine.timer import TimerRefused
from tests.playbook import Playbook, folded, of_kind
from tests.rules.dawn.stage import GODS, HOST, RULESET, fresh

GAMES = int(os.environ.get("DAWN_GAMES", "6"))


def played(number: int) -> Playbook:
    """A game of 2 to 5 bots; each round somebody moves to lengthen the Age, and the active god disputes if he can."""
    gods = 2 + number % 4
    state = fresh(gods, bots="plain", open_challenge=bool(number % 2), deadlines="live")
    book = Playbook(RULESET, state)
    book.when(Start(), by=HOST)
    book.wait(timedelta(minutes=61))
    for _ in range(2000):
        if book.state.course.step is Step.FINISHED:
            return book
        course = book.state.course
        if course.active and not book.state.motions and not book.state.inner() and course.length < 6 + number % 3:
            book.when(OpenMotion(length=course.length + 1), by=course.active)
            other = next(seat for seat in GODS[:gods] if seat != course.active)
            if book.state.balance(course.active):
                book.when(OpenDispute(against=other, text="?"), by=course.active)
        book.wait(timedelta(seconds=30))
    raise AssertionError(f"game {number} does not end")


def starting_state(number: int) -> Any:
    return fresh(2 + number % 4, bots="plain", open_challenge=bool(number % 2), deadlines="live")


@pytest.mark.rule("DW-PTS-1", "CF-1", "CF-8")
@pytest.mark.parametrize("number", range(GAMES))
def test_a_game_of_bots_ends_and_every_point_is_accounted_for(number: int) -> None:
    book = played(number)
    events = [h.event for h in book.log]
    assert of_kind(events, BotPassed, TimerRefused) == []
    assert of_kind(events, GameFinished) and len(of_kind(events, RoundStarted)) >= 15
    state = starting_state(number)
    for happening in book.log:
        state.table_at(happening.at)
        happening.event.apply(state)
        assert [w for w in violations(state) if "holds" in w or "less than" in w or "arrived" in w] == []
    assert dump(folded(book.log, starting_state(number))) == dump(book.state) and violations(book.state) == []


def test_every_command_says_what_it_would_accept() -> None:
    """Whatever the state, an offer is legal or says why not; no command breaks."""
    book = Playbook(RULESET, starting_state(1))
    book.when(Start(), by=HOST)
    named: set[str] = set()
    for _ in range(12):
        for seat in GODS[:3]:
            actor = Actor(Issuer.SEAT, seat=seat)
            for offer in offers_for(book.state, RULESET.own_commands, actor):
                named.add(offer.command)
                assert offer.legal or (offer.barred is not None and offer.barred.message)
        book.wait(timedelta(minutes=6))
    assert {"define-god", "end-turn", "open-motion", "give-points", "open-dispute", "answer-leave"} <= named
