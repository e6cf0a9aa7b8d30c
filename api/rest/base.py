"""What every REST view shares: strict query parameters, fast JSON, ETags, and the viewer of a game.

Views are thin: they parse, call, answer. What goes wrong is answered by `api.common.problems`, so no view has a `try`.
"""

import re
from collections.abc import Mapping
from typing import Any, ClassVar
from uuid import UUID

import orjson
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from rest_framework.exceptions import MethodNotAllowed
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.models import User
from api.common.authentication import principal_of
from api.common.exceptions import Fault
from api.common.fast_auth import digest_once, enter, remember
from api.common.viewer import Viewer, look, visible_game
from api.common.viewer_cache import CachedViewer, cached_viewer
from games.engine.errors import Refused

JSON_OPTIONS = orjson.OPT_UTC_Z | orjson.OPT_NON_STR_KEYS
SEAT_AND_VIEW = ("seat", "as")
VARY = "Authorization, Cookie, Accept-Encoding"
ENTITY_TAG = re.compile(r'(?:W/)?"([^"]*)"')
ENTITY_TAGS = re.compile(r'[\s,]*(?:W/)?"[^"]*"(?:\s*,\s*(?:(?:W/)?"[^"]*")?)*\s*')
UUID_SHAPE = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
MAX_CHARACTERS = 1000
"""In one parameter of an address, in one condition."""
CONDITIONS = ("HTTP_IF_MATCH", "HTTP_IF_NONE_MATCH")
FLAGS = {"1": True, "true": True, "0": False, "false": False}


class FastJSONRenderer(BaseRenderer):
    """JSON by orjson; times as ISO 8601 with `Z`, ids as text."""

    media_type = "application/json"
    format = "json"
    charset = None
    render_style = "binary"

    def render(self, data: Any, accepted_media_type: str | None = None, renderer_context: Any = None) -> bytes:
        """The bytes; none for an answer without a body."""
        return b"" if data is None else orjson.dumps(data, option=JSON_OPTIONS, default=str)


class OneRepresentation(BaseContentNegotiation):
    """For addresses with a single kind of content (a picture, a text): whatever is accepted, that is sent."""

    def select_parser(self, request: Request, parsers: Any) -> Any:
        """The first."""
        return parsers[0]

    def select_renderer(self, request: Request, renderers: Any, format_suffix: str | None = None) -> Any:
        """The first."""
        return renderers[0], renderers[0].media_type


class ApiView(APIView):
    """A view that refuses query parameters it does not know: a misspelt one is reported and not ignored.

    parameters: the known ones by HTTP method.
    """

    renderer_classes = (FastJSONRenderer,)
    parameters: ClassVar[Mapping[str, tuple[str, ...]]] = {}

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """The method, DRF's checks, then the parameters. Raises MethodNotAllowed, Fault (query.invalid, 422)."""
        if request.method not in self.allowed_methods and request.method != "HEAD":
            raise MethodNotAllowed(str(request.method))
        super().initial(request, *args, **kwargs)
        if any(len(request.META.get(name, "")) > MAX_CHARACTERS for name in CONDITIONS):
            raise Fault("request.unfit", f"If-Match and If-None-Match have {MAX_CHARACTERS} characters at most.")
        known = self.known_parameters(request.method or "GET")
        for name, values in request.query_params.lists():
            if name not in known:
                there = ", ".join(sorted(known)) or "none"
                raise Fault("query.invalid", f"There is no such parameter here; there are: {there}.", parameter=name)
            if len(values) > 1:
                raise Fault("query.invalid", "This parameter stands twice in the address.", parameter=name)
            if len(values[0]) > MAX_CHARACTERS or "\0" in values[0]:
                message = f"This may have {MAX_CHARACTERS} characters, and no NUL among them."
                raise Fault("query.invalid", message, parameter=name)

    def known_parameters(self, method: str) -> tuple[str, ...]:
        """The parameters of a method; HEAD is a GET."""
        return self.parameters.get("GET" if method == "HEAD" else method, ())

    def user_id(self, request: Request) -> UUID | None:
        """The id of the user who asks; None for nobody."""
        return request.user.pk if isinstance(request.user, User) else None


class CachedAuthView(ApiView):
    """A view that authenticates from this process's cache: one statement for a token that was seen before."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Authenticate from the cache of this process, where it knows who asks."""
        enter(request, kwargs.get("game_id"))
        return super().dispatch(request, *args, **kwargs)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """As every view; the holder of a shown token is remembered."""
        super().initial(request, *args, **kwargs)
        remember(request._request, principal_of(request))


class GameView(CachedAuthView):
    """A view of one game for one viewer: `?seat=` and `?as=gm` choose them."""

    parameters: ClassVar[Mapping[str, tuple[str, ...]]] = {"GET": SEAT_AND_VIEW, "POST": SEAT_AND_VIEW}

    def viewer(self, request: Request, game_id: UUID, *, code: str = "") -> Viewer:
        """Who looks at this game; code: of an invitation to it.

        Raises `game.missing`, `seat.missing`, `gm.missing`, `view.invalid`.
        """
        if not code:
            viewer = self.cached_viewer(request, game_id).viewer
        else:
            user = self.user_id(request)
            game = visible_game(game_id, user, code=code)
            viewer = look(game, user, seat=uuid_in(request, "seat"), as_=view_in(request))
        return viewer.within(principal_of(request).scopes)

    def cached_viewer(self, request: Request, game_id: UUID) -> CachedViewer:
        """As `viewer`, with what was found out for the viewer while nothing happened in the game."""
        digest = digest_once(request._request)
        return cached_viewer(
            game_id, self.user_id(request), seat=uuid_in(request, "seat"), as_=view_in(request), digest=digest
        )


def uuid_in(request: Request, name: str) -> UUID | None:
    """An id from the query; None when it is absent. Raises Fault (query.invalid, 422)."""
    text = request.query_params.get(name)
    if text is None:
        return None
    if not UUID_SHAPE.fullmatch(text):
        raise Fault("query.invalid", "This must be an id: a UUID.", parameter=name)
    return UUID(text)


def view_in(request: Request) -> str:
    """With which view somebody looks: `gm`, or nothing when it is absent. Raises `view.invalid`."""
    wanted = request.query_params.get("as")
    if wanted not in (None, "gm"):
        raise Refused("view.invalid", "`as` is `gm` or is left out.")
    return wanted or ""


def flag_in(request: Request, name: str) -> bool:
    """Whether a switch of the query is on; off when it is absent. Raises Fault (query.invalid, 422)."""
    text = request.query_params.get(name, "0")
    if text not in FLAGS:
        raise Fault("query.invalid", "This must be 1 or 0.", parameter=name)
    return FLAGS[text]


def choice_in(request: Request, name: str, choices: tuple[str, ...]) -> str | None:
    """One of some words from the query; None when it is absent. Raises Fault (query.invalid, 422)."""
    text = request.query_params.get(name)
    if text is not None and text not in choices:
        raise Fault("query.invalid", f"This must be one of {', '.join(choices)}.", parameter=name)
    return text


def tags_in(header: str) -> list[str]:
    """The entity tags of an If-Match or If-None-Match header, weak or strong, without quotes; `*` as it is.

    Raises Fault (request.unfit, 400): a condition that is not understood must not be taken for one that holds.
    """
    if header.strip() in ("", "*"):
        return header.split()
    if not ENTITY_TAGS.fullmatch(header):
        raise Fault("request.unfit", 'A condition lists entity tags in quotes, `"a", "b"`, or is `*`.')
    return ENTITY_TAG.findall(header)


def not_modified(request: Request, tag: str) -> HttpResponse | None:
    """304 when the client has this version already, else None."""
    tags = tags_in(request.META.get("HTTP_IF_NONE_MATCH", ""))
    if tag not in tags and "*" not in tags:
        return None
    return with_etag(HttpResponse(status=304), tag)


def with_etag(response: HttpResponse, tag: str) -> HttpResponse:
    """The answer with its ETag. Weak: `due_in` is counted anew in each answer. Caches must ask each time."""
    response["ETag"] = f'W/"{tag}"'
    response["Cache-Control"] = "private, no-cache"
    response["Vary"] = VARY
    return response


def json_bytes(body: bytes, tag: str) -> HttpResponse:
    """Bytes that are JSON already, with their ETag."""
    return with_etag(HttpResponse(body, content_type="application/json"), tag)


def private(data: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """An answer that depends on who asks and is stored by nobody."""
    return Response(data, status=status, headers={"Cache-Control": "no-store", "Vary": VARY, **(headers or {})})
