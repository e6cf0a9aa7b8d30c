"""Names that a bot gives to what it has caused: cities, features and wars sound like the people concerned.

Each people has sounds of its own for the whole game, and its names begin as its own does.
"""

import re
from collections.abc import Iterator
from uuid import UUID

from core.names import comparable
from games.engine.audience import reader
from games.engine.dice import Tray
from games.engine.game_state import Prompt
from games.engine.kernel import Command
from games.gods2.rules.bots.view import View
from games.gods2.rules.history.commands import NamePlace
from games.gods2.rules.history.events import Kind, nameable_things
from games.gods2.rules.history.naming import KINDS
from games.gods2.rules.state.questions import Asked

RULE = "bot"
SOUNDS: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = (
    (("ga", "ro", "du", "kar"), ("gard", "heim", "vik", "thal")),
    (("e", "li", "ae", "lo"), ("rion", "thiel", "wen", "dor")),
    (("ash", "ka", "ri", "zu"), ("bad", "mar", "shah", "khet")),
    (("o", "la", "mi", "te"), ("polis", "nia", "tara", "lis")),
    (("u", "ma", "ku", "ti"), ("lani", "koa", "hua", "tika")),
)
"""Middles and ends of names, one set for a people."""
BEGINNING = re.compile(r"[^aeiouy]*[aeiouy]+[^aeiouy]?", re.IGNORECASE)
WORD = re.compile(r"[^\W\d_]+")
"""A word of a name: letters alone, so that no name is put together over a gap."""
TRIES = 12


def naming(view: View, tray: Tray, use: str) -> Command | None:
    """The answer to the first question how something is called; None where nobody asks."""
    for asked in sorted((p for p in view.state.prompts.values() if p.kind == Asked.NAME), key=lambda p: p.id):
        kind = _kind(view, asked)
        if reader(view.god.id) in asked.owners and kind is not None and asked.subject is not None:
            name = _name(view, tray, kind, asked.subject)
            if name is not None:
                return NamePlace(kind=kind, subject=asked.subject, name=name)
    return None


def _kind(view: View, asked: Prompt) -> Kind | None:
    return next((kind for kind in KINDS if asked.subject in nameable_things(view.state, kind)), None)


def _name(view: View, tray: Tray, kind: Kind, subject: UUID) -> str | None:
    """A name that nothing else of this kind has."""
    things = nameable_things(view.state, kind)
    taken = {comparable(thing.name) for thing in things.values()}
    race = _people(view, kind, subject)
    own = view.state.races[race].name if race is not None else view.god.name
    return next((n for n in _names(view, tray, kind, subject, own) if comparable(n) not in taken), None)


def _people(view: View, kind: Kind, subject: UUID) -> UUID | None:
    """The people that a thing concerns: whose city it is, who attacks, who lives there."""
    thing = nameable_things(view.state, kind)[subject]
    if kind == "city":
        return UUID(str(thing.race))
    if kind == "war":
        return UUID(str(thing.attacker))
    return view.state.board.people_at(thing.square) if kind == "feature" else None


def _names(view: View, tray: Tray, kind: Kind, subject: UUID, own: str) -> Iterator[str]:
    middles, ends = tray.draw(f"names/{own}", SOUNDS, RULE)
    words = [part for word in WORD.findall(own) for part in BEGINNING.findall(word)] or [own]
    for _ in range(TRIES):
        middle, end = (tray.draw(f"names/{subject}", parts, RULE) for parts in (middles, ends))
        first = tray.draw(f"names/{subject}", words[:2], RULE).strip(" -'")
        word = (first + (middle if tray.roll(f"names/{subject}", 2, RULE) == 1 else "") + end).capitalize()
        if kind == "feature":
            noun = view.state.pack.features[view.state.features[subject].kind].name
            yield f"{noun} of {word}"
        elif kind == "war":
            yield f"War of {word}"
        else:
            yield word
