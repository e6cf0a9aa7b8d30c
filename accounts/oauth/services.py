"""What is done to applications, codes and refresh tokens. Plain tokens come in once, to be hashed, and go nowhere else.

A code and a refresh token are good once. Shown again, one of the two that hold it has stolen it: the token that
followed from it is revoked, and with it every refresh token of that consent (RFC 9700, section 4.14).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from accounts import keys
from accounts.models import Token, User, scopes_text
from accounts.oauth.models import Application, Grant, RefreshToken
from accounts.services import revoke_token

MAX_SIGN_INS = 100
"""Tokens of applications that one user holds; the one that began longest ago gives way."""
CODE_SECONDS = 60


class ReplayedError(Exception):
    """A code or refresh token was shown a second time; what followed from it is revoked."""


@dataclass(frozen=True, slots=True)
class PlainPair:
    """A new access token and its refresh token, as the application will hold them."""

    access: str
    refresh: str


def make_grant(
    application: Application, user: User, code: str, *, redirect_uri: str, scopes: Iterable[str], challenge: str
) -> Grant:
    """Store a person's consent under its code. challenge: of PKCE, S256.

    Sweeps what has expired: codes of everybody a day later, refresh tokens of this user at once.
    """
    now = timezone.now()
    Grant.objects.filter(expires__lte=now - timedelta(days=1)).delete()
    RefreshToken.objects.filter(token__user=user, expires_at__lte=now).delete()
    made: Grant = Grant.objects.create(
        application=application,
        user=user,
        code=keys.digest(code),
        expires=now + timedelta(seconds=CODE_SECONDS),
        redirect_uri=redirect_uri,
        scope=scopes_text(scopes),
        code_challenge=challenge,
        code_challenge_method=Grant.CODE_CHALLENGE_S256,
    )
    return made


def exchange_code(grant: Grant, pair: PlainPair) -> Token:
    """Make the tokens that a consent is good for, once. Raises ReplayedError."""
    now = timezone.now()
    with transaction.atomic():
        if Grant.objects.filter(pk=grant.pk, used_at=None).update(used_at=now):
            token = Token.objects.create(
                user_id=grant.user_id,
                application=grant.application,
                name=grant.application.name,
                prefix=keys.key_preview(pair.access),
                digest=keys.digest(pair.access),
                scope_words=grant.scope,
                expires_at=_access_end(now),
            )
            Grant.objects.filter(pk=grant.pk).update(token=token)
            _add_refresh_token(token, grant.scope, pair.refresh, now)
            _make_room(token)
            return token
    revoke_exchange(grant)
    raise ReplayedError


def revoke_exchange(grant: Grant) -> None:
    """Revoke what a code was exchanged for, as it was shown again."""
    for token in Token.objects.filter(pk__in=Grant.objects.filter(pk=grant.pk).values("token")):
        revoke_token(token)


def renew(refresh: RefreshToken, scopes: Iterable[str], pair: PlainPair) -> None:
    """Give the access token a new text and a new end, and the refresh token a successor. Raises ReplayedError.

    scopes: of the new access token, some or all of those consented to; the successor keeps all of them.
    """
    now = timezone.now()
    with transaction.atomic():
        if RefreshToken.objects.filter(pk=refresh.pk, used_at=None).update(used_at=now):
            Token.objects.filter(pk=refresh.token_id).update(
                prefix=keys.key_preview(pair.access),
                digest=keys.digest(pair.access),
                scope_words=scopes_text(scopes),
                expires_at=_access_end(now),
            )
            _add_refresh_token(refresh.token, refresh.scope_words, pair.refresh, now)
            RefreshToken.objects.filter(token=refresh.token_id, expires_at__lte=now).delete()
            return
    revoke_token(refresh.token)
    raise ReplayedError


def revoke_text(application: Application, plain: str) -> None:
    """Revoke the access token or refresh token of that text, with all of its sign-in; nothing where it is another's."""
    digest = keys.digest(plain)
    renewed = RefreshToken.objects.filter(digest=digest).values("token")
    for token in Token.objects.filter(Q(digest=digest) | Q(pk__in=renewed), application=application):
        revoke_token(token)


def revoke_application(application: Application) -> int:
    """End an application: it can ask for nothing, and its tokens are refused. Returns how many of them there were."""
    now = timezone.now()
    with transaction.atomic():
        Application.objects.filter(pk=application.pk, revoked_at=None).update(revoked_at=now)
        application.revoked_at = application.revoked_at or now
        return Token.objects.filter(application=application, revoked_at=None).update(revoked_at=now)


def _access_end(now: datetime) -> datetime:
    return now + timedelta(seconds=settings.OAUTH_ACCESS_SECONDS)


def _add_refresh_token(token: Token, scope_words: str, plain: str, now: datetime) -> None:
    RefreshToken.objects.create(
        token=token,
        digest=keys.digest(plain),
        scope_words=scope_words,
        created_at=now,
        expires_at=now + timedelta(seconds=settings.OAUTH_REFRESH_SECONDS),
    )


def _make_room(token: Token) -> None:
    """Revoke the user's oldest sign-ins beyond MAX_SIGN_INS."""
    held = Token.objects.filter(user=token.user_id, revoked_at=None).exclude(application=None)
    for old in held.order_by("-created_at", "id")[MAX_SIGN_INS:]:
        revoke_token(old)
