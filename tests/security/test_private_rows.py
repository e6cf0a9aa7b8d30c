"""Rows of a private game, the public ones too, are visible with a seat in it and not otherwise, in both APIs."""

import pytest
from django.apps import apps
from django.core.cache import caches

from api.representations.resources.resource import Resource
from api.representations.resources.state_tables import own_resources
from games.albraxas.rules.state.schema_types import Step
from games.models import Game
from tests.api.graph import rows_of_graph
from tests.security.grounds import Ground, ages, cairns, era, forge, storm, tower
from tests.security.looking import client_of
from tests.toy.rules.commands import AddStones
from worlds.visibility import Visibility

pytestmark = pytest.mark.django_db


@pytest.fixture(params=["toy", "gods2", "albraxas", "dawn", "dietower", "forgeborn"])
def private(request, settings, tmp_path) -> Ground:
    """A game in the midst of play, which is private from now on."""
    ground = {
        "toy": cairns,
        "gods2": lambda: era(settings, tmp_path),
        "albraxas": lambda: storm(Step.ORDER),
        "dawn": lambda: ages("war"),
        "dietower": lambda: tower("attack"),
        "forgeborn": lambda: forge("danger"),
    }[request.param]()
    if request.param == "toy":
        ground.as_owner(AddStones(stones=1))  # or there would be no row
    Game.objects.filter(pk=ground.game.pk).update(is_public=False)
    return ground


def test_no_row_of_a_private_game_is_visible_to_strangers_whatever_its_readers(private):
    """Of every model with rows of games: prompts, timers, the log, and those of the ruleset."""
    member, visible_rows = private.viewers["observer"], 0
    for model in apps.get_models():
        rows = getattr(model._default_manager.all(), "visible_to", None)
        if rows is None or not any(field.name == "game" for field in model._meta.get_fields()):
            continue
        for visibility in (Visibility.nobody(), Visibility(user=private.viewers["stranger"].user.pk)):
            assert not rows(visibility).filter(game=private.game).exists(), model.__name__
        visible_rows += rows(Visibility(user=member.user.pk)).filter(game=private.game).exists()
    assert visible_rows >= 5, "who sits in the game sees its public rows"


def test_no_list_of_either_api_shows_a_stranger_a_row_of_a_private_game(private):
    people = {name: client_of(private.viewers[name].user) for name in ("nobody", "stranger", "observer")}
    found = 0
    for resource in own_resources(private.slug):
        if "game" not in resource.filters:
            continue  # the same for all games, such as packs
        for name, who in people.items():
            caches["throttles"].clear()
            path = f"/api/v1/{private.slug}/{resource.name}/"
            if name == "observer":
                listed = who.get(f"{path}?game={private.game.pk}&limit=100").json()["results"]
                assert len(rows_of_graph(who, private.slug, private.game.pk, resource)) == len(listed)
                found += len(listed)
            else:
                paths = [f"{path}?game={private.game.pk}", *(f"{path}{key}/" for key in keys(resource))]
                assert {who.get(path).status_code for path in paths} == {404}, f"{name} sees {resource.name}"
                assert who.get(path).json()["code"] == "within.missing"
    assert found, "a member of the game sees its public rows"


def keys(resource: Resource) -> list[object]:
    """What names a row of it in an address; none where there is no row, or rows are only listed."""
    rows = resource.model._default_manager.all()
    return list(rows.values_list(resource.key, flat=True)[:1]) if resource.key else []
