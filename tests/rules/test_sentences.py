"""Sentences for people hold no keys, codes or ids, and are English: in golden games and in games at random."""

import re
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest

from games.engine.game_state import Role
from games.engine.lifecycle.gm_commands import Start
from games.gods2.rules import RULESET as GODS2
from games.gods2.rules.century.commands import OpenSession
from tests import forms
from tests.engine.cairns import table as cairns_table
from tests.playbook import Playbook
from tests.rules.albraxas import test_random_games as storms
from tests.rules.dawn import test_random_games as dawns
from tests.rules.dietower import test_random_evenings as evenings
from tests.rules.forgeborn import test_random_games as forges
from tests.rules.gods2.era import GM, HOST, demo_game, fresh
from tests.rules.gods2.test_centuries_at_random import act, earth
from tests.rules.sentences import (
    SECOND,
    TIME_OF_DAY,
    during,
    faults_of,
    faulty,
    fixed_times,
    in_log,
    in_state,
    refusals,
)
from tests.rulesets import RULESETS

GOLDEN = Path(__file__).parent.parent / "golden"
TELLINGS = sorted(GOLDEN.glob("*/*.txt"))
KINDS = "|".join(sorted({kind for rules in RULESETS.values() for kind in rules.events}, key=len, reverse=True))
LINE = re.compile(rf"^.{{8}}  \S.*?(?:{KINDS}) +(?P<words>\S.*)$")
"""A line of a telling: the time, who may read it, the event, what it says."""


def sentences_of(transcript: Path) -> list[str]:
    """The sentences of a golden game, without its dice."""
    lines = transcript.read_text(encoding="utf-8").splitlines()
    return [found["words"].split(" [d")[0] for line in lines if (found := LINE.match(line))]


@pytest.mark.parametrize(
    ("words", "wrong"),
    [
        ("Panic works for Norse (disaster_hit:fire).", ["a key", "a code"]),
        ("2 unit(s) of Norse die.", ["two numbers at once"]),
        ("God A gives God B 1 points.", ["a plural of one"]),
        ("0E-8 are carried.", ["an exponent"]),
        ("The GM counts 0 for 10a48a52-4362-410e-9717-c625772fda7b.", ["an id"]),
        ("This is possible in open.", ["the old words"]),
        ("A question is open (ask.decide).", ["a code"]),
        ("God A has ended his turn.", ["a man"]),
        ("Century 1 begins; the Activity Phase ends at 12:25:00 UTC.", []),
        ("Seat 1: 3 of 21 units, 1 square, 0.5 carried.", []),
    ],
)
def test_a_message_that_is_no_sentence_for_people_is_found(words: str, wrong: list[str]) -> None:
    assert faults_of(words) == wrong


@pytest.mark.parametrize("transcript", TELLINGS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_messages_of_golden_games_are_sentences(transcript: Path) -> None:
    found = sentences_of(transcript)
    assert found and faulty(found) == {}
    asked = [line for line in transcript.read_text(encoding="utf-8").splitlines() if "PromptOpened" in line]
    assert [line for line in asked if TIME_OF_DAY.search(line[8:])] == []


def test_messages_of_an_event_of_bots_are_sentences(monkeypatch: pytest.MonkeyPatch) -> None:
    refused = refusals(monkeypatch)
    book = demo_game(seconds=60)
    book.when(Start(), by=HOST)
    book.when(OpenSession(), by=GM)
    for _ in range(2 if forms.SHORT else 4):
        book.wait(timedelta(seconds=45))
        assert faulty(in_state(GODS2, book.state)) == {}
    assert faulty([*in_log(book.log), *refused]) == {} and fixed_times(book.log) == []


@pytest.mark.parametrize("number", range(4))
def test_every_answer_to_gods_and_game_masters_is_a_sentence(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    refused, chance = refusals(monkeypatch), Random(number)
    book: Playbook = earth(chance)
    for _ in range(60):
        act(book, chance)
        book.wait(SECOND * chance.choice((0, 0, 3)))
    rows = [*in_log(book.log), *refused, *in_state(GODS2, book.state)]
    assert faulty(rows) == {} and fixed_times(book.log) == []


Game = tuple[Callable[[int], Any], Callable[[int], Playbook], tuple[int, ...]]
AT_RANDOM: dict[str, Game] = {
    "albraxas": (storms.state_of, storms.random_game, (2, 4)),
    "dawn": (dawns.starting_state, dawns.random_game, (1, 3)),
    "dietower": (evenings.state_of, evenings.evening, (1, 7)),
    "forgeborn": (forges.state_of, forges.game, (1, 3)),
}
"""Of each ruleset whose bots play whole games: how one begins, how it is played, which are read here."""
BEGINNINGS: dict[str, Callable[[], Any]] = {
    "gods2": lambda: fresh({seat.id: seat.name for seat in demo_game(seconds=60).state.seats_of(Role.PLAYER)}),
    "toy": lambda: cairns_table().state,
    **{slug: partial(begin, 1) for slug, (begin, *_) in AT_RANDOM.items()},
}
"""A game of each ruleset that has not begun."""


def test_the_messages_of_every_ruleset_are_read() -> None:
    assert set(BEGINNINGS) == set(RULESETS)
    assert set(AT_RANDOM) == set(RULESETS) - {"gods2", "toy"}  # of both there are games of their own above


@pytest.mark.parametrize(
    ("slug", "number"), [(slug, number) for slug, (*_, numbers) in AT_RANDOM.items() for number in numbers]
)
def test_messages_of_a_game_of_bots_are_sentences(slug: str, number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    begin, play, _ = AT_RANDOM[slug]
    refused, book = refusals(monkeypatch), play(number)
    sentences = during(RULESETS[slug], begin(number), book.log, 12)
    assert faulty([*sentences, *in_log(book.log), *refused]) == {} and fixed_times(book.log) == []


@pytest.mark.parametrize("slug", list(RULESETS))
def test_before_the_start_and_after_the_end_the_phase_is_named_in_a_sentence(slug: str) -> None:
    assert faulty(in_state(RULESETS[slug], BEGINNINGS[slug]())) == {}
