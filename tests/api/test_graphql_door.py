"""The address of GraphQL: media types, methods, limits, the page, and what the schema promises."""

import json
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from graphql import GraphQLInterfaceType, get_named_type, is_leaf_type, parse

from accounts.models import Token
from accounts.sessions import BACKEND
from api.graphql import limits
from api.graphql.limits import MAX_COST
from api.graphql.schema import schema
from api.representations.issuing.commands import component_name
from api.representations.resources.state_tables import every_own_resource
from api.representations.resources.worlds import RESOURCES, WORLDS
from games import registry
from games.engine.kernel import Issuer
from tests.api.bombs import BOMBS, FAN
from tests.api.graph import nodes
from tests.api.worlds import atlantis, bearer, client, toy_game, user

pytestmark = [pytest.mark.django_db, pytest.mark.once]
ROOT = Path(__file__).resolve().parents[2]
GR = "application/graphql-response+json"
CORE = schema._schema


def post(body, accept="application/json", **headers):
    raw = body if isinstance(body, bytes | str) else json.dumps(body)
    return client().post(
        "/graphql/", raw, content_type=headers.pop("kind", "application/json"), headers={"Accept": accept, **headers}
    )


def codes(answer):
    return [error["extensions"]["code"] for error in answer.json()["errors"]]


# --- over HTTP -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("accept", "kind"),
    [("", "application/json"), ("*/*", "application/json"), (GR, GR),
     (f"application/json, {GR};q=0.9", "application/json"), (f"{GR}, application/json;q=0.9", GR),
     ("application/json;q=abc", "application/json")],
)  # fmt: skip
def test_the_answer_comes_in_the_media_type_that_was_asked_for(accept, kind):
    answer = post({"query": "{ __typename }"}, accept)
    assert (answer.status_code, answer["Content-Type"].split(";")[0]) == (200, kind)
    assert answer.json() == {"data": {"__typename": "Query"}}


@pytest.mark.parametrize(
    "body",
    [{"query": "{"}, {"query": "{ nothing }"}, {"query": "query Q { __typename }", "operationName": "X"},
     {"query": "query($i: Int!) { games(first: $i) { edges { node { id } } } }"}, {"query": "{ game(id: 3) { id } }"}],
)  # fmt: skip
def test_a_request_that_cannot_be_executed_is_4xx_in_the_new_media_type_and_200_in_the_old(body):
    new, old = post(body, GR), post(body)
    assert (new.status_code, new["Content-Type"].split(";")[0]) == (400, GR)
    assert "data" not in new.json()
    assert codes(new)[0] in ("query.invalid", "request.unfit")
    assert old.status_code in (200, 400)


def test_bodies_that_are_no_request_are_400():
    for raw in ("{", "[]", "[" * 300, '{"query": 1}', '{"query": "{ __typename }", "variables": []}', "{}",
                '{"query": "{ __typename }", "query": "{ me { id } }"}', '[{"query": "{ __typename }"}]'):  # fmt: skip
        answer = post(raw, GR)
        assert answer.status_code == 400, raw
        assert answer["Content-Type"].split(";")[0] == GR
    assert post("query=x", kind="application/x-www-form-urlencoded").status_code == 400
    assert post("{ __typename }", kind="text/plain").status_code == 400


def test_of_several_operations_one_is_named_and_none_is_executed_unless_it_is():
    two = "query A { a: __typename } query B { b: __typename }"
    answer = post({"query": two})
    assert codes(answer) == ["request.unfit"]
    assert "data" not in answer.json() or answer.json()["data"] is None
    assert answer.json()["errors"][0]["message"].endswith("A, B.")
    assert post({"query": two, "operationName": "B"}).json() == {"data": {"b": "Query"}}
    assert codes(post({"query": two, "operationName": "C"})) == ["request.unfit"]
    assert post({"query": "query A { a: __typename }"}).json() == {"data": {"a": "Query"}}


def test_queries_are_answered_to_get_and_mutations_are_not():
    found = client().get("/graphql/", {"query": "{ __typename }"})
    assert (found.status_code, found.json()) == (200, {"data": {"__typename": "Query"}})
    toy = toy_game()
    query = f'mutation {{ toyAddStones(game: "{toy.game.pk}", input: {{stones: 1}}) {{ __typename }} }}'
    refused = client(toy.ann).get("/graphql/", {"query": query})
    assert refused.status_code in (400, 405)
    assert not toy.fresh().events.filter(type="StonesAdded").exists()
    assert client().delete("/graphql/").status_code == 405
    assert client().put("/graphql/", "{}", content_type="application/json")["Allow"] == "GET, POST"


def test_a_cookie_authenticates_nobody_at_the_graphql_endpoint():
    toy = toy_game()
    web = client()
    web.force_login(toy.ann, backend=BACKEND)
    query = f'mutation {{ toyAddStones(game: "{toy.game.pk}", input: {{stones: 1}}) {{ ... on Refusal {{ code }} }} }}'
    answer = web.post("/graphql/", {"query": query}, content_type="application/json")
    assert answer.json()["data"]["toyAddStones"] == {"code": "token.needed"}


def test_a_token_that_is_refused_is_401_and_anonymous_readers_may_be_refused(settings):
    answer = post({"query": "{ serverTime }"}, Authorization="Bearer theo_" + 40 * "x")
    assert (answer.status_code, codes(answer)) == (401, ["token.refused"])
    assert "Bearer" in answer["WWW-Authenticate"]
    settings.ANONYMOUS_READ = False
    assert codes(post({"query": "{ games { edges { node { id } } } }"})) == ["token.needed"]
    assert codes(post({"query": "{ worlds { edges { node { id } } } }"})) == ["token.needed"]


def test_a_budget_that_is_spent_is_429(settings):
    whole = settings.REST_FRAMEWORK
    settings.REST_FRAMEWORK = {**whole, "DEFAULT_THROTTLE_RATES": {**whole["DEFAULT_THROTTLE_RATES"], "anon": "2/min"}}
    answers = [post({"query": "{ __typename }"}) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert int(answers[2]["Retry-After"]) > 0


# --- limits ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_is_refused_before_anything_is_executed_or_read(name, django_assert_num_queries, monkeypatch):
    measured = []
    of = limits.Measure.of
    monkeypatch.setattr(limits.Measure, "of", lambda *at: measured.append(1) or of(*at))
    with django_assert_num_queries(0):
        answer = post(BOMBS[name], GR)
    assert answer.status_code == 400
    assert set(codes(answer)) <= {"query.invalid", "query.deep", "query.costly", "request.unfit", "body.unreadable"}
    assert len(measured) <= limits.MAX_TOKENS


def test_a_fan_of_fragments_is_measured_once_each(monkeypatch):
    measured = []
    of = limits.Measure.of
    monkeypatch.setattr(limits.Measure, "of", lambda *at: measured.append(1) or of(*at))
    assert post({"query": FAN}).status_code == 200
    assert len(measured) <= 2 * 61


def test_a_query_is_too_deep_or_too_dear_by_name():
    deep = "{ worlds { edges { node { " + "races { edges { node { world { " * 4 + "id" + " } } } }" * 4 + " } } } }"
    assert post({"query": deep.replace("races ", "races(first: 1) ")}).json()["data"] == {"worlds": {"edges": []}}
    answer = post(BOMBS["rows"])
    assert codes(answer) == ["query.costly"]
    assert answer.json()["errors"][0]["extensions"]["facts"]["most"] == MAX_COST
    by_variable = "query($n: Int!) {" + " ".join(
        f"a{n}: worlds(first: $n) {{ edges {{ node {{ id name races(first: 2) {{ edges {{ node {{ id }} }} }} }} }} }}"
        for n in range(49)
    ) + "}"  # fmt: skip
    assert codes(post({"query": by_variable, "variables": {"n": 100}})) == ["query.costly"]
    assert "errors" not in post({"query": by_variable, "variables": {"n": 1}}).json()
    assert codes(post({"query": by_variable.replace("Int!", "Int! = 100")})) == ["query.costly"]


@pytest.mark.parametrize(
    ("arguments", "size"),
    [
        ('after: ""', 100), ("first: 2", 2), ("last: 2", 2), ("last: 100", 100), ("first: null", 100),
        ("first: null, last: 7", 7), ("first: $none", 100), ("first: $some, last: $more", 9), ("last: $usual", 4),
    ],
)  # fmt: skip
def test_a_page_of_events_costs_what_it_may_hold_in_either_direction(arguments, size):
    text = f"query($none: Int, $some: Int, $more: Int, $usual: Int = 4) {{ events({arguments}) {{ cursor }} }}"
    document = parse(text)
    measure = limits.Measure(document, {"some": 3, "more": 9, "none": None}, schema._schema)
    game = schema._schema.type_map["Game"]
    assert measure.of(document.definitions[0].selection_set, game)[0] == 1 + size


def test_an_unforeseen_error_is_reported_without_its_own_message(monkeypatch):
    def fail(*_):
        raise ZeroDivisionError("mellon")

    monkeypatch.setattr("api.graphql.games.registry.ruleset", fail)
    answer = post({"query": '{ ruleset(slug: "toy") { slug } }'})
    assert codes(answer) == ["server.error"]
    assert b"mellon" not in answer.content


# --- the page --------------------------------------------------------------------------------------------------------


def test_a_browser_gets_a_page_that_loads_nothing_from_elsewhere():
    page = client().get("/graphql/", headers={"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"})
    assert (page.status_code, page["Content-Type"]) == (200, "text/html; charset=utf-8")
    assert "default-src 'none'" in page["Content-Security-Policy"]
    text = page.content.decode()
    assert "://" not in text
    names = [part.split('"')[0] for part in text.split("assets/")[1:]]
    assert len(names) == 6
    for name in [*names, "LICENSES.txt"]:
        found = client().get(f"/graphql/assets/{name}")
        assert found.status_code == 200, name
        assert len(b"".join(found.streaming_content)) > 50
    for name in ("page.html", "..%2Fview.py", "nothing.js"):
        assert client().get(f"/graphql/assets/{name}").status_code == 404


# --- what the schema promises ----------------------------------------------------------------------------------------


def snake_case(name):
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in name)


def test_each_event_of_each_ruleset_is_a_type():
    face = CORE.type_map["GameEvent"]
    assert isinstance(face, GraphQLInterfaceType)
    names = {component_name(rules.slug, kind) for rules in registry.rulesets() for kind in rules.events.values()}
    assert {kind.name for kind in CORE.get_possible_types(face)} == names


def test_one_query_may_ask_for_the_fields_of_every_event_of_a_game_with_an_alias_where_types_differ():
    """Of each class its first six fields without fields of their own."""
    parts, shapes = [], {}
    for rules in (registry.ruleset("gods2"), registry.ruleset("toy")):
        for number, kind in enumerate(rules.events.values()):
            made = CORE.type_map[component_name(rules.slug, kind)]
            data = made.fields["data"].type.of_type if "data" in made.fields else None
            fields = data.fields.items() if data else ()
            leaves = {n: str(f.type) for n, f in fields if is_leaf_type(get_named_type(f.type))}
            own = [n if shapes.setdefault(n, k) == k else f"{n}{number}: {n}" for n, k in list(leaves.items())[:6]]
            parts.append(f"... on {made.name} {{ {'data { ' + ' '.join(own) + ' }' if own else 'text'} }}")
    toy = toy_game()
    query = f'{{ game(id: "{toy.game.pk}") {{ events(first: 20) {{ results {{ cursor {" ".join(parts)} }} }} }} }}'
    answer = post({"query": query}).json()
    assert "errors" not in answer, answer["errors"][:2]
    assert answer["data"]["game"]["events"]["results"]


def test_each_command_that_people_may_issue_is_a_mutation_and_commands_of_the_clock_are_none():
    mutations = set(CORE.mutation_type.fields)
    wanted = set()
    for rules in registry.rulesets():
        for kind in rules.commands.values():
            name = f"{rules.slug}{kind.__name__}"
            if kind.issuers - {Issuer.CLOCK}:
                wanted.add(name)
                fields = CORE.mutation_type.fields[name].args
                given = fields.get("input")
                if kind.model_fields:
                    inner = getattr(given.type, "of_type", given.type)
                    python = {snake_case(name) for name in inner.fields}
                    assert python == {about.alias or key for key, about in kind.model_fields.items()}, name
                else:
                    assert given is None
    people = {"playAll", "signUp", "mintToken", "revokeToken", "makeCalendar", "removeCalendar", "openGame"}
    people |= {"sendEmailConfirmation"}
    webhooks = {
        "createWebhook",
        "changeWebhook",
        "deleteWebhook",
        "rotateWebhookSecret",
        "testWebhook",
        "replayDelivery",
        "createWebhookEndpoint",
        "changeWebhookEndpoint",
        "deleteWebhookEndpoint",
        "rotateWebhookEndpointSecret",
    }
    chat_hooks = {"createChatHook", "changeChatHook", "deleteChatHook", "testChatHook"}
    notifications = {"readNotifications", "changeNotificationSettings"}
    notifications |= {"createPushSubscription", "renewPushSubscription", "deletePushSubscription"}
    assert mutations - wanted == people | webhooks | chat_hooks | notifications | {"muteSeat", "unmuteSeat"}
    assert wanted <= mutations


@pytest.mark.parametrize(
    "resource", [WORLDS, *RESOURCES, *(r for _, r in every_own_resource())], ids=lambda r: r.type_name
)
def test_each_resource_begins_with_rests_fields_in_their_order(resource):
    kind = CORE.type_map[resource.type_name]
    snake = [snake_case(name) for name in kind.fields]
    assert snake[: len(resource.shown)] == list(resource.shown)


def test_rows_are_the_rows_of_rest_and_those_they_lead_to_are_fetched_at_once(django_assert_num_queries):
    world = atlantis()
    rest = client().get("/api/v1/worlds/presences/", {"world": str(world.world.pk)}).json()["results"]
    query = """query($w: UUID!) { world(id: $w) {
    races(first: 20) { edges { node { id
        presences { edges { node { race { id world { name } } square { x y } units } } }
        pantheons { edges { node { deity { name } special share } } } } } }
    cities(filters: {name: {iContains: "old"}}) { edges { node { id name race { name } } } }
    squares(filters: {x: {gte: 2}, terrain: {exact: "P"}}, first: 3) {
        edges { node { x y } } pageInfo { hasNextPage } totalCount } } }"""
    body = {"query": query, "variables": {"w": str(world.world.pk)}}
    with django_assert_num_queries(12):
        found = post(body).json()["data"]["world"]
    elves = next(race for race in nodes(found["races"]) if race["id"] == str(world.elves.pk))
    shown = [(row["race"]["id"], row["square"], row["units"]) for row in nodes(elves["presences"])]
    assert shown == [(row["race"], row["square"], row["units"]) for row in rest]
    assert [row["name"] for row in nodes(found["cities"])] == ["Oldhome"]
    assert found["squares"]["pageInfo"]["hasNextPage"] is True
    assert found["squares"]["totalCount"] == 6
    members = [(row["deity"] or {"name": row["special"]})["name"] for row in nodes(elves["pantheons"])]
    assert sorted(members) == ["Sun", "atheism"]


def test_a_world_that_may_not_be_seen_shows_none_of_its_rows():
    ann = user("ann")
    hidden = atlantis("Hidden", is_public=False, members=(ann,))
    query = """query($r: UUID!, $w: UUID!) { race(id: $r) { name } world(id: $w) { name }
    worlds { edges { node { name } } totalCount } }"""
    body = {"query": query, "variables": {"r": str(hidden.elves.pk), "w": str(hidden.world.pk)}}
    empty = {"race": None, "world": None, "worlds": {"edges": [], "totalCount": 0}}
    assert post(body).json()["data"] == empty
    assert post(body, **bearer(ann)).json()["data"]["race"] == {"name": "Elves"}


def test_a_person_signs_up_mints_tokens_and_revokes_them(settings):
    settings.SIGN_UP = "open"
    made = post({"query": """mutation { signUp(username: "cyd", password: "seven-gates-of-horn") {
        ... on SignedUp { user { username } } ... on Refusal { code } }
        mintToken(name: "laptop", username: "cyd", password: "seven-gates-of-horn") {
        ... on TokenMinted { token row { id name scopes } } ... on Refusal { code } } }"""}).json()["data"]  # fmt: skip
    assert made["signUp"] == {"user": {"username": "cyd"}}
    token = made["mintToken"]
    assert token["row"]["scopes"] == ["read", "play"]
    head = {"Authorization": f"Bearer {token['token']}"}
    me = post({"query": "{ me { username scopes token { id } } tokens { id name } }"}, **head).json()["data"]
    assert me["me"] == {"username": "cyd", "scopes": ["read", "play"], "token": {"id": token["row"]["id"]}}
    wider = 'mutation { mintToken(name: "x", scopes: ["gm"]) { ... on Refusal { code } } }'
    assert post({"query": wider}, **head).json()["data"] == {"mintToken": {"code": "token.scope"}}
    gone = f'mutation {{ revokeToken(id: "{token["row"]["id"]}") {{ __typename }} }}'
    assert post({"query": gone}, **head).json()["data"] == {"revokeToken": {"__typename": "TokenRevoked"}}
    assert post({"query": "{ me { id } }"}, **head).status_code == 401


def test_who_is_known_to_the_process_is_asked_of_in_one_statement_and_shown_as_they_are_now(ada):
    head = bearer(ada)
    whole = {"query": "{ me { displayName token { lastUsedAt } } }"}
    first = post(whole, **head).json()["data"]["me"]
    with CaptureQueriesContext(connection) as asked:
        post({"query": "{ __typename }"}, **head)
    assert len([each for each in asked if "accounts_" in each["sql"]]) == 1
    ada.display_name = "Countess"
    ada.save()
    later = timezone.now() + timedelta(minutes=2)
    Token.objects.filter(user=ada).update(last_used_at=later)
    again = post(whole, **head).json()["data"]["me"]
    assert again["displayName"] == "Countess" != first["displayName"]
    assert datetime.fromisoformat(again["token"]["lastUsedAt"]) == later
    Token.objects.filter(user=ada).update(revoked_at=timezone.now())
    assert post(whole, **head).status_code == 401
    wrong = 'mutation { mintToken(name: "x", username: "cyd", password: "no") { ... on Refusal { code status } } }'
    assert post({"query": wrong}).json()["data"] == {"mintToken": {"code": "login.wrong", "status": 401}}
