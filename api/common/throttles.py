"""Budgets of requests: how many, for whom, in which window; reported in every answer.

A budget counts in fixed windows (at most twice its rate around the edge of two). Counts live in the cache `throttles`:
shared with Redis, one for each process without. When Redis is away everybody is let through: play goes on.
"""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from django.core.cache import caches
from django.http import HttpRequest, HttpResponseBase
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.settings import api_settings
from rest_framework.throttling import BaseThrottle

from accounts.models import User
from api.common.authentication import Principal
from api.common.exceptions import Fault
from core.addresses import UNKNOWN, network_of

if TYPE_CHECKING:  # DRF's views load these very classes while they are being made
    from rest_framework.views import APIView

CACHE = "throttles"
PASSWORDS = "token"
"""The budget of those who try passwords: one for the APIs, the page of sign-in and the admin."""
SIGN_UPS = "sign_up"
"""The budget of those who sign up."""
SPENT = "budgets"
"""Where a request holds the budgets that it has spent from."""
SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400}
GetResponse = Callable[[HttpRequest], HttpResponseBase]


@dataclass(frozen=True, slots=True)
class Spent:
    """A budget after this request: how many in a window, how many are left, seconds until the next window."""

    limit: int
    remaining: int
    reset_seconds: int


def rate_of(scope: str) -> tuple[int, int]:
    """Requests and seconds of a budget, from DEFAULT_THROTTLE_RATES: `"120/min"` is (120, 60)."""
    number, _, period = str(api_settings.DEFAULT_THROTTLE_RATES[scope]).partition("/")
    return int(number), SECONDS[period[0]]


def spend(scope: str, ident: str, now: float, cost: int = 1) -> tuple[bool, Spent]:
    """Count one request of `ident` against a budget; whether it was within, and what is left. cost: what it takes."""
    limit, last, reset = _tally(scope, ident, now, cost)
    return last <= limit, Spent(limit, max(0, limit - last), reset)


def _tally(scope: str, ident: str, now: float, times: int) -> tuple[int, int, int]:
    """A budget's limit, what it has counted now, and the seconds until its next window."""
    limit, window = rate_of(scope)
    number = int(now // window)
    cache: Any = caches[CACHE]
    last = cache.tally(f"budget:{scope}:{number}:{ident}", window + 1, times)
    return limit, last, max(1, int((number + 1) * window - now + 0.999))


def spend_many(scope: str, ident: str, now: float, times: int) -> list[tuple[bool, Spent]]:
    """Count requests of `ident` against a budget, in one go; of each whether it was within, and what is left."""
    if not times:
        return []
    limit, last, reset = _tally(scope, ident, now, times)
    counts = range(max(0, last - times) + 1, max(0, last - times) + times + 1)
    return [(count <= limit, Spent(limit, max(0, limit - count), reset)) for count in counts]


def rate_exceeded(spent: Spent) -> Fault:
    """What is said to a request beyond its budget (429)."""
    wait = spent.reset_seconds
    message = f"Too many requests; try again in {wait} s."
    return Fault("rate.exceeded", message, headers={"Retry-After": str(wait)}, retry_seconds=wait)


def count(request: HttpRequest, scope: str, ident: str, cost: int = 1) -> tuple[bool, Spent]:
    """As `spend`, now; what is left is stored with the request, for `RateHeaders`."""
    within, spent = spend(scope, ident, time.time(), cost)
    request.__dict__.setdefault(SPENT, []).append(spent)
    return within, spent


def address_of(request: HttpRequest | Request) -> str:
    """The client's address; of IPv6 its network (/64), as one household has 2^64 of them."""
    return network_of(str(BaseThrottle().get_ident(cast("Request", request))))  # it reads headers and META: both have


def address_of_try(request: HttpRequest) -> str | None:
    """AXES_CLIENT_IP_CALLABLE: whose wrong passwords are counted together; None where no address is known."""
    address = address_of(request)
    return None if address == UNKNOWN else address


def charge(request: HttpRequest, principal: Principal, *, acting: bool, times: int = 1) -> None:
    """Count a request outside DRF (GraphQL) against the same budgets, so many times. Raises Fault (rate.exceeded)."""
    scope, ident = "anon", address_of(request)
    if principal.user is not None:
        scope, ident = "command" if acting else "read", str(principal.user.pk)
    within, spent = count(request, scope, ident, times)
    if not within:
        raise rate_exceeded(spent)


def charge_cost(request: HttpRequest, principal: Principal, cost: int) -> None:
    """Count what an operation of GraphQL costs (fields that it may answer). Raises Fault (rate.exceeded, 429)."""
    scope, ident = "anon_cost", address_of(request)
    if principal.user is not None:
        scope, ident = "user_cost", str(principal.user.pk)
    within, spent = count(request, scope, ident, cost)
    if not within:
        raise rate_exceeded(spent)


class Budget(BaseThrottle):
    """One named budget; subclasses say which requests it counts and for whom."""

    scope: str = ""
    reset_seconds = 0

    def ident(self, request: Request) -> str | None:
        """For whom this request counts; None when it is not this budget's. Subclasses say."""
        raise TypeError(f"{type(self).__name__} does not say whose budget it is")

    def allow_request(self, request: Request, view: "APIView") -> bool:
        """Count the request, and keep the state for the answer's headers."""
        if (ident := self.ident(request)) is None:
            return True
        within, spent = count(request._request, self.scope, ident)
        self.reset_seconds = spent.reset_seconds
        return within

    def wait(self) -> float | None:
        """Seconds until the next window."""
        return float(self.reset_seconds)


class AnonBudget(Budget):
    """Requests of nobody, by address."""

    scope = "anon"

    def ident(self, request: Request) -> str | None:
        return None if isinstance(request.user, User) else address_of(request)


class ReadBudget(Budget):
    """Looking (safe methods), by user."""

    scope = "read"

    def ident(self, request: Request) -> str | None:
        safe = request.method in SAFE_METHODS
        return str(request.user.pk) if safe and isinstance(request.user, User) else None


class CommandBudget(Budget):
    """Acting (all other methods), by user."""

    scope = "command"

    def ident(self, request: Request) -> str | None:
        safe = request.method in SAFE_METHODS
        return str(request.user.pk) if not safe and isinstance(request.user, User) else None


class SignUpBudget(Budget):
    """Signing up, by address."""

    scope = SIGN_UPS

    def ident(self, request: Request) -> str | None:
        return address_of(request)


class PasswordBudget(Budget):
    """Tries of a password, by address; django-axes counts the wrong ones by name and address besides."""

    scope = PASSWORDS

    def ident(self, request: Request) -> str | None:
        return address_of(request)


def tightest(states: Iterable[Spent]) -> Spent | None:
    """The budget that will be empty first: the least share left."""
    return min(states, key=lambda spent: (spent.remaining / max(1, spent.limit), -spent.reset_seconds), default=None)


class RateHeaders:
    """Middleware: `RateLimit-Limit`, `-Remaining` and `-Reset` (seconds) of the tightest budget that was touched."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        states: Any = request.__dict__.get(SPENT, ())
        if (spent := tightest(states)) is not None:
            response["RateLimit-Limit"] = str(spent.limit)
            response["RateLimit-Remaining"] = str(spent.remaining)
            response["RateLimit-Reset"] = str(spent.reset_seconds)
        return response
