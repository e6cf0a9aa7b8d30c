"""Settings of django-oauth-toolkit: which of its models are ours, and that only the strict way is open (RFC 9700).

`config.settings` takes them by name.
"""

from typing import Any

APPLICATION_MODEL = "oauth.Application"
GRANT_MODEL = "oauth.Grant"
REFRESH_TOKEN_MODEL = "oauth.RefreshToken"
ACCESS_TOKEN_MODEL = "accounts.Token"


def provider(access_seconds: int) -> dict[str, Any]:
    """OAUTH2_PROVIDER. access_seconds: lifetime of an access token."""
    return {
        "OAUTH2_VALIDATOR_CLASS": "accounts.oauth.validator.Validator",
        "OAUTH2_SERVER_CLASS": "accounts.oauth.validator.CodeServer",
        "SCOPES_BACKEND_CLASS": "accounts.oauth.scopes.ApplicationScopes",
        "ACCESS_TOKEN_GENERATOR": "accounts.oauth.validator.new_access_token",
        "REFRESH_TOKEN_GENERATOR": "accounts.oauth.validator.new_refresh_token",
        "ACCESS_TOKEN_EXPIRE_SECONDS": access_seconds,
        "PKCE_REQUIRED": True,
        "ROTATE_REFRESH_TOKEN": True,
        "REFRESH_TOKEN_REUSE_PROTECTION": True,
        "ALLOWED_REDIRECT_URI_SCHEMES": ["https"],
        "OAUTH2_RESPONSE_TYPES_SUPPORTED": ["code"],
        "OAUTH2_GRANT_TYPES_SUPPORTED": ["authorization_code", "refresh_token"],
        "OAUTH2_TOKEN_ENDPOINT_AUTH_METHODS_SUPPORTED": ["none"],
        **{f"COMPLIANT_BCP_RFC9700_{part}": True for part in STRICT},
    }


STRICT = (
    "IMPLICIT_GRANT",
    "PASSWORD_GRANT",
    "PKCE_METHOD",
    "ACCESS_TOKEN_TRANSPORT",
    "AUTHZ_RESPONSE_ISS",
    "TOKEN_STORAGE",
    "REFRESH_TOKEN",
    "REDIRECT_URI_SCHEME",
    "REDIRECT_URI_MATCHING",
    "PKCE_REQUIRED",
)
