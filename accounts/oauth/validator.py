"""The toolkit's protocol over our rows: what it asks about codes, tokens and applications is answered here.

Its own tables for access tokens are not used: an access token is an `accounts.Token`, judged where all tokens are.
"""

from typing import Any

from oauth2_provider.oauth2_validators import OAuth2Validator
from oauthlib.oauth2 import WebApplicationServer
from oauthlib.oauth2.rfc6749 import errors

from accounts import keys
from accounts.models import scopes_text
from accounts.oauth import services
from accounts.oauth.models import Grant, RefreshToken
from accounts.oauth.services import PlainPair

CHALLENGE_LENGTH = 43
"""Of a code challenge by S256: 32 bytes in base64url."""


def new_access_token(request: Any) -> str:
    """The text of an access token: that of every token of this service."""
    return keys.new(keys.TOKEN_WORD, keys.TOKEN_LETTERS)


def new_refresh_token(request: Any) -> str:
    """The text of a refresh token."""
    return keys.new(keys.REFRESH_WORD, keys.REFRESH_LETTERS)


def require_s256(request: Any) -> dict[str, Any]:
    """PKCE by S256 alone: asked before people are, and not only when the code is made."""
    if not request.code_challenge:
        raise errors.MissingCodeChallengeError(request=request)
    if request.code_challenge_method != "S256":
        raise errors.UnsupportedCodeChallengeMethodError(request=request)
    if len(request.code_challenge) != CHALLENGE_LENGTH:
        raise errors.InvalidRequestError(description="A code challenge by S256 has 43 characters.", request=request)
    return {}


class CodeServer(WebApplicationServer):
    """Authorization codes and refresh tokens; every other grant is unsupported."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.auth_grant.custom_validators.pre_auth.append(require_s256)


class Validator(OAuth2Validator):
    """Answers about one request; what it has found is stored with that request."""

    def _load_application(self, client_id: Any, request: Any) -> Any:
        """The application of an id, where it may ask for anything; None otherwise."""
        if not (isinstance(client_id, str) and keys.CLIENT_SHAPE.fullmatch(client_id)):
            return None
        return super()._load_application(client_id, request)

    # --- codes -------------------------------------------------------------------------------------------------------
    def save_authorization_code(self, client_id: str, code: dict[str, str], request: Any, *_: Any, **__: Any) -> None:
        """Store a consent."""
        services.make_grant(
            request.client,
            request.user,
            code["code"],
            redirect_uri=request.redirect_uri,
            scopes=request.scopes,
            challenge=request.code_challenge,
        )

    def validate_code(self, client_id: str, code: str, client: Any, request: Any, *_: Any, **__: Any) -> bool:
        """Whether a code may be exchanged by this application; one that was exchanged already ends what it brought."""
        found = Grant.objects.select_related("user", "application")
        grant = found.filter(code=keys.digest(code), application=client).first()
        if grant is None:
            return False
        if grant.is_used:
            services.revoke_exchange(grant)
            return False
        if grant.is_expired() or not grant.user.is_active:
            return False
        request.grant, request.user, request.scopes = grant, grant.user, grant.scope.split()
        return True

    def get_code_challenge(self, code: str, request: Any) -> str:
        """The challenge of the code that was found valid."""
        return str(request.grant.code_challenge)

    def get_code_challenge_method(self, code: str, request: Any) -> str:
        """S256."""
        return str(request.grant.code_challenge_method)

    def confirm_redirect_uri(
        self, client_id: str, code: str, redirect_uri: str, client: Any, request: Any, *_: Any, **__: Any
    ) -> bool:
        """Whether the code was sent to this address."""
        return bool(request.grant.redirect_uri_allowed(redirect_uri))

    def invalidate_authorization_code(self, client_id: str, code: str, request: Any, *_: Any, **__: Any) -> None:
        """Done with the exchange, in its transaction."""

    # --- tokens ------------------------------------------------------------------------------------------------------
    def save_bearer_token(self, token: dict[str, Any], request: Any, *_: Any, **__: Any) -> None:
        """Store the tokens that the answer will show. Raises InvalidGrantError when another request was first."""
        pair = PlainPair(token["access_token"], token["refresh_token"])
        token["scope"] = scopes_text(request.scopes)
        try:
            if request.grant_type == "refresh_token":
                services.renew(request.refresh_token_instance, request.scopes, pair)
            else:
                services.exchange_code(request.grant, pair)
        except services.ReplayedError as error:
            raise errors.InvalidGrantError(request=request) from error

    def validate_refresh_token(self, refresh_token: str, client: Any, request: Any, *_: Any, **__: Any) -> bool:
        """Whether this application may renew with it; one that was used already ends its whole family."""
        rows = RefreshToken.objects.select_related("token__user")
        row = rows.filter(digest=keys.digest(refresh_token), token__application=client).first()
        if row is None:
            return False
        if row.used_at is not None:
            services.revoke_token(row.token)
        if not row.is_usable or client.scopes.isdisjoint(row.scope_words.split()):
            return False
        request.user, request.refresh_token_instance = row.token.user, row
        return True

    def get_original_scopes(self, refresh_token: str, request: Any, *_: Any, **__: Any) -> list[str]:
        """What people have consented to, as far as the application may still ask for it."""
        return [word for word in request.refresh_token_instance.scope_words.split() if word in request.client.scopes]

    def revoke_token(self, token: str, token_type_hint: str, request: Any, *_: Any, **__: Any) -> None:
        """Revoke one token and all that belongs to its sign-in; of another application: nothing."""
        services.revoke_text(request.client, token)
