"""What the pages of an event share: a policy that lets in our own files alone, and no cache."""

import json
from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)


def is_part(request: HttpRequest) -> bool:
    """Whether a page asks, which puts the answer into itself; a browser that follows a link is given a whole page."""
    return "HX-Request" in request.headers


def page(
    request: HttpRequest | None,
    template: str,
    context: dict[str, Any],
    status: int = 200,
    headers: Mapping[str, str] | None = None,
) -> HttpResponse:
    """A page, or a part of one; without a request one that nobody's session is asked for."""
    answer = render(request, f"pages/{template}.html", context, status=status)
    answer["Content-Security-Policy"] = POLICY
    answer["Cache-Control"] = "no-store"
    answer["Vary"] = "Cookie"
    for name, value in (headers or {}).items():
        answer[name] = value
    return answer


def refusal_part(
    request: HttpRequest, heading: str, message: str, status: int, headers: Mapping[str, str]
) -> HttpResponse:
    """What stands in a page in place of a part that is refused.

    What was sent gets it beside its button instead, so that a form keeps what somebody has written in it.
    """
    part = page(None, "refused_part", {"heading": heading, "message": message}, status, headers)
    if request.method == "POST":
        part["HX-Trigger"] = json.dumps({"refused": {"message": message}})  # in ASCII, as a header must be
    return part
