"""Sign-in for applications of others: OAuth 2 with authorization codes and PKCE."""

from django.apps import AppConfig


class OAuthConfig(AppConfig):
    """Applications, their codes and their refresh tokens; access tokens are `accounts.Token`."""

    name = "accounts.oauth"
    label = "oauth"
    verbose_name = "Sign-in of applications"
