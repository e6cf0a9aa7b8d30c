"""GraphQL with games in both buckets: each root field reads and writes in the place of its id."""

from typing import Any

import pytest
from django.test import Client
from graphql import GraphQLNonNull, is_input_object_type

from api.graphql.places import NAMES, PAGE
from api.graphql.schema import schema
from core.places import routing
from tests.api.graph import nodes
from tests.api.people import asking
from tests.games.cairns import Cairns
from tests.places.games import in_its_place, one_in_each

pytestmark = pytest.mark.django_db
WITHOUT_ROWS = {"rulesets", "ruleset", "serverTime", "me", "tokens", "signUp", "mintToken", "openGame"} | {
    "webhooks",
    "webhookEndpoints",
    "createWebhookEndpoint",
    "chatHooks",
    "notifications",
    "unreadNotifications",
    "notificationSettings",
    "pushSubscriptions",
    "pushKey",
    "createPushSubscription",
    "renewPushSubscription",
    "readNotifications",
    "changeNotificationSettings",
    "makeCalendar",
    "sendEmailConfirmation",
    "removeCalendar",
}
"""Root fields that are asked of no game and of no world, and open one at most or read every place by themselves."""
PARTS = (
    "{ id name seats { name } dice { results { value } } mySeats { id } "
    "events(first: 100) { cursor results { type text } } ... on ToyGame { piles { edges { node { stones } } } } }"
)


def ask(client: Client, query: str, **variables: Any) -> Any:
    body = {"query": query, "variables": variables}
    answer = client.post("/graphql/", body, content_type="application/json").json()
    assert "errors" not in answer, answer
    return answer["data"]


def both(first: Cairns, second: Cairns) -> dict[str, str]:
    return {"a": str(first.game.pk), "b": str(second.game.pk)}


def test_one_operation_plays_in_both_places_and_reads_each_game_where_it_is():
    first, second = one_in_each()
    ann = asking(first.ann)
    done = ask(
        ann,
        "mutation($a: UUID!, $b: UUID!) { "
        "a: toyAddStones(game: $a, input: {stones: 2}) { __typename ... on CommandDone { events { text } } } "
        "b: toyAddStones(game: $b, input: {stones: 3}) { __typename ... on CommandDone { events { text } } } }",
        **both(first, second),
    )
    assert [each["__typename"] for each in done.values()] == ["CommandDone", "CommandDone"]

    together = ask(
        ann, f"query($a: UUID!, $b: UUID!) {{ a: game(id: $a) {PARTS} b: game(id: $b) {PARTS} }}", **both(first, second)
    )

    assert [nodes(each["piles"]) for each in together.values()] == [[{"stones": 2}], [{"stones": 3}]]
    for name, cairns in (("a", first), ("b", second)):
        alone = ask(ann, f"query($a: UUID!) {{ a: game(id: $a) {PARTS} }}", a=str(cairns.game.pk))
        assert together[name] == alone["a"] and together[name]["id"] == str(cairns.game.pk)
        added = in_its_place(cairns, lambda of: [row.text for row in of.fresh().events.filter(type="StonesAdded")])
        texts = [event["text"] for event in together[name]["events"]["results"] if event["type"] == "toy.StonesAdded"]
        assert texts == added and len(added) == 1


def test_what_stands_below_a_game_that_was_just_opened_is_read_in_its_place():
    first, _ = one_in_each()
    query = 'mutation { it: openGame(ruleset: "toy", name: "New") { ... on GameOpened { game ' + PARTS + " } } }"
    for _ in range(8):  # random ids: one in two lies in each place
        found = ask(asking(first.ann), query)["it"]["game"]
        assert [seat["name"] for seat in found["seats"]] == ["Game-master", "Host"]
        assert len(found["mySeats"]) == 2 and len(found["events"]["results"]) == 3
    assert routing.current() is None


def roots(kind: Any) -> dict[str, Any]:
    return dict(kind.fields)


def test_every_root_field_says_where_its_rows_lie():
    graph = schema._schema
    every = roots(graph.query_type) | roots(graph.mutation_type) | roots(graph.subscription_type)
    silent = {name for name, field in every.items() if PAGE not in field.args and not {*NAMES} & {*field.args}}

    assert silent == WITHOUT_ROWS


def test_no_root_field_forgets_its_place():
    """Each is asked of the first game, then by an id of nothing: no table is missed, so none answers `server.error`."""
    first, second = one_in_each()
    ann, graph = asking(first.ann), schema._schema
    for game in (first.game.pk, second.game.pk):
        for kind, word in ((graph.query_type, "query"), (graph.mutation_type, "mutation")):
            for name, field in roots(kind).items():
                if name in WITHOUT_ROWS or any(_cannot_be_made_up(arg) for arg in field.args.values()):
                    continue
                given = ", ".join(f'{each}: "{game}"' for each in NAMES if each in field.args)
                query = f"{word} {{ {name}{f'({given})' if given else ''} {{ __typename }} }}"
                answer = ann.post("/graphql/", {"query": query}, content_type="application/json")
                assert "server.error" not in answer.content.decode(), (query, answer.content)


def _cannot_be_made_up(argument: Any) -> bool:
    kind = argument.type
    return isinstance(kind, GraphQLNonNull) and is_input_object_type(kind.of_type)
