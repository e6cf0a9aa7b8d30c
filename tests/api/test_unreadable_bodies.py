"""Bodies that cannot be read: bad JSON, another media type, too large, without an end."""

import json
from io import BytesIO

import pytest
from a2wsgi.wsgi import Body
from django.http import HttpResponse
from django.test import Client, RequestFactory
from rest_framework import exceptions as rest

from api.common.limits import BodyLimit
from api.common.strict_json import strict_json

pytestmark = [pytest.mark.urls("tests.api.failing"), pytest.mark.django_db, pytest.mark.once]


@pytest.fixture
def client() -> Client:
    return Client(raise_request_exception=False)


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"{",
        b"\xff\xfe",
        b"\xef\xbb\xbf{}",
        b'{"a": NaN}',
        b'{"a": -Infinity}',
        b'{"a": 1e999}',
        b'{"a": 1, "a": 2}',
        b'{"a": {"b": 1, "b": 1}}',
        b'["\\ud800"]',
        b'{"\\udfff": 1}',
        b'["\\u0000"]',
        b"[" * 65 + b"]" * 65,
        b"[" * 100_000,
        b"1000000000000000001",
        b"-" + b"9" * 5_000,
    ],
)
def test_json_that_two_readers_could_understand_in_two_ways_is_refused(raw):
    with pytest.raises(rest.ParseError):
        strict_json(raw)


def test_json_up_to_the_limits_is_read():
    assert strict_json(b"1000000000000000000") == 10**18
    assert strict_json(b'{"a": ["\\ud83d\\ude00", 0.5, null]}') == {"a": ["\U0001f600", 0.5, None]}
    assert strict_json(b"[" * 64 + b"]" * 64)


def test_an_unreadable_body_is_a_400_with_a_sentence(client):
    answer = client.generic("POST", "/api/fail/echo/", b'{"a": NaN}', content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (400, "body.unreadable")
    assert answer.json()["detail"] == "NaN is not JSON."


def test_another_media_type_is_refused(client):
    answer = client.generic("POST", "/api/fail/echo/", b"a=1", content_type="application/x-www-form-urlencoded")
    assert (answer.status_code, answer.json()["code"]) == (415, "body.type_unknown")


def test_a_body_above_the_limit_is_refused_unread(client, settings):
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 20
    just = client.generic("POST", "/api/fail/echo/", b'{"a": "12345678901"}', content_type="application/json")
    assert just.status_code == 200
    answer = client.generic("POST", "/api/fail/echo/", b'{"a": "123456789012"}', content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (413, "body.too_large")
    assert answer.json()["facts"] == {"most_bytes": 20}


def chunked_response(body: bytes | Body, *, terminated: bool = True) -> HttpResponse:
    request = RequestFactory().post("/api/x/", content_type="application/json")
    request.META.update(
        {"HTTP_TRANSFER_ENCODING": "chunked", "wsgi.input": body if isinstance(body, Body) else BytesIO(body)}
    )
    del request.META["CONTENT_LENGTH"]
    if terminated:
        request.META["wsgi.input_terminated"] = True
    return BodyLimit(lambda inner: HttpResponse(inner.body))(request)


def test_a_chunked_body_is_read_up_to_the_limit_and_refused_beyond(settings):
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1_000
    assert chunked_response(1_000 * b"x").content == 1_000 * b"x"
    assert chunked_response(1_001 * b"x").status_code == 413


def test_a_chunked_body_whose_end_the_server_does_not_mark_is_refused():
    answer = chunked_response(b"{}", terminated=False)
    assert (answer.status_code, json.loads(answer.content)["code"]) == (411, "body.length_missing")


def test_the_body_of_the_asgi_bridge_ends_by_itself_though_it_is_not_marked():
    whole = Body(None, None)
    whole.buffer.extend(b'{"a": 1}')
    whole._has_more = False
    assert chunked_response(whole, terminated=False).content == b'{"a": 1}'
