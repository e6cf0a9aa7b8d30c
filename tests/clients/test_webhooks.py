"""Both clients verify the messages of webhooks that the service signs, and no others."""

import json
import shutil
import subprocess
from base64 import b64encode
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from api.webhooks.signing import new_secret, signature_headers
from clients.build import COPY
from clients.python.theogony.webhooks import MAX_AGE_SECONDS, NotVerified, verify_message

AT = datetime(2026, 3, 1, 12, tzinfo=UTC)
BODY = '{"type": "webhook.test", "timestamp": "2026-03-01T12:00:00Z", "data": {"note": "ä"}}'.encode()
SECRET, OTHER = new_secret(), new_secret()
HEADERS = signature_headers("01", AT, BODY, [SECRET])
LATE = timedelta(seconds=MAX_AGE_SECONDS + 1)
PROGRAM = """
import { verifyMessage, NotVerified } from "%s";
const given = JSON.parse(process.argv[1]), header = (name) => given.headers[name] ?? null;
verifyMessage(given.secret, header, given.body, given.now * 1000).then(
    (message) => console.log(JSON.stringify(message)),
    (error) => console.log(error instanceof NotVerified ? "" : String(error)));
"""
Verify = Callable[[str, dict[str, str], bytes, datetime], Any]


def by_python(secret: str, headers: dict[str, str], body: bytes, now: datetime) -> Any:
    """The message; None where it is not verified."""
    try:
        return verify_message(secret, headers, body, now=now.timestamp())
    except NotVerified:
        return None


def by_javascript(secret: str, headers: dict[str, str], body: bytes, now: datetime) -> Any:
    given = {"secret": secret, "headers": headers, "body": body.decode(), "now": now.timestamp()}
    program = PROGRAM % (COPY / "webhook.js").as_uri()
    done = subprocess.run(
        ["node", "--input-type=module", "--eval", program, json.dumps(given)],
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout) if done.stdout.strip() else None


@pytest.fixture(params=[by_python, by_javascript], ids=["python", "javascript"])
def verify(request: pytest.FixtureRequest) -> Verify:
    if request.param is by_javascript and shutil.which("node") is None:
        pytest.skip("Needs Node.")
    found: Verify = request.param
    return found


def test_what_the_service_signs_is_verified_in_a_rotation_too(verify: Verify) -> None:
    message = json.loads(BODY)
    assert verify(SECRET, HEADERS, BODY, AT) == message
    rotating = signature_headers("01", AT, BODY, [OTHER, SECRET])
    assert verify(SECRET, rotating, BODY, AT) == verify(OTHER, rotating, BODY, AT) == message


@pytest.mark.parametrize(
    ("secret", "headers", "body", "now"),
    [
        (OTHER, {}, BODY, AT),
        (SECRET, {}, BODY.replace(b"test", b"best"), AT),
        (SECRET, {"webhook-id": "02"}, BODY, AT),
        (SECRET, {"webhook-timestamp": str(int(AT.timestamp()) + 1)}, BODY, AT),
        (SECRET, {"webhook-timestamp": "soon"}, BODY, AT),
        (SECRET, {"webhook-signature": ""}, BODY, AT),
        (SECRET, {"webhook-signature": "v1,%%%"}, BODY, AT),
        (SECRET, {"webhook-signature": HEADERS["webhook-signature"].replace("v1,", "v2,")}, BODY, AT),
        (SECRET, {"webhook-signature": f"v1,{b64encode(bytes(32)).decode()}"}, BODY, AT),
        (SECRET, {}, BODY, AT + LATE),
        (SECRET, {}, BODY, AT - LATE),
    ],
    ids=[
        "secret", "body", "id", "time", "no time", "no signature", "no base64", "version", "signature", "late", "early",
    ],
)  # fmt: skip
def test_anything_else_is_not(verify: Verify, secret: str, headers: dict[str, str], body: bytes, now: datetime) -> None:
    assert verify(secret, HEADERS | headers, body, now) is None


def test_headers_are_found_however_they_are_written() -> None:
    assert by_python(SECRET, {name.title(): value for name, value in HEADERS.items()}, BODY, AT) == json.loads(BODY)
    assert by_python(SECRET, {}, BODY, AT) is None
