"""What is done to users, tokens and invitations; every API (REST, GraphQL, admin, commands) calls these.

Plain tokens and codes leave these functions once, as return values; they are stored, logged and shown nowhere else.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import IntegrityError, transaction
from django.db.models import F, Q
from django.utils import timezone

from accounts import keys
from accounts.errors import AccountError
from accounts.models import NAME_LENGTH, RETIRED_PREFIX, Invitation, Scope, Token, User, scopes_text, username_shape
from core.names import name_to_store
from core.places.routing import at_home
from core.prepared_queries import Statement, column_names, instance

MAX_TOKENS = 50
MAX_USES = 1_000
USED_RESOLUTION = timedelta(minutes=1)
DEFAULT_SCOPES = (Scope.READ, Scope.PLAY)
_TOKEN, _USER = column_names(Token), column_names(User, "user__")
BY_DIGEST = Statement(
    lambda digest, now: Token.objects.live(now).filter(digest=digest).order_by().values_list(*_TOKEN, *_USER),
    str,
    datetime,
)
"""A valid token, with its user."""


@transaction.atomic
def sign_up(
    *,
    username: str,
    password: str,
    display_name: str = "",
    email: str = "",
    invitation: str = "",
    mode: str | None = None,
) -> User:
    """Make a user, as the setting SIGN_UP allows (`open`, `invitation`, `closed`; `mode` overrides it).

    An invitation loses one use, also when signing up is open and one was given. Raises AccountError (sign_up.closed,
    invitation.needed, invitation.unusable, username.shape, username.taken, password.weak, ...); then nothing changed.
    """
    mode = mode or settings.SIGN_UP
    if mode == "closed":
        raise AccountError("sign_up.closed", "Nobody may sign up here; an administrator makes the users.")
    if mode == "invitation" and not invitation:
        raise AccountError("invitation.needed", "Signing up needs an invitation code; ask those who run this service.")
    invited_by = _use(invitation) if invitation else None  # first: without it nobody learns which names are taken
    user = User(username=username, display_name=_name(display_name), email=_email(email), invitation=invited_by)
    _check_username(username)
    _check_password(password, user)
    user.set_password(password)
    try:
        with transaction.atomic():
            user.save(force_insert=True)
    except IntegrityError as error:
        raise _username_taken(username) from error
    return user


def _check_username(username: str) -> None:
    try:
        username_shape(username)
    except ValidationError as error:
        raise AccountError("username.shape", error.messages[0]) from error
    if username.lower().startswith(RETIRED_PREFIX):
        raise AccountError("username.shape", f"Names that begin with {RETIRED_PREFIX} are of people who have left.")
    if User.objects.by_username(username).exists():
        raise _username_taken(username)


def _username_taken(username: str) -> AccountError:
    return AccountError("username.taken", f"The user name {username} is taken; choose another.", username=username)


def _check_password(password: str, user: User) -> None:
    try:
        validate_password(password, user)
    except ValidationError as error:
        raise AccountError("password.weak", " ".join(error.messages), reasons=error.messages) from error


def _name(text: str, code: str = "display_name.shape") -> str:
    name = " ".join(text.split())
    try:
        return name_to_store(name, NAME_LENGTH) if name else ""
    except ValueError as error:
        raise AccountError(code, str(error), most=NAME_LENGTH) from error


def _email(text: str) -> str:
    if text:
        try:
            validate_email(text)
        except ValidationError as error:
            raise AccountError("email.shape", "That is no e-mail address; leave it empty or correct it.") from error
    return text


def _use(code: str) -> Invitation:
    """Take one use of the invitation with that code; two at once cannot take the same last use."""
    found = Invitation.objects.usable().filter(digest=keys.digest(code))
    if not (keys.INVITATION_SHAPE.fullmatch(code) and found.update(uses_left=F("uses_left") - 1)):
        raise AccountError(
            "invitation.unusable", "This invitation is unknown, used up or expired; ask its sender for a new one."
        )
    return Invitation.objects.get(digest=keys.digest(code))


def change_profile(user: User, *, display_name: str | None = None, email: str | None = None) -> User:
    """Change what is given of a user's display name and e-mail address. Raises AccountError."""
    if display_name is not None:
        user.display_name = _name(display_name)
    if email is not None:
        user.email = _email(email)
    user.save(update_fields=["display_name", "email"])
    return user


@transaction.atomic
def change_password(user: User, *, new: str, keep: Token | None = None) -> int:
    """Set a new password and revoke the user's tokens, all but `keep`, and the address of their calendar.

    Sessions end by themselves.

    The old one was asked for where wrong ones are counted. Returns how many tokens were revoked. Raises AccountError
    (password.weak).
    """
    _check_password(new, user)
    user.set_password(new)
    user.calendar_digest = ""
    user.save(update_fields=["password", "calendar_digest"])
    return revoke_tokens_of(user, keep=keep)


@transaction.atomic
def mint_token(
    user: User, name: str, scopes: Iterable[str] = DEFAULT_SCOPES, expires_at: datetime | None = None
) -> tuple[Token, str]:
    """Make a token; returns its row and its plain text, which cannot be had again.

    Raises AccountError (token.name, token.scopes, token.past, token.many, user.inactive).
    """
    wanted = list(scopes)
    if not user.is_active:
        raise AccountError("user.inactive", f"{user.username} is not active and gets no token.")
    if not wanted or set(wanted) - set(Scope):
        raise AccountError("token.scopes", f"A token has one or more of the scopes {', '.join(Scope)}.", known=[*Scope])
    if not (name := _name(name, "token.name")):
        raise AccountError("token.name", "A token needs a name that says what it is for.", most=NAME_LENGTH)
    now = timezone.now()
    if expires_at is not None and expires_at <= now:
        raise AccountError("token.past", "A token must expire in the future, or never.", expires_at=expires_at)
    User.objects.select_for_update().get(pk=user.pk)  # so that two at once cannot pass the limit together
    if Token.objects.live(now).filter(user=user, application=None).count() >= MAX_TOKENS:
        raise AccountError("token.many", f"{user.username} has {MAX_TOKENS} tokens; revoke one first.", most=MAX_TOKENS)
    plain = keys.new(keys.TOKEN_WORD, keys.TOKEN_LETTERS)
    token = Token.objects.create(
        user=user,
        name=name,
        prefix=keys.key_preview(plain),
        digest=keys.digest(plain),
        scope_words=scopes_text(wanted),
        expires_at=expires_at,
    )
    return token, plain


def authenticate_token(plain: str) -> Token | None:
    """The token of that plain text, with its user; None when unknown, revoked, expired or its user is inactive.

    Writes `last_used_at` at most once a minute. Time spent does not depend on how much of a token was right: the
    look-up is by digest.
    """
    if not keys.TOKEN_SHAPE.fullmatch(plain):
        return None
    with at_home():
        return _token_of(keys.digest(plain), timezone.now())


def _token_of(digest: str, now: datetime) -> Token | None:
    """The same by its digest."""
    row = BY_DIGEST.first(digest, now)
    if row is None:
        return None
    token: Token = instance(Token, row[: len(_TOKEN)])
    token.user = instance(User, row[len(_TOKEN) :])
    if token.last_used_at is None or token.last_used_at <= now - USED_RESOLUTION:
        unused = Q(last_used_at=None) | Q(last_used_at__lte=now - USED_RESOLUTION)
        Token.objects.filter(unused, pk=token.pk).update(last_used_at=now)
    return token


def live_token(token_id: UUID) -> Token | None:
    """The token of that id with its user, as long as it is valid; for streams, which ask again and again."""
    return Token.objects.live().select_related("user").filter(pk=token_id).first()


def revoke_token(token: Token) -> None:
    """Take a token back, now and for good; a second time changes nothing."""
    now = timezone.now()
    Token.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=now)
    token.revoked_at = token.revoked_at or now


def revoke_tokens_of(user: User, *, keep: Token | None = None) -> int:
    """Take back all tokens of a user but `keep`; returns how many."""
    tokens = Token.objects.filter(user=user, revoked_at=None)
    return (tokens.exclude(pk=keep.pk) if keep else tokens).update(revoked_at=timezone.now())


def check_invitation(uses: int, role: str, expires_at: datetime | None) -> None:
    """Pass such an invitation, or raise AccountError (invitation.uses, invitation.role, invitation.past)."""
    if not 1 <= uses <= MAX_USES:
        raise AccountError("invitation.uses", f"An invitation serves 1 to {MAX_USES} people.", most=MAX_USES)
    if role not in Invitation.Role.values:
        known = Invitation.Role.values
        raise AccountError("invitation.role", f"An invitation is for one of {', '.join(known)}.", known=known)
    if expires_at is not None and expires_at <= timezone.now():
        raise AccountError("invitation.past", "An invitation must expire in the future, or never.")


def invite(
    by: User | None,
    *,
    uses: int = 1,
    role: str = Invitation.Role.PLAYER,
    note: str = "",
    expires_at: datetime | None = None,
) -> tuple[Invitation, str]:
    """Make an invitation to sign up; returns its row and its code, which cannot be had again.

    Raises AccountError (invitation.uses, invitation.role, invitation.past).
    """
    check_invitation(uses, role, expires_at)
    code = keys.new(keys.INVITATION_WORD, keys.INVITATION_LETTERS)
    row = Invitation.objects.create(
        created_by=by,
        note=_name(note, "invitation.note"),
        role=role,
        prefix=keys.key_preview(code),
        digest=keys.digest(code),
        uses_left=uses,
        expires_at=expires_at,
    )
    return row, code


def withdraw(invitation: Invitation) -> None:
    """Make an invitation worthless from now on."""
    Invitation.objects.filter(pk=invitation.pk).update(uses_left=0)
    invitation.uses_left = 0
