"""A test that is one transaction: its own blocks are held to one place each, it is not."""

import pytest
from django.db import transaction

from core.places.place import MixedPlaces
from core.places.routing import at_place
from tests.places.buckets import ONE, TWO, fill, here

pytestmark = pytest.mark.django_db


def test_a_test_may_look_into_every_place_and_its_blocks_into_one():
    fill()
    for place in (ONE, TWO):
        with at_place(place), transaction.atomic():
            assert here() == [place.schema]
    with pytest.raises(MixedPlaces), transaction.atomic():
        for place in (ONE, TWO):
            with at_place(place):
                here()
