"""Serializers of users, tokens and invitations. No secret is a field of a row; it is in the answer to its making."""

from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from accounts.models import Invitation, Scope, Token, User
from api.common.authentication import Principal

PASSWORD_LENGTH = 256
SECRET_LENGTH = 64
TOKEN_FIELDS = (
    "id",
    "name",
    "application",
    "prefix",
    "scopes",
    "created_at",
    "expires_at",
    "revoked_at",
    "last_used_at",
)
INVITATION_FIELDS = ("id", "note", "role", "prefix", "uses_left", "created_at", "expires_at", "created_by")


class StrictSerializer(serializers.Serializer[Any]):
    """A body that may hold its fields and no others, so that a misspelt name is reported and not ignored."""

    def to_internal_value(self, data: Any) -> Any:
        """The values. Raises ValidationError, naming unknown fields."""
        if isinstance(data, dict) and (unknown := sorted(set(data) - set(self.fields))):
            sentence = serializers.ErrorDetail("There is no such field.", code="unknown")
            raise serializers.ValidationError({name: [sentence] for name in unknown})
        return super().to_internal_value(data)


class StrictText(serializers.CharField):
    """Text that must be text: numbers and booleans are refused, not turned into it."""

    def to_internal_value(self, data: Any) -> str:
        """The text, as given."""
        if not isinstance(data, str):
            self.fail("invalid")
        return str(super().to_internal_value(data))


class TokenSerializer(serializers.ModelSerializer[Token]):
    """A token's row."""

    scopes = serializers.SerializerMethodField(help_text="What it may do.")

    class Meta:
        model = Token
        fields: tuple[str, ...] = TOKEN_FIELDS
        read_only_fields = fields

    def get_scopes(self, token: Token) -> list[Scope]:
        """In the order read, play, gm."""
        return [scope for scope in Scope if scope in token.scopes]


def tokens_for(principal: Principal) -> QuerySet[Token]:
    """The tokens that a principal may know of: the user's own; to the token of an application itself alone."""
    found = Token.objects.filter(user=principal.user) if principal.user is not None else Token.objects.none()
    return found if principal.token is None or principal.is_personal else found.filter(pk=principal.token.pk)


class NewTokenSerializer(TokenSerializer):
    """A token's row and, this once, its plain text."""

    token = serializers.CharField(source="plain", help_text="The token itself: shown now and never again.")

    class Meta(TokenSerializer.Meta):
        fields = (*TOKEN_FIELDS, "token")
        read_only_fields = fields


class MintSerializer(StrictSerializer):
    """A request for a token: with user name and password, or with a token that may do at least as much."""

    name = StrictText(max_length=80, help_text="What the token is for.")
    scopes = serializers.ListField(
        child=serializers.ChoiceField(choices=[*Scope]),
        min_length=1,
        max_length=8,
        default=[Scope.READ, Scope.PLAY],
        help_text="What it may do.",
    )
    expires_at = serializers.DateTimeField(default=None, allow_null=True, help_text="When it ends; never when null.")
    username = StrictText(max_length=150, required=False, help_text="The user name, when no token was sent.")
    password = StrictText(
        max_length=PASSWORD_LENGTH,
        required=False,
        trim_whitespace=False,
        write_only=True,
        help_text="The user's password.",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """User name and password come together."""
        if ("username" in attrs) != ("password" in attrs):
            missing = "password" if "username" in attrs else "username"
            raise serializers.ValidationError({missing: "User name and password come together."}, code="required")
        return attrs


class MeSerializer(serializers.ModelSerializer[User]):
    """The user who asks."""

    email = serializers.SerializerMethodField(
        help_text="Empty when there is none, and to an application; shown to nobody else."
    )
    email_confirmed = serializers.SerializerMethodField(
        help_text="Whether its mail was shown to be read by its owner; false without one, and to an application."
    )
    scopes = serializers.SerializerMethodField(help_text="What may be done with this token or session.")
    token = serializers.SerializerMethodField(help_text="The token this was asked with; null with a session.")

    class Meta:
        model = User
        fields = (
            "id", "username", "display_name", "email", "email_confirmed", "is_staff", "date_joined", "scopes", "token",
        )  # fmt: skip
        read_only_fields = fields

    def get_email(self, user: User) -> str:
        """Theirs alone: who signs in to an application has not shown it their address."""
        return user.email if self.context["principal"].is_personal else ""

    def get_email_confirmed(self, user: User) -> bool:
        """Told to whom the address is told."""
        return user.has_confirmed_email if self.context["principal"].is_personal else False

    def get_scopes(self, user: User) -> list[Scope]:
        """In the order read, play, gm."""
        return [scope for scope in Scope if scope in self.context["principal"].scopes]

    @extend_schema_field(TokenSerializer(allow_null=True))
    def get_token(self, user: User) -> Any:
        """Its row, without the token itself."""
        token = self.context["principal"].token
        return TokenSerializer(token).data if token is not None else None


class ConfirmationSerializer(serializers.Serializer[Any]):
    """A link that was sent."""

    email = serializers.EmailField(help_text="Where it goes; it is good for a day, and once.")


class CalendarSerializer(serializers.Serializer[Any]):
    """The address of a calendar."""

    url = serializers.URLField(help_text="What a calendar subscribes to; it holds a secret, and is shown this once.")


class ProfileSerializer(StrictSerializer):
    """What users may change of themselves."""

    display_name = StrictText(max_length=80, allow_blank=True, required=False, help_text="How others see you.")
    email = StrictText(max_length=254, allow_blank=True, required=False, help_text="Shown to nobody else.")


class PasswordSerializer(StrictSerializer):
    """A change of password; all tokens but the one used are revoked."""

    old = StrictText(max_length=PASSWORD_LENGTH, trim_whitespace=False, write_only=True)
    new = StrictText(max_length=PASSWORD_LENGTH, trim_whitespace=False, write_only=True)


class RevokedSerializer(serializers.Serializer[Any]):
    """How many tokens were revoked."""

    revoked = serializers.IntegerField()


class SignUpSerializer(StrictSerializer):
    """A request to sign up."""

    username = StrictText(max_length=150, help_text="2 to 32 letters a-z, digits, `.`, `-`, `_`; case does not matter.")
    password = StrictText(max_length=PASSWORD_LENGTH, trim_whitespace=False, write_only=True)
    display_name = StrictText(max_length=80, allow_blank=True, default="", help_text="How others see you.")
    email = StrictText(max_length=254, allow_blank=True, default="", help_text="Optional; shown to nobody else.")
    invitation = StrictText(
        max_length=SECRET_LENGTH, allow_blank=True, default="", write_only=True, help_text="The code, where needed."
    )


class PersonSerializer(serializers.ModelSerializer[User]):
    """A user, as everybody may see."""

    class Meta:
        model = User
        fields = ("id", "username", "display_name")
        read_only_fields = fields


class InvitationSerializer(serializers.ModelSerializer[Invitation]):
    """An invitation's row."""

    created_by = PersonSerializer(allow_null=True, help_text="Who invited; null when that user is gone.")

    class Meta:
        model = Invitation
        fields: tuple[str, ...] = INVITATION_FIELDS
        read_only_fields = fields


class NewInvitationSerializer(InvitationSerializer):
    """An invitation's row and, this once, its code."""

    code = serializers.CharField(source="plain", help_text="The code to sign up with: shown now and never again.")

    class Meta(InvitationSerializer.Meta):
        fields = (*INVITATION_FIELDS, "code")
        read_only_fields = fields


class InviteSerializer(StrictSerializer):
    """A request for an invitation."""

    uses = serializers.IntegerField(min_value=1, max_value=1000, default=1, help_text="For how many people.")
    role = serializers.ChoiceField(choices=Invitation.Role.choices, default=Invitation.Role.PLAYER)
    note = StrictText(max_length=80, allow_blank=True, default="", help_text="For whom.")
    expires_at = serializers.DateTimeField(default=None, allow_null=True, help_text="When it ends; never when null.")
