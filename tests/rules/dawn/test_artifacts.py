"""Artifacts in Dawn: who has them, and what follows them (DW-ART-*)."""

from dataclasses import replace
from uuid import UUID

import pytest

from games.dawn.rules.state.schema_types import Life
from games.engine.artifacts.commands import CreateArtifact
from games.engine.artifacts.events import ArtifactCreated
from tests.playbook import Playbook, refused
from tests.rules.dawn.stage import ELVES, GM, A, people, playing


def create(book: Playbook, name: str = "Ring", holder: UUID | None = None) -> UUID:
    """A new artifact."""
    (event,) = book.when(CreateArtifact(name=name, holder=holder), GM)
    assert isinstance(event, ArtifactCreated)
    return event.artifact


@pytest.mark.rule("DW-ART-1")
def test_gods_and_races_have_artifacts_and_nobody_may() -> None:
    book = playing()
    people(book)
    holders = (A, ELVES, None)
    made = [create(book, f"Ring {n}", holder) for n, holder in enumerate(holders)]
    assert tuple(book.state.artifacts[each].holder for each in made) == holders


@pytest.mark.rule("DW-ART-1")
def test_an_extinct_race_gets_none() -> None:
    book = playing()
    people(book)
    book.state.races[ELVES] = replace(book.state.races[ELVES], life=Life.EXTINCT)
    with refused("holder.unable", book.state):
        create(book, holder=ELVES)
    assert ELVES not in book.state.possible_holders()
