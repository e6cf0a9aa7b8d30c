"""What Django's middleware adds to an answer, added to the door's by the same classes in the same order."""

from collections.abc import Callable
from contextvars import ContextVar
from functools import cache
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.module_loading import import_string

WRAPPED = frozenset(
    {
        "django.middleware.security.SecurityMiddleware",
        "api.common.origins.Cors",
        "api.common.compression.CompressAnswers",
        "api.common.limits.RequestIds",
        "api.common.throttles.RateHeaders",
        "django.middleware.clickjacking.XFrameOptionsMiddleware",
        "api.common.request_log.RequestLog",
    }
)
"""Those that change or log an answer; the others guard what the door does not take."""
ALLOW = "GET, POST, HEAD, OPTIONS"
JOIN_ALLOW = "POST, OPTIONS"
_make: ContextVar[Callable[[], HttpResponse]] = ContextVar("_make")


def wrap(request: HttpRequest, make: Callable[[], HttpResponse]) -> HttpResponse:
    """The answer that `make` makes, as it would leave Django."""
    token = _make.set(make)
    try:
        return _chain()(request)
    finally:
        _make.reset(token)


def _innermost(request: HttpRequest) -> HttpResponse:
    response = _make.get()()
    response["Allow"] = ALLOW if "/commands/" in request.path else JOIN_ALLOW
    return response


@cache
def _chain() -> Callable[[HttpRequest], HttpResponse]:
    handler: Any = _innermost
    for name in reversed([name for name in settings.MIDDLEWARE if name in WRAPPED]):
        handler = import_string(name)(handler)
    found: Callable[[HttpRequest], HttpResponse] = handler
    return found
