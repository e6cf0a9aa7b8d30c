"""Middleware of both APIs: white space around headers, request ids, the server's time, the size of bodies.

Order in MIDDLEWARE: `RequestIds`, then `BodyLimit`, both before anything that reads a body or writes the log line.
"""

import random
import re
from collections.abc import Callable
from datetime import datetime
from io import BytesIO
from typing import Any
from uuid import UUID

from a2wsgi.wsgi import Body
from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from django.utils import timezone
from django.utils.cache import patch_vary_headers

from api.common.error_handlers import of_api
from api.common.problems import answer, request_id_of

GetResponse = Callable[[HttpRequest], HttpResponseBase]
WHITE_SPACE = " \t"
"""What may stand around the value of a header and is no part of it (RFC 9110, 5.5)."""
REQUEST_ID = re.compile(r"[A-Za-z0-9-]{8,64}")


def request_id_for(given: str) -> str:
    """The id of a request: the client's where it is plain enough, else a new one.

    No secret, so it is drawn without asking the system: at each such call the interpreter may go on with another
    thread, and a door's loop waited for its writer.
    """
    return given if REQUEST_ID.fullmatch(given) else str(UUID(int=random.getrandbits(128), version=4))


def trim_headers(meta: dict[str, Any]) -> None:
    """Take the white space from around the value of every header; a server may leave it there."""
    for name, value in meta.items():
        if name.startswith(("HTTP_", "CONTENT_")) and isinstance(value, str):
            meta[name] = value.strip(WHITE_SPACE)


class TrimHeaders:
    """The first of all: what follows compares headers, and remembers requests by them."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        trim_headers(request.META)
        return self.get_response(request)


def header_time(at: datetime) -> str:
    """A time in UTC as `X-Server-Time` gives it: to the millisecond."""
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


class RequestIds:
    """Gives each request an id (the client's, when it is plain enough) and each answer that id and the server's time.

    The id stands in META, where the log and the problem documents find it: `X-Request-Id`, `X-Server-Time`. An API's
    answer may be stored in its asker's own cache and is asked for again (ETag, 304), unless the view says otherwise.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        request_id = request_id_for(request.META.get("HTTP_X_REQUEST_ID", ""))
        request.META["HTTP_X_REQUEST_ID"] = request_id
        response = self.get_response(request)
        if of_api(request):  # answers differ by who asks: nobody else's cache may keep them
            patch_vary_headers(response, ["Authorization"])
            response.headers.setdefault("Cache-Control", "private, no-cache")
        response["X-Request-Id"] = request_id
        response["X-Server-Time"] = header_time(timezone.now())
        return response


class BodyLimit:
    """Refuses bodies of API requests above DATA_UPLOAD_MAX_MEMORY_SIZE, declared or chunked, before they are read.

    Django under WSGI sees no body without a Content-Length; a chunked one is read here, up to the limit, where the
    server marks its end, and refused (411) where it does not.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        declared = request.META.get("CONTENT_LENGTH") or ""
        if declared and not (declared.isascii() and declared.isdigit()):
            message = "Content-Length is a whole number of bytes."
            return answer("body.unreadable", message, request_id=request_id_of(request)).response
        if not of_api(request):
            return self.get_response(request)
        most = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        if declared and int(declared) > most:
            return self.too_large(request, most)
        if not declared and "chunked" in request.META.get("HTTP_TRANSFER_ENCODING", "").lower():
            stream = request.META.get("wsgi.input")
            if stream is None or not (request.META.get("wsgi.input_terminated") or isinstance(stream, Body)):
                message = "Send the body with a Content-Length."
                return answer("body.length_missing", message, request_id=request_id_of(request)).response
            body = stream.read(most + 1)
            if len(body) > most:
                return self.too_large(request, most)
            request._stream = BytesIO(body)
            request.META["CONTENT_LENGTH"] = str(len(body))
        return self.get_response(request)

    def too_large(self, request: HttpRequest, most: int) -> HttpResponseBase:
        """413, with the limit."""
        return answer(
            "body.too_large",
            f"The body is larger than the {most} bytes this service takes.",
            facts={"most_bytes": most},
            request_id=request_id_of(request),
        ).response
