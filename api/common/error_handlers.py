"""Errors that arise outside DRF views, as problems: what Django's own handlers answer a program.

The handlers of `config.urls` (`api.pages.error_pages`) pass on to these what a program asked; a person gets a page.
"""

import sys
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from django.http import Http404, HttpRequest, HttpResponseBase, HttpResponseNotAllowed
from django.urls import get_resolver

from api.common.exceptions import Fault
from api.common.problems import answer, problem_of, request_id_of

GetResponse = Callable[[HttpRequest], HttpResponseBase]
API_PATHS = ("/api/", "/graphql")


def of_api(request: HttpRequest) -> bool:
    """Whether a program asked: paths of the APIs get JSON, also when something fails."""
    return request.path.startswith(API_PATHS)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponseBase:
    """handler400 for a program."""
    found = problem_of(exception, request_id=request_id_of(request))
    return (found or answer("request.unfit", "This request cannot be served.")).response


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponseBase:
    """handler403 for a program."""
    return answer("token.scope", "This token may not do that.", request_id=request_id_of(request)).response


def page_not_found(request: HttpRequest, exception: Exception) -> HttpResponseBase:
    """handler404 for a program."""
    return answer("thing.missing", "There is no such address.", request_id=request_id_of(request)).response


def refusal(request: HttpRequest, status: HTTPStatus, fault: Fault) -> HttpResponseBase:
    """What a middleware refuses: a problem for a program, a page by the handler of its status in `config.urls`."""
    if of_api(request):
        request_id = request_id_of(request)
        return answer(
            fault.code, fault.message, headers=fault.headers, facts=fault.facts, request_id=request_id
        ).response
    return page_of(request, status, fault)


def page_of(request: HttpRequest, status: HTTPStatus, exception: Exception) -> HttpResponseBase:
    """What a person is shown, by the handler of the status in `config.urls`."""
    handle: Any = get_resolver().resolve_error_handler(status)
    page: HttpResponseBase = handle(request, exception)
    return page


class WordlessAnswers:
    """Middleware: what Django answers by itself is said in our words: no such address, with DEBUG, and no such method.

    With DEBUG Django answers a page about its addresses, and asks no `handler404`; a method that a view lacks, it
    answers with nothing at all.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        is_page = response.get("Content-Type", "").startswith("text/html")
        if response.status_code == HTTPStatus.NOT_FOUND and is_page:
            if of_api(request):
                return page_not_found(request, Http404())
            if "Content-Security-Policy" not in response.headers:  # pages of ours bring theirs
                return page_of(request, HTTPStatus.NOT_FOUND, Http404())
        if isinstance(response, HttpResponseNotAllowed) and not response.content:
            allowed = response["Allow"]
            fault = Fault("method.unknown", f"This address takes {allowed} alone.", headers={"Allow": allowed})
            return refusal(request, HTTPStatus.METHOD_NOT_ALLOWED, fault)
        return response


def server_error(request: HttpRequest) -> HttpResponseBase:
    """handler500 for a program; a database that is away is distinguished (503), wherever it was missed."""
    request_id = request_id_of(request)
    error = sys.exc_info()[1]
    found = problem_of(error, request_id=request_id) if error is not None else None
    if found is None or found.status < 500:
        message = "Something failed in the service; it was logged under this request id."
        found = answer("server.error", message, request_id=request_id)
    return found.response
