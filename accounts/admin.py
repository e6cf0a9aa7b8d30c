"""Users, tokens and invitations in the admin. Plain tokens and codes are shown once, to who made them."""

from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.auth.admin import GroupAdmin as DjangoGroupAdmin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.models import Group
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.forms import ModelForm
from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.urls import reverse
from unfold.admin import ModelAdmin
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm

from accounts import services
from accounts.errors import AccountError
from accounts.models import Invitation, Token, User
from accounts.recovery import recovery_key
from accounts.retirement import retire

admin.site.unregister(Group)
admin.site.unregister(Token)  # django-oauth-toolkit has registered it as its access token


class NewUserForm(UserCreationForm):
    """Name and password of a new user."""

    class Meta(UserCreationForm.Meta):
        model = User


class UserForm(UserChangeForm):
    """Everything else of a user."""

    class Meta(UserChangeForm.Meta):
        model = User


class PersonPasswordForm(AdminPasswordChangeForm):
    """A new password for somebody, or none: what was let in by the old one is let in no longer."""

    def save(self, commit: bool = True) -> User:
        """Set it and revoke the person's tokens; sessions end by themselves."""
        with transaction.atomic():
            user: User = super().save(commit)
            services.revoke_tokens_of(user)
        return user


@admin.register(Group)
class GroupAdmin(DjangoGroupAdmin, ModelAdmin):
    """Groups of permissions in the admin."""


@admin.register(User)
class UserAdmin(DjangoUserAdmin, ModelAdmin):
    """Users; passwords are changed with their own form."""

    form = UserForm
    add_form = NewUserForm
    change_password_form = PersonPasswordForm
    list_display = ("username", "display_name", "email", "is_active", "is_staff", "last_login", "retired_at")
    list_filter = ("is_active", "is_staff", "is_superuser", "groups", "date_joined")
    search_fields = ("username", "display_name", "email")
    ordering = ("username",)
    list_per_page = 50
    readonly_fields = ("last_login", "date_joined", "retired_at", "invitation")
    list_select_related = ("invitation",)
    fieldsets = (
        (None, {"fields": ("username", "password")}),
        ("Person", {"fields": ("display_name", "email", "invitation")}),
        ("Rights", {"fields": ("is_active", "is_staff", "is_superuser", "groups", "user_permissions")}),
        ("Dates", {"fields": ("last_login", "date_joined", "retired_at")}),
    )
    add_fieldsets = (
        (None, {"classes": ("wide",), "fields": ("username", "usable_password", "password1", "password2")}),
    )
    actions = ("link_for_password", "revoke_tokens", "retire")

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """Never: a person is retired, for games keep their id."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """As usual; a retired person stays as they are."""
        return super().has_change_permission(request, obj) and (obj is None or not obj.is_retired)

    def has_retire_permission(self, request: HttpRequest) -> bool:
        """Who may delete users may retire them."""
        return bool(request.user.has_perm("accounts.delete_user"))

    @admin.action(description="Retire these people: for good", permissions=("retire",))
    def retire(self, request: HttpRequest, queryset: QuerySet[User]) -> TemplateResponse | None:
        """Ask first, then retire each: names, mail, password, rights and tokens are gone, the id stays."""
        people = list(queryset)
        if "confirmed" not in request.POST:
            return self._ask_to_retire(request, people)
        by = request.user if isinstance(request.user, User) else None
        try:
            with transaction.atomic():
                for user in people:
                    retire(user, by=by)
                    self.log_change(request, user, "Retired.")
        except AccountError as error:
            self.message_user(request, f"{error.message} ({error.code})", messages.ERROR)
        else:
            self.message_user(request, f"Retired: {len(people)}.", messages.SUCCESS)
        return None

    def _ask_to_retire(self, request: HttpRequest, people: list[User]) -> TemplateResponse:
        context = {
            **self.admin_site.each_context(request),
            "title": "Retire",
            "people": people,
            "action": "retire",
            "checkbox": ACTION_CHECKBOX_NAME,
            "opts": self.opts,
            "back": request.get_full_path(),
        }
        return TemplateResponse(request, "accounts/retire.html", context)

    @admin.action(description="Make a link for a new password, to hand over", permissions=("change",))
    def link_for_password(self, request: HttpRequest, queryset: QuerySet[User]) -> None:
        """For people who have forgotten theirs: each link is shown once, works once and for a day.

        It signs its reader in as that person in the end, so nobody makes one for those who may do more than they.
        """
        for user in queryset:
            if (user.is_staff or user.is_superuser) and not request.user.is_superuser:
                self.message_user(request, f"{user.username}: a superuser makes links for staff.", messages.ERROR)
                continue
            try:
                link = request.build_absolute_uri(reverse("new-password", args=[recovery_key(user)]))
            except AccountError as error:
                self.message_user(request, f"{user.username}: {error.message}", messages.ERROR)
                continue
            self.log_change(request, user, "Made a link for a new password.")
            self.message_user(request, f"For {user.username}, shown this once: {link}", messages.WARNING)

    @admin.action(description="Revoke all API tokens of these users", permissions=("change",))
    def revoke_tokens(self, request: HttpRequest, queryset: QuerySet[User]) -> None:
        """For users whose tokens leaked."""
        count = sum(services.revoke_tokens_of(user) for user in queryset)
        self.message_user(request, f"Revoked {count} tokens.", messages.SUCCESS)


class LiveFilter(admin.SimpleListFilter):
    """Valid and invalid tokens."""

    title = "worth"
    parameter_name = "live"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """The two choices."""
        return [("1", "live"), ("0", "revoked or expired")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """The rows of the choice."""
        if self.value() not in ("0", "1"):
            return queryset
        live = Token.objects.live().values("pk")
        return queryset.filter(pk__in=live) if self.value() == "1" else queryset.exclude(pk__in=live)


@admin.register(Token)
class TokenAdmin(ModelAdmin):
    """API tokens, to look at and to revoke; they are made by their owners."""

    list_display = (
        "name",
        "user",
        "application",
        "prefix",
        "scope_words",
        "created_at",
        "expires_at",
        "revoked_at",
        "last_used_at",
    )
    list_filter = (LiveFilter, "application", "scope_words", "created_at")
    list_select_related = ("user", "application")
    list_per_page = 50
    search_fields = ("name", "prefix", "user__username", "user__display_name")
    fields = ("id", *list_display)
    readonly_fields = fields
    actions = ("revoke",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Nobody mints tokens for others."""
        return False

    @admin.action(description="Revoke these tokens", permissions=("change",))
    def revoke(self, request: HttpRequest, queryset: QuerySet[Token]) -> None:
        """Now and for good."""
        live = list(queryset.filter(revoked_at=None))
        for token in live:
            services.revoke_token(token)
        self.message_user(request, f"Revoked {len(live)} tokens.", messages.SUCCESS)


class InvitationForm(ModelForm):
    """A new invitation; refused here in the words of the service."""

    def clean(self) -> dict[str, Any]:
        """The values. Raises ValidationError."""
        values = super().clean() or self.cleaned_data
        if not self.errors:
            try:
                services.check_invitation(values["uses_left"], values["role"], values["expires_at"])
            except AccountError as error:
                raise ValidationError(error.message, code=error.code) from error
        return values


@admin.register(Invitation)
class InvitationAdmin(ModelAdmin):
    """Invitations to sign up. The code is shown once, after saving a new one."""

    list_display = ("__str__", "role", "uses_left", "expires_at", "created_by", "created_at")
    list_filter = ("role", "created_at")
    list_select_related = ("created_by",)
    list_per_page = 50
    search_fields = ("note", "prefix", "created_by__username")
    form = InvitationForm
    fields = ("note", "role", "uses_left", "expires_at")
    actions = ("withdraw",)

    def has_change_permission(self, request: HttpRequest, obj: Invitation | None = None) -> bool:
        """An invitation is made or withdrawn, not rewritten."""
        return obj is None and super().has_change_permission(request, obj)

    def save_model(self, request: HttpRequest, obj: Invitation, form: InvitationForm, change: bool) -> None:
        """Make it, and show its code to who made it."""
        by = request.user if isinstance(request.user, User) else None
        made, code = services.invite(by, uses=obj.uses_left, role=obj.role, note=obj.note, expires_at=obj.expires_at)
        obj.__dict__.update(made.__dict__)
        self.message_user(request, f"The code, shown this once: {code}", messages.WARNING)

    @admin.action(description="Withdraw these invitations", permissions=("view",))
    def withdraw(self, request: HttpRequest, queryset: QuerySet[Invitation]) -> None:
        """Nobody can sign up with them any more."""
        for invitation in queryset:
            services.withdraw(invitation)
        self.message_user(request, "Withdrawn.", messages.SUCCESS)
