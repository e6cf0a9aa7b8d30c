"""Who asks for a game with a token, in one statement: whether the token is valid, and where the game is.

A process remembers whom a token speaks for. The token is validated on every request: the statement asks of the token,
its user and the game each time. Whatever it does not confirm falls back to full authentication, which words refusals.
"""

from datetime import datetime
from uuid import UUID

from django.db.models import Subquery
from django.http import HttpRequest
from django.utils import timezone

from accounts import keys
from accounts.models import Token
from accounts.services import USED_RESOLUTION
from api.common.authentication import ENTERED, SCHEME, Principal, user_and_token_of_header
from core.prepared_queries import Statement
from core.process_cache import ProcessCache
from games.models import Game

ROOM, CACHE_SECONDS = 5_000, 300
DIGEST = "digest_entered"

VALID = Statement(
    lambda secret, now, used: (
        Token.objects.live(now).filter(digest=secret, last_used_at__gt=used).order_by().values_list("scope_words")
    ),
    str,
    datetime,
    datetime,
)
"""The scopes of a valid token in use."""
LET_IN = Statement(
    lambda secret, now, used, game: (
        VALID.make(secret, now, used)
        .annotate(entered=Subquery(Game.objects.filter(pk=game).order_by().values("digest")))
        .values_list("scope_words", "entered")
    ),
    *VALID.kinds,
    UUID,
)
"""The same, and the game's digest (None: no such game)."""

_known: ProcessCache[str, Principal] = ProcessCache(ROOM, CACHE_SECONDS)


def remember(request: HttpRequest, principal: Principal) -> None:
    """Remember whom a token speaks for, where that was asked at length: at least once a minute while it is in use."""
    if principal.token is not None and ENTERED not in request.__dict__:
        _known.put(principal.token.digest, principal)


def enter(request: HttpRequest, game_id: UUID | None) -> None:
    """Store with the request who asks, for a game or for none; nothing for strangers and harder cases."""
    scheme, _, plain = request.META.get("HTTP_AUTHORIZATION", "").strip().partition(" ")
    if scheme.lower() == SCHEME and (found := _let_in(keys.digest(plain.strip()), game_id)):
        request.__dict__[ENTERED], request.__dict__[DIGEST] = found


def principal_of_header(request: HttpRequest) -> Principal:
    """Who asks by the Authorization header: from the cache of this process, where it knows them.

    What it knows of the user, but for their id, may be minutes old. Raises Fault (token.refused).
    """
    enter(request, None)
    principal: Principal | None = request.__dict__.get(ENTERED)
    if principal is None:
        principal = user_and_token_of_header(request.META.get("HTTP_AUTHORIZATION", ""))
        remember(request, principal)
    return principal


def principal_in_use(secret: str) -> Principal | None:
    """Whom the token of this digest speaks for; None for strangers and harder cases."""
    found = _let_in(secret, None)
    return found[0] if found else None


def _let_in(secret: str, game: UUID | None) -> tuple[Principal, str] | None:
    """Whom a valid token in use speaks for, and the digest of a game; None where the process does not know them."""
    known = _known.get(secret)
    if known is None or known.user is None or known.token is None:
        return None
    now = timezone.now()
    values = secret, now, now - USED_RESOLUTION
    row = VALID.first(*values) if game is None else LET_IN.first(*values, game)
    if row is None or row[0] != known.token.scope_words:
        return None
    return known, "" if game is None else row[1] or ""


def digest_once(request: HttpRequest) -> str:
    """The digest of the game that was entered, for the first look at it; empty from then on."""
    return str(request.__dict__.pop(DIGEST, ""))
