"""Messages of webhooks: verified, as Standard Webhooks says, before anything in them is believed."""

from __future__ import annotations

import hashlib
import hmac
import json
import time
from base64 import b64decode, b64encode
from collections.abc import Mapping
from typing import Any, TypedDict, cast

PREFIX = "whsec_"
MAX_AGE_SECONDS = 300
"""How old a message may be, and how far ahead of this machine's clock."""


class NotVerified(ValueError):
    """A message that is not signed with the secret, or at another time: answer 4xx and forget it."""


class WebhookMessage(TypedDict):
    """What is posted: `game.events` with events in its data, or `webhook.test`."""

    type: str
    timestamp: str
    data: dict[str, Any]


def verify_message(secret: str, headers: Mapping[str, str], body: bytes, *, now: float | None = None) -> WebhookMessage:
    """The message of a request. Raises NotVerified.

    secret: as it was shown when the webhook was made. headers: of the request, however they are written. body: its
    bytes as they came. now: seconds since 1970. The id of the message is the header `webhook-id`; one that comes again
    has the same.
    """
    given = {name.lower(): value for name, value in headers.items()}
    try:
        identity, at, signatures = (given[f"webhook-{name}"] for name in ("id", "timestamp", "signature"))
        age = (time.time() if now is None else now) - int(at)
    except (KeyError, ValueError) as missing:
        raise NotVerified(
            "a header webhook-id, webhook-timestamp or webhook-signature is missing or wrong"
        ) from missing
    if abs(age) > MAX_AGE_SECONDS:
        raise NotVerified("the message is of another time")
    key = b64decode(secret.removeprefix(PREFIX))
    ours = b64encode(hmac.new(key, f"{identity}.{at}.".encode() + body, hashlib.sha256).digest())
    theirs = [each.removeprefix("v1,").encode() for each in signatures.split(" ") if each.startswith("v1,")]
    if not any(hmac.compare_digest(ours, each) for each in theirs):
        raise NotVerified("no signature fits")
    return cast(WebhookMessage, json.loads(body))
