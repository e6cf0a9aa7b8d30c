"""Errors that arise outside DRF views, as problems: what Django's own handlers answer a program.

The handlers of `config.urls` (`api.pages.error_pages`) pass on to these what a program asked; a person gets a page.
"""

import sys
from collections.abc import Callable
from http import HTTPStatus

from django.http import Http404, HttpRequest, HttpResponseBase

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


class MissingAddresses:
    """Middleware: a program gets a problem document for an address that does not exist, with DEBUG too.

    There Django answers a page about its addresses, and asks no `handler404`.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        is_page = response.get("Content-Type", "").startswith("text/html")
        if response.status_code == HTTPStatus.NOT_FOUND and is_page and of_api(request):
            return page_not_found(request, Http404())
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
