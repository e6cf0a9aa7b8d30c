"""One request at the door: its head before its body, its id, its white space, and what its line and its answer hold."""

import asyncio
from typing import Any
from uuid import UUID

import pytest
from django.db import transaction
from django.http import HttpResponse

from api.door import incoming as heads
from api.door import writers
from api.door.answers import Answer
from api.door.application import Door, read_body
from api.door.incoming import Incoming, incoming, is_usual
from api.door.viewers import viewer_at
from games.runtime.session import lock
from tests.api.test_door import QUIET, TOKEN, USUAL, django, known_bearer, scope_of
from tests.api.worlds import toy_game


def request_of(path: str = USUAL[0], body: bytes = USUAL[1], **headers: str) -> Incoming:
    found = incoming(scope_of(path, TOKEN | headers, body), body, asyncio.new_event_loop())
    assert found is not None
    return found


def test_a_body_that_is_too_large_is_left_to_django_before_any_of_it_is_read(settings: Any) -> None:
    most = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    heads = [scope_of(USUAL[0], TOKEN | {"Content-Length": str(length)}, b"") for length in (most, most + 1)]
    assert [is_usual(head) for head in heads] == [True, False]


@pytest.mark.parametrize(
    ("is_sent_on", "scheme", "is_taken"), [(True, "http", 0), (True, "https", 1), (False, "http", 1)]
)
def test_what_django_would_send_to_https_is_left_to_it(
    settings: Any, is_sent_on: bool, scheme: str, is_taken: int
) -> None:
    settings.SECURE_SSL_REDIRECT, settings.SECURE_PROXY_SSL_HEADER = is_sent_on, None
    scope = scope_of(USUAL[0], TOKEN, USUAL[1]) | {"scheme": scheme}
    assert (incoming(scope, USUAL[1], asyncio.new_event_loop()) is not None) == is_taken


def test_the_id_of_a_request_is_the_clients_where_it_is_one_and_else_new() -> None:
    assert request_of(**{"X-Request-Id": "mine-0001"}).request_id == "mine-0001"
    made = {request_of(**given).request_id for given in ({}, {"X-Request-Id": "no id!"}, {"X-Request-Id": "x" * 999})}
    assert len(made) == 3 and all(UUID(each) for each in made)


def test_white_space_around_a_header_is_none_of_its_value() -> None:
    assert request_of(**{"Idempotency-Key": " k\t"}).key == "k"


async def test_a_client_that_goes_before_the_end_of_its_body_has_sent_none() -> None:
    parts = iter([{"type": "http.request", "body": b"{", "more_body": True}, {"type": "http.disconnect"}])

    async def receive() -> Any:
        return next(parts)

    messages, body = await read_body(receive)
    assert body is None and [each["type"] for each in messages] == ["http.request", "http.disconnect"]


@pytest.mark.parametrize("given", [{}, {"Content-Length": "2"}])
async def test_the_length_of_an_answer_stands_in_it_once(
    given: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[Any] = []

    async def answer(*_: Any) -> Answer:
        return Answer.of(HttpResponse(b"ok", headers=given))

    async def keep(message: Any) -> None:
        said.append(message)

    async def receive() -> Any:
        return {"type": "http.request", "body": USUAL[1]}

    monkeypatch.setattr(Door, "ask", answer)
    await Door(django)(scope_of(USUAL[0], TOKEN, USUAL[1]), receive, keep)
    assert [value for name, value in said[0]["headers"] if name == b"content-length"] == [b"2"]


@pytest.mark.django_db
def test_a_command_says_when_it_came_in_and_by_which_request() -> None:
    toy = toy_game(options=QUIET)
    command = request_of(toy.path("commands/add-stones/"), **known_bearer("ann"), **{"X-Request-Id": "mine-0001"})
    command.since = 12.5
    admitted = writers.admit([command], [])[command]
    assert (admitted.since, admitted.about) == (12.5, {"request_id": "mine-0001"})


@pytest.mark.django_db
def test_a_viewer_that_is_known_looks_at_the_game_as_it_is_locked() -> None:
    toy = toy_game(options=QUIET)
    looks = []
    for _ in range(2):
        with transaction.atomic():
            session = lock([toy.game.pk])[toy.game.pk]
            looks.append((viewer_at(session, toy.ann.pk, None, ""), session.game))
    (first, _), (known, game) = looks
    assert known.visibility is first.visibility and known.game is game


def test_what_is_kept_of_a_query_is_bounded_before_anybody_has_shown_a_right() -> None:
    """The kind: a cache that strangers fill is bounded in its entries and in the size of each."""
    heads._kept_parameters.cache_clear()
    long = heads.MOST_KEPT * "x"
    assert heads.parameters_of(f"expected={long}") == (None, "", long, False)
    assert heads._kept_parameters.cache_info().currsize == 0
    for _ in range(2):
        assert heads.parameters_of("as=gm&dry_run=1") == (None, "gm", "", True)
        assert heads.parameters_of("as=gm&as=gm") is None
    found = heads._kept_parameters.cache_info()
    assert (found.currsize, found.hits) == (2, 2) and found.maxsize is not None
