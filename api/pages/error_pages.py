"""What a person is shown in place of a page: no such address, not allowed, a budget that is spent, a failure.

Handlers of Django and Axes (`config.urls`, `CSRF_FAILURE_VIEW`, `AXES_LOCKOUT_CALLABLE`); a program gets problems
(`api.common.error_handlers`). These pages ask neither session nor database, which may be what has failed.
"""

import sys
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, HttpResponseBase

from api.common import error_handlers
from api.common.error_handlers import of_api
from api.common.exceptions import Fault
from api.common.problems import answer, problem_of, request_id_of
from api.pages.policy import is_part, page, refusal_part

POLICY = (
    "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""These pages have their styles and run nothing."""
SENT_WITHOUT_TOKEN = (
    "Nothing was done: this form was opened before you signed in or out, or your browser keeps no cookies for this "
    "site. Open its page again and send it from there."
)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponseBase:
    """handler400: a host that is not ours, a body that is too large, a session that was tampered with."""
    if of_api(request):
        return error_handlers.bad_request(request, exception)
    return _page(
        request, HTTPStatus.BAD_REQUEST, "This request cannot be read", "Nothing was done. Open the page again."
    )


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponseBase:
    """handler403: pages of the admin that this account may not use."""
    if of_api(request):
        return error_handlers.permission_denied(request, exception)
    return _page(
        request, HTTPStatus.FORBIDDEN, "This page is not for you", "Your account may not do that. Nothing was done."
    )


def sent_from_elsewhere(request: HttpRequest, reason: str = "") -> HttpResponseBase:
    """CSRF_FAILURE_VIEW: a form without the token of this browser's session. Nothing of the APIs asks for one here."""
    return _page(request, HTTPStatus.FORBIDDEN, "This form was not taken", SENT_WITHOUT_TOKEN)


def page_not_found(request: HttpRequest, exception: Exception) -> HttpResponseBase:
    """handler404: the same for what is not there and for what may not be seen."""
    if of_api(request):
        return error_handlers.page_not_found(request, exception)
    words = (
        "Nothing is at this address, or nothing that you may see. Copy a link whole, or look for it among the games."
    )
    return _page(request, HTTPStatus.NOT_FOUND, "There is no such page", words)


def method_not_allowed(request: HttpRequest, fault: Fault) -> HttpResponseBase:
    """handler405: a link to what takes forms alone, as a reader's history keeps one."""
    words = "Nothing is shown at this address, and nothing was done. Go back to the page whose button led here."
    return _page(request, HTTPStatus.METHOD_NOT_ALLOWED, "There is no such page", words, fault.headers)


def too_many_requests(request: HttpRequest, fault: Fault) -> HttpResponseBase:
    """handler429: a budget is spent (`rate.exceeded`); Retry-After says when the next begins."""
    return _page(request, HTTPStatus.TOO_MANY_REQUESTS, "Not just now", fault.message, fault.headers)


def server_error(request: HttpRequest) -> HttpResponseBase:
    """handler500; what will pass by itself (a database that is away, a game that moves) says so: 503, Retry-After."""
    if of_api(request):
        return error_handlers.server_error(request)
    error, request_id = sys.exc_info()[1], request_id_of(request)
    found = problem_of(error) if error is not None else None
    if found is not None and found.status > HTTPStatus.INTERNAL_SERVER_ERROR:
        return _page(request, found.status, "Not just now", found.body["detail"], found.headers)
    words = (
        f"It was logged under {request_id}; give this number to who runs the service. Look whether what you sent was "
        "done before you send it again."
    )
    return _page(request, HTTPStatus.INTERNAL_SERVER_ERROR, "The service has failed here", words)


def lockout(request: HttpRequest, response: Any = None, credentials: Any = None) -> HttpResponseBase:
    """AXES_LOCKOUT_CALLABLE: too many wrong passwords for this name from this address (`login.locked`)."""
    message = "Too many wrong passwords for this name from this address; wait a quarter of an hour."
    found = answer("login.locked", message, request_id=request_id_of(request))
    return found.response if of_api(request) else _page(request, found.status, "Not just now", message, found.headers)


def _page(
    request: HttpRequest, status: int, heading: str, message: str, headers: Mapping[str, str] | None = None
) -> HttpResponseBase:
    if is_part(request):
        return refusal_part(request, heading, message, status, headers or {})
    answered = page(None, "failed", {"heading": heading, "message": message}, status, headers)
    answered["Content-Security-Policy"] = POLICY
    return answered
