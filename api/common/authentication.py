"""Who asks: a token in the Authorization header, for REST, GraphQL and streams alike; a session for the admin's docs.

A token is read from that one header only, never from an address, so it stands in no log and no history.
"""

from dataclasses import dataclass, field
from typing import Any

from rest_framework.authentication import BaseAuthentication, SessionAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from accounts.models import Scope, Token, User
from accounts.services import authenticate_token
from api.common.exceptions import Fault

SCHEME = "bearer"
REFUSED = "This token is unknown, revoked or expired; get a new one from /api/v1/tokens/."
EVERY_SCOPE = frozenset(Scope)
ENTERED = "entered"
"""Where a request holds the principal whom `api.common.fast_auth` has authenticated."""


@dataclass(frozen=True, slots=True)
class Principal:
    """Who asks: a user with a token, a user with a session (no token), or nobody."""

    user: User | None = None
    token: Token | None = None
    conducts: bool = False
    """Whether they act as a game-master where they hold no such seat: administrators on the pages of the service."""
    session: str = field(default="", repr=False)
    """The key of their session, of which tickets to streams are; empty with a token, and for nobody."""

    @property
    def is_personal(self) -> bool:
        """Whether people ask themselves: with a token of their own or a session, not by an application."""
        return self.token is None or self.token.application_id is None

    @property
    def scopes(self) -> frozenset[Scope]:
        """What it may do: the token's scopes; all of them with a session; none for nobody."""
        if self.token is not None:
            return self.token.scopes
        return EVERY_SCOPE if self.user is not None else frozenset()


NOBODY = Principal()


def user_and_token_of_header(header: str) -> Principal:
    """Who the value of an Authorization header speaks for; NOBODY when it is empty.

    Raises Fault (token.refused, 401) for another scheme and for a token that is not valid.
    """
    if not header.strip():
        return NOBODY
    scheme, _, plain = header.strip().partition(" ")
    if scheme.lower() != SCHEME:
        raise Fault("token.refused", "Authorization must be `Bearer theo_...`.")
    token = authenticate_token(plain.strip())
    if token is None:
        raise Fault("token.refused", REFUSED)
    return Principal(token.user, token)


def principal_of(request: Request) -> Principal:
    """Who asks, by a request that DRF has authenticated."""
    user = request.user if isinstance(request.user, User) else None
    if isinstance(request.auth, Token):
        return Principal(user, request.auth)
    return Principal(user, session=request._request.session.session_key or "") if user is not None else NOBODY


class BearerAuthentication(BaseAuthentication):
    """`Authorization: Bearer theo_...`; another scheme is refused rather than overlooked."""

    def authenticate(self, request: Request) -> tuple[User, Token] | None:
        """User and token; None when the header is absent. Raises AuthenticationFailed."""
        try:
            header = request.META.get("HTTP_AUTHORIZATION", "")
            principal = request._request.__dict__.get(ENTERED) or user_and_token_of_header(header)
        except Fault as fault:
            # Only DRF's own exceptions leave its request in a state that can still be answered.
            raise AuthenticationFailed(fault.message) from fault
        if principal.user is None or principal.token is None:
            return None
        return principal.user, principal.token

    def authenticate_header(self, request: Request) -> str:
        """What a 401 asks for."""
        return "Bearer"


class DocsSession(SessionAuthentication):
    """The admin's session, with its CSRF check, so that the docs can be tried out by a user who is logged in there."""

    def authenticate(self, request: Request) -> tuple[Any, None] | None:
        """The session's user; None when nobody is logged in."""
        return super().authenticate(request)
