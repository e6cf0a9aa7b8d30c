"""What a push service wants (RFC 8030): a body that the browser alone can read (RFC 8291), signed by us (RFC 8292).

Nothing is sent here. Endpoint and keys of a subscription let anybody push to it, so none of them is logged.
"""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from datetime import datetime, timedelta
from functools import cache
from urllib.parse import urlsplit

import http_ece
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePublicKey, generate_private_key
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from py_vapid import Vapid02

from accounts.models import PushSubscription

SIGNED_FOR = timedelta(hours=12)
"""How long a signature is valid; 24 hours is the most that push services take."""
BLOCK_BYTES = 512
"""A body is as long as so many of these, so that its length tells a push service little."""
MAX_BODY_BYTES = 3072
"""With what encryption adds it is below the 4,096 bytes that every push service takes."""
AUTH_BYTES = 16


def is_configured() -> bool:
    """Whether this service pushes."""
    return bool(settings.VAPID_PRIVATE_KEY and settings.VAPID_SUBJECT)


def public_key() -> str:
    """The service's key, by which a browser subscribes: base64url. Empty where it does not push."""
    if not is_configured():
        return ""
    point = _signer(settings.VAPID_PRIVATE_KEY).public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return urlsafe_b64encode(point).decode().rstrip("=")


def is_usable(p256dh: str, auth: str) -> bool:
    """Whether the keys of a subscription are such: a point of P-256, and 16 bytes."""
    try:
        _point(p256dh)
        return len(_bytes_of(auth)) == AUTH_BYTES
    except ValueError:
        return False


def encrypt(body: bytes, subscription: PushSubscription) -> bytes:
    """The body as the subscribed browser alone can read it, padded to whole blocks. body: JSON, `MAX_BODY_BYTES`."""
    padded = body.ljust(-(-len(body) // BLOCK_BYTES) * BLOCK_BYTES)  # JSON may end with spaces
    encrypted: bytes = http_ece.encrypt(
        padded,
        private_key=generate_private_key(SECP256R1()),
        dh=_bytes_of(subscription.p256dh),
        auth_secret=_bytes_of(subscription.auth),
        version="aes128gcm",
    )
    return encrypted


def headers(endpoint: str, topic: str, ttl: timedelta, urgency: str, now: datetime) -> dict[str, str]:
    """What goes with a body. topic: 32 characters; a newer push replaces one that waits. ttl: how long it may wait."""
    parts = urlsplit(endpoint)
    claims = {
        "aud": f"{parts.scheme}://{parts.netloc}",
        "exp": int((now + SIGNED_FOR).timestamp()),
        "sub": settings.VAPID_SUBJECT,
    }
    signature = _signer(settings.VAPID_PRIVATE_KEY).sign(claims)["Authorization"]
    return {
        "Authorization": signature,
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(int(ttl.total_seconds())),
        "Topic": topic,
        "Urgency": urgency,
    }


@cache
def _signer(private_key: str) -> Vapid02:
    return Vapid02.from_string(private_key)


def _point(p256dh: str) -> EllipticCurvePublicKey:
    return EllipticCurvePublicKey.from_encoded_point(SECP256R1(), _bytes_of(p256dh))


def _bytes_of(text: str) -> bytes:
    """Bytes from base64url, with or without padding. Raises ValueError."""
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))
