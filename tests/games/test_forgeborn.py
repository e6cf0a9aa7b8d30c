"""Forgeborn through the one writer: rows that are what the log says, deadlines by the clock, what is undone."""

from datetime import timedelta
from typing import Any

import pytest
from django.apps import apps

from games.engine.lifecycle.gm_commands import Rewind
from games.models import Prompt
from tests.games.forgeborn import begin, defining, forge, needs_forgeborn
from worlds.models import Artifact as WorldArtifact
from worlds.models import Person, Route, Square
from worlds.models import Place as WorldPlace

pytestmark = [pytest.mark.django_db, needs_forgeborn]


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
    assert (thing.name, thing.holder_kind, thing.place_id) == ("Ember", "place", here.place("citadel"))
    sheet = rows("Artifact").get(game=here.id)
    assert (sheet.form, sheet.function, sheet.power) == ("clothing", "fortune", 1)
    here.does("bob", "end-turn")
    here.does("ann", "request-artifact", artifact=thing.pk)
    here.does("bob", "cast-ballot", yes=True)
    thing.refresh_from_db()
    assert (thing.holder_kind, thing.person_id, thing.place_id) == ("person", here.of("ann"), None)
    assert rows("Purse").get(seat=here.seats["ann"]).vp == 1
    here.rows_agree()


@pytest.mark.rule("FB-GM-4")
def test_what_is_undone_is_gone_from_the_rows():
    here = begin()
    before = here.game.seq
    forge(here, "ann", others=("bob",))
    here.run(Rewind(to=before, reason="again"), "gm")
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
