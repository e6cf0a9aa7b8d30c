"""Several commands of one request: all of them, once, or none; the same through both APIs."""

from typing import Any
from uuid import uuid4

import orjson
import pytest
from django.http import HttpResponse
from django.test import Client

from accounts.models import Scope
from games.engine.game_state import dump
from games.models import LoggedEvent, Prompt, Receipt
from games.registry import store
from games.storage import log
from tests.api.worlds import ToyGame, assert_refused, client, toy_game

pytestmark = pytest.mark.django_db
PLAY_ALL = """mutation($g: UUID!, $c: [BatchCommandInput!]!, $k: String, $d: Boolean! = false, $gm: Boolean! = false) {
  playAll(game: $g, commands: $c, idempotencyKey: $k, dryRun: $d, asGm: $gm) {
    __typename ... on Refusal { code facts errors { pointer code } }
    ... on BatchDone { results { replayed dryRun cursor events { type } } } } }"""
Wish = tuple[str, dict[str, Any]]


def add(stones: int) -> Wish:
    return "add-stones", {"stones": stones}


def hide(coins: int) -> Wish:
    return "hide-coins", {"coins": coins}


ROLL: Wish = ("roll-stones", {"dice": 1})


def commands(*wishes: Wish) -> list[dict[str, Any]]:
    return [{"name": name, "body": body} for name, body in wishes]


def send(who: Client, toy: ToyGame, *wishes: Wish, query: str = "", key: str = "") -> HttpResponse:
    body = orjson.dumps({"commands": commands(*wishes)})
    headers = {"Idempotency-Key": key} if key else {}
    return who.post(toy.path(f"batch/{query}"), body, "application/json", headers=headers)


def graph(who: Client, toy: ToyGame, *wishes: Wish, **more: Any) -> dict[str, Any]:
    variables = {"g": str(toy.game.pk), "c": commands(*wishes), **more}
    answer = who.post("/graphql/", orjson.dumps({"query": PLAY_ALL, "variables": variables}), "application/json").json()
    assert "errors" not in answer, answer
    found: dict[str, Any] = answer["data"]["playAll"]
    return found


def standing(toy: ToyGame) -> tuple[Any, ...]:
    """What a refusal must not move."""
    game = toy.fresh()
    rows, folded = dump(store("toy").load(game)), dump(log.fold(game))
    assert rows == folded and list(log.broken_links(game)) == []
    return game.seq, game.digest, rows, Receipt.objects.filter(game=game).count()


def types(results: list[dict[str, Any]]) -> list[list[str]]:
    return [[event["type"] for event in each["events"]] for each in results]


def test_commands_are_done_one_after_the_other_and_each_answers_as_if_it_were_alone():
    toy = toy_game()
    cursor = client(toy.ann).get(toy.path("state/")).json()["cursor"]
    answer = send(client(toy.ann), toy, add(1), hide(3), add(2))
    assert answer.status_code == 201
    results = answer.json()["results"]
    assert types(results) == [["toy.StonesAdded"], ["toy.CoinsHidden"], ["toy.StonesAdded"]]
    assert len({each["cursor"] for each in results}) == 3 and not any(each["replayed"] for each in results)
    page = client(toy.ann).get(toy.path(f"events/?after={cursor}")).json()
    assert page["results"] == [event for each in results for event in each["events"]]
    assert page["cursor"] == results[-1]["cursor"]
    standing(toy)
    for_bob = client(toy.bob).get(toy.path("events/")).json()["results"][-2:]
    assert [event["type"] for event in for_bob] == ["toy.StonesAdded", "toy.StonesAdded"]


@pytest.mark.parametrize(
    ("wishes", "index", "status", "code", "pointer"),
    [
        ((add(1), hide(100), ("resume", {})), 2, 409, "issuer.other", "/commands/2"),
        ((add(1), add(9)), 1, 422, "body.invalid", "/commands/1/body/stones"),
        ((add(1), ("fly", {})), 1, 404, "command.missing", "/commands/1"),
        ((("fly", {}), add(1)), 0, 404, "command.missing", "/commands/0"),
        ((ROLL, add(1)), 1, 409, "batch.goes_on", "/commands/1"),
    ],
    ids=["a refusal", "a shape", "no such command", "the first", "behind dice"],
)  # fmt: skip
def test_where_one_is_refused_none_is_done(wishes, index, status, code, pointer):
    toy = toy_game()
    before = standing(toy)
    answer = send(client(toy.ann), toy, *wishes, key="k")
    assert_refused(answer, status, code)
    problem = answer.json()
    assert problem["facts"]["command_index"] == index and problem["errors"][0]["pointer"] == pointer
    assert standing(toy) == before
    found = graph(client(toy.ann), toy, *wishes)
    assert (found["code"], found["facts"]["command_index"], found["errors"][0]["pointer"]) == (code, index, pointer)
    assert standing(toy) == before
    assert send(client(toy.ann), toy, add(1), key="k").status_code == 201  # a refusal is not kept under its key


def test_what_the_dice_show_never_decides_whether_they_were_rolled():
    toy = toy_game()
    before = standing(toy)
    for after in (add(1), add(9), ("resume", {}), ("fly", {})):
        assert_refused(send(client(toy.ann), toy, ROLL, after), 409, "batch.goes_on")
        assert standing(toy) == before
    assert types(send(client(toy.ann), toy, add(1), ROLL).json()["results"])[1] == ["toy.StonesAdded"]


def test_a_command_that_waits_for_dice_of_a_table_is_done_and_what_follows_it_is_decided_then():
    toy = toy_game('{"dice_by_hand": true, "tide_seconds": 3600}')
    answer = send(client(toy.ann), toy, ROLL, hide(3))
    assert answer.status_code == 201, answer.json()
    asked, hidden = types(answer.json()["results"])
    assert (asked, hidden) == ([], ["toy.CoinsHidden"])
    assert Prompt.objects.filter(game=toy.game).count() == 1
    standing(toy)


def test_the_same_key_is_answered_with_what_each_command_did():
    toy = toy_game()
    first = send(client(toy.ann), toy, add(1), hide(3), key="k").json()["results"]
    stands = standing(toy)
    again = send(client(toy.ann), toy, add(1), hide(3), key="k")
    assert again.status_code == 201
    assert again.json()["results"] == [each | {"replayed": True} for each in first]
    shorter, longer = (add(1),), (add(1), hide(3), add(1))
    for other in (shorter, longer, (add(2), hide(3))):
        assert_refused(send(client(toy.ann), toy, *other, key="k"), 422, "key.reused")
    alone = client(toy.ann).post(
        toy.path("commands/add-stones/"), b'{"stones": 1}', "application/json", headers={"Idempotency-Key": "k"}
    )
    assert_refused(alone, 422, "key.reused")
    assert standing(toy) == stands
    assert [each["replayed"] for each in graph(client(toy.ann), toy, add(1), hide(3), k="k")["results"]] == [True, True]


def test_who_has_left_by_a_batch_is_answered_by_its_key_and_nobody_acts_from_a_seat_that_they_left():
    toy = toy_game()
    give: Wish = ("hand-over", {"seat": str(toy.seat(toy.ann)), "user": str(toy.eve.pk)})
    before = standing(toy)
    refused = send(client(toy.ann), toy, add(1), give, add(1))
    assert refused.status_code in (404, 409) and refused.json()["facts"]["command_index"] == 2
    assert standing(toy) == before
    done = send(client(toy.ann), toy, add(1), give, key="k")
    assert done.status_code == 201, done.json()
    again = send(client(toy.ann), toy, add(1), give, key="k")
    assert again.status_code == 201, again.json()
    assert [each["replayed"] for each in again.json()["results"]] == [True, True]


def test_a_dry_run_says_what_all_would_do_and_keeps_nothing():
    toy = toy_game()
    before = standing(toy)
    answer = send(client(toy.ann), toy, hide(600 // 6), hide(100), ROLL, query="?dry_run=1", key="k")
    assert answer.status_code == 200
    results = answer.json()["results"]
    assert types(results) == [["toy.CoinsHidden"], ["toy.CoinsHidden"], ["toy.StonesAdded"]]
    assert {each["cursor"] for each in results} == {client(toy.ann).get(toy.path("state/")).json()["cursor"]}
    assert standing(toy) == before
    found = graph(client(toy.ann), toy, add(1), add(2), d=True)
    assert [each["dryRun"] for each in found["results"]] == [True, True]
    assert standing(toy) == before
    many = send(client(toy.ann), toy, *[hide(100)] * 11, query="?dry_run=1")
    assert_refused(many, 409, "coins.many")  # the eleventh is decided where ten have hidden 1,000
    assert many.json()["facts"] == {"have": 1000, "command_index": 10}


def test_a_batch_is_decided_upon_a_position_and_not_upon_its_own_steps():
    toy = toy_game()
    cursor = client(toy.ann).get(toy.path("state/")).json()["cursor"]
    assert send(client(toy.ann), toy, add(1), add(1), query=f"?expected={cursor}").status_code == 201
    stale = send(client(toy.ann), toy, add(1), add(1), query=f"?expected={cursor}")
    assert_refused(stale, 412, "position.stale")
    assert stale.json()["facts"] == {"command_index": 0}


def test_a_game_master_acts_for_a_seat_in_each_command(settings):
    toy = toy_game()
    seats = [str(toy.seat(each)) for each in (toy.ann, toy.bob)]
    body = {"commands": [{"name": "add-stones", "body": {"stones": 1}, "seat": seat} for seat in seats]}
    answer = client(toy.host).post(toy.path("batch/?as=gm"), orjson.dumps(body), "application/json")
    assert answer.status_code == 201, answer.json()
    assert [each["events"][0]["on_behalf_of"] for each in answer.json()["results"]] == seats
    assert_refused(
        client(toy.host, Scope.PLAY).post(toy.path("batch/?as=gm"), orjson.dumps(body), "application/json"),
        403, "token.scope",
    )  # fmt: skip


def test_a_batch_is_bounded_and_each_command_of_it_is_counted(settings):
    settings.MAX_BATCH = 3
    toy = toy_game()
    before = standing(toy)
    large = send(client(toy.ann), toy, *[add(1)] * 4)
    assert_refused(large, 422, "batch.large")
    assert large.json()["facts"] == {"most": 3, "setting": "MAX_BATCH"}
    assert graph(client(toy.ann), toy, *[add(1)] * 4)["code"] == "batch.large"
    assert_refused(send(client(toy.ann), toy), 422, "body.invalid")
    assert graph(client(toy.ann), toy)["code"] == "body.invalid"
    assert standing(toy) == before
    left = [int(send(client(toy.bob), toy, *[add(1)] * count)["RateLimit-Remaining"]) for count in (1, 3)]
    assert left[0] - left[1] == 3
    whole = settings.REST_FRAMEWORK
    settings.REST_FRAMEWORK = {**whole, "DEFAULT_THROTTLE_RATES": {**whole["DEFAULT_THROTTLE_RATES"], "command": "2/d"}}
    stands = standing(toy)
    assert_refused(send(client(toy.bob), toy, *[add(1)] * 3), 429, "rate.exceeded")
    assert graph(client(toy.bob), toy, add(1))["code"] == "rate.exceeded"
    assert standing(toy) == stands


def test_nobody_sends_a_batch_to_a_game_that_is_hidden_from_them():
    toy = toy_game(is_public=False)
    before = LoggedEvent.objects.count()
    hidden = send(client(toy.eve), toy, add(1))
    missing = client(toy.eve).post(
        f"/api/v1/games/{uuid4()}/batch/", orjson.dumps({"commands": commands(add(1))}), "application/json"
    )
    assert hidden.status_code == missing.status_code == 404
    assert {**hidden.json(), "request_id": ""} == {**missing.json(), "request_id": ""}
    assert_refused(send(Client(), toy, add(1)), 401, "token.needed")
    assert LoggedEvent.objects.count() == before
