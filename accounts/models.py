"""People and what they carry: users, API tokens, invitations to sign up.

A token and an invitation code are shown once, when made; rows hold their SHA-256 alone. Nothing here prints more of
them than their first eight characters. (An invitation to a game belongs to that game.) Long for one reason: the tables
of people are one module to Django.
"""

from collections.abc import Iterable
from datetime import datetime
from enum import StrEnum
from typing import Any, ClassVar, NoReturn, Self
from uuid import uuid4

from django.contrib.auth.models import AbstractUser, UserManager
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Lower
from django.utils import timezone

from accounts.errors import AccountError
from core.names import name_to_store

NAME_LENGTH = 80
USERNAME_LENGTH = 32
DEADLINE_HOURS = 6
"""How long before a deadline people are told of it unless they say otherwise."""
RETIRED_PREFIX = "retired-"
"""How the user names of people begin who have left for good."""
username_shape = RegexValidator(
    r"\A[A-Za-z0-9][A-Za-z0-9._-]{1,31}\Z",
    "A user name has 2 to 32 letters a-z, digits, dots, hyphens or underscores, and begins with a letter or digit.",
)


class Scope(StrEnum):
    """What a token may do."""

    READ = "read"
    PLAY = "play"
    GM = "gm"


class UserQuerySet(models.QuerySet["User"]):
    """Users, who are retired and never deleted: games keep their ids, and no key of the database holds them."""

    def delete(self) -> NoReturn:
        """Never. Raises AccountError (user.kept)."""
        raise refusal_of_deletion()


def refusal_of_deletion() -> AccountError:
    """The refusal to delete a user."""
    return AccountError("user.kept", "A person is retired, not deleted: games keep their id. Use `retire`.")


class People(UserManager["User"].from_queryset(UserQuerySet)):  # type: ignore[misc]  # a class made by a function
    """Users, found by name without regard to case."""

    def by_username(self, username: str) -> models.QuerySet["User"]:
        """The user of that name, in whatever case it is written: one or none."""
        return self.alias(lower=Lower("username")).filter(lower=username.lower())

    def create_superuser(
        self, username: str, email: str | None = None, password: str | None = None, **more: Any
    ) -> "User":
        """An administrator. Raises ValidationError for a weak password, which commands take from the environment."""
        if password:
            validate_password(password, self.model(username=username, email=email or ""))
        made: User = super().create_superuser(username, email, password, **more)
        return made

    def get_by_natural_key(self, username: str | None) -> "User":
        """The user of that name, in whatever case it is written. Raises User.DoesNotExist."""
        return self.by_username(username or "").get()


class User(AbstractUser):
    """Somebody who plays, leads or administers."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    username = models.CharField(
        max_length=USERNAME_LENGTH,
        unique=True,
        validators=[username_shape],
        error_messages={"unique": "A user of that name exists."},
        help_text=str(username_shape.message),
    )
    first_name = None  # type: ignore[assignment]
    last_name = None  # type: ignore[assignment]
    display_name = models.CharField(
        max_length=NAME_LENGTH, blank=True, help_text="How others see this user; the user name when empty."
    )
    email = models.EmailField(blank=True, help_text="Optional; shown to nobody else.")
    confirmed_email = models.EmailField(
        default="",
        db_default="",
        blank=True,
        editable=False,
        help_text="The address that they have shown to be theirs; of use only while it is `email`.",
    )
    invitation = models.ForeignKey(
        "accounts.Invitation",
        models.SET_NULL,
        null=True,
        blank=True,
        editable=False,
        related_name="guests",
        help_text="The invitation this user signed up with.",
    )
    calendar_digest = models.CharField(
        max_length=64,
        default="",
        db_default="",
        blank=True,
        editable=False,
        help_text="SHA-256 of the secret in the address of their calendar; empty where there is none.",
    )
    retired_at = models.DateTimeField(
        null=True, blank=True, editable=False, help_text="When they left for good; nothing but their id is kept."
    )

    objects: ClassVar[People] = People()
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    class Meta:
        ordering = ("username",)
        indexes = [
            models.Index(fields=("calendar_digest",), condition=~Q(calendar_digest=""), name="accounts_user_calendar")
        ]
        constraints = [
            models.UniqueConstraint(
                Lower("username"), name="accounts_user_username_once", violation_error_message="That name is taken."
            ),
        ]

    def __str__(self) -> str:
        return self.shown_name

    def clean(self) -> None:
        """Store the display name as every name is stored. Raises ValidationError for one that is none."""
        super().clean()
        if self.display_name:
            try:
                self.display_name = name_to_store(self.display_name)
            except ValueError as error:
                raise ValidationError({"display_name": str(error)}) from error

    @property
    def shown_name(self) -> str:
        """The display name, else the user name."""
        return self.display_name or self.username

    def delete(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Never. Raises AccountError (user.kept)."""
        raise refusal_of_deletion()

    @property
    def has_confirmed_email(self) -> bool:
        """Whether the address they have given is one whose mail they have shown to read."""
        return bool(self.email) and self.confirmed_email == self.email

    @property
    def is_retired(self) -> bool:
        """Whether they have left for good."""
        return self.retired_at is not None

    def get_full_name(self) -> str:
        """The display name, else the user name."""
        return self.shown_name

    def get_short_name(self) -> str:
        """The display name, else the user name."""
        return self.shown_name


class TokenQuerySet(models.QuerySet["Token"]):
    """Tokens by their validity now."""

    def live(self, now: datetime | None = None) -> Self:
        """Neither revoked nor expired, and its user is active: the only rule of a token's validity."""
        moment = now or timezone.now()
        return self.filter(
            Q(expires_at=None) | Q(expires_at__gt=moment),
            revoked_at=None,
            user__is_active=True,
            application__revoked_at=None,  # also true without an application
        )


def checked_scopes(text: str) -> None:
    """Validator: words of Scope, each once, in the order of Scope. Raises ValidationError."""
    if not text or text != scopes_text(text.split()):
        raise ValidationError(f"Scopes are one or more of {', '.join(Scope)}, in this order, parted by spaces.")


def scopes_text(scopes: Iterable[str]) -> str:
    """Scopes as they are stored: known words, each once, in the order of Scope, parted by spaces."""
    given = set(scopes)
    return " ".join(scope for scope in Scope if scope in given)


EVERY_SCOPE_SET = [scopes_text(s for k, s in enumerate(Scope) if bits >> k & 1) for bits in range(1, 2 ** len(Scope))]


class Token(models.Model):
    """A key to the API, in place of user name and password."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    user = models.ForeignKey(
        User, models.CASCADE, related_name="tokens", help_text="Whose token this is.", db_index=False
    )
    application = models.ForeignKey(
        "oauth.Application",
        models.CASCADE,
        null=True,
        blank=True,
        editable=False,
        related_name="tokens",
        help_text="The application that was signed in to; empty for a personal token.",
    )
    name = models.CharField(max_length=NAME_LENGTH, help_text="What it is for, in its owner's words.")
    prefix = models.CharField(max_length=8, editable=False, help_text="Its first characters, to tell tokens apart.")
    digest = models.CharField(max_length=64, unique=True, editable=False, help_text="SHA-256 of the token.")
    scope_words = models.CharField(
        max_length=40, validators=[checked_scopes], help_text="What it may do: read, play, gm; parted by spaces."
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False, help_text="When it was made.")
    expires_at = models.DateTimeField(null=True, blank=True, help_text="Invalid from then on; never when empty.")
    revoked_at = models.DateTimeField(null=True, blank=True, help_text="When it was taken back.")
    last_used_at = models.DateTimeField(
        null=True, blank=True, editable=False, help_text="When it was last used, to the minute."
    )

    objects = TokenQuerySet.as_manager()

    class Meta:
        ordering = ("-created_at", "id")
        indexes = [models.Index(fields=("user", "-created_at"), name="accounts_token_of_user")]
        constraints = [
            models.CheckConstraint(condition=Q(scope_words__in=EVERY_SCOPE_SET), name="accounts_token_scopes_known")
        ]

    def __str__(self) -> str:
        return f"{self.name} (theo_{self.prefix}…)"

    def __repr__(self) -> str:
        return f"<Token {self.id} theo_{self.prefix}…>"

    @property
    def scopes(self) -> frozenset[Scope]:
        """What it may do."""
        return frozenset(Scope(word) for word in self.scope_words.split())


class NotificationSettings(models.Model):
    """What a person wants to be told of their games; who has no row has the defaults."""

    user = models.OneToOneField(User, models.CASCADE, primary_key=True, related_name="notification_settings")
    time_zone = models.CharField(
        max_length=64, default="UTC", help_text="IANA name of the zone in which they are shown times."
    )
    deadline_hours = models.PositiveSmallIntegerField(
        default=DEADLINE_HOURS, help_text="How long before a deadline they are told of it; 0: never."
    )
    kinds_off = models.TextField(default="[]", help_text="The kinds they are not told of, as JSON.")
    games_off = models.TextField(default="[]", help_text="The ids of the games they are told nothing of, as JSON.")
    mail_kinds = models.TextField(
        default="[]", db_default="[]", help_text="The kinds that they are told by e-mail, too, as JSON."
    )
    mail_since = models.DateTimeField(null=True, help_text="Since when they are told by e-mail; none: they are not.")
    push_kinds_off = models.TextField(
        default="[]", db_default="[]", help_text="The kinds that are not pushed to their browsers, as JSON."
    )
    quiet_from = models.CharField(
        max_length=5, default="", db_default="", help_text="When no mail goes out from, as 22:00 in their zone."
    )
    quiet_to = models.CharField(max_length=5, default="", db_default="", help_text="Until when no mail goes out.")
    mail_digest = models.CharField(
        max_length=5, default="", db_default="", help_text="When they are mailed once a day, as 07:00 in their zone."
    )

    def __str__(self) -> str:
        return f"Notification settings of {self.user_id}"


class PushSubscription(models.Model):
    """A browser of a person's that takes pushes. Endpoint and keys let anybody push to it: they are shown to nobody."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    user = models.ForeignKey(User, models.CASCADE, related_name="push_subscriptions")
    endpoint = models.TextField(help_text="Where pushes to it are posted: an address of its maker's push service.")
    digest = models.CharField(max_length=64, unique=True, help_text="SHA-256 of the endpoint, which is one browser.")
    p256dh = models.CharField(max_length=90, help_text="The browser's public key, as base64url.")
    auth = models.CharField(max_length=30, help_text="The secret that the browser shares with us, as base64url.")
    label = models.CharField(max_length=80, blank=True, help_text="What its owner calls the browser.")
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering: ClassVar = ["-created_at", "id"]

    def __str__(self) -> str:
        return f"Push subscription of {self.user_id}"


class WebhookEndpoint(models.Model):
    """An address of a person's to which the events of all their games are posted; the games have a webhook each for it.

    It lies with the person: the games may lie in several places.
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    user = models.ForeignKey(User, models.CASCADE, related_name="webhook_endpoints")
    application = models.UUIDField(null=True, blank=True, help_text="The application that made it for them.")
    url = models.TextField(help_text="Where messages are posted.")
    kinds = models.TextField(default="[]", help_text="The types of events that are wanted, as JSON; [] for all.")
    secret = models.CharField(max_length=80, help_text="Signs its messages.")
    old_secret = models.CharField(max_length=80, blank=True, default="", help_text="Signs beside it for a while.")
    old_secret_until = models.DateTimeField(null=True, blank=True, help_text="Until when the old secret signs, too.")
    is_active = models.BooleanField(default=True, help_text="Whether messages are posted.")
    reason = models.CharField(max_length=60, blank=True, default="", help_text="Why it is off; a code.")
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering: ClassVar = ["-created_at", "id"]

    def __str__(self) -> str:
        return f"Webhook endpoint of {self.user_id}"


class NotificationDigest(models.Model):
    """The mail of one day to a person about all their games; its id follows from both, and is its `Message-ID`.

    It lies with the person: the games that it is about may lie in several places.
    """

    id = models.UUIDField(primary_key=True, editable=False)
    user = models.ForeignKey(User, models.CASCADE, related_name="notification_digests")
    moment = models.DateTimeField(help_text="The time of day at which it was wanted.")
    state = models.CharField(max_length=10, choices=[(each, each) for each in ("pending", "sent", "failed")])
    claimed_at = models.DateTimeField(null=True, help_text="When it was settled what it is about.")
    attempts = models.PositiveIntegerField(default=0)
    error = models.CharField(max_length=80, blank=True, help_text="What the last attempt ended with.")
    next_try_at = models.DateTimeField(help_text="Not before.")
    leased_until = models.DateTimeField(null=True, help_text="A worker is at it until then.")
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    sent_at = models.DateTimeField(null=True, help_text="When the mail server took it; none: nothing was left to send.")

    class Meta:
        ordering: ClassVar = ["-created_at", "id"]
        indexes: ClassVar = [
            models.Index(fields=["next_try_at", "id"], condition=Q(state="pending"), name="notification_digest_due")
        ]

    def __str__(self) -> str:
        return f"Digest of {self.user_id}"


class InvitationQuerySet(models.QuerySet["Invitation"]):
    """Invitations by their validity now."""

    def usable(self, now: datetime | None = None) -> Self:
        """With a use left, and not expired."""
        moment = now or timezone.now()
        return self.filter(Q(expires_at=None) | Q(expires_at__gt=moment), uses_left__gt=0)


class Invitation(models.Model):
    """Leave to sign up, for those who hold its code."""

    class Role(models.TextChoices):
        """What the guest is wanted for: a hint to people, not a right."""

        PLAYER = "player", "player"
        GM = "gm", "game-master"
        OBSERVER = "observer", "observer"

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    created_by = models.ForeignKey(
        User, models.SET_NULL, null=True, related_name="invitations", editable=False, help_text="Who invited."
    )
    note = models.CharField(max_length=NAME_LENGTH, blank=True, help_text="For whom, in the inviter's words.")
    role = models.CharField(max_length=10, choices=Role.choices, default=Role.PLAYER, help_text="Wanted as; a hint.")
    prefix = models.CharField(max_length=8, editable=False, help_text="First characters of its code.")
    digest = models.CharField(max_length=64, unique=True, editable=False, help_text="SHA-256 of the code.")
    uses_left = models.PositiveIntegerField(default=1, help_text="How many people may still sign up with it.")
    created_at = models.DateTimeField(default=timezone.now, editable=False, help_text="When it was made.")
    expires_at = models.DateTimeField(null=True, blank=True, help_text="Invalid from then on; never when empty.")

    objects = InvitationQuerySet.as_manager()

    class Meta:
        ordering = ("-created_at", "id")
        indexes = [models.Index(F("created_at").desc(), "id", name="accounts_invitation_newest")]

    def __str__(self) -> str:
        return f"{self.note or self.get_role_display()} (theoinvite_{self.prefix}…)"

    def __repr__(self) -> str:
        return f"<Invitation {self.id} theoinvite_{self.prefix}…>"

    @property
    def usable(self) -> bool:
        """With a use left, and not expired."""
        return self.uses_left > 0 and not (self.expires_at and self.expires_at <= timezone.now())
