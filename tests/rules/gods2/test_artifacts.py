"""Artifacts on Earth: who has them, and what follows them (G2-ART-*)."""

from dataclasses import replace
from uuid import UUID

import pytest

from games.engine.artifacts.commands import CreateArtifact
from games.engine.artifacts.events import ArtifactCreated
from games.gods2.rules.state.records import GodStatus
from tests.playbook import Playbook, refused
from tests.rules.gods2.era import ANA, GM, two_peoples


def create(book: Playbook, name: str = "Ring", holder: UUID | None = None) -> UUID:
    """A new artifact."""
    (event,) = book.when(CreateArtifact(name=name, holder=holder), GM)
    assert isinstance(event, ArtifactCreated)
    return event.artifact


@pytest.mark.rule("G2-ART-1")
def test_gods_and_races_have_artifacts_and_nobody_may() -> None:
    book, dwarves, _ = two_peoples()
    holders = (ANA, dwarves, None)
    made = [create(book, f"Ring {n}", holder) for n, holder in enumerate(holders)]
    assert tuple(book.state.artifacts[each].holder for each in made) == holders


@pytest.mark.rule("G2-ART-1")
def test_who_is_dead_or_extinct_gets_none() -> None:
    book, dwarves, _ = two_peoples()
    state = book.state
    state.gods[ANA] = replace(state.gods[ANA], status=GodStatus.KILLED)
    state.races[dwarves] = replace(state.races[dwarves], extinct=True)
    for holder in (ANA, dwarves):
        with refused("holder.unable", state):
            create(book, holder=holder)
        assert holder not in state.possible_holders()
