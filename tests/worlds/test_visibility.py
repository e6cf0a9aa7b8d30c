"""Visibility: which viewer sees which rows."""

import pytest
from django.apps import apps
from django.db.models import Model
from django.utils import timezone

from worlds.holdings import record_holdings
from worlds.models import (
    Army,
    Artifact,
    Avatar,
    Chronicle,
    City,
    Deity,
    Feature,
    Order,
    PantheonShare,
    Person,
    Place,
    PlaceSquare,
    Presence,
    Race,
    Route,
    World,
    WorldMember,
)
from worlds.querysets import VisibleQuerySet, visible_worlds
from worlds.visibility import Visibility

MODELS = list(apps.get_app_config("worlds").get_models())


@pytest.fixture
def full(small: World, elves: Race, ada: object) -> World:
    """A private world of which Ada is a member, with at least one row of every model."""
    small.is_public = False
    small.save()
    square = small.square_id(0, 0)
    ra = Deity.objects.create(world=small, name="Ra")
    here, there = (Place.objects.create(world=small, kind="land", name=name) for name in ("Here", "There"))
    Presence.objects.create(race=elves, square_id=square, units=1)
    City.objects.create(world=small, race=elves, square_id=square)
    Feature.objects.create(world=small, square_id=square, kind="river")
    Order.objects.create(race=elves, name="Smiths", kind="guild")
    Army.objects.create(race=elves, square_id=square)
    PantheonShare.objects.create(race=elves, deity=ra, share=10_000)
    Avatar.objects.create(deity=ra, name="Falcon")
    Artifact.objects.create(world=small, name="Ring")
    record_holdings(small, timezone.now())
    Person.objects.create(world=small, name="Mim", kind="character")
    Chronicle.objects.create(world=small, position=1, text="It begins.")
    PlaceSquare.objects.create(place=here, square_id=square)
    Route.objects.create(world=small, from_place=here, to_place=there)
    WorldMember.objects.create(world=small, user=ada)
    return small


def visible_count(model: type[Model], visibility: Visibility) -> int:
    """How many rows of a model a viewer sees."""
    return model._default_manager.visible_to(visibility).count()


def test_every_model_has_a_rule_of_visibility():
    assert all(isinstance(model._default_manager.all(), VisibleQuerySet) for model in MODELS)


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_a_private_world_shows_its_rows_to_members_and_admins_only(full, visibility_of_ada, model, django_user_model):
    stranger = Visibility.of(django_user_model.objects.create(username="bob").pk, gm_games=[full.pk])
    rows = model._default_manager.count()

    assert rows > 0
    assert visible_count(model, visibility_of_ada) == rows
    assert visible_count(model, Visibility.everything()) == rows
    assert visible_count(model, stranger) == 0
    assert visible_count(model, Visibility.nobody()) == 0


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_a_public_world_shows_each_row_once_to_everybody(full, model, django_user_model):
    World.objects.update(is_public=True)
    for name in "xyz":
        WorldMember.objects.create(world=full, user=django_user_model.objects.create(username=name))

    assert visible_count(model, Visibility.nobody()) == model._default_manager.count()


def test_visibility_adds_no_query_of_its_own(full, visibility_of_ada, django_assert_num_queries):
    with django_assert_num_queries(1):
        assert list(Race.objects.visible_to(visibility_of_ada))
    with django_assert_num_queries(1):
        assert list(visible_worlds(visibility_of_ada)) == [full]


def test_a_visibility_is_a_value():
    assert Visibility.nobody() == Visibility()
    assert hash(Visibility.nobody()) == hash(Visibility())
    assert Visibility.everything().admin
