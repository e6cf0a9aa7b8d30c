"""A budget for whatever counts none of its own: pages, the admin, documents, assets, and addresses that do not exist.

So no address can be asked without end, also one that is added tomorrow (`tests/security/test_every_budget.py`).
"""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, HttpResponseBase

from api.common.error_handlers import refusal
from api.common.throttles import SPENT, address_of, count, rate_exceeded

SCOPE = "page"
UNCOUNTED = {
    "livez": "a probe asks every few seconds, and who holds it back restarts a process that serves",
    "readyz": "a load balancer asks for each process from one address, and takes what does not answer out of service",
}
"""Addresses without a budget, by name, and why. A proxy keeps them for the inside."""


def is_uncounted(request: HttpRequest) -> bool:
    """Whether a request is to an address without a budget."""
    match = request.resolver_match
    return match is not None and match.view_name in UNCOUNTED


def counts_itself(view: Any) -> bool:
    """Whether a view counts each of its requests in a budget: it has throttles, or says so."""
    rest: Any = getattr(view, "cls", None)
    if rest is not None:
        return bool(rest.throttle_classes)
    return bool(getattr(getattr(view, "view_class", None), "counts_itself", False))


class PageBudget:
    """Middleware: counts by address what no view counts, and refuses it (429) beyond the budget."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Count also what spent nothing on its way: no such address, a redirect, a token or method that is refused."""
        response = self.get_response(request)
        if request.__dict__.get(SPENT) or is_uncounted(request):
            return response
        return self.count_or_refuse(request) or response

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: Any) -> HttpResponseBase | None:
        """Count what the view does not count; the refusal beyond the budget."""
        if counts_itself(view) or is_uncounted(request):
            return None
        return self.count_or_refuse(request)

    def count_or_refuse(self, request: HttpRequest) -> HttpResponseBase | None:
        """Count one request; the refusal, beyond the budget."""
        within, spent = count(request, SCOPE, address_of(request))
        return None if within else refusal(request, HTTPStatus.TOO_MANY_REQUESTS, rate_exceeded(spent))
