"""What Dawn asks of the database: as much for a large world as for a small one."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games import registry
from tests.games.dawn import begin, open_lobby, peopled_world

pytestmark = pytest.mark.django_db


def queries(work: Any) -> int:
    """How many queries some work asks."""
    with CaptureQueriesContext(connection) as captured:
        work()
    return len(captured)


def test_a_state_is_loaded_in_one_query_a_table_however_large_it_is() -> None:
    store = registry.store("dawn")
    games = open_lobby().game, begin({"width": 40, "height": 30}).game, peopled_world().game
    assert [queries(lambda g=g: store.load(g)) for g in games] == [len(store.tables)] * 3
    assert len(store.tables) == 9 + 22


def test_a_shaping_is_saved_in_as_many_queries_however_large_the_map_and_many_its_squares() -> None:
    counts = []
    for width, squares in ((8, 2), (40, 12)):
        here = begin({"width": width, "height": 6})
        here.turn_of("ann")
        here.grant("ann", 50)
        row = tuple((x % width, x // width) for x in range(min(squares, width)))
        counts.append(queries(lambda here=here, row=row: here.shape("ann", "Shore", *row)))
    assert counts[0] == counts[1] <= 70
