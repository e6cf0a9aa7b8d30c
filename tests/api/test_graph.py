"""The graph: deep queries take as many statements at every size of world; each list is the one that was asked for."""

import base64
import copy
import json
import re
from itertools import product
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection, models
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from graphql import parse, validate
from strawberry_django.relay.cursor_connection import annotate_ordering_fields

from accounts.models import User
from api import graphql
from api.graphql.commands import camel
from api.graphql.connections import order_of
from api.graphql.limits import MAX_COST
from api.graphql.schema import schema
from api.representations.resources.resource import Resource
from api.representations.resources.worlds import RESOURCES
from games.gods2.models import RaceKnowledge, RaceSheet, War
from tests import forms
from tests.api.gods2 import Earth, earth
from tests.api.graph import BY_MODEL, nodes
from tests.api.worlds import client, user
from worlds.models import Artifact, City, Deity, PantheonShare, Person, Presence, Race, Square, World, WorldMember

pytestmark = pytest.mark.django_db

DEEP = {
    "a world, its peoples and their gods": (
        12,
        """query($g: UUID!) { game(id: $g) { world { races(first: 20) { edges { node { name
            cities(first: 2) { edges { node { name square { x y terrain } } } }
            presences(first: 5) { edges { node { units square { x y } } } }
            pantheons(first: 5) { edges { node { share deity { name } } } }
            gods2Sheet { level knowledges(first: 5) { edges { node { key } } } } } } } } } }""",
    ),
    "wars with both sides": (
        7,
        """query($g: UUID!) { game(id: $g) { chapter { number } ... on Gods2Game {
            wars(filters: {status: {exact: declared}}, ordering: [{century: DESC}], first: 20) { edges { node { number
                attacker { name gods2Sheet { level } } defender { name cities(first: 2) { edges { node { name } } } }
            } } } } } }""",
    ),
    "sheets with what they know": (
        6,
        """query($g: UUID!) { game(id: $g) { ... on Gods2Game { races(first: 20) { edges { node { race { name colour
            presences(first: 5) { totalCount edges { node { units } } } }
            knowledges(first: 5) { edges { node { key } } } } } } } } }""",
    ),
    "gods with their seats and purses": (
        7,
        """query($g: UUID!) { game(id: $g) { ... on Gods2Game { gods(first: 20) { edges { node {
            deity { name pantheons(first: 20) { edges { node { share race { name } } } } }
            seat { name gods2Purse { balance } } } } } } } }""",
    ),
    "squares with who lives there": (
        7,
        """query($g: UUID!) { game(id: $g) { world {
            squares(filters: {terrain: {exact: "P"}}, first: 20) { edges { node { x y
            presences(first: 5) { edges { node { units race { name } } } } city { name }
            features(first: 5) { totalCount edges { node { name } } }
        } } } } } }""",
    ),
    "persons with what they hold": (
        11,
        """query($g: UUID!) { game(id: $g) { world { persons(first: 20) { totalCount edges { node { name place { name }
            square { x y persons(first: 5) { edges { node { name } } } }
            artifacts(first: 5) { edges { node { name holder { kind id } person { id } } } } } } }
            artifacts(filters: {holderKind: {inList: [person, race]}}, first: 20) {
                edges { node { holder { kind id } race { name } person { name kind } } } } } } }""",
    ),
    "games with their worlds and peoples": (
        6,
        """{ games(first: 20) { totalCount edges { node { name waitingFor { must } world { name
            races(first: 20) { totalCount edges { node { name pantheons(first: 5) { edges { node { share } } } } } }
        } } } } }""",
    ),
}
"""A query by what it shows, with the statements it takes beside those that find the viewer."""


def populate(stage: Earth, races: int) -> None:
    """More races, each with a city, a person, artifacts, units, a pantheon, a sheet, knowledge and a war."""
    world = stage.game.world
    sheet = RaceSheet.objects.filter(game=stage.game).first()
    deity = Deity.objects.filter(world=world).first()
    squares = list(Square.objects.filter(world=world, city=None)[: 2 * races])
    assert world is not None and sheet is not None and len(squares) == 2 * races
    for number in range(races):
        race = Race.objects.create(world=world, name=f"People {number:03}")
        City.objects.create(world=world, race=race, square=squares[2 * number], name=f"Town {number}")
        for square in squares[2 * number : 2 * number + 2]:
            Presence.objects.create(race=race, square=square, units=number + 1)
        person = Person.objects.create(world=world, name=f"Person {number}", kind="prince", square=squares[2 * number])
        for holder in ({"person": person}, {"person": person}, {"race": race}):
            Artifact.objects.create(world=world, name=f"Work {number}", **holder)
        PantheonShare.objects.create(race=race, deity=deity, share=9_000)
        PantheonShare.objects.create(race=race, special="atheism", share=1_000)
        twin = copy.copy(sheet)
        twin.pk, twin.race = race.pk, race
        twin.save(force_insert=True)
        RaceKnowledge.objects.create(race=twin, game=stage.game, key="archery")
        War.objects.create(
            id=uuid4(), game=stage.game, century=1, number=100 + number, attacker=race, defender=sheet.race,
            kind="god", status="declared", declared_at=timezone.now(),
        )  # fmt: skip


def statements_of(stage: Earth, query: str) -> tuple[int, str]:
    """How many statements an answer took, and the answer as text."""
    with CaptureQueriesContext(connection) as captured:
        found = stage.ask(stage.ana, query)
    return len(captured), str(found)


@pytest.mark.parametrize("name", DEEP)
def test_a_deep_query_takes_as_many_statements_at_any_size(name: str) -> None:
    statements, query = DEEP[name]
    stage = earth()
    stage.game.refresh_from_db()
    populate(stage, 2)
    stage.ask(stage.ana, query)
    small = statements_of(stage, query)
    populate_more(stage)
    large = statements_of(stage, query)
    assert len(large[1]) > len(small[1]), "the larger world has more to show"
    assert large[0] == small[0] <= statements + 3


def populate_more(stage: Earth) -> None:
    """Twice as much again."""
    Race.objects.filter(world=stage.game.world, name__startswith="People").delete()
    Person.objects.filter(world=stage.game.world).delete()
    populate(stage, 5)


def test_lists_of_one_name_with_other_arguments_are_each_their_own() -> None:
    stage = earth()
    stage.game.refresh_from_db()
    populate(stage, 3)
    found = stage.ask(
        stage.ana,
        """query($g: UUID!) { game(id: $g) { world { races(filters: {name: {iStartsWith: "people"}}, first: 5) {
            edges { node {
            many: presences(first: 5) { totalCount edges { node { units } } }
            one: presences(first: 1) { pageInfo { hasNextPage } edges { node { units } } }
            none: presences(filters: {units: {gt: 1000}}) { totalCount edges { node { units } } } } } } } } }""",
    )
    for number, race in enumerate(nodes(found["game"]["world"]["races"])):
        assert [row["units"] for row in nodes(race["many"])] == [number + 1] * 2
        assert race["many"]["totalCount"] == 2
        assert (len(nodes(race["one"])), race["one"]["pageInfo"]["hasNextPage"]) == (1, True)
        assert race["none"] == {"totalCount": 0, "edges": []}


def test_a_nested_list_is_read_page_by_page_in_its_order_and_in_any_other() -> None:
    stage = earth()
    stage.game.refresh_from_db()
    populate(stage, 5)
    query = """query($g: UUID!, $a: String, $o: [RaceOrder!]!) { game(id: $g) { world {
        races(first: 2, after: $a, ordering: $o) { pageInfo { hasNextPage endCursor } edges { node { name } } } } } }"""
    for order, expected in (([], "name"), ([{"name": "DESC"}], "-name"), ([{"extinct": "ASC"}], "name")):
        read: list[str] = []
        after, more = None, True
        while more:
            races = stage.ask(stage.ana, query, a=after, o=order)["game"]["world"]["races"]
            read += [row["name"] for row in nodes(races)]
            after, more = races["pageInfo"]["endCursor"], races["pageInfo"]["hasNextPage"]
        names = Race.objects.filter(world=stage.game.world).order_by(expected).values_list("name", flat=True)
        assert read == list(names)


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ("first: -1", "page.size"),
        ("first: 101", "page.size"),
        ('after: "nonsense"', "page.cursor"),
        ('after: "b3JkZXJlZGN1cnNvcjpbIngiXQ=="', "page.cursor"),
        ("filters: {id: {inList: [" + 101 * '"00000000-0000-4000-8000-000000000000" ' + "]}}", "query.invalid"),
        ('filters: {name: {exact: "a\\u0000b"}}', "query.invalid"),
        ("filters: {sight: {exact: true}}", "query.invalid"),
        ("ordering: [{name: UP}]", "query.invalid"),
    ],
)
def test_what_a_list_cannot_answer_is_refused_by_name_at_the_root_and_below(arguments: str, code: str) -> None:
    stage = earth()
    stage.game.refresh_from_db()
    world = f'world(id: "{stage.game.world_id}") {{ races({arguments}) {{ edges {{ node {{ name }} }} }} }}'
    asked = arguments.replace("sight", "nothing")
    for query in (f"{{ {world} }}", f"{{ worlds({asked}) {{ edges {{ node {{ name }} }} }} }}"):
        answer = client().post("/graphql/", {"query": query}, content_type="application/json").json()
        assert [error["extensions"]["code"] for error in answer["errors"]] == [code], query


def test_whose_eyes_look_is_said_at_the_root_and_holds_for_every_path_below() -> None:
    stage = earth()
    path = """seats { name gods2Purse { balance } } ... on Gods2Game { purses { totalCount }
        gods { edges { node { seat { gods2Purse { balance } } } } } }"""
    query = f"""query($g: UUID!) {{ own: game(id: $g) {{ {path} }} all: game(id: $g, asGm: true) {{ {path} }} }}"""
    found = stage.ask(stage.gm, query)

    def purses(game: dict[str, Any]) -> tuple[int, int, int]:
        by_seat = [seat["gods2Purse"] for seat in game["seats"]]
        by_god = [row["seat"]["gods2Purse"] for row in nodes(game["gods"])]
        return len([p for p in by_seat if p]), len([p for p in by_god if p]), game["purses"]["totalCount"]

    assert purses(found["own"]) == (0, 0, 0)
    assert purses(found["all"]) == (3, 3, 3)
    ana = stage.ask(stage.ana, f"query($g: UUID!) {{ own: game(id: $g) {{ {path} }} }}")
    assert purses(ana["own"]) == (1, 1, 1)
    stranger = f"query($g: UUID!) {{ own: game(id: $g) {{ {path} }} }}"
    assert purses(stage.ask(client(user("eve")), stranger)["own"]) == (0, 0, 0)


@pytest.mark.parametrize(
    "resource",
    [resource for resource in BY_MODEL.values() if resource.model is not Square],  # those by column and row: below
    ids=lambda resource: resource.type_name,
)
def test_a_cursor_holds_shown_columns_alone_and_no_running_number(resource: Resource) -> None:
    rows = resource.model._default_manager.order_by(*order_of(resource.model, resource.order))
    _, descriptors, _ = annotate_ordering_fields(rows)
    names = tuple(name.lstrip("-") for name in resource.order)
    assert [d.attname for d in descriptors] == [resource.model._meta.get_field(name).attname for name in names]
    if isinstance(resource.model._meta.pk, models.BigIntegerField | models.AutoField):
        assert resource.model._meta.pk.name not in names


def test_a_list_in_another_order_goes_on_where_many_rows_are_alike_without_a_running_number() -> None:
    stage = earth()
    stage.game.refresh_from_db()
    populate(stage, 3)
    query = """query($g: UUID!, $a: String) { game(id: $g) { world { squares(first: 5, after: $a,
        ordering: [{terrain: ASC}]) { pageInfo { hasNextPage endCursor } edges { node { x y terrain } } } } } }"""
    read: list[tuple[str, int, int]] = []
    after, more = None, True
    while more:
        page = stage.ask(stage.ana, query, a=after)["game"]["world"]["squares"]
        read += [(row["terrain"], row["y"], row["x"]) for row in nodes(page)]
        after, more = page["pageInfo"]["endCursor"], page["pageInfo"]["hasNextPage"]
        numbers = [int(text) for text in re.findall(r"\d+", base64.b64decode(after).decode())]
        assert max(numbers, default=0) < 1_000, "a square is named by its column and row"
    assert read == sorted(set(read))
    assert len(read) == Square.objects.filter(world=stage.game.world).count()


def test_the_same_list_again_and_again_below_a_list_is_too_dear() -> None:
    again = " ".join(f"a{n}: cities(first: {n + 1}) {{ edges {{ cursor }} }}" for n in range(40))
    query = f"{{ worlds {{ edges {{ node {{ races(first: 20) {{ edges {{ node {{ {again} }} }} }} }} }} }} }}"
    answer = client().post("/graphql/", {"query": query}, content_type="application/json").json()
    (error,) = answer["errors"]
    assert error["extensions"]["code"] == "query.costly"
    assert error["extensions"]["facts"]["cost"] > MAX_COST


def test_the_query_that_the_page_begins_with_is_one_that_the_schema_has() -> None:
    page = (Path(graphql.__file__).parent / "assets" / "page.js").read_text()
    (query,) = re.findall(r'defaultQuery: (".*"),', page)
    assert validate(schema._schema, parse(json.loads(query))) == []


def columns(resource: Resource) -> str:
    """The fields of a row that lead nowhere."""
    return " ".join(camel(name) for name in resource.fields if not resource.model._meta.get_field(name).is_relation)


@pytest.mark.parametrize(
    "resource", [resource for resource in RESOURCES if resource.filters["world"] == "world"], ids=lambda r: r.type_name
)
def test_a_first_page_of_columns_is_the_page_that_the_whole_question_gives(resource: Resource) -> None:
    stage = earth()
    stage.game.refresh_from_db()
    populate(stage, 3)
    name = camel(resource.name.replace("-", "_"))
    query = f"""query($w: UUID!, $first: Int!) {{ world(id: $w) {{ {name}(first: $first) {{
        pageInfo {{ hasNextPage endCursor }} edges {{ cursor node {{ {columns(resource)} }} }} }} }} }}"""
    whole, world = query.replace("pageInfo", "totalCount pageInfo", 1), str(stage.game.world_id)
    WorldMember.objects.create(world=stage.game.world, user=User.objects.get(username="host"))
    asked = list(product((1, 7, 100), (True, False), (stage.gm, stage.eve, client())))
    for first, is_public, viewer in forms.some(asked, 5):
        World.objects.filter(pk=world).update(is_public=is_public)
        with CaptureQueriesContext(connection) as captured:
            flat = stage.ask(viewer, query, w=world, first=first)["world"]
        assert len(captured) <= 4, "the token and its user, the world, the rows"
        seen = stage.ask(viewer, whole, w=world, first=first)["world"]
        assert (seen is None) == (not is_public and viewer is not stage.gm)
        if seen is not None:
            del seen[name]["totalCount"]
        assert flat == seen
