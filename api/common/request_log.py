"""The line that each request leaves in the log: django-structlog's, with the status that was really answered.

`request_finished` for what a view answered, `request_failed` for what it raised; one of the two a request. A database
that is away is raised past many views and answered 503 by `handler500`: its line says 503 and has no traceback.
"""

import re
from typing import Any

import structlog
from django.conf import settings
from django.http import HttpRequest
from django_structlog.middlewares import RequestMiddleware
from ipware import get_client_ip

from api.common.problems import problem_of

log = structlog.get_logger(__name__)
finished = structlog.get_logger("django_structlog.middlewares.request")
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
        """Log an exception that left the views; what `server_error` answers it with is the line's status."""
        found = problem_of(exception)
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
    """The line of a request that was answered beside the middleware, and well: as the middleware would have logged it.

    Written out here, at a quarter of what the middleware's own methods cost; a test compares both.
    """
    facts: dict[str, Any] = {"code": status, "request": RequestLog.format_request(request)}
    if settings.DJANGO_STRUCTLOG_IP_LOGGING_ENABLED:
        facts["ip"], _ = get_client_ip(request)
    finished.info("request_finished", request_id=request.META["HTTP_X_REQUEST_ID"], **facts)
