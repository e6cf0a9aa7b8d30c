"""Answers are compressed by the service itself: long ones, of the APIs, for clients that take gzip."""

import gzip
import json

import pytest
from django.http import HttpResponse, StreamingHttpResponse
from django.test import RequestFactory

from api.common.compression import SMALLEST, CompressAnswers
from config import rest
from tests.api.worlds import client, toy_game

pytestmark = [pytest.mark.django_db, pytest.mark.once]
TAKES = {"Accept-Encoding": "br, gzip"}


def test_a_long_answer_is_compressed_for_who_takes_gzip():
    path = "/api/v1/rulesets/gods2/commands/"
    plain, packed = client().get(path), client().get(path, headers=TAKES)
    assert "Content-Encoding" not in plain and packed["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.content) == plain.content and len(packed.content) < len(plain.content) / 4
    assert int(packed["Content-Length"]) == len(packed.content)
    assert "Accept-Encoding" in packed["Vary"] and "Accept-Encoding" in plain["Vary"]


def test_a_state_that_is_compressed_is_not_sent_twice():
    toy = toy_game()
    ann = client(toy.ann)
    packed, plain = ann.get(toy.path("state/"), headers=TAKES), ann.get(toy.path("state/"))
    assert (packed["Content-Encoding"], packed["ETag"]) == ("gzip", plain["ETag"])
    assert json.loads(gzip.decompress(packed.content)).keys() == plain.json().keys()
    for headers in (TAKES, {}):
        again = ann.get(toy.path("state/"), headers={"If-None-Match": packed["ETag"], **headers})
        assert (again.status_code, again.content, again["ETag"]) == (304, b"", packed["ETag"])
        assert "Accept-Encoding" in again["Vary"]


def test_documents_and_graphql_are_compressed():
    """That of OpenAPI, too: in test_rest_schema.py, since it takes seconds to make."""
    assert client().get("/api/asyncapi/", headers=TAKES)["Content-Encoding"] == "gzip"
    asked = {"query": "{ __schema { types { name description } } }"}
    answer = client().post("/graphql/", json.dumps(asked), content_type="application/json", headers=TAKES)
    assert answer["Content-Encoding"] == "gzip" and gzip.decompress(answer.content).startswith(b'{"data"')


@pytest.mark.parametrize(
    "answer",
    [
        HttpResponse(b" " * (SMALLEST - 1), content_type="application/json"),
        HttpResponse(b" " * 5000, content_type="text/html; charset=utf-8"),
        HttpResponse(b" " * 5000, content_type="application/json", headers={"Content-Encoding": "br"}),
        StreamingHttpResponse([b" " * 5000], content_type="text/event-stream"),
        StreamingHttpResponse([b" " * 5000], content_type="application/json"),
    ],
    ids=["short", "page", "compressed already", "events", "stream"],
)
def test_what_is_left_as_it_is(answer):
    before = dict(answer.items())
    request = RequestFactory().get("/", headers=TAKES)
    assert dict(CompressAnswers(lambda _: answer)(request).items()) == before


def test_equal_answers_differ_in_length_by_random_bytes():
    answers = {len(client().get("/api/v1/rulesets/gods2/", headers=TAKES).content) for _ in range(12)}
    assert len(answers) > 1


def test_the_service_compresses_unless_a_proxy_does(settings):
    assert rest.COMPRESSION in settings.MIDDLEWARE
    assert settings.MIDDLEWARE.index(rest.COMPRESSION) < settings.MIDDLEWARE.index(rest.API_MIDDLEWARE[0])
