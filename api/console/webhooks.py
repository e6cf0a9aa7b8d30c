"""Webhooks, their endpoints and chat hooks in the console: to look at, and to switch off. No page shows a secret."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString
from unfold.decorators import action, display

from accounts.models import WebhookEndpoint
from api.common.permissions import CONDUCT
from api.console.amend_admin import ask
from api.console.columns import OF_GAME
from api.console.game_admin import Nothing
from api.console.readonly_admin import OfGamePage, ReadingPage, moment, pretty
from api.webhooks import endpoints
from api.webhooks.attempts import switch_off
from games.models import ChatHook, PostedTo, Webhook

REASON = "admin.off"


class PostedToPage(OfGamePage):
    """Addresses to which people have something posted."""

    list_filter = [OF_GAME, "is_active", "reason", "created_at"]
    list_select_related = ()
    people = ("user",)
    date_hierarchy = "created_at"
    actions_detail = ["switch_off"]

    @display(description="made (UTC)", ordering="created_at")
    def created_display(self, row: PostedTo) -> SafeString | str:
        """When it was made."""
        return moment(row.created_at)

    def has_conduct_permission(self, request: HttpRequest, object_id: str | None = None) -> bool:
        """Those who may conduct games from here."""
        return request.user.has_perm(CONDUCT)

    @action(description="Switch off", icon="cancel", permissions=["conduct"], url_path="switch-off")
    def switch_off(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Post nothing more until its owner switches it on."""
        row = get_object_or_404(self.get_queryset(request), pk=object_id)
        if request.method == "POST":
            switch_off(self.model, row.pk, REASON)
            self.message_user(request, "It is off.", messages.SUCCESS)
            return HttpResponseRedirect(reverse(f"admin:games_{self.opts.model_name}_change", args=[row.pk]))
        text = "Nothing more is posted until its owner switches it on; it goes on where it stopped."
        return ask(self, request, row, Nothing(None), f"Switch a {self.opts.verbose_name} off", text)


class WebhookPage(PostedToPage):
    """Addresses to which people have a game's events posted."""

    list_display = ["url", "user", "is_active", "reason", "failures", "created_display", "game_link"]
    search_fields = ["url"]
    search_help_text = "Search by address or by whose it is"
    fieldsets = [
        (None, {"fields": ["game", "user", "application", "endpoint", "url", "kinds_display", "created_at"]}),
        ("Whose eyes", {"fields": ["seat", "as_gm"]}),
        ("How it is", {"fields": ["is_active", "reason", "failures", "failing_since", "next_try_at", "seq"]}),
    ]

    @display(description="types of events")
    def kinds_display(self, row: Webhook) -> SafeString:
        """Those that are wanted; none named: all."""
        return pretty(row.kinds)


class WebhookEndpointPage(ReadingPage):
    """Addresses to which people have the events of all their games posted. They are rows of no game."""

    list_display = ["url", "user", "is_active", "reason", "created_display"]
    list_filter = ["is_active", "reason", "created_at"]
    list_select_related = ()
    people = ("user",)
    date_hierarchy = "created_at"
    search_fields = ["url"]
    search_help_text = "Search by address or by whose it is"
    actions_detail = ["switch_off"]
    fieldsets = [
        (None, {"fields": ["user", "application", "url", "kinds_display", "created_at"]}),
        ("How it is", {"fields": ["is_active", "reason", "old_secret_until"]}),
    ]

    @display(description="made (UTC)", ordering="created_at")
    def created_display(self, row: WebhookEndpoint) -> SafeString | str:
        """When it was made."""
        return moment(row.created_at)

    @display(description="types of events")
    def kinds_display(self, row: WebhookEndpoint) -> SafeString:
        """Those that are wanted; none named: all."""
        return pretty(row.kinds)

    def has_conduct_permission(self, request: HttpRequest, object_id: str | None = None) -> bool:
        """Those who may conduct games from here."""
        return request.user.has_perm(CONDUCT)

    @action(description="Switch off", icon="cancel", permissions=["conduct"], url_path="switch-off")
    def switch_off(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Post nothing more of any game until its owner switches it on."""
        row = get_object_or_404(self.get_queryset(request), pk=object_id)
        if request.method == "POST":
            endpoints.switch_off(row, REASON, timezone.now())
            self.message_user(request, "It is off.", messages.SUCCESS)
            return HttpResponseRedirect(reverse("admin:accounts_webhookendpoint_change", args=[row.pk]))
        text = "Nothing more is posted of any game until its owner switches it on; it goes on where it stopped."
        return ask(self, request, row, Nothing(None), f"Switch a {self.opts.verbose_name} off", text)


class ChatHookPage(PostedToPage):
    """Chat channels that people have told of a game. Their addresses hold a key."""

    list_display = ["address_display", "format", "user", "is_active", "reason", "created_display", "game_link"]
    search_fields = ["reason"]
    search_help_text = "Search by reason or by whose it is"
    fieldsets = [
        (None, {"fields": ["game", "user", "application", "address_display", "format", "created_at"]}),
        (
            "How it is",
            {"fields": ["is_active", "reason", "failures", "failing_since", "next_try_at", "status", "error"]},
        ),
    ]

    @display(description="address")
    def address_display(self, row: ChatHook) -> str:
        """Its host and its last four characters."""
        return row.address
