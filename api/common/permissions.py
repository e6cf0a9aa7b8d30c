"""What a token may do: `read` to look, `play` to act, `gm` to use a game-master's view and powers.

Scopes bound the token, not the user: what the user may see or do in a game is decided by visibility and by the game. So
403 means "this token may not", and what a user may not see is missing (404).
"""

from typing import TYPE_CHECKING

from django.conf import settings
from django.http import Http404
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

from accounts.models import Scope
from api.common.authentication import Principal, principal_of
from api.common.exceptions import Fault

if TYPE_CHECKING:  # DRF's views load these very classes while they are being made
    from rest_framework.views import APIView

CONDUCT = "games.change_game"
"""The permission of administrators who conduct games."""


def require_scope(principal: Principal, scope: Scope) -> None:
    """Raise Fault when the principal lacks the scope: token.needed (401) for nobody, else token.scope (403)."""
    if principal.user is None:
        raise Fault("token.needed", "Send a token: `Authorization: Bearer theo_...`.")
    if scope not in principal.scopes:
        raise Fault(
            "token.scope",
            f"This needs a token with the scope `{scope}`; this one has {', '.join(sorted(principal.scopes))}.",
            need=scope,
            have=principal.scopes,
        )


def require_personal(principal: Principal) -> None:
    """Raise Fault (token.application, 403) for the token of an application: it plays, and leaves accounts alone.

    What it made or changed there would outlast its own revocation.
    """
    if not principal.is_personal:
        raise Fault("token.application", "An application may not do this for you; use a token of your own.")


def require_reading(principal: Principal) -> None:
    """Raise Fault unless the principal may look: a token with `read`, or nobody where ANONYMOUS_READ allows it."""
    if principal.user is None and settings.ANONYMOUS_READ:
        return
    require_scope(principal, Scope.READ)


class TokenScopes(BasePermission):
    """`read` for safe methods, `play` for all others, `gm` besides with `?as=gm`. Nobody may look where allowed."""

    def has_permission(self, request: Request, view: "APIView") -> bool:
        """True, or raises Fault."""
        principal = principal_of(request)
        if request.method in SAFE_METHODS:
            require_reading(principal)
        else:
            require_scope(principal, Scope.PLAY)
        if request.query_params.get("as") == "gm":
            require_scope(principal, Scope.GM)
        return True


class SignedIn(TokenScopes):
    """As TokenScopes, and somebody must be signed in even to look."""

    def has_permission(self, request: Request, view: "APIView") -> bool:
        """True, or raises Fault."""
        principal = principal_of(request)
        require_scope(principal, Scope.READ if request.method in SAFE_METHODS else Scope.PLAY)
        return super().has_permission(request, view)


class Staff(SignedIn):
    """As SignedIn; for all but administrators there is nothing here (404)."""

    def has_permission(self, request: Request, view: "APIView") -> bool:
        """True, or raises Fault or Http404."""
        allowed = super().has_permission(request, view)
        if not request.user.is_staff:
            raise Http404
        require_personal(principal_of(request))
        return allowed


class Anyone(BasePermission):
    """No token needed: sign-up, and the first token."""

    def has_permission(self, request: Request, view: "APIView") -> bool:
        """Always."""
        return True
