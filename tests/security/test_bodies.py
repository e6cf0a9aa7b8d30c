"""Big and odd bodies: each is refused with a type, by REST and GraphQL with the same code, and nothing is written."""

import gzip
import json

import pytest
from django.core.cache import caches
from django.test import Client

from games.models import LoggedEvent, Receipt
from tests.api.worlds import bearer, toy_game

pytestmark = [pytest.mark.django_db, pytest.mark.once]
JSON = "application/json"
MUTATION = "mutation($g: UUID!, $i: ToyAddStonesInput!) { toyAddStones(game: $g, input: $i) { __typename } }"


def of_stones(stones: str, more: str = "") -> str:
    """The body of a command, its value as it is written here."""
    return f'{{"stones": {stones}{more}}}'


def raw(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


BODIES: dict[str, tuple[bytes, str]] = {
    "half a character": (raw(of_stones('"\\ud800"')), "body.unreadable"),
    "a NUL": (raw(of_stones('"\\u0000"')), "body.unreadable"),
    "a NUL in a key": (raw(of_stones("1", ', "\\u0000": 1')), "body.unreadable"),
    "not a number": (raw(of_stones("NaN")), "body.unreadable"),
    "infinity": (raw(of_stones("-Infinity")), "body.unreadable"),
    "400 digits": (raw(of_stones("9" * 400)), "body.unreadable"),
    "100,000 digits": (raw(of_stones("9" * 100_000)), "body.unreadable"),
    "1e400": (raw(of_stones("1e400")), "body.unreadable"),
    "1e-400 twice": (raw(of_stones("1", ', "stones": 1e-400')), "body.unreadable"),
    "a key twice": (raw(of_stones("1", ', "stones": 2')), "body.unreadable"),
    "a key twice, once escaped": (raw(of_stones("1", ', "st\\u006fnes": 2')), "body.unreadable"),
    "100,000 arrays": (raw(of_stones("[" * 100_000 + "]" * 100_000)), "body.unreadable"),
    "100,000 objects": (raw(of_stones('{"a":' * 100_000 + "1" + "}" * 100_000)), "body.unreadable"),
    "65 arrays": (raw(of_stones("[" * 65 + "]" * 65)), "body.unreadable"),
    "a byte order mark": (b"\xef\xbb\xbf" + raw(of_stones("1")), "body.unreadable"),
    "UTF-16": (of_stones("1").encode("utf-16"), "body.unreadable"),
    "Latin-1": ('{"stones": "é"}'.encode("latin-1"), "body.unreadable"),
    "raw surrogates": (raw('{"stones": "\ud800"}'), "body.unreadable"),
    "cut short": (b'{"stones": 1', "body.unreadable"),
    "two bodies": (b'{"stones": 1}{"stones": 1}', "body.unreadable"),
    "a comment": (b'{"stones": 1} // one', "body.unreadable"),
    "white space of another kind": ('\u00a0{"stones": 1}'.encode(), "body.unreadable"),
    "ten megabytes": (raw(of_stones('"' + "x" * 10_000_000 + '"')), "body.too_large"),
    "spaces without end": (b" " * 9_000_000 + b'{"stones": 1}', "body.too_large"),
    "a gzip bomb": (gzip.compress(b" " * 5_000_000), "body.unreadable"),
}
SHAPES = {"a text": "1", "an array": "[1]", "null": "null", "true": "true", "nothing": ""}
PARTS = b'--x\r\nContent-Disposition: form-data; name="stones"\r\n\r\n1\r\n--x--\r\n'
SENT_AS = {
    "a form": ("application/x-www-form-urlencoded", b"stones=1"),
    "a form of parts": ("multipart/form-data; boundary=x", PARTS),
    "text": ("text/plain", b'{"stones": 1}'),
    "XML": ("application/xml", b"<stones>1</stones>"),
    "a patch": ("application/merge-patch+json", b'{"stones": 1}'),
}  # fmt: skip


@pytest.fixture
def toy():
    caches["throttles"].clear()
    return toy_game()


def send_to_both(toy, body: bytes, kind: str = JSON, **headers: str):
    """The body as a command over REST, and around the very same bytes over GraphQL."""
    client = Client(headers={**bearer(toy.ann), **headers}, raise_request_exception=False)
    rest = client.generic("POST", toy.path("commands/add-stones/"), body, content_type=kind)
    variables = b'{"g": "%s", "i": ' % str(toy.game.pk).encode()
    whole = b'{"query": ' + json.dumps(MUTATION).encode() + b', "variables": ' + variables + body + b"}}"
    if body.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\x1f\x8b", b" ")):
        whole = body
    graphql = client.generic("POST", "/graphql/", whole, content_type=kind)
    return rest, graphql


def code_of(answer) -> str:
    found = answer.json()
    return found["errors"][0]["extensions"]["code"] if "code" not in found else found["code"]


def assert_untouched(toy, seq: int) -> None:
    assert toy.fresh().seq == seq
    assert LoggedEvent.objects.filter(game=toy.game).count() == seq
    assert not Receipt.objects.filter(game=toy.game).exists()


@pytest.mark.parametrize("name", BODIES)
def test_an_odd_body_is_refused_alike_by_both_and_nothing_is_written(toy, name):
    body, code = BODIES[name]
    seq = toy.fresh().seq
    for answer in send_to_both(toy, body):
        assert (answer.status_code, code_of(answer)) == (413 if code == "body.too_large" else 400, code)
        assert len(answer.content) < 1000
    assert_untouched(toy, seq)


@pytest.mark.parametrize("shape", SHAPES)
def test_a_body_that_is_no_object_is_refused(toy, shape):
    seq = toy.fresh().seq
    rest, graphql = send_to_both(toy, SHAPES[shape].encode())
    assert rest.status_code in (400, 422) and code_of(rest) in ("body.unreadable", "body.invalid")
    assert graphql.status_code in (200, 400) and graphql.json().get("data") is None
    assert_untouched(toy, seq)


@pytest.mark.parametrize("name", SENT_AS)
def test_a_body_that_is_not_sent_as_json_is_not_read(toy, name):
    kind, body = SENT_AS[name]
    seq = toy.fresh().seq
    rest, graphql = send_to_both(toy, body, kind)
    assert (rest.status_code, code_of(rest)) == (415, "body.type_unknown")
    assert graphql.status_code in (400, 415)
    assert_untouched(toy, seq)


def test_a_body_in_another_charset_is_refused_whatever_it_says(toy):
    seq = toy.fresh().seq
    for answer in send_to_both(toy, '{"stones": "é"}'.encode("latin-1"), "application/json; charset=latin-1"):
        assert (answer.status_code, code_of(answer)) == (400, "body.unreadable")
    assert_untouched(toy, seq)


def test_a_compressed_body_is_not_unpacked(toy):
    seq = toy.fresh().seq
    packed = gzip.compress(b'{"stones": 1}' + b" " * 50_000_000)
    assert len(packed) < 60_000
    for answer in send_to_both(toy, packed, **{"Content-Encoding": "gzip"}):
        assert answer.status_code in (400, 415)
    assert_untouched(toy, seq)


@pytest.mark.parametrize("length", ["999999999999", "-1", "5", "", "many", "1e3", "٣"])
def test_a_length_that_lies_is_no_way_in(toy, length):
    seq = toy.fresh().seq
    client = Client(headers=bearer(toy.ann), raise_request_exception=False)
    body = {"data": b'{"stones": "many"}', "content_type": JSON, "CONTENT_LENGTH": length}
    for path in (toy.path("commands/add-stones/"), "/graphql/"):
        answer = client.generic("POST", path, **body)
        assert answer.status_code in (400, 411, 413, 422), (path, answer.content)
        assert "code" in json.dumps(answer.json())
    assert_untouched(toy, seq)


def test_a_length_that_is_no_number_is_refused_by_every_page():
    client = Client(raise_request_exception=False)
    answer = client.generic("POST", "/admin/login/", data=b"a=1", CONTENT_LENGTH="many")
    assert (answer.status_code, answer.json()["code"]) == (400, "body.unreadable")
