"""Values of headers: the white space around them is no part of them, and a condition that lists versions is one."""

import json

import pytest

from api.common.strict_json import strict_json
from api.rest.base import tags_in
from api.streams.handshake import header
from games.models import LoggedEvent
from tests.api.worlds import ToyGame, client, toy_game

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("through_both_doors"), pytest.mark.once]


def add_stones(toy: ToyGame, **headers: str):
    return client(toy.ann).post(
        toy.path("commands/add-stones/"),
        json.dumps({"stones": 1}),
        content_type=headers.pop("content_type", "application/json"),
        headers={name.replace("_", "-"): value for name, value in headers.items()},
    )


def added() -> int:
    return LoggedEvent.objects.filter(type="StonesAdded").count()


def test_white_space_around_a_key_is_no_part_of_it():
    toy = toy_game()
    first = add_stones(toy, idempotency_key="k1").json()
    for key in ("k1 ", " k1", "\tk1\t ", "k1"):
        assert add_stones(toy, idempotency_key=key).json() == first | {"replayed": True}
    assert added() == 1
    assert add_stones(toy, idempotency_key="k 1").json()["replayed"] is False
    assert add_stones(toy, idempotency_key="  ").status_code == 400
    assert added() == 2


def test_white_space_around_any_other_header_is_no_part_of_it():
    toy = toy_game()
    who = client(toy.ann)
    who.defaults["HTTP_AUTHORIZATION"] += " \t"
    state = who.get(toy.path("state/"))
    assert who.get(toy.path("state/"), headers={"If-None-Match": f" {state['ETag']} \t"}).status_code == 304
    assert who.get(toy.path("state/"), headers={"X-Request-Id": "a-request-id "})["X-Request-Id"] == "a-request-id"
    assert add_stones(toy, content_type="application/json ", accept=" */* ").status_code == 201
    assert header({"headers": [(b"last-event-id", b" abc\t")]}, "Last-Event-Id") == "abc"


def test_of_several_versions_in_if_match_any_will_do_and_none_of_them_is_stale():
    toy = toy_game()
    cursor, tag = client(toy.ann).get(toy.path()).json()["cursor"], client(toy.ann).get(toy.path("state/"))["ETag"]
    assert add_stones(toy, if_match=f'"bm9wZQ", W/"{cursor}"').status_code == 201
    for stale in (f'"{cursor}"', tag, f'"bm9wZQ", {tag}', f'{tag},W/"{cursor}"'):
        answer = add_stones(toy, if_match=stale)
        assert (answer.status_code, answer.json()["code"]) == (412, "position.stale")
    now = client(toy.ann).get(toy.path()).json()["cursor"]
    assert add_stones(toy, if_match=f'"{cursor}", "{now}"').status_code == 201
    assert add_stones(toy, if_match="*").status_code == 201
    assert added() == 3


@pytest.mark.parametrize("condition", ["abc", '"abc', '"a" "b"', '*, "a"', "W/abc", ","])
def test_a_condition_that_is_not_understood_is_not_taken_for_one_that_holds(condition: str):
    toy = toy_game()
    answer = add_stones(toy, if_match=condition)
    assert (answer.status_code, answer.json()["code"]) == (400, "request.unfit")
    assert added() == 0


def test_what_a_list_of_versions_may_look_like():
    assert tags_in("") == tags_in("  ") == []
    assert tags_in(" * ") == ["*"]
    assert tags_in('"a"') == tags_in('W/"a"') == tags_in(' "a" ') == ["a"]
    assert tags_in('"a",W/"b" , "c,d",,"e"') == ["a", "b", "c,d", "e"]


@pytest.mark.parametrize(
    ("raw", "mark"),
    [
        (text.encode(code), code[:6].upper())
        for text in ("\ufeff{}",)
        for code in ("utf-8", "utf-16-le", "utf-16-be", "utf-32-le")
    ],
)
def test_a_body_with_a_byte_order_mark_is_told_so(raw: bytes, mark: str):
    toy = toy_game()
    answer = client(toy.ann).post(toy.path("commands/add-stones/"), raw, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (400, "body.unreadable")
    assert answer.json()["detail"].startswith(f"The body begins with the byte-order mark of {mark.rstrip('-')}")
    assert strict_json(b'{"a": "\xef\xbb\xbf"}') == {"a": "\ufeff"}
    graph = client(toy.ann).post(
        "/graphql/", b'\xef\xbb\xbf{"query": "{ __typename }"}', content_type="application/json"
    )
    assert "byte-order mark of UTF-8" in graph.content.decode()


def test_no_rows_are_a_number_of_rows():
    toy = toy_game()
    query = """query ($id: UUID!) { games(first: 0) { totalCount edges { cursor } pageInfo { hasNextPage endCursor } }
      game(id: $id) {
        events(first: 0) { results { cursor } more } none: events(last: 0) { results { cursor } more }
        dice(first: 0) { results { label } } } }"""
    answer = (
        client(toy.ann)
        .post("/graphql/", {"query": query, "variables": {"id": str(toy.game.pk)}}, content_type="application/json")
        .json()
    )
    assert "errors" not in answer, answer
    games, game = answer["data"]["games"], answer["data"]["game"]
    assert (games["totalCount"], games["edges"], games["pageInfo"]["hasNextPage"]) == (1, [], True)
    assert game["events"] == game["none"] == {"results": [], "more": True}
    assert game["dice"] == {"results": []}
