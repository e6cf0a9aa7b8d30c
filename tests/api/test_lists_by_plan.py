"""A page of a list costs a page, whatever else the database holds: rows that its plan reads, never time.

The kind: a list with a scope (one world) that is ordered by another key than the scope. Where rows of one scope stand
together in that order, a plan that walks the order reads all that others have before it comes to the first one.
"""

import json
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from worlds.models import Square, World

OTHERS, SIDE, PAGE = 50, 30, 50
pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif(connection.vendor != "postgresql", reason="a plan that counts what it has read"),
]


@pytest.fixture
def crowded() -> World:
    """One world among fifty others of 900 squares; it is the one whose squares come last in the order of ids."""
    worlds = [
        World.objects.create(name=f"World {number}", width=SIDE, height=SIDE, is_public=True)
        for number in range(OTHERS + 1)
    ]
    for world in worlds:
        Square.objects.bulk_create(
            Square(id=world.square_id(x, y), world=world, x=x, y=y, terrain="P")
            for y in range(SIDE)
            for x in range(SIDE)
        )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE worlds_square")
    return max(worlds, key=lambda world: world.number)


def plans(sql: str) -> dict[str, Any]:
    """The plan of a query as it was carried out."""
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {sql}")
        found = cursor.fetchone()[0]
    return (json.loads(found) if isinstance(found, str) else found)[0]["Plan"]


def rows_read(plan: dict[str, Any]) -> int:
    """The rows that all scans of a plan have looked at: those they hand on and those they throw away."""
    here = 0
    if "Scan" in plan["Node Type"]:
        here = plan["Actual Loops"] * (plan["Actual Rows"] + plan.get("Rows Removed by Filter", 0))
    return int(here) + sum(map(rows_read, plan.get("Plans", ())))


@pytest.mark.parametrize("query", ["", "&terrain=P", "&y_min=10"])
def test_a_page_of_squares_reads_a_page_among_fifty_other_worlds(crowded: World, query: str) -> None:
    with CaptureQueriesContext(connection) as asked:
        answer = Client().get(f"/api/v1/worlds/{crowded.pk}/squares/?limit={PAGE}{query}")
    assert answer.status_code == 200 and len(answer.json()["results"]) == PAGE
    listed = [each["sql"] for each in asked if 'FROM "worlds_square"' in each["sql"] and "LIMIT" in each["sql"]]
    assert listed, "the page is one statement"
    plan = plans(listed[-1])
    buffers = plan["Shared Hit Blocks"] + plan["Shared Read Blocks"]
    assert rows_read(plan) <= 10 * PAGE and buffers <= 10 * PAGE, json.dumps(plan)[:800]
