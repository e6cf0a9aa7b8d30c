"""Problems (RFC 9457): one shape for all that goes wrong, in REST, in GraphQL extensions and on streams.

`problem_of` turns an exception into a `Problem`; REST answers it, GraphQL puts `Problem.body` into `extensions`.
Details are sentences of our own: neither input, nor stack traces, nor secrets are repeated. Where a name is repeated to
its sender (a parameter, a key of a body, a field of a query) a token or code in it is not.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil
from typing import Any

import orjson
import structlog
from django.core import exceptions as django_errors
from django.db import InterfaceError, InternalError, OperationalError
from django.http import Http404, HttpResponse, UnreadablePostError
from pydantic import ValidationError as WrongShape
from rest_framework import exceptions as rest
from rest_framework.permissions import SAFE_METHODS

from accounts import keys
from accounts.errors import AccountError
from api.common.error_codes import BY_STATUS, error_code_of
from api.common.exceptions import Fault, FaultOfBatch
from api.common.plain_json import plain
from core.places.place import BeingMoved
from core.places.routing import is_moving
from games.engine.errors import Refused

MEDIA_TYPE = "application/problem+json"
CHALLENGE = 'Bearer realm="theogony"'
MAX_ERRORS = 100
READ_ONLY = "25006"  # what PostgreSQL says of a change where only reading is allowed
LOCKED = "55P03"  # PostgreSQL: a lock was not to be had in `lock_timeout`
Errors = Sequence[Mapping[str, str]]


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem document and the status and headers that go with it."""

    status: int
    body: dict[str, Any]
    headers: dict[str, str] = field(default_factory=dict)

    @property
    def response(self) -> HttpResponse:
        """The answer to an HTTP request."""
        return HttpResponse(orjson.dumps(self.body), status=self.status, content_type=MEDIA_TYPE, headers=self.headers)


def problem(
    code: str,
    detail: str,
    *,
    rules: Iterable[str] = (),
    facts: Mapping[str, Any] | None = None,
    errors: Errors = (),
    request_id: str = "",
) -> dict[str, Any]:
    """A problem document, ready for JSON; `request_id` and `errors` only where there are some."""
    document: dict[str, Any] = {
        "type": f"urn:theogony:problem:{code}",
        "title": error_code_of(code).title,
        "status": error_code_of(code).status,
        "code": code,
        "detail": redact(detail),
        "rules": list(rules),
        "facts": plain(facts or {}),
    }
    if errors:
        document["errors"] = [{k: redact(v) for k, v in error.items()} for error in errors[:MAX_ERRORS]]
    if request_id:
        document["request_id"] = request_id
    return document


def redact(text: str) -> str:
    """The text without what looks like a token or an invitation code of ours."""
    for shape in (keys.TOKEN_SHAPE, keys.REFRESH_SHAPE, keys.INVITATION_SHAPE):
        text = shape.sub("[hidden]", text)
    return text


def answer(
    code: str, detail: str, *, headers: Mapping[str, str] | None = None, request_id: str = "", **parts: Any
) -> Problem:
    """A whole problem: the document, and the headers its status wants. parts: as for `problem`."""
    status, _, retry = error_code_of(code)
    wanted = dict(headers or {})
    if retry is not None:
        wanted.setdefault("Retry-After", str(retry))
    if status == 401:
        wanted.setdefault("WWW-Authenticate", f'{CHALLENGE}, error="invalid_token"' if "refused" in code else CHALLENGE)
    if status >= 400:
        wanted.setdefault("Cache-Control", "no-store")
    return Problem(status, problem(code, detail, request_id=request_id, **parts), wanted)


def pointer(path: Iterable[str | int]) -> str:
    """The JSON pointer (RFC 6901) of a path: `/squares/0/x`; empty for the whole."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in path)


def shape_errors(error: WrongShape, tags: Collection[str] = ()) -> list[dict[str, str]]:
    """Where and how a body misses its pydantic shape; never what it held.

    tags: names of a tagged union, which pydantic puts first into each location and no client wrote.
    """
    found = []
    for fault in error.errors(include_url=False, include_context=False, include_input=False):
        location = fault["loc"][1:] if fault["loc"] and fault["loc"][0] in tags else fault["loc"]
        found.append({"pointer": pointer(location), "code": fault["type"], "detail": fault["msg"]})
    return found


def field_errors(detail: Any, location: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], str, str]]:
    """Place, code and sentence of each error in a DRF ValidationError's detail."""
    match detail:
        case Mapping():
            for key, inner in detail.items():
                yield from field_errors(inner, location if key == "non_field_errors" else (*location, key))
        case list() | tuple():
            for index, inner in enumerate(detail):
                yield from field_errors(inner, (*location, index) if isinstance(inner, Mapping | list) else location)
        case _:
            yield location, getattr(detail, "code", "invalid"), str(detail)


def _wrong_fields(error: rest.ValidationError, *, query: bool) -> tuple[str, str, list[dict[str, str]]]:
    found = list(field_errors(error.detail))
    where = "parameter" if query else "pointer"
    errors = [
        {where: ".".join(map(str, location)) if query else pointer(location), "code": code, "detail": text}
        for location, code, text in found
    ]
    noun = "query parameters" if query else "fields"
    return "query.invalid" if query else "body.invalid", f"{len(errors)} of the {noun} cannot be taken.", errors


def problem_of(
    error: BaseException, *, request_id: str = "", method: str = "POST", tags: Collection[str] = ()
) -> Problem | None:
    """The problem that an exception means, or None for one that is unexpected (a 500).

    method: of the HTTP request; a wrong shape is the query's for GET, the body's otherwise. tags: see `shape_errors`.
    """
    if isinstance(error, FaultOfBatch):
        found = problem_of(error.error, request_id=request_id, method=method, tags=tags)
        return found and _in_batch(found, error.index)
    parts: dict[str, Any] = {}
    headers: dict[str, str] = {}
    match error:
        case Refused() | AccountError():
            code, detail, parts = error.code, error.message, {"rules": error.rules, "facts": error.facts}
        case Fault():
            code, detail, headers = error.code, error.message, error.headers
            parts = {"facts": error.facts, "errors": error.errors}
        case WrongShape() if any(fault["type"] == "json_invalid" for fault in error.errors(include_input=False)):
            code, detail = "body.unreadable", "The body is not JSON."
        case WrongShape():
            errors = shape_errors(error, tags)
            code, detail, parts = "body.invalid", f"{len(errors)} of the fields cannot be taken.", {"errors": errors}
        case rest.ValidationError():
            code, detail, errors = _wrong_fields(error, query=method in SAFE_METHODS)
            parts = {"errors": errors}
        case django_errors.RequestDataTooBig():
            code, detail = "body.too_large", "The body is larger than this service takes."
        case UnreadablePostError():
            code, detail = "body.unreadable", "The body ended too early."
        case rest.ParseError():
            code, detail = "body.unreadable", str(error.detail)
        case rest.NotAuthenticated():
            code, detail = "token.needed", "Send a token: `Authorization: Bearer theo_...`."
        case rest.AuthenticationFailed():
            code, detail = "token.refused", str(error.detail)
        case rest.PermissionDenied() if str(error.detail).startswith("CSRF"):
            code, detail = "csrf.refused", "A session needs a CSRF token with each change; API tokens need none."
        case rest.PermissionDenied() | django_errors.PermissionDenied():
            code, detail = "token.scope", "This token may not do that."
        case rest.NotFound() | Http404() | django_errors.ObjectDoesNotExist():
            code, detail = "thing.missing", "There is nothing here that you may see."
        case rest.MethodNotAllowed():
            code, detail = "method.unknown", str(error.detail)
        case rest.NotAcceptable():
            code, detail = "answer.unacceptable", "None of the accepted media types is served here."
        case rest.UnsupportedMediaType():
            code, detail = "body.type_unknown", "Send JSON: `Content-Type: application/json`."
        case rest.Throttled():
            seconds = max(1, ceil(getattr(error, "wait", None) or 1))
            headers = {"Retry-After": str(seconds)}
            code, detail = "rate.exceeded", f"Too many requests; try again in {seconds} s."
            parts = {"facts": {"retry_seconds": seconds}}
        case rest.APIException():
            code, detail = BY_STATUS.get(error.status_code, "request.unfit"), "This request cannot be served."
        case django_errors.SuspiciousOperation():
            code, detail = "request.unfit", "This request cannot be served."
        case OperationalError() if getattr(error.__cause__, "sqlstate", "") == LOCKED:
            code, detail = (
                "game.busy",
                "Something else holds this game; nothing was changed. Try again shortly.",
            )
        case OperationalError() | InterfaceError():
            code, detail = "database.down", "The database does not answer; nothing was changed. Try again shortly."
        case BeingMoved():
            code, detail = "game.moving", str(error)
        case InternalError() if getattr(error.__cause__, "sqlstate", "") == READ_ONLY and is_moving():
            code, detail = "game.moving", str(BeingMoved())
        case InternalError() if getattr(error.__cause__, "sqlstate", "") == READ_ONLY:
            code, detail = "database.down", "The database takes no changes; nothing was changed. Try again shortly."
        case _:
            return None
    return answer(code, detail, headers=headers, request_id=request_id, **parts)


def _in_batch(found: Problem, index: int) -> Problem:
    """The problem of one command as that of the request which held it: `command_index` in the facts, and pointers."""
    body, here = found.body, pointer(("commands", index))
    inner = [e | {"pointer": f"{here}/body{e['pointer']}"} for e in body.get("errors", ()) if "pointer" in e]
    errors = inner or [{"pointer": here, "code": body["code"], "detail": body["detail"]}]
    facts = body["facts"] | {"command_index": index}
    return Problem(found.status, body | {"facts": facts, "errors": errors}, found.headers)


def request_id_of(request: Any) -> str:
    """The id that `api.common.limits.RequestIds` gave the request; empty without it."""
    return str(request.META.get("HTTP_X_REQUEST_ID", "")) if request is not None else ""


def handle(error: Exception, context: Mapping[str, Any]) -> HttpResponse | None:
    """DRF's EXCEPTION_HANDLER. An unexpected exception goes on, and `handler500` answers it."""
    request = context.get("request")
    name = (context.get("kwargs") or {}).get("name")
    found = problem_of(
        error,
        request_id=request_id_of(request),
        method=getattr(request, "method", None) or "POST",
        tags={name} if name else (),
    )
    if found is None:
        return None
    if found.status >= 500:
        # Logged with the line of the request, which has the status (`api.common.request_log`).
        structlog.contextvars.bind_contextvars(problem=found.body["code"], error=type(error).__name__)
    if isinstance(error, rest.MethodNotAllowed) and (view := context.get("view")) is not None:
        found.headers["Allow"] = ", ".join(view.allowed_methods)
    return found.response
