"""A game of Cairns over GraphQL: the same commands, refusals, events and visibility as over REST."""

import json
from uuid import UUID, uuid4

import pytest

from accounts.models import Scope
from api.graphql.commands import camel
from games.models import Game, LoggedEvent, Receipt
from tests.api.graph import nodes
from tests.api.worlds import client, toy_game, user

pytestmark = pytest.mark.django_db
RESULT = """
__typename
... on CommandDone { cursor at replayed dryRun events {
  __typename cursor type at text rules by onBehalfOf undone dataJson rolls { label index sides value source rule }
  ... on ToyStonesAdded { data { stones rolled } }
  ... on ToyCoinsHidden { data { seat coins } }
} }
... on Refusal { code title detail status rules facts errors { pointer parameter code detail } }
"""


def ask(who, query, /, **variables):
    """The answer's body to an operation that was executed."""
    answer = who.post("/graphql/", {"query": query, "variables": variables}, content_type="application/json")
    assert answer.status_code == 200, answer.content
    return answer.json()


def data(who, query, /, **variables):
    body = ask(who, query, **variables)
    assert "errors" not in body, body
    return body["data"]


def fault(who, query, /, **variables):
    """The problem document of the first error."""
    return ask(who, query, **variables)["errors"][0]["extensions"]


def act(who, mutation, toy, arguments="", /, **variables):
    """The result of one command."""
    heads = "".join(f", ${name}: {kind}" for name, (kind, _) in variables.items())
    query = f"mutation($game: UUID!{heads}) {{ it: {mutation}(game: $game {arguments}) {{ {RESULT} }} }}"
    values = {name: value for name, (_, value) in variables.items()}
    return data(who, query, game=str(toy.game.pk), **values)["it"]


def counts():
    return LoggedEvent.objects.count(), Receipt.objects.count()


def test_a_game_is_opened_joined_begun_and_played():
    host, ann = client(user("host")), client(user("ann"))
    opened = data(
        host,
        """mutation($o: JSON) { openGame(ruleset: "toy", name: "Shore", options: $o) { __typename
        ... on GameOpened { game { id name status options mySeats { role } } } } }""",
        o={"tides": 3},
    )["openGame"]
    assert opened["__typename"] == "GameOpened"
    assert (opened["game"]["name"], opened["game"]["options"]["tides"]) == ("Shore", 3)
    assert sorted(seat["role"] for seat in opened["game"]["mySeats"]) == ["gm", "host"]
    game = opened["game"]["id"]
    many = data(
        ann,
        """mutation($g: UUID!) {
        join: toyJoin(game: $g, input: {name: "Ann"}) { ... on CommandDone { events { type } } }
        early: toyAddStones(game: $g, input: {stones: 1}) { __typename ... on Refusal { code status } } }""",
        g=game,
    )
    assert many == {
        "join": {"events": [{"type": "core.SeatTaken"}]},
        "early": {"__typename": "Refusal", "code": "phase.closed", "status": 409},
    }
    begun = data(
        host,
        "mutation($g: UUID!) { toyStart(game: $g, asGm: true) { ... on CommandDone { events { type } } } }",
        g=game,
    )
    assert [event["type"] for event in begun["toyStart"]["events"]] == ["core.Started"]


def test_an_event_says_the_same_as_over_rest():
    toy = toy_game()
    done = act(client(toy.ann), "toyAddStones", toy, "input: {stones: 3}")
    assert done["__typename"] == "CommandDone"
    (event,) = done["events"]
    (found,) = client(toy.ann).get(toy.path("events/")).json()["results"][-1:]
    assert event["__typename"] == "ToyStonesAdded"
    assert event["data"] == {"stones": 3, "rolled": False}
    assert event["dataJson"] == found["data"] == {"seat": str(toy.seat(toy.ann)), "stones": 3, "rolled": False}
    for name in ("cursor", "type", "at", "text", "rules", "by", "undone"):
        assert event[name] == found[name]
    assert done["cursor"] == event["cursor"]


REFUSED = [
    ("add-stones", "toyAddStones", "AddStones", {"stones": 0}),
    ("add-stones", "toyAddStones", "AddStones", {"stones": 6}),
    ("hide-coins", "toyHideCoins", "HideCoins", {"coins": 101}),
    ("cast-vote", "toyCastVote", "CastVote", {"prompt": "00000000-0000-4000-8000-00000000dead", "yes": True}),
    ("propose", "toyPropose", "Propose", {"text": ""}),
    ("hand-over", "toyHandOver", "HandOver", {"seat": "00000000-0000-4000-8000-00000000dead"}),
]


@pytest.mark.parametrize(("name", "mutation", "kind", "body"), REFUSED, ids=lambda value: str(value)[:30])
def test_a_refusal_says_the_same_as_over_rest_and_changes_nothing(name, mutation, kind, body):
    toy = toy_game()
    ann, before = client(toy.ann), counts()
    rest = ann.post(toy.path(f"commands/{name}/"), json.dumps(body), content_type="application/json").json()
    prefix = "" if kind == "HandOver" else "Toy"
    found = act(ann, mutation, toy, "input: $i", i=(f"{prefix}{kind}Input!", body))
    assert found["__typename"] == "Refusal"
    for part in ("code", "title", "detail", "status", "rules", "facts"):
        assert found[part] == rest[part]
    wanted = [(camel(e.get("pointer")), e["code"], e["detail"]) for e in rest.get("errors", ())]
    assert [(e["pointer"], e["code"], e["detail"]) for e in found["errors"]] == wanted
    assert counts() == before


def test_a_key_sent_again_is_answered_again_and_another_command_under_it_refused():
    toy = toy_game()
    ann = client(toy.ann)
    first = act(ann, "toyAddStones", toy, 'input: {stones: 2}, idempotencyKey: "k"')
    again = act(ann, "toyAddStones", toy, 'input: {stones: 2}, idempotencyKey: "k"')
    assert (first["replayed"], again["replayed"]) == (False, True)
    assert again["events"] == first["events"]
    other = act(ann, "toyAddStones", toy, 'input: {stones: 3}, idempotencyKey: "k"')
    assert (other["code"], other["status"]) == ("key.reused", 422)
    assert act(ann, "toyAddStones", toy, 'input: {stones: 1}, idempotencyKey: ""')["code"] == "request.unfit"


def test_a_stale_position_is_refused_and_a_dry_run_stores_nothing():
    toy = toy_game()
    ann = client(toy.ann)
    old = act(ann, "toyAddStones", toy, "input: {stones: 1}")["cursor"]
    act(client(toy.bob), "toyAddStones", toy, "input: {stones: 1}")
    before = counts()
    stale = act(ann, "toyAddStones", toy, "input: {stones: 1}, expected: $c", c=("String", old))
    assert (stale["code"], stale["status"]) == ("position.stale", 412)
    dry = act(ann, "toyRollStones", toy, "dryRun: true")
    assert (dry["dryRun"], dry["events"][0]["type"]) == (True, "toy.StonesAdded")
    assert counts() == before


def test_a_gm_acts_for_an_absent_seat_and_the_event_says_so():
    toy = toy_game()
    seat = str(toy.seat(toy.ann))
    done = act(client(toy.host), "toyAddStones", toy, "input: {stones: 1}, asGm: true, seat: $s", s=("UUID", seat))
    assert done["events"][0]["onBehalfOf"] == seat


def test_a_token_without_the_scope_may_not_act_or_read_as_game_master():
    toy = toy_game()
    assert act(client(toy.ann, Scope.READ), "toyAddStones", toy, "input: {stones: 1}")["code"] == "token.scope"
    assert act(client(), "toyAddStones", toy, "input: {stones: 1}")["code"] == "token.needed"
    query = "query($g: UUID!) { game(id: $g, asGm: true) { id } }"
    assert fault(client(toy.host, Scope.READ), query, g=str(toy.game.pk))["code"] == "token.scope"


def test_a_command_of_another_ruleset_or_of_the_clock_is_not_there():
    toy = toy_game()
    found = data(
        client(toy.ann),
        "mutation($g: UUID!) { gods2DrawNumber: gods2Pause(game: $g) { ... on Refusal { code } } }",
        g=str(toy.game.pk),
    )
    assert found == {"gods2DrawNumber": {"code": "command.missing"}}
    query = f'mutation {{ toyBringTide(game: "{toy.game.pk}") {{ __typename }} }}'
    clock = client(toy.ann).post("/graphql/", {"query": query}, "application/json")
    assert "toyBringTide" in clock.json()["errors"][0]["message"]


def test_a_game_that_may_not_be_seen_is_missing():
    toy = toy_game(is_public=False)
    query = "query($g: UUID!) { game(id: $g) { id } }"
    hidden = ask(client(toy.eve), query, g=str(toy.game.pk))
    missing = ask(client(toy.eve), query, g=str(uuid4()))
    assert hidden["data"] is None
    problems = [body["errors"][0]["extensions"] for body in (hidden, missing)]
    assert [p.pop("request_id") != "" for p in problems] == [True, True]
    assert problems[0] == problems[1]
    assert (problems[0]["code"], problems[0]["status"]) == ("game.missing", 404)
    join = """mutation($g: UUID!, $i: JoinInput!) { toyJoin(game: $g, input: $i) { ... on Refusal { code } } }"""
    for role in ("player", "observer"):
        answer = data(client(toy.eve), join, g=str(toy.game.pk), i={"name": "Eve", "role": role})
        assert answer == {"toyJoin": {"code": "game.missing"}}
    assert data(client(toy.host), query, g=str(toy.game.pk)) == {"game": {"id": str(toy.game.pk)}}


WHOLE = """query($g: UUID!, $s: UUID, $gm: Boolean! = false) { game(id: $g, seat: $s, asGm: $gm) {
  id cursor prompts(all: true) { id kind } timers { key due } seats { id name } chronicle { results { text } }
  events { cursor more results { type dataJson cursor } } legalCommands { cursor results { command legal schema } }
  dice { commitment secret results { value } }
  ... on ToyGame { state { hoards { coins } piles { stones } }
    hoards { edges { node { seat { id } coins } } } piles { edges { node { stones } } } } } }"""


def test_two_games_that_differ_in_a_secret_look_the_same_to_everybody_else(monkeypatch):
    def story(coins):
        toy = toy_game()
        act(client(toy.ann), "toyHideCoins", toy, f"input: {{coins: {coins}}}")
        act(client(toy.bob), "toyAddStones", toy, "input: {stones: 2}")
        return toy

    rich, poor = story(90), story(7)
    for reader in ("bob", "eve"):
        views = []
        for toy in (rich, poor):
            found = data(client(getattr(toy, reader)), WHOLE, g=str(toy.game.pk))
            text = json.dumps(found)
            assert "toy.CoinsHidden" not in text and "hoard" not in json.dumps(found["game"]["events"])
            assert nodes(found["game"]["hoards"]) == []
            assert found["game"]["state"]["hoards"] == []
            views.append((found["game"]["cursor"], [e["type"] for e in found["game"]["events"]["results"]], len(text)))
        assert views[0][1] == views[1][1]
    own = data(client(rich.ann), WHOLE, g=str(rich.game.pk))
    assert [row["coins"] for row in nodes(own["game"]["hoards"])] == [90]
    assert "toy.CoinsHidden" in json.dumps(own["game"]["events"])
    led = data(client(rich.host), WHOLE, g=str(rich.game.pk), gm=True)
    assert [row["coins"] for row in nodes(led["game"]["hoards"])] == [90]


def test_each_part_of_a_game_is_what_rest_answers():
    toy = toy_game()
    act(client(toy.ann), "toyPropose", toy, 'input: {text: "Tea?"}')
    bob = client(toy.bob)
    found = data(
        bob,
        """query($g: UUID!) { game(id: $g) { cursor status options
        seats { id role name user bot is_claimable: isClaimable }
        prompts { id kind owners question answerable asksMe answered answeredBy threshold }
        timers { key does subject due frozen }
        legalCommands { cursor definitions results {
            command legal quits partial schema price barred { code detail } note facts steps { rule } } }
        chronicle { results { cursor text type } cursor more } } }""",
        g=str(toy.game.pk),
    )["game"]
    assert found["seats"] == bob.get(toy.path("seats/")).json()["results"]
    (prompt,) = bob.get(toy.path("prompts/")).json()["results"]
    snake = {"asksMe": "asks_me", "answeredBy": "answered_by"}
    assert found["prompts"] == [{name: prompt[snake.get(name, name)] for name in found["prompts"][0]}]
    timers = bob.get(toy.path("timers/")).json()["results"]
    assert found["timers"] == [{name: timer[name] for name in found["timers"][0]} for timer in timers]
    legal = bob.get(toy.path("legal-commands/")).json()
    assert found["legalCommands"] == {
        "cursor": legal["cursor"],
        "definitions": legal["$defs"],
        "results": [
            row | {"barred": row["barred"] and {name: row["barred"][name] for name in ("code", "detail")}}
            for row in legal["results"]
        ],
    }
    assert found["cursor"] == bob.get(toy.path()).json()["cursor"]


def test_the_list_of_games_has_rests_filters_pages_and_inbox():
    toys = [toy_game() for _ in range(3)]
    act(client(toys[0].ann), "toyPropose", toys[0], 'input: {text: "Tea?"}')
    bob = client(toys[0].bob)
    waiting_games = nodes(
        data(bob, "{ games(mine: true, asked: true) { edges { node { id name world { id } } } } }")["games"]
    )
    assert [UUID(row["id"]) for row in waiting_games] == [toys[0].game.pk]
    query = (
        "query($a: String) { games(first: 2, after: $a) { edges { node { id } } pageInfo { hasNextPage endCursor } } }"
    )
    first = data(bob, query)["games"]
    second = data(bob, query, a=first["pageInfo"]["endCursor"])["games"]
    assert (first["pageInfo"]["hasNextPage"], second["pageInfo"]["hasNextPage"]) == (True, False)
    ids = [row["id"] for row in nodes(first) + nodes(second)]
    assert ids == [row["id"] for row in bob.get("/api/v1/games/").json()["results"]]
    assert fault(bob, "{ games(status: over) { edges { node { id } } } }")["code"] == "query.invalid"
    assert fault(bob, "{ games(first: 101) { edges { node { id } } } }")["code"] == "page.size"
    assert fault(bob, '{ games(after: "no") { edges { node { id } } } }')["code"] == "page.cursor"
    assert Game.objects.count() == 3
