"""Secrets and signatures as Standard Webhooks has them: HMAC-SHA-256 over id, time and body."""

import secrets
from base64 import b64encode
from collections.abc import Iterable
from datetime import datetime

from standardwebhooks import Webhook as Signer

PREFIX = "whsec_"
SECRET_BYTES = 32


def new_secret() -> str:
    """A fresh secret, 32 random bytes, in the form that the libraries of the standard take."""
    return PREFIX + b64encode(secrets.token_bytes(SECRET_BYTES)).decode()


def signature_headers(message: str, at: datetime, body: bytes, keys: Iterable[str]) -> dict[str, str]:
    """The headers of a message. at: of this attempt, UTC; keys: each of them signs."""
    signatures = [Signer(key).sign(message, at, body.decode()) for key in keys]
    return {
        "content-type": "application/json",
        "user-agent": "Theogony-Webhooks/1",
        "webhook-id": message,
        "webhook-timestamp": str(int(at.timestamp())),
        "webhook-signature": " ".join(signatures),
    }
