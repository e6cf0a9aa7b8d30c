"""What no message may hold, and where sentences are found: in logs, questions, legal commands and refusals."""

import re
from collections.abc import Iterable, Iterator
from datetime import timedelta
from typing import Any

from games.engine.errors import Refused
from games.engine.game_state import Role
from games.engine.insight.charts import About
from games.engine.insight.legal_commands import legal_commands_for
from games.engine.kernel import Actor, EventRecord, Issuer
from games.engine.ruleset import Ruleset

NOUNS = (
    "units|squares|wars|cards|times|rows|centuries|cities|armies|rounds|races|gods|minutes|seconds|sources|deaths|points"
    "|sessions|numbers|questions|rebels|phases|dice|successes|junctures|orders|members"
)
TIME_OF_DAY = re.compile(r"\d:\d\d")
FAULTS = {
    "a key": re.compile(r"[A-Za-z0-9]+_[A-Za-z0-9_]+"),
    "a code": re.compile(r"\b[a-z][\w-]*:[A-Za-z0-9]|\b[a-z]+\.[a-z]+\b"),
    "an id": re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-"),
    "an exponent": re.compile(r"\b\d+E[+-]?\d"),
    "two numbers at once": re.compile(r"\((s|es|ies)\)"),
    "a plural of one": re.compile(rf"(?<![\d.,])\b1 ({NOUNS})\b"),
    "a gap": re.compile(r"  | [,.;:]|\.\.(?!\.)|^\s|\s$"),
    "a man": re.compile(r"\b(he|him|his|himself)\b", re.IGNORECASE),
    "a machine's value": re.compile(r"\b(None|True|False|null|Decimal|UUID)\b|[{}<>]"),
    "the old words": re.compile(r"possible in|the game is in"),
}


def faults_of(words: str) -> list[str]:
    """What is wrong with a sentence."""
    return [name for name, found in FAULTS.items() if found.search(words)]


def faulty(sentences: Iterable[str]) -> dict[str, list[str]]:
    """The sentences with something wrong, and what it is."""
    return {words: wrong for words in set(sentences) if (wrong := faults_of(words))}


def in_log(log: Iterable[EventRecord]) -> Iterator[str]:
    """The sentences of a game's events, and what their questions say of silence."""
    for record in log:
        yield record.text
        yield str(getattr(record.event, "silence", ""))


def fixed_times(log: Iterable[EventRecord]) -> list[str]:
    """What questions say that names a time of day, which a pause, an extension or an inner question moves."""
    said = (str(getattr(record.event, part, "")) for record in log for part in ("question", "silence"))
    return [words for words in said if TIME_OF_DAY.search(words)]


def in_state(ruleset: Ruleset, state: Any) -> Iterator[str]:
    """Legal commands of every seat, with the reasons of barred ones; the names in charts, trees and breakdowns."""
    players = (Actor(Issuer.SEAT, user=seat.user, seat=seat.id) for seat in state.seats_of(Role.PLAYER))
    for actor in (*players, Actor(Issuer.GM), Actor(Issuer.HOST)):
        for candidate in legal_commands_for(state, ruleset.open_commands.values(), actor):
            yield candidate.note
            yield candidate.barred.message if candidate.barred else ""
            yield from (step.name for step in candidate.steps)
    for chart in ruleset.charts.values():
        yield from (f.name for f in (chart.figures(state, None) if chart.about is not About.SUBJECT else ()))
    try:
        for tree in (make(state, None) for make in ruleset.trees.values()):
            yield from (text for node in tree.nodes for text in (node.name, *node.asks))
        for found in ruleset.breakdowns(state, None, None):
            yield from (step.name for step in found.steps)
    except Refused as early:
        yield early.message


def during(ruleset: Ruleset, fresh: Any, log: list[EventRecord], every_th: int) -> Iterator[str]:
    """The sentences of a game at some moments of its log, folded into a fresh state, and at its end.

    A moment is where time goes on: inside a command the state is not at rest.
    """
    every, due = max(1, len(log) // every_th), False
    for number, record in enumerate(log, start=1):
        fresh.note_time(record.at)
        record.event.apply(fresh)
        due = due or number % every == 0
        if number == len(log) or (due and log[number].at > record.at):
            due = False
            yield from in_state(ruleset, fresh)


def refusals(monkeypatch: Any) -> list[str]:
    """The messages of all refusals from now on."""
    rows: list[str] = []
    plain = Refused.__init__

    def record(self: Refused, code: str, message: str, **more: Any) -> None:
        plain(self, code, message, **more)
        rows.append(message)

    monkeypatch.setattr(Refused, "__init__", record)
    return rows


SECOND = timedelta(seconds=1)
