"""Worlds for the tests of worlds."""

from uuid import UUID

import pytest
from django.contrib.auth import get_user_model

from worlds import atlas
from worlds.models import Race, World
from worlds.visibility import Visibility


def uid(number: int) -> UUID:
    """A fixed id."""
    return UUID(int=number)


@pytest.fixture
def small(db: None) -> World:
    """A world of 3 by 2 squares with its map laid out."""
    world = World.objects.create(id=uid(1), name="Small", width=3, height=2)
    atlas.lay_out(world, atlas.read_letters("PFW\nDMI"))
    return world


@pytest.fixture
def elves(small: World) -> Race:
    """A race of the small world."""
    return Race.objects.create(id=uid(2), world=small, name="Elves")


@pytest.fixture
def ada(db: None) -> object:
    """A person."""
    return get_user_model().objects.create(username="ada")


@pytest.fixture
def visibility_of_ada(ada: object) -> Visibility:
    """What Ada may see."""
    return Visibility.of(ada.pk)  # type: ignore[attr-defined]
