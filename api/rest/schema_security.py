"""How applications may ask the operations of the OpenAPI document: OAuth 2, with a scope, beside the bearer token."""

from typing import Any

from accounts.models import Scope
from accounts.oauth.scopes import SENTENCES

PERSONAL = frozenset({"change_me", "change_password", "mint_token", "invitations", "invite"})
"""Operations that are not for applications (403 `token.application`)."""
SCHEME: dict[str, Any] = {
    "type": "oauth2",
    "description": "Sign-in to an application that is registered here; PKCE by S256. See docs/sign-in.md.",
    "flows": {
        "authorizationCode": {
            "authorizationUrl": "/oauth/authorize/",
            "tokenUrl": "/oauth/token/",
            "refreshUrl": "/oauth/token/",
            "scopes": {str(scope): sentence for scope, sentence in SENTENCES.items()},
        }
    },
}


def add_oauth(method: str, operation: dict[str, Any]) -> None:
    """Let an operation that takes a token take an application's: with `read` to look, with `play` to act."""
    if {"bearer": []} not in operation["security"] or operation["operationId"] in PERSONAL:
        return
    scope = Scope.READ if method in ("get", "head") else Scope.PLAY
    operation["security"].insert(1, {"oauth2": [str(scope)]})
