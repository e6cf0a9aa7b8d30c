"""Forgeborn through the one writer: rows that are what the log says, deadlines by the clock, what is undone."""

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from django.apps import apps
from django.test import Client

from games.engine.lifecycle.amend import Amend, Change, Deed, FieldChange
from games.models import Prompt
from tests.games.forgeborn import begin, defining, forge
from tests.games.moments import rewind_to
from worlds.models import Artifact as WorldArtifact
from worlds.models import Holding, Person, Route, Square
from worlds.models import Place as WorldPlace

pytestmark = pytest.mark.django_db


def rows(name: str) -> Any:
    """The rows of a model of the game."""
    return apps.get_model("forgeborn", name)._default_manager


@pytest.mark.rule("FB-ROW-2", "FB-ROW-3", "FB-EX-109")
def test_places_ways_and_smiths_are_rows_of_the_world():
    here = begin(people=("ann", "bob", "cat"))
    world = here.game.world
    assert WorldPlace.objects.filter(world=world).count() == 10
    assert rows("Place").filter(game=here.id).count() == 10
    assert rows("DroppedDie").filter(game=here.id).count() == 15
    assert Square.objects.filter(world=world).count() == 0
    assert set(Route.objects.filter(world=world).values_list("kind", flat=True)) <= {"road", "trail"}
    people = Person.objects.filter(world=world)
    assert set(people.values_list("name", "kind")) == {(name, "smith") for name in ("ann", "bob", "cat")}
    citadel = here.place("citadel")
    assert set(people.values_list("place", flat=True)) == {citadel}
    assert set(rows("Character").filter(game=here.id).values_list("d4", "d6", "d8", "d10", "d12")) == {(3, 0, 3, 0, 3)}
    here.rows_agree()


@pytest.mark.rule("FB-ROW-1", "FB-ART-7")
def test_an_artifact_is_a_row_of_the_world_with_one_holder():
    here = begin()
    forge(here, "ann", others=("bob",))
    thing = WorldArtifact.objects.get(world=here.game.world)
    assert (thing.name, thing.person_id, thing.place_id) == ("Ember", None, here.place("citadel"))
    sheet = rows("Artifact").get(game=here.id)
    assert (sheet.form, sheet.function, sheet.power) == ("clothing", "fortune", 1)
    here.does("bob", "end-turn")
    here.does("ann", "request-artifact", artifact=thing.pk)
    here.does("bob", "cast-ballot", yes=True)
    thing.refresh_from_db()
    assert (thing.person_id, thing.place_id) == (here.of("ann"), None)
    assert rows("Purse").get(seat=here.seats["ann"]).vp == 1
    here.rows_agree()


def carried(thing: UUID) -> list[tuple[int, str, str, bool]]:
    """Where an artifact has been: number, kind of holder, since when in words, whether it is there."""
    kinds = {"place_id": "place", "person_id": "person"}
    return [
        (each.number, next(kinds[key] for key in kinds if getattr(each, key)), each.heading, each.until is None)
        for each in Holding.objects.filter(artifact=thing)
    ]


@pytest.mark.rule("FB-ROW-1")
def test_the_world_says_where_an_artifact_has_been():
    here = begin()
    forge(here, "ann", others=("bob",))
    here.does("bob", "end-turn")
    thing = here.thing("Ember")
    here.now += timedelta(seconds=5)
    here.does("ann", "request-artifact", artifact=thing)
    here.does("bob", "cast-ballot", yes=True)
    assert carried(thing) == [(1, "place", "Round 1", False), (2, "person", "Round 2", True)]
    first, second = Holding.objects.filter(artifact=thing)
    assert (first.place_id, first.until, second.person_id) == (here.place("citadel"), second.since, here.of("ann"))

    before = here.game.seq
    here.now += timedelta(seconds=5)
    citadel = here.place("citadel")
    change = FieldChange(field="holder", value=f'"{citadel}"')
    undo = Change(deed=Deed.ALTER, table="artifacts", row=str(thing), fields=(change,))
    here.run(Amend(changes=(undo,), reason="It was denied."), "gm")
    assert carried(thing)[1:] == [(2, "person", "Round 2", False), (3, "place", "Round 2", True)]
    here.now += timedelta(seconds=5)
    here.run(rewind_to(here.id, before, "It was not."), "gm")
    assert carried(thing) == [(1, "place", "Round 1", False), (2, "person", "Round 2", True)]
    listed = Client().get(f"/api/v1/worlds/{here.game.world_id}/holdings/?artifact={thing}").json()["results"]
    assert [(each["holder"]["kind"], each["until"] is None) for each in listed] == [("place", False), ("person", True)]


@pytest.mark.rule("FB-GM-4")
def test_what_is_undone_is_gone_from_the_rows():
    here = begin()
    before = here.game.seq
    forge(here, "ann", others=("bob",))
    here.run(rewind_to(here.id, before, "again"), "gm")
    assert not rows("Artifact").filter(game=here.id).exists()
    assert not WorldArtifact.objects.filter(world=here.game.world).exists()
    assert rows("Course").get(game=here.id).active_id == here.seats["ann"]
    here.rows_agree()


@pytest.mark.rule("FB-AMB-39")
def test_a_game_in_which_nobody_answers_goes_on_by_the_clock():
    here = defining({"referee": "person", "round_limit": 2})
    here.fire(until=here.now + timedelta(hours=2))
    assert here.game.status == "finished"
    assert not Prompt.objects.filter(game=here.id).exists()
    assert not rows("Action").filter(game=here.id).exclude(stage="over").exists()
    here.rows_agree()
