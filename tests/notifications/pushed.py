"""A browser that takes pushes, as a push service and the browser know it.

It decrypts (RFC 8291) and verifies (RFC 8292) by computations of its own, from the texts of the RFCs alone.
"""

import hmac
import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ec import (
    ECDH,
    ECDSA,
    SECP256R1,
    EllipticCurvePrivateKey,
    EllipticCurvePublicKey,
    generate_private_key,
)
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

VAPID_PRIVATE_KEY = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"  # that of the example of RFC 8291, appendix A
VAPID_SUBJECT = "mailto:operator@games.example"


def encoded(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")


def decoded(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def point_of(key: EllipticCurvePrivateKey) -> bytes:
    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


@dataclass
class Browser:
    """What a browser keeps of its subscription."""

    endpoint: str
    auth: bytes = b"0123456789abcdef"
    key: EllipticCurvePrivateKey = field(default_factory=lambda: generate_private_key(SECP256R1()))

    @property
    def given(self) -> dict[str, str]:
        """What it gives the service."""
        return {"endpoint": self.endpoint, "p256dh": encoded(point_of(self.key)), "auth": encoded(self.auth)}

    def read(self, body: bytes) -> dict[str, Any]:
        """What a push says; raises InvalidTag where it was not made for this browser."""
        salt, size, length = body[:16], int.from_bytes(body[16:20], "big"), body[20]
        point, sealed = body[21 : 21 + length], body[21 + length :]
        assert length == 65 and len(sealed) <= size and len(body) <= 4096, "one record"
        sender = EllipticCurvePublicKey.from_encoded_point(SECP256R1(), point)
        shared = self.key.exchange(ECDH(), sender)
        ikm = _expand(_digest(self.auth, shared), b"WebPush: info\0" + point_of(self.key) + point, 32)
        prk = _digest(salt, ikm)
        key = _expand(prk, b"Content-Encoding: aes128gcm\0", 16)
        nonce = _expand(prk, b"Content-Encoding: nonce\0", 12)
        opened = AESGCM(key).decrypt(nonce, sealed, None).rstrip(b"\0")
        assert opened[-1:] == b"\x02", "the last record"
        told: dict[str, Any] = json.loads(opened[:-1])
        return told


def claims_of(authorization: str, public_key: str) -> dict[str, Any]:
    """The claims of a push's signature; raises InvalidSignature where the service's key has not signed them."""
    scheme, _, rest = authorization.partition(" ")
    parts = dict(each.strip().split("=", 1) for each in rest.split(","))
    assert scheme == "vapid" and parts["k"] == public_key
    head, claims, signature = parts["t"].split(".")
    assert json.loads(decoded(head)) == {"typ": "JWT", "alg": "ES256"}
    key = EllipticCurvePublicKey.from_encoded_point(SECP256R1(), decoded(public_key))
    r, s = (int.from_bytes(half, "big") for half in (decoded(signature)[:32], decoded(signature)[32:]))
    key.verify(encode_dss_signature(r, s), f"{head}.{claims}".encode(), ECDSA(SHA256()))
    found: dict[str, Any] = json.loads(decoded(claims))
    return found


def _digest(key: bytes, data: bytes) -> bytes:
    return hmac.new(key, data, sha256).digest()


def _expand(prk: bytes, info: bytes, length: int) -> bytes:
    return _digest(prk, info + b"\x01")[:length]
