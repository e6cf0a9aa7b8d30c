"""Applications of others, and what they hold on the way to a token: codes and refresh tokens, by their SHA-256 alone.

Who signs in to an application gives it one `accounts.Token`. Refreshing gives that row a new digest and a new end, so
the row is the family of all refresh tokens that follow from one consent: revoking it ends them all.
"""

from collections.abc import Iterable
from typing import Any, ClassVar
from uuid import uuid4

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from oauth2_provider.models import AbstractApplication, AbstractGrant

from accounts import keys
from accounts.models import EVERY_SCOPE_SET, NAME_LENGTH, Scope, Token, User, checked_scopes
from accounts.oauth.addresses import check_origins, check_redirect_uris, is_loopback

EXAMPLE_CLIENT_ID = "theoapp_ExampleFrontend1"
"""The client id of `clients/example`, in every demo the same: it is public, and the example has it written in."""


def new_client_id() -> str:
    """The id of a new application."""
    return keys.new(keys.CLIENT_WORD, keys.CLIENT_LETTERS)


class Application(AbstractApplication):
    """A program of others that people may sign in to. It runs on their machines, so it has no secret: PKCE instead."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    client_id = models.CharField(
        max_length=40, unique=True, default=new_client_id, editable=False, help_text="Its public id, `client_id`."
    )
    name = models.CharField(max_length=NAME_LENGTH, help_text="Shown to people who are asked for their consent.")
    redirect_uris = models.TextField(
        validators=[check_redirect_uris],
        help_text="Where people are sent back to: exact addresses, one a line. https; http on a loopback address.",
    )
    allowed_origins = models.TextField(
        blank=True,
        default="",
        validators=[check_origins],
        help_text="Origins (scheme://host) whose pages may use this service from a browser, one a line.",
    )
    scope_words = models.CharField(
        max_length=40,
        default="read play",
        validators=[checked_scopes],
        help_text="What it may ask for: read, play, gm; separated by spaces.",
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False, help_text="When it was registered.")
    revoked_at = models.DateTimeField(
        null=True, blank=True, editable=False, help_text="When it was revoked; its tokens are refused from then on."
    )
    # What the toolkit would store besides is the same for each application here, or of no use.
    client_type = AbstractApplication.CLIENT_PUBLIC
    authorization_grant_type = AbstractApplication.GRANT_AUTHORIZATION_CODE
    client_secret = algorithm = post_logout_redirect_uris = ""
    hash_client_secret = skip_authorization = False
    registration_source = AbstractApplication.RegistrationSource.MANUAL
    user = created = updated = cimd_expires_at = None

    class Meta:
        ordering = ("name", "id")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(condition=Q(scope_words__in=EVERY_SCOPE_SET), name="oauth_application_scopes_known")
        ]

    def clean(self) -> None:
        """Nothing beyond the validators of the fields, which are stricter than the toolkit's."""

    def redirect_uri_allowed(self, uri: str) -> bool:
        """Whether people may be sent there: a registered address letter by letter; on a loopback IP any port."""
        if uri in self.redirect_uris.split():
            return True
        return is_loopback(uri) and bool(super().redirect_uri_allowed(uri))

    def get_allowed_schemes(self) -> list[str]:
        """Schemes of redirects; that http is for loopback alone was checked when the address was registered."""
        return ["https", "http"]

    def is_usable(self, request: Any) -> bool:
        """Whether it may ask for anything: until it is revoked; the demo's example only where the demo is on."""
        return self.revoked_at is None and (settings.DEMO or self.client_id != EXAMPLE_CLIENT_ID)

    @property
    def scopes(self) -> frozenset[Scope]:
        """What it may ask for."""
        return frozenset(Scope(word) for word in self.scope_words.split())

    def __str__(self) -> str:
        return self.name


class Grant(AbstractGrant):
    """An authorization code: consent given, not yet exchanged for tokens. It is good once, for a minute."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    user = models.ForeignKey(User, models.CASCADE, related_name="+", help_text="Who has consented.")
    application = models.ForeignKey(Application, models.CASCADE, related_name="+", help_text="To whom.")
    code = models.CharField(max_length=64, unique=True, help_text="SHA-256 of the code.")
    token = models.ForeignKey(
        Token, models.CASCADE, null=True, related_name="+", help_text="What it was exchanged for; empty until then."
    )
    used_at = models.DateTimeField(null=True, help_text="When it was exchanged.")
    nonce = claims = resource = created = updated = None

    class Meta:
        indexes: ClassVar[list[models.Index]] = [models.Index(fields=["expires"], name="oauth_grant_by_end")]

    @property
    def is_used(self) -> bool:
        """Whether it was exchanged already."""
        return self.used_at is not None


class RefreshToken(models.Model):
    """A key to the next access token of an application; it is good once, and brings its successor."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    token = models.ForeignKey(
        Token, models.CASCADE, related_name="refresh_tokens", help_text="The access token that it renews."
    )
    digest = models.CharField(max_length=64, unique=True, editable=False, help_text="SHA-256 of the refresh token.")
    scope_words = models.CharField(max_length=40, help_text="What people have consented to.")
    created_at = models.DateTimeField(default=timezone.now, editable=False, help_text="When it was made.")
    expires_at = models.DateTimeField(help_text="Invalid from then on.")
    used_at = models.DateTimeField(null=True, help_text="When it was used; used again, it revokes the access token.")

    class Meta:
        ordering = ("-created_at", "id")

    def __str__(self) -> str:
        return f"Refresh token of {self.token_id}"

    @property
    def is_usable(self) -> bool:
        """Unused, in time, and nobody has revoked the token that it renews. The toolkit judges the application."""
        token = self.token
        in_time = self.expires_at > timezone.now()
        return self.used_at is None and in_time and token.revoked_at is None and token.user.is_active


def words_of(scopes: Iterable[str]) -> list[str]:
    """Scopes in their order."""
    given = set(scopes)
    return [scope for scope in Scope if scope in given]
