"""A page of a list costs a page, whatever else the database holds: rows that its plan reads, never time.

The kind: a list with a scope (one game or one world) that is ordered by another key than the scope. Where rows of one
scope stand together in that order, a plan that walks the order reads all that others have before it comes to the first
one. What each list needs is an index that begins with its scope and goes on with its order.
"""

import json
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import connection, transaction
from django.db.models import Model
from django.test import Client
from django.test.utils import CaptureQueriesContext

from api.representations.resources.worlds import RESOURCES
from api.rest.resources import every_own_resource
from core.ids import in_slot_of
from games.albraxas.rules.state.schema_types import Step
from games.engine.audience import GM, PUBLIC
from games.models import Game, LoggedEvent, Stream
from games.reads import selectors
from games.storage import cursors
from games.storage.cursors import Head
from games.storage.state_cache import STATE_CACHE
from tests.api.worlds import toy_game
from tests.security.grounds import Ground, ages, era, forge, storm, tower
from tests.security.looking import client_of
from worlds import models
from worlds.models import Square, World
from worlds.visibility import Visibility

OTHERS, SIDE, PAGE, FOREIGN = 50, 20, 50, 2_000
on_postgres = pytest.mark.skipif(connection.vendor != "postgresql", reason="a plan that counts what it has read")


def in_world(world: World) -> UUID:
    """An id of something in a world."""
    return in_slot_of(world.pk, uuid4())


def things_of(world: World) -> Iterator[Model]:
    """Rows of each large list of a world, a few pages of them: what they refer to first."""
    squares = [
        Square(id=world.square_id(x, y), world=world, x=x, y=y, terrain="P") for y in range(SIDE) for x in range(SIDE)
    ]
    races = [models.Race(id=in_world(world), world=world, name=f"Race {n}") for n in range(4)]
    places = [models.Place(id=in_world(world), world=world, kind="village", name=f"Place {n}") for n in range(40)]
    yield from (*squares, *races, *places)
    for square in squares[::3]:
        race = races[square.x % len(races)]
        yield models.Feature(id=in_world(world), world=world, square=square, kind="river", name="")
        yield models.Presence(race=race, square=square, units=1)
        yield models.City(id=in_world(world), world=world, race=race, square=square, kind="city", name="")
        yield models.Army(id=in_world(world), race=race, square=square, name=f"Army {square.pk}")
        yield models.Order(id=in_world(world), race=race, kind="cult", name=f"Order {square.pk}")
        yield models.Artifact(id=in_world(world), world=world, name="Ring", race=race)
        yield models.PlaceSquare(place=places[square.x % len(places)], square=square)
    for one in places:
        for other in places[:8]:
            if one is not other:
                yield models.Route(id=in_world(world), world=world, kind="road", from_place=one, to_place=other)


@pytest.fixture
def crowded() -> World:
    """One world among fifty others as large; it is the one that comes last in the order of ids."""
    world = World.objects.create(name="Among many", width=SIDE, height=SIDE, is_public=True)
    rows: dict[type[Model], list[Model]] = {World: [world]}
    for row in things_of(world):
        rows.setdefault(type(row), []).append(row)
    for model, found in rows.items():
        if model is not World:
            model._default_manager.bulk_create(found)
        copy_rows(model, OTHERS)
    return World.objects.order_by("-id")[0]


def copy_rows(model: type[Model], times: int, game: UUID | None = None) -> None:
    """Add so many copies of a table's rows, or of those of a game, with other ids, alike in all tables."""
    columns = {column.column: (column.db_type(connection) or "").split()[0] for column in model._meta.concrete_fields}
    other = {
        "uuid": "md5(t.{0} || '/' || n)::uuid",
        "bigint": "mod(abs(hashtextextended(t.{0} || '/' || n, 0)), 1::bigint << 38)",
    }
    changed = ", ".join(f"'{name}', {other[kind].format(name)}" for name, kind in columns.items() if kind in other)
    table = model._meta.db_table
    copies = f"jsonb_populate_record(t, to_jsonb(t) || jsonb_build_object({changed}))"
    where, asked = ("WHERE t.game_id = %s", [game]) if game else ("", [])
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {table} SELECT ({copies}).* FROM {table} t, generate_series(1, {times}) n {where}",
            asked,
        )
        cursor.execute(f"ANALYZE {table}")


def plan_of(sql: str) -> dict[str, Any]:
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


def outline(plan: dict[str, Any]) -> str:
    """The nodes of a plan with the rows that each hands on."""
    within = ", ".join(outline(each) for each in plan.get("Plans", ()))
    name = plan.get("Index Name", plan.get("Relation Name", ""))
    rows = f"{plan['Node Type']} {name} {plan['Actual Rows']}x{plan['Actual Loops']}"
    return f"{rows} [{within}]" if within else rows


LARGE = {
    "squares": ["", "&terrain=P", "&y_min=10"], "features": ["", "&kind=river"], "presences": ["", "&units_min=1"],
    "cities": ["", "&kind=city"], "armies": [""], "orders": [""], "artifacts": [""], "routes": ["", "&kind=road"],
    "place-squares": [""],
}  # fmt: skip
"""The lists of a world that grow with its map or with what is done in it, and filters that leave most of it."""


def dear_page(client: Client, address: str, model: type[Model], most: int) -> str:
    """What is wrong with the plan of a page that reads more than so many rows or buffers; else ""."""
    with CaptureQueriesContext(connection) as asked:
        answer = client.get(address)
    assert answer.status_code == 200, (address, answer.content[:300])
    table = f'FROM "{model._meta.db_table}"'
    listed = [each["sql"] for each in asked if table in each["sql"] and "LIMIT" in each["sql"]]
    assert listed, f"the page of {address} is one statement"
    plan = plan_of(listed[-1])
    buffers = plan["Shared Hit Blocks"] + plan["Shared Read Blocks"]
    return f"{rows_read(plan)} rows, {buffers} buffers: {outline(plan)}" if max(rows_read(plan), buffers) > most else ""


@on_postgres
@pytest.mark.django_db
def test_a_page_of_each_large_list_of_a_world_reads_a_page_among_fifty_other_worlds(crowded: World) -> None:
    models_of = {resource.name: resource.model for resource in RESOURCES}
    found = {}
    for name, query in ((name, query) for name, queries in LARGE.items() for query in queries):
        address = f"/api/v1/worlds/{crowded.pk}/{name}/?limit={PAGE}{query}"
        assert len(Client().get(address).json()["results"]) == PAGE, address
        found[address] = dear_page(Client(), address, models_of[name], 10 * PAGE)
    assert not any(found.values()), "\n".join(f"{address}: {what}" for address, what in found.items() if what)


GROUNDS: dict[str, Callable[..., Ground]] = {
    "gods2": era,
    "albraxas": lambda *_: storm(Step.ORDER),
    "dawn": lambda *_: ages("war"),
    "dietower": lambda *_: tower("turn"),
    "forgeborn": lambda *_: forge("vote"),
}


@on_postgres
@pytest.mark.django_db
@pytest.mark.parametrize("slug", GROUNDS)
def test_a_page_of_each_list_of_a_game_reads_what_the_game_has_among_fifty_other_games(
    slug: str, settings: Any, tmp_path: Path
) -> None:
    ground = GROUNDS[slug](settings, tmp_path)
    client, found = client_of(ground.viewers["gm"].user), {}
    with transaction.atomic():
        for _, resource in (each for each in every_own_resource() if each[0] == slug and "game" in each[1].within):
            own = int(resource.model._default_manager.filter(game=ground.game.pk).count())
            copy_rows(resource.model, max(OTHERS, FOREIGN // max(own, 1)), ground.game.pk)
            address = f"/api/v1/{slug}/{resource.name}/?limit={PAGE}&game={ground.game.pk}&as=gm"
            found[address] = dear_page(client, address, resource.model, 10 * (PAGE + own))
        transaction.set_rollback(True)  # the copies refer to rows that are not there
    assert len(found) > 5
    assert not any(found.values()), "\n".join(f"{address}: {what}" for address, what in found.items() if what)


LONG = 4_000
"""Events of each of two streams of a long log."""


@on_postgres
@pytest.mark.django_db
@pytest.mark.parametrize("read", [0, 2_000, 3_900])
def test_a_page_of_a_long_log_reads_a_page_forward_and_back(read: int) -> None:
    """The kind: several streams of one log, each in its own order, of which the first or last rows are wanted."""
    toy = toy_game()
    game, seq = toy.fresh(), LoggedEvent.objects.filter(game=toy.game).latest("seq").seq
    like = LoggedEvent.objects.filter(game=game, audience=PUBLIC).latest("seq")
    first = {PUBLIC: like.ordinal, GM: 0}
    told = {name: getattr(like, name) for name in ("type", "at", "body", "rules", "rolls", "by", "cause", "digest")}
    LoggedEvent.objects.bulk_create(
        LoggedEvent(game=game, seq=seq + 2 * n + at, audience=audience, ordinal=first[audience] + n, **told)
        for n in range(1, LONG + 1)
        for at, audience in enumerate(first)
    )
    for audience, ordinal in first.items():
        Stream.objects.update_or_create(game=game, audience=audience, defaults={"head": ordinal + LONG, "mark": ""})
    STATE_CACHE.clear()
    visibility = Visibility(user=toy.host.pk, gm_games=frozenset({game.pk}))
    cursor = cursors.encode({audience: Head(ordinal + read, "") for audience, ordinal in first.items()})
    for look in (partial(selectors.events_for, after=cursor), partial(selectors.events_before, before=cursor)):
        with connection.cursor() as asked:
            asked.execute("ANALYZE games_loggedevent")
        with CaptureQueriesContext(connection) as captured:
            page = look(game, visibility, limit=PAGE)
        if read:
            assert len(page.results) == PAGE
        (listed,) = (each["sql"] for each in captured if "LIMIT" in each["sql"] and '"body"' in each["sql"])
        plan = plan_of(listed)
        assert rows_read(plan) <= 10 * PAGE, outline(plan)


OLD = 5_000
"""Games and worlds that nobody asks for."""


@on_postgres
@pytest.mark.django_db
def test_a_page_of_the_lists_of_games_and_of_worlds_reads_a_page_of_them() -> None:
    """The kind: a list without a scope, in the order of its rows' age or of when something last happened there."""
    toy, found = toy_game(), {}
    v1 = "/api/v1/"
    with transaction.atomic():
        for model, addresses in {
            Game: ["/?", v1 + "games/?", v1 + "games/?status=running&", v1 + "games/?ruleset=toy&"],
            World: [v1 + "worlds/?"],
        }.items():
            copy_rows(model, OLD)
            for address in (f"{each}limit={PAGE}" for each in addresses):
                for who, client in (("a stranger", Client()), ("a player", client_of(toy.ann))):
                    found[f"{who} at {address}"] = dear_page(client, address, model, 10 * PAGE)
        transaction.set_rollback(True)  # the copies refer to rows that are not there
    assert not any(found.values()), "\n".join(f"{address}: {what}" for address, what in found.items() if what)
