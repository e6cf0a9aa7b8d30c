"""The line that each request leaves in the log: django-structlog's, with the status that was really answered.

`request_finished` for what a view answered, `request_failed` for what it raised; one of the two a request. A database
that is away is raised past many views and answered 503 by `handler500`: its line says 503 and has no traceback.
"""

import logging
import re
from functools import cache

import structlog
from django.http import HttpRequest, HttpResponse
from django_structlog.middlewares import RequestMiddleware

from api.common.error_handlers import of_api
from api.common.problems import problem_of

log = structlog.get_logger(__name__)
FINISHED = logging.getLogger("django_structlog.middlewares.request")
"""Which logs `request_finished`."""
INVITATION = re.compile(r"((?:/|%2F)join(?:/|%2F))[^/%?&]+", re.IGNORECASE)
"""The code in the link of an invitation to a game, also where another address leads on to it."""


class RequestLog(RequestMiddleware):
    """Logs each request once, without the codes that addresses hold."""

    @staticmethod
    def format_request(request: HttpRequest) -> str:
        """Method and address of a request; an invitation's code is left out, as it seats whoever reads it."""
        return INVITATION.sub(r"\1...", f"{request.method} {request.get_full_path()}")

    def _process_exception(self, request: HttpRequest, exception: Exception) -> None:
        """Log an exception that left the views; what `outside.server_error` answers it with is the line's status."""
        found = problem_of(exception) if of_api(request) else None
        if found is None or found.status <= 500:
            super()._process_exception(request, exception)
            return
        request._raised_exception = exception  # type: ignore[attr-defined]  # keeps `handle_response` from a second line
        log.error(
            "request_failed",
            code=found.status,
            problem=found.body["code"],
            error=type(exception).__name__,
            request=self.format_request(request),
        )


def log_request(request: HttpRequest, status: int) -> None:
    """The line of a request that was answered beside the middleware, as it would have logged it."""
    if FINISHED.isEnabledFor(logging.INFO):
        lines = _lines()
        lines.prepare(request)
        lines.handle_response(request, HttpResponse(status=status))


@cache
def _lines() -> RequestLog:
    """One for the process: each of them listens for exceptions."""
    return RequestLog(lambda _: HttpResponse())
