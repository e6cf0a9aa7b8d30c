"""304 in one statement: for a client that asks again for what it has, while nothing has happened in the game.

A view notes each answer it has tagged. When the same token asks the same address for the same tag again, the game's
digest says whether it is still where it was; everything else, every doubt included, goes the long way.
"""

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from rest_framework.request import Request

from accounts.models import Token
from api.common.fast_auth import Entry
from api.common.throttles import count
from api.rest.base import tags_in, with_etag
from core.process_cache import ProcessCache

ROOM, CACHE_SECONDS = 5_000, 300
Key = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Tagged:
    """An answer that was given: its tag, and the game's digest before it."""

    tag: str
    digest: str


_tagged: ProcessCache[Key, Tagged] = ProcessCache(ROOM, CACHE_SECONDS)


def note(request: Request, digest: str, tag: str) -> None:
    """Note the tag of an answer to the bearer of a token; digest: of the game, read before the answer was made."""
    if isinstance(request.auth, Token):
        _tagged.put((request.auth.digest, request._request.get_full_path()), Tagged(tag, digest))


def not_modified_response(request: HttpRequest, entry: Entry) -> HttpResponse | None:
    """304 when the client has what it would be sent; None when that takes a longer look."""
    asked = request.META.get("HTTP_IF_NONE_MATCH")
    if request.method != "GET" or not asked:
        return None
    known = _tagged.get((entry.token.digest, request.get_full_path()))
    if known is None or known.digest != entry.digest or known.tag not in tags_in(asked):
        return None
    if not count(request, "read", str(entry.user))[0]:
        return None
    return with_etag(HttpResponse(status=304), known.tag)
