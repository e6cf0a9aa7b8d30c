"""Lists of no game in particular: games of both buckets in one page, seen by the same rules as anywhere."""

from collections.abc import Iterator
from functools import partial
from http import HTTPStatus
from typing import Any
from unittest.mock import patch

import pytest
from django.test import Client
from django.urls import URLResolver, get_resolver
from django.urls.resolvers import RoutePattern
from graphql import get_named_type, is_leaf_type, is_required_argument

from accounts.models import User
from api.graphql.schema import schema
from core.places import cards, routing
from core.places.place import Place
from games.models import Seat
from tests.api.graph import nodes
from tests.api.worlds import Atlantis, atlantis, client
from tests.faults.shared import another
from tests.places.buckets import BOTH, ONE, TWO, id_in
from tests.places.games import LONG, change, ids, of, one_in_each, opened_in
from worlds.models import World, WorldMember

pytestmark = pytest.mark.django_db
GAMES, WORLDS = "/api/v1/games/", "/api/v1/worlds/"


def test_games_of_both_buckets_stand_in_one_list_the_newest_first_and_its_cursor_leads_over_both():
    first, second = one_in_each()
    third = opened_in(ONE, lambda: another(first, LONG))

    assert ids(client().get(GAMES)) == of(third, second, first)
    pages, url = [], f"{GAMES}?limit=1"
    while url:
        page = client().get(url)
        pages += ids(page)
        url = page.json()["next"]
    assert pages == of(third, second, first)
    assert ids(client().get(f"{GAMES}?status=running&ruleset=toy")) == of(third, second, first)
    assert ids(client().get(f"{GAMES}?status=finished")) == []


def test_a_private_game_of_another_bucket_is_told_to_its_own_people_alone():
    first, second = one_in_each()
    change(second, is_public=False)
    with routing.at(first.game.pk):
        Seat.objects.filter(game=first.game, user=first.bob.pk).update(user=None)

    assert ids(client().get(GAMES)) == of(first)
    assert ids(client(first.bob).get(GAMES)) == of(second, first)
    assert ids(client(first.bob).get(f"{GAMES}?mine=1")) == of(second)


def test_the_inbox_asks_games_of_both_buckets():
    first, second = one_in_each()
    whose = client(first.ann).get(f"{GAMES}?my_turn=1")
    assert ids(whose) == of(second, first)
    change(first, waiting_for="[]")

    assert ids(client(first.ann).get(f"{GAMES}?my_turn=1")) == of(second)
    assert ids(client(first.ann).get(f"{GAMES}?asked=1")) == []
    assert ids(client(first.ann).get(f"{GAMES}?my_turn=1&as=gm")) == []


def test_worlds_of_both_buckets_stand_in_one_list_and_private_ones_for_their_members():
    made = []
    for place, is_public in zip(BOTH, (True, False), strict=True):
        with routing.at_place(place):
            made.append(
                World.objects.create(id=id_in(place), name=place.schema, width=0, height=0, is_public=is_public)
            )
    member = one_in_each()[0].ann
    with routing.at_place(TWO):
        WorldMember.objects.create(world=made[1], user=member)

    def found(who: Any) -> list[str]:
        return [row["name"] for row in client(who).get(f"{WORLDS}?name_contains=place").json()["results"]]

    assert (found(None), found(member)) == ([ONE.schema], [TWO.schema, ONE.schema])
    with routing.at_place(TWO):
        World.objects.filter(pk=made[1].pk).delete()
    assert found(member) == [ONE.schema]


def test_what_was_opened_or_changed_a_moment_ago_is_listed_so():
    first, second = one_in_each()
    cards.follow_all()
    third = opened_in(TWO, lambda: another(first, LONG))
    assert ids(client().get(GAMES)) == of(third, second, first)
    change(third, name="Renamed")
    assert client().get(GAMES).json()["results"][0]["name"] == "Renamed"


def ask(query: str, who: Any = None) -> Any:
    answer = client(who).post("/graphql/", {"query": query}, content_type="application/json").json()
    assert "errors" not in answer, answer
    return answer["data"]


def world_in(place: Place) -> Atlantis:
    """A world in a bucket, with rows of most kinds."""
    create = partial(World.objects.create, id=id_in(place))
    with patch.object(World.objects, "create", create), routing.at_place(place):
        return atlantis(place.schema)


def test_what_rows_of_a_list_lead_to_is_read_in_their_own_place():
    for place in BOTH:
        world_in(place)
    found = ask(
        """{ worlds(first: 3, filters: {name: {iStartsWith: "place"}}, ordering: [{name: ASC}]) { totalCount
        edges { node { name races(first: 1, filters: {extinct: {exact: false}}) { totalCount edges { node { name
            presences(first: 1) { totalCount edges { node { units square { x } } } } } } }
        few: squares(first: 1) { totalCount edges { node { x } } }
        water: squares(first: 1, filters: {terrain: {exact: "W"}}) { totalCount } } } } }"""
    )["worlds"]
    assert found["totalCount"] == 2
    assert [each["name"] for each in nodes(found)] == [ONE.schema, TWO.schema]
    for each in nodes(found):
        race = nodes(each["races"])[0]
        assert (each["races"]["totalCount"], race["name"], race["presences"]["totalCount"]) == (1, "Elves", 2)
        assert nodes(race["presences"])[0]["square"] == {"x": 1}
        assert (each["few"]["totalCount"], each["water"]["totalCount"]) == (12, 3)


def test_games_of_both_buckets_are_listed_in_graphql_with_whom_they_wait_for_and_their_worlds():
    first, second = one_in_each()
    query = """{ games(%s) { totalCount pageInfo { endCursor } edges { node { id waitingFor { seat must }
        world { name races(first: 2) { totalCount } } } } }
        game(id: "%s") { mySeats { name } waitingFor { seat } } %s }"""
    found = ask(query % ("first: 1, myTurn: true", first.game.pk, ""), first.ann)
    assert [each["id"] for each in nodes(found["games"])] == of(second) and found["games"]["totalCount"] == 2
    assert found["game"]["mySeats"][0]["name"] == "Ann"
    after = f'first: 1, myTurn: true, after: "{found["games"]["pageInfo"]["endCursor"]}"'
    more = "beside: games(mine: true) { totalCount edges { node { id waitingFor { seat } } } }"
    found = ask(query % (after, second.game.pk, more), first.ann)
    assert [each["id"] for each in nodes(found["games"])] == of(first)
    assert [each["id"] for each in nodes(found["beside"])] == of(second, first)
    assert all(each["waitingFor"] for each in nodes(found["beside"]))


def test_the_home_page_and_the_overview_show_games_of_both_buckets():
    first, second = one_in_each()
    for cairns, name in ((first, "Far stones"), (second, "Near stones")):
        change(cairns, name=name)
    browser = Client()
    browser.force_login(first.ann)
    page = browser.get("/").content.decode()
    assert page.count("Far stones") and page.count("Near stones")

    admin = User.objects.create_superuser("root")
    browser.force_login(admin)
    page = browser.get("/admin/").content.decode()
    assert "Far stones" in page and "Near stones" in page


def plain_addresses(resolver: Any = None, before: str = "/") -> Iterator[str]:
    """Every address of the service without a part that varies."""
    for each in (resolver or get_resolver()).url_patterns:
        part = str(each.pattern)
        if isinstance(each, URLResolver):
            yield from plain_addresses(each, before + part)
        elif isinstance(each.pattern, RoutePattern) and "<" not in before + part:
            yield before + part


def test_no_address_without_an_id_forgets_to_say_where_it_reads():
    first, _ = one_in_each()
    admin, player = Client(raise_request_exception=False), Client(raise_request_exception=False)
    admin.force_login(User.objects.create_superuser("root"))
    player.force_login(first.ann)
    # What is counted for metrics is not read across places yet; then the address belongs here, too.
    asked = [address for address in plain_addresses() if "logout" not in address and address != "/metrics"]
    assert {"/", "/api/v1/games/", "/api/v1/worlds/", "/admin/", "/admin/games/game/"} <= {*asked}
    failed = [
        (address, status)
        for address in asked
        for who in (admin, player)
        if (status := who.get(address).status_code) >= HTTPStatus.INTERNAL_SERVER_ERROR
    ]
    assert failed == []


def test_no_root_field_of_graphql_without_an_id_forgets_to_say_where_it_reads():
    first, _ = one_in_each()
    root = schema._schema.query_type
    assert root is not None
    asked = [
        f"{name} {'' if is_leaf_type(get_named_type(field.type)) else '{ __typename }'}"
        for name, field in root.fields.items()
        if not any(is_required_argument(argument) for argument in field.args.values())
    ]
    assert {"games { __typename }", "worlds { __typename }"} <= {*asked}
    for each in asked:
        ask(f"{{ {each} }}", first.ann)
        if "first" in root.fields[each.partition(" ")[0]].args:
            ask(f"{{ {each.partition(' ')[0]} {{ edges {{ node {{ __typename }} }} }} }}", first.ann)
