"""Sentences for people hold no keys, codes or ids, and are English: in golden games and in games at random."""

import re
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest

from games.dawn.rules import RULESET as DAWN
from games.engine.game_state import Role
from games.engine.lifecycle.gm_commands import Start
from games.gods2.rules import RULESET as GODS2
from games.gods2.rules.century.steps import OpenSession
from tests.playbook import Playbook
from tests.rules.albraxas import test_random_games as storms
from tests.rules.dawn import test_random_games as dawns
from tests.rules.gods2.era import GM, HOST, demo_game, fresh
from tests.rules.gods2.test_centuries_at_random import act, earth
from tests.rules.sentences import SECOND, during, faults_of, faulty, in_log, in_state, refusals

GOLDEN = Path(__file__).parent.parent / "golden"
TELLINGS = sorted(GOLDEN.glob("*/*.txt"))
KINDS = "|".join(sorted({*GODS2.events, *storms.RULESET.events, *DAWN.events}, key=len, reverse=True))
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
    assert faulty(sentences_of(transcript)) == {}


def test_messages_of_an_event_of_bots_are_sentences(monkeypatch: pytest.MonkeyPatch) -> None:
    refused = refusals(monkeypatch)
    book = demo_game(seconds=60)
    book.when(Start(), by=HOST)
    book.when(OpenSession(), by=GM)
    for _ in range(4):
        book.wait(timedelta(seconds=45))
        assert faulty(in_state(GODS2, book.state)) == {}
    assert faulty([*in_log(book.log), *refused]) == {}


@pytest.mark.parametrize("number", range(4))
def test_every_answer_to_gods_and_game_masters_is_a_sentence(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    refused, chance = refusals(monkeypatch), Random(number)
    book: Playbook = earth(chance)
    for _ in range(60):
        act(book, chance)
        book.wait(SECOND * chance.choice((0, 0, 3)))
    rows = [*in_log(book.log), *refused, *in_state(GODS2, book.state)]
    assert faulty(rows) == {}


@pytest.mark.parametrize("number", [2, 4])
def test_messages_of_a_storm_of_bots_are_sentences(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    refused, book = refusals(monkeypatch), storms.random_game(number)
    sentences = during(storms.RULESET, storms.state_of(number), book.log, 12)
    assert faulty([*sentences, *in_log(book.log), *refused]) == {}


@pytest.mark.parametrize("number", [1, 3])
def test_messages_of_a_world_of_bots_are_sentences(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    refused, book = refusals(monkeypatch), dawns.random_game(number)
    sentences = during(DAWN, dawns.starting_state(number), book.log, 12)
    assert faulty([*sentences, *in_log(book.log), *refused]) == {}


def test_before_the_start_and_after_the_end_the_phase_is_named_in_a_sentence() -> None:
    names = {seat.id: seat.name for seat in demo_game(seconds=60).state.seats_of(Role.PLAYER)}
    states: list[Any] = [fresh(names), storms.state_of(1), dawns.starting_state(1)]
    for ruleset, state in zip((GODS2, storms.RULESET, DAWN), states, strict=True):
        assert faulty(in_state(ruleset, state)) == {}
