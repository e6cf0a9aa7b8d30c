"""304 in one statement: for a client that asks again for what it has, while nothing has happened in the game.

A view notes each answer it has tagged. When the same token asks the same address for the same tag again, one statement
tells whether the token is still worth something and the game still where it was; everything else, every doubt
included, goes the long way.
"""

from dataclasses import dataclass
from threading import Lock
from uuid import UUID

from cachetools import TTLCache
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from rest_framework.request import Request

from accounts import keys
from accounts.models import Token, User
from accounts.services import USED_RESOLUTION
from api.kit.throttles import count
from api.rest.base import tagged, tags_in
from games.models import Game

ROOM, KEPT_SECONDS = 5_000, 300
# By hand, since building this statement takes the ORM ten times as long as running it.
STATEMENT = f"""
SELECT game.digest FROM {Game._meta.db_table} game, {Token._meta.db_table} token
JOIN {User._meta.db_table} "user" ON "user".id = token.user_id
WHERE game.id = %s AND token.digest = %s AND token.revoked_at IS NULL AND "user".is_active
AND (token.expires_at IS NULL OR token.expires_at > %s) AND token.last_used_at > %s
"""
Key = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Tagged:
    """An answer that was given: its tag, the game's digest before it, and who got it."""

    tag: str
    digest: str
    user: UUID


_tagged: TTLCache[Key, Tagged] = TTLCache(ROOM, ttl=KEPT_SECONDS)
_lock = Lock()


def note(request: Request, digest: str, tag: str) -> None:
    """Note the tag of an answer to the bearer of a token; digest: of the game, read before the answer was made."""
    if isinstance(request.auth, Token) and isinstance(request.user, User):
        with _lock:
            _tagged[_key(request._request, request.auth.digest)] = Tagged(tag, digest, request.user.pk)


def still(request: HttpRequest, game_id: UUID) -> HttpResponse | None:
    """304 when the client has what it would be sent; None when that takes a longer look."""
    asked, (scheme, _, plain) = request.META.get("HTTP_IF_NONE_MATCH"), _authorization(request)
    if request.method != "GET" or not asked or scheme.lower() != "bearer":
        return None
    secret = keys.digest(plain.strip())
    with _lock:
        known = _tagged.get(_key(request, secret))
    if known is None or known.tag not in tags_in(asked):
        return None
    if _digest_for(game_id, secret) != known.digest or not count(request, "read", str(known.user))[0]:
        return None
    return tagged(HttpResponse(status=304), known.tag)


def _authorization(request: HttpRequest) -> tuple[str, str, str]:
    return request.META.get("HTTP_AUTHORIZATION", "").strip().partition(" ")


def _key(request: HttpRequest, secret: str) -> Key:
    return secret, request.get_full_path()


def _digest_for(game_id: UUID, secret: str) -> str | None:
    """The digest of a game, for a token that is worth something and was used within the last minute."""
    now, adapt = timezone.now(), connection.ops.adapt_datetimefield_value
    game = Game._meta.pk.get_db_prep_value(game_id, connection)
    with connection.cursor() as cursor:
        cursor.execute(STATEMENT, [game, secret, adapt(now), adapt(now - USED_RESOLUTION)])
        row = cursor.fetchone()
    return row[0] if row else None
