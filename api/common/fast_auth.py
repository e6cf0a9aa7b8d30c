"""Who comes to a game with a token, in one statement: whether the token is worth something, and where the game is.

A process remembers whom a token speaks for. Nobody is believed from memory: the statement asks of the token, its user
and the game each time, and whoever it does not vouch for goes the long way, where refusals have their words.
"""

from dataclasses import dataclass
from threading import Lock
from typing import Any
from uuid import UUID

from cachetools import TTLCache
from django.db import connection
from django.http import HttpRequest
from django.utils import timezone

from accounts import keys
from accounts.models import Token, User
from accounts.services import USED_RESOLUTION
from api.common.authentication import ENTERED, SCHEME, Principal
from games.models import Game

ROOM, KEPT_SECONDS = 5_000, 300
DIGEST = "digest_entered"
# By hand, since building this statement takes the ORM ten times as long as running it.
STATEMENT = f"""
SELECT (SELECT digest FROM {Game._meta.db_table} WHERE id = %s), token.scope_words
FROM {Token._meta.db_table} token JOIN {User._meta.db_table} "user" ON "user".id = token.user_id
WHERE token.digest = %s AND token.revoked_at IS NULL AND "user".is_active
AND (token.expires_at IS NULL OR token.expires_at > %s) AND token.last_used_at > %s
"""


@dataclass(frozen=True, slots=True)
class Entry:
    """Whom a token speaks for, and the digest of the game as it was then; empty where there is no such game."""

    user: UUID
    token: Token
    digest: str


_known: TTLCache[str, Principal] = TTLCache(ROOM, ttl=KEPT_SECONDS)
_lock = Lock()


def remember(request: HttpRequest, principal: Principal) -> None:
    """Remember whom a token speaks for, where that was asked at length: at least once a minute while it is in use."""
    if principal.token is not None and ENTERED not in request.__dict__:
        with _lock:
            _known[principal.token.digest] = principal


def enter(request: HttpRequest, game_id: UUID | None) -> Entry | None:
    """Who comes, to a game or to none, kept with the request; None for strangers and whoever takes a longer look."""
    scheme, _, plain = request.META.get("HTTP_AUTHORIZATION", "").strip().partition(" ")
    if scheme.lower() != SCHEME:
        return None
    secret = keys.digest(plain.strip())
    with _lock:
        known = _known.get(secret)
    if known is None or known.user is None or known.token is None:
        return None
    row = _query(game_id, secret)
    if row is None or row[1] != known.token.scope_words:
        return None
    digest = row[0] or ""
    request.__dict__.update({ENTERED: known, DIGEST: digest})
    return Entry(known.user.pk, known.token, digest)


def digest_once(request: HttpRequest) -> str:
    """The digest of the game that was entered, for the first look at it; empty from then on."""
    return str(request.__dict__.pop(DIGEST, ""))


def _query(game_id: UUID | None, secret: str) -> tuple[Any, ...] | None:
    """The game's digest (None: no game) and the token's scopes; None unless it is worth something and in use."""
    now, adapt = timezone.now(), connection.ops.adapt_datetimefield_value
    game = None if game_id is None else Game._meta.pk.get_db_prep_value(game_id, connection)
    with connection.cursor() as cursor:
        cursor.execute(STATEMENT, [game, secret, adapt(now), adapt(now - USED_RESOLUTION)])
        row: tuple[Any, ...] | None = cursor.fetchone()
    return row
