"""Whole games of bots in memory, and what is wrong with a chronicle that is read aloud."""

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import timedelta
from functools import cache
from typing import Any

from games.engine.audience import PUBLIC
from games.engine.game_state import Status
from games.engine.insight.chronicle import Told, tell_chapters
from games.engine.lifecycle.gm_commands import Start
from games.engine.ruleset import Ruleset
from games.gods2.rules.century.commands import OpenSession
from tests import forms
from tests.playbook import Playbook
from tests.rules.albraxas import test_random_games as storms
from tests.rules.dawn import test_random_games as dawns
from tests.rules.dietower import test_random_evenings as evenings
from tests.rules.forgeborn import test_random_games as forges
from tests.rules.gods2.era import GM, HOST, demo_game

MAX_CHARACTERS = 220
"""Of a sentence that is read aloud; what people have written themselves may be longer."""
FAULTS: Mapping[str, re.Pattern[str]] = {
    "a number": re.compile(r"\d"),
    "a place by its coordinates": re.compile(r"\d+, ?\d+"),
    "bookkeeping": re.compile(
        r"\b(seats?|votes?|voted|ballots?|offers?|points?|bids?|mana|turn of|deadline|missing|Power|units?|squares?)\b"
    ),
    "a key": re.compile(r"\w_\w|\b[a-z]+:[a-z]"),
    "an id": re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-"),
    "two marks": re.compile(r"[.,;:!?]\s*[.,;:!?](?!\w)|  "),
    "no end": re.compile(r"[^.!?]$"),
    "a small beginning": re.compile(r"^[a-z]"),
    "one or many": re.compile(r"\(s\)|\b1 \w+s\b|\b(?:a|an) \w+s are\b"),
    "no name": re.compile(r"\b(None|a god who is gone|nobody (sends|creates|shapes|turns|raises)|gives nobody)\b"),
    "an article": re.compile(r"\b[Aa] [aeio]\w|\b[Aa]n [bcdfgjklmnpqrstvwxyz]"),
}


def gods2() -> Playbook:
    """The demo's Earth with gods of bots: sixteen centuries, or three of them in the short form."""
    book = demo_game(seconds=60)
    book.when(Start(), by=HOST)
    book.when(OpenSession(), by=GM)
    for _ in range(3 if forms.SHORT else 16):
        book.wait(timedelta(seconds=60))
    return book


GAMES: Mapping[str, tuple[Callable[[int], Playbook], tuple[int, ...]]] = {
    "gods2": (lambda number: gods2(), (1,)),
    "albraxas": (storms.random_game, (2, 4)),
    "dawn": (dawns.random_game, (1, 3)),
    "dietower": (evenings.evening, (1, 7)),
    "forgeborn": (forges.game, (1, 3)),
}
"""How whole games of a ruleset are played, and which are read."""


@cache
def played(slug: str, number: int) -> Playbook:
    """A whole game, played once a run."""
    return GAMES[slug][0](number)


def chronicle(rules: Ruleset[Any], book: Playbook, state: Any = None) -> list[tuple[int, Told]]:
    """What is told of a game, with the chapter of each sentence. state: that gives the names; that of the game."""
    public = [record for record in book.log if record.audience == PUBLIC]
    seen = book.state if state is None else state
    return tell_chapters(rules.pages.story, seen, public, rules.chapters, book.state.chapter)


def is_over(book: Playbook) -> bool:
    """Whether a game has been played to its end."""
    return bool(book.state.info.status is Status.FINISHED)


def names_in(rules: Ruleset[Any], state: Any) -> Iterator[str]:
    """What things of a game are called, the longest first: names are no faults, whatever they are."""
    found = {seat.name for seat in state.seats.values()}
    for _, rows in state.rows():
        found |= {str(row.name) for row in rows.values() if getattr(row, "name", "")}
    found |= {face.name for face in rules.pages.faces(state)}
    yield from sorted((name for name in found if name), key=len, reverse=True)


def without_names(text: str, names: list[str]) -> str:
    """A sentence with a plain name for each name."""
    for name in names:
        text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", "Name", text)
    return text
