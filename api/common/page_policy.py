"""A Content-Security-Policy for every page that brings none of its own: the admin, the reader of the API, error pages.

Pages of ours bring stricter ones (`api.pages.policy`, `api.oauth.pages`, GraphiQL).
"""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase

POLICY = "Content-Security-Policy"
NOTHING = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
OWN_FILES = (
    "default-src 'none'; script-src 'self'{scripts}; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
ADMIN = OWN_FILES.format(scripts=" 'unsafe-inline' 'unsafe-eval'")
"""Unfold's pages have scripts in them, and Alpine compiles the expressions of their attributes."""
DOCS = OWN_FILES.format(scripts="")


def policy_of(request: HttpRequest, status: int) -> str:
    """The policy of a page that has none."""
    if request.path.startswith("/admin/") and status < 500:
        return ADMIN
    return DOCS if request.path == "/api/docs/" and status == 200 else NOTHING


class PagePolicy:
    """Middleware: a policy for each answer in HTML; Django's own pages of an error, with DEBUG alone, go without."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        is_page = response.get("Content-Type", "").startswith("text/html")
        if is_page and not (settings.DEBUG and response.status_code >= 400):
            response.headers.setdefault(POLICY, policy_of(request, response.status_code))
        return response
