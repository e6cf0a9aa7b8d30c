"""Answers of the door whose head was learned: the headers and the lines that the middleware would have given."""

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest

from accounts import keys
from api.common import compression, fast_auth
from api.common.authentication import user_and_token_of_header
from api.door import answers, writers
from api.door.answers import Answer
from api.door.incoming import incoming
from api.door.queue import Batch
from tests.api.worlds import ToyGame, bearer, toy_game, user
from tests.operations.lines import reading

QUIET = '{"tide_seconds": 3600}'
ID = "asked-by-this-client"


@pytest.fixture(autouse=True)
def nothing_learned() -> Iterator[None]:
    """A process that has answered nobody yet."""
    former = dict(answers._learned)
    answers._learned.clear()
    yield
    answers._learned.clear()
    answers._learned.update(former)


def known(name: str) -> str:
    """The header of a person whose token this process has seen."""
    header = bearer(user(name))["Authorization"]
    fast_auth._known.put(keys.digest(header.partition(" ")[2]), user_and_token_of_header(header))
    return header


def played(toy: ToyGame, who: str, command: str = "commands/add-stones/", **asked: Any) -> writers.Played:
    """What becomes of one request of somebody's."""
    body = json.dumps(asked.get("body", {"stones": 1})).encode()
    given = {"Host": "testserver", "Content-Length": str(len(body)), "Authorization": who, "X-Request-Id": ID}
    given |= asked.get("headers", {})
    scope = {
        "type": "http", "method": "POST", "path": toy.path(command), "query_string": asked.get("query", "").encode(),
        "scheme": asked.get("scheme", "http"), "client": ("127.0.0.1", 1), "server": ("testserver", 80),
        "headers": [(name.lower().encode(), value.encode()) for name, value in given.items()],
    }  # fmt: skip
    command_sent = incoming(scope, body, asyncio.new_event_loop())
    assert command_sent is not None
    return writers.play(Batch({toy.game.pk: [command_sent]}))


def answer_to(*asked: Any, **more: Any) -> Answer:
    ((_, found),) = played(*asked, **more).answered
    assert found is not None
    return found


def head_of(answer: Answer) -> dict[str, str]:
    """The head without what differs between any two answers."""
    whole = {name.decode(): value.decode() for name, value in answer.headers}
    assert len(whole) == len(answer.headers)  # none twice
    left = {"x-server-time", "ratelimit-remaining", "ratelimit-reset", "content-length"}
    assert whole.keys() >= left and int(whole["content-length"]) == len(answer.body)
    return {name: value for name, value in whole.items() if name not in left}


@pytest.mark.django_db
@pytest.mark.parametrize(
    "asked", [{}, {"query": "dry_run=1"}, {"scheme": "https"}], ids=["a command", "a dry run", "by https"]
)
def test_the_second_answer_of_a_kind_has_the_head_of_the_first(asked: dict[str, Any]) -> None:
    toy = toy_game(options=QUIET)
    ann, bob = known("ann"), known("bob")
    first = answer_to(toy, ann, **asked)
    second = answer_to(toy, bob, **asked, headers={"X-Request-Id": "another-request"})
    assert (first.is_learned, second.is_learned, first.status) == (False, True, second.status)
    assert head_of(second) == head_of(first) | {"x-request-id": "another-request"}
    remaining = [dict(each.headers)[b"ratelimit-remaining"] for each in (second, answer_to(toy, bob, **asked))]
    assert remaining == [b"1199", b"1198"]  # each person's own


@pytest.mark.django_db
def test_each_kind_learns_by_itself() -> None:
    """Kind: what changes a header. A dry run, `join` and https have heads that the usual command has not."""
    toy = toy_game(options=QUIET)
    ann = known("ann")
    usual = answer_to(toy, ann)
    others = [answer_to(toy, ann, query="dry_run=1"), answer_to(toy, ann, scheme="https"),
              answer_to(toy, known("eve"), "join/", body={"name": "Eve"})]  # fmt: skip
    assert [each.is_learned for each in others] == [False] * 3
    assert usual.status != others[0].status
    assert head_of(usual)["allow"] != head_of(others[2])["allow"]
    by_command = answer_to(toy_game(options=QUIET), known("eve"), "commands/join/", body={"name": "Eve"})
    assert by_command.is_learned and head_of(by_command) == head_of(usual)
    again = answer_to(toy_game(options=QUIET), known("eve"), "join/", body={"name": "Eve"})
    assert again.is_learned and head_of(again) == head_of(others[2])


@pytest.mark.django_db
def test_a_page_of_another_origin_is_answered_by_the_middleware_and_nothing_is_learned_of_it(settings: Any) -> None:
    settings.CORS_ALLOWED_ORIGINS = ["https://play.example"]
    toy, ann = toy_game(options=QUIET), known("ann")
    elsewhere = {"headers": {"Origin": "https://play.example"}}
    allowed = "access-control-allow-origin"
    first = answer_to(toy, ann, **elsewhere)
    assert head_of(first)[allowed] == "https://play.example"
    plain = [answer_to(toy, ann) for _ in range(2)]
    assert [each.is_learned for each in plain] == [False, True] and not any(allowed in head_of(each) for each in plain)
    again = answer_to(toy, ann, **elsewhere)
    assert (again.is_learned, head_of(again)[allowed]) == (False, "https://play.example")


@pytest.mark.django_db
def test_what_may_be_compressed_is_answered_by_the_middleware_and_nothing_is_learned_of_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for module in (answers, compression):
        monkeypatch.setattr(module, "SMALLEST", 200)
    toy, ann = toy_game(options=QUIET), known("ann")
    packed = [answer_to(toy, ann, headers={"Accept-Encoding": "gzip"}) for _ in range(2)]
    assert [head_of(each).get("content-encoding") for each in packed] == ["gzip"] * 2
    assert [each.is_learned for each in packed] == [False] * 2 and answers._learned == {}
    plain = [answer_to(toy, ann) for _ in range(2)]
    assert [each.is_learned for each in plain] == [False, True] and len(plain[1].body) >= 200
    assert head_of(plain[1]) == head_of(plain[0]) and "content-encoding" not in head_of(plain[1])
    assert "Accept-Encoding" in head_of(plain[1])["vary"]


@pytest.mark.django_db
def test_a_large_answer_that_nobody_may_pack_has_the_head_of_a_small_one(monkeypatch: pytest.MonkeyPatch) -> None:
    toy, ann = toy_game(options=QUIET), known("ann")
    small = answer_to(toy, ann)
    for module in (answers, compression):
        monkeypatch.setattr(module, "SMALLEST", 200)
    learned = answer_to(toy, ann)
    answers._learned.clear()
    assert learned.is_learned and head_of(learned) == head_of(small) == head_of(answer_to(toy, ann))


@pytest.mark.django_db
def test_of_a_refusal_nothing_is_learned() -> None:
    toy, ann = toy_game(options=QUIET), known("ann")
    refused = [answer_to(toy, ann, body={"stones": 0}) for _ in range(2)]
    assert [each.status for each in refused] == [422] * 2 and answers._learned == {}


@pytest.mark.django_db
@pytest.mark.parametrize("logs_ip", [True, False])
@pytest.mark.parametrize("headers", [{}, {"X-Correlation-Id": "one-of-many"}, {"X-Forwarded-For": "203.0.113.9"}])
def test_the_lines_of_request_and_command_are_those_of_the_middleware_and_come_behind_the_answer(
    logs_ip: bool, headers: dict[str, str], settings: Any
) -> None:
    settings.DJANGO_STRUCTLOG_IP_LOGGING_ENABLED = logs_ip
    toy, ann = toy_game(options=QUIET), known("ann")
    with reading() as lines:
        played(toy, ann, headers=headers).log()
        first = lines.of("request_finished"), lines.of("command")
        second = played(toy, ann, headers=headers)
        assert (lines.of("request_finished"), lines.of("command")) == first
        second.log()
        whole = lines.of("request_finished"), lines.of("command")
    assert [len(each) for each in whole] == [2, 2]
    for before, after in whole:
        differing = {key for key in before if before[key] != after[key]}
        assert before.keys() == after.keys() and differing <= {"timestamp", "ms", "command_id", "first_seq", "last_seq"}
    assert whole[0][1]["request_id"] == whole[1][1]["request_id"] == ID
