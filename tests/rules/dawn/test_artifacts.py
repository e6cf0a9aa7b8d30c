"""Artifacts in Dawn: who has them, and what follows them (DW-ART-*)."""

from dataclasses import replace
from uuid import UUID

import pytest

from games.dawn.rules.state.schema_types import Life, Works
from games.dawn.rules.wonders.events import CityRazed, RaceExtinct
from games.engine.artifacts.commands import CreateArtifact
from games.engine.artifacts.events import ArtifactCreated, ArtifactPassed
from games.engine.kernel import Event
from tests.dice import d
from tests.playbook import Playbook, event_like, of_kind, refused
from tests.rules.dawn.field import HOLD, WEST, armies, commit, field, march, work
from tests.rules.dawn.stage import DWARVES, ELVES, GM, HAVEN, A, B, city, people, playing


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


@pytest.mark.rule("DW-ART-1")
def test_a_city_has_an_artifact() -> None:
    book = playing()
    people(book)
    ring = create(book, holder=city(book))
    assert book.state.artifacts[ring].city == HAVEN


def take(book: Playbook) -> list[Event]:
    """A's one army takes the city of the dwarves."""
    march(book)
    return commit(book, A, *armies(book), dice=[d(6, "attacker", 6), d(6, "defender", 1)])


@pytest.mark.rule("DW-ART-2", "DW-WAR-10")
def test_what_lies_in_a_city_stays_there_when_it_falls_and_the_race_loses_its_own_with_its_last() -> None:
    book = field(1, 0)
    ring, crown = create(book, holder=DWARVES), create(book, "Crown", HOLD)
    events = take(book)
    assert book.state.cities[HOLD].race == ELVES
    assert book.state.artifacts[crown].city == HOLD
    assert of_kind(events, ArtifactPassed) == [
        event_like(ArtifactPassed, artifact=ring, holder=ELVES, former=DWARVES, under=("DW-ART-2",))
    ]


@pytest.mark.rule("DW-ART-2")
def test_a_race_with_another_city_keeps_what_it_has() -> None:
    book = field(1, 0)
    city(book, DWARVES, B, (4, 4), id=UUID(int=0xC9))
    ring = create(book, holder=DWARVES)
    assert not of_kind(take(book), ArtifactPassed)
    assert book.state.artifacts[ring].race == DWARVES


@pytest.mark.rule("DW-ART-3", "DW-MIR-5")
def test_what_lay_in_a_razed_city_passes_to_its_race() -> None:
    book = playing(age=2, a=50)
    people(book, B)
    ring = create(book, holder=city(book, controller=A))
    events = work(book, Works.RAZE_CITY, HAVEN, at=(WEST,))
    assert [type(each) for each in of_kind(events, ArtifactPassed, CityRazed)] == [ArtifactPassed, CityRazed]
    assert book.state.artifacts[ring].race == ELVES


@pytest.mark.rule("DW-ART-4", "DW-MIR-5")
def test_what_an_extinct_race_had_is_nobodys() -> None:
    book = playing(age=2, a=50)
    people(book, A)
    ring = create(book, holder=ELVES)
    events = work(book, Works.EXTINGUISH_RACE, ELVES, at=(WEST,))
    assert [type(each) for each in of_kind(events, ArtifactPassed, RaceExtinct)] == [ArtifactPassed, RaceExtinct]
    assert book.state.artifacts[ring].holder is None
