"""Applications in the admin: registered, changed and revoked here and nowhere else.

Codes and refresh tokens have no page.
"""

from typing import Any

from django.contrib import admin, messages
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from oauth2_provider.models import IDToken
from unfold.admin import ModelAdmin

from accounts.oauth import services
from accounts.oauth.models import Application, Grant, RefreshToken

for model in (Application, Grant, RefreshToken, IDToken):
    admin.site.unregister(model)  # the pages of django-oauth-toolkit


@admin.register(Application)
class ApplicationAdmin(ModelAdmin):
    """Applications of others that people may sign in to. None is deleted: a revoked one explains its tokens."""

    list_display = ("name", "client_id", "scope_words", "live_tokens", "created_at", "revoked_at")
    list_filter = ("created_at", "revoked_at")
    list_per_page = 50
    search_fields = ("name", "client_id", "redirect_uris", "allowed_origins")
    fields = ("name", "client_id", "redirect_uris", "allowed_origins", "scope_words", "created_at", "revoked_at")
    readonly_fields = ("client_id", "created_at", "revoked_at")
    actions = ("revoke",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """The rows, each with the number of its live tokens."""
        live = Q(tokens__revoked_at=None, tokens__expires_at__gt=timezone.now())
        return super().get_queryset(request).annotate(live_tokens=Count("tokens", filter=live))

    @admin.display(description="live tokens", ordering="live_tokens")
    def live_tokens(self, row: Any) -> int:
        """How many access tokens are valid now."""
        return int(row.live_tokens)

    def has_delete_permission(self, request: HttpRequest, obj: Application | None = None) -> bool:
        """Never: revoke it."""
        return False

    @admin.action(description="Revoke these applications and their tokens", permissions=("change",))
    def revoke(self, request: HttpRequest, queryset: QuerySet[Application]) -> None:
        """Now and for good."""
        count = sum(services.revoke_application(application) for application in queryset)
        self.message_user(request, f"Revoked {count} tokens with their applications.", messages.SUCCESS)
