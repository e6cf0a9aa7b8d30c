"""Rows of the state come in an order that does not depend on how they were written."""

from datetime import UTC, datetime

import pytest

from games import registry
from games.models import Timer
from games.reads.selectors import state_for
from games.storage.store import Mapped
from tests.games.cairns import table
from worlds.visibility import Visibility

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize("slug", sorted(registry.folders()))
def test_every_table_is_read_in_an_order_that_its_key_makes_whole(slug):
    game = table().game
    for mapped in (found for found in registry.store(slug).tables if type(found).view is Mapped.view):
        model = mapped.parts[-1].model
        assert mapped.in_order(model._default_manager.all(), game).query.order_by[-1] == "pk", mapped.table


def test_timers_of_one_moment_stand_as_they_stood_when_one_is_written_again():
    here = table()
    for key in "abcdef":
        Timer.objects.create(
            game=here.game, audience="public", key=key, does="tide", arguments="{}", due=NOON, generation=1
        )
    keys = [row["key"] for row in state_for(here.game, Visibility(), frozenset({"timers"}))["timers"]]
    Timer.objects.filter(key="a").update(generation=2)
    Timer.objects.filter(key="a").update(generation=1)
    assert [row["key"] for row in state_for(here.game, Visibility(), frozenset({"timers"}))["timers"]] == keys
