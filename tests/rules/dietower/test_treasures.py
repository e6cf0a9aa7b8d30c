"""Treasures: artifacts of persons of the world (DT-TRS-*)."""

from uuid import UUID

import pytest

from games.engine.artifacts.commands import CreateArtifact
from games.engine.artifacts.events import ArtifactCreated
from tests.playbook import Playbook, refused
from tests.rules.dietower.stage import GM, S1, npc, pc, playing


def create(book: Playbook, name: str = "Ring", holder: UUID | None = None) -> UUID:
    """A new artifact."""
    (event,) = book.when(CreateArtifact(name=name, holder=holder), GM)
    assert isinstance(event, ArtifactCreated)
    return event.artifact


@pytest.mark.rule("DT-TRS-1")
def test_an_actor_has_a_treasure_and_nobody_may() -> None:
    book = playing()
    holders = (pc(book, S1), None)
    made = [create(book, f"Ring {n}", holder) for n, holder in enumerate(holders)]
    assert tuple(book.state.artifacts[each].holder for each in made) == holders


@pytest.mark.rule("DT-TRS-1")
def test_who_was_never_shown_gets_none() -> None:
    book = playing()
    odo = npc(book)
    assert not book.state.actors[odo].shown
    with refused("holder.unable", book.state):
        create(book, holder=odo)
    assert odo not in book.state.possible_holders()
