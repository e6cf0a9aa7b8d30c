"""Entries of a world's chronicle: one for each event that sentences begin with, whatever number of them does."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from games.engine.audience import PUBLIC
from games.engine.insight.chronicle import Fact, Story, plain
from games.engine.kernel import EventRecord
from games.engine.lifecycle.gm_commands import Paused, Started
from games.storage.chronicle import entries_of, entry_of
from tests.engine.cairns import table
from tests.playbook import DAWN
from tests.toy.rules import RULESET


def tell_twice(scene: Any, event: Started) -> Iterator[Fact]:
    yield plain("It begins.", "1 game")
    yield plain("Nobody has waited.", "2 players")


def tell_once(scene: Any, event: Paused) -> Iterator[Fact]:
    yield plain("All is still.")


def test_sentences_that_begin_with_one_event_stand_in_one_entry() -> None:
    story: Story[Any] = Story({Started: tell_twice, Paused: tell_once})
    ruleset = replace(RULESET, pages=replace(RULESET.pages, story=story))
    state = table().state
    happened = [EventRecord(event, PUBLIC, DAWN) for event in (Started(), Paused(reason=""))]
    found = entries_of(ruleset, state, happened, 7, lambda event: (2, 3) if isinstance(event, Started) else None)
    assert [(entry.id, entry.text, entry.figures, entry.square) for entry in found] == [
        (entry_of(state.info.id, 8), "It begins. Nobody has waited.", "1 game; 2 players", (2, 3)),
        (entry_of(state.info.id, 9), "All is still.", "", None),
    ]
