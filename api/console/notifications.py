"""What went out to people about their games, in the console: to look at. No page shows an address or a key."""

from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.safestring import SafeString
from unfold.decorators import display

from accounts.models import NotificationDigest
from api.console.readonly_admin import ReadingPage, link, moment
from games.models import SentNotification

TRIES = ["state", "attempts", "error", "next_display", "sent_display"]


class SendingPage(ReadingPage):
    """How the sending of something fares."""

    list_filter = ["state", "created_at"]
    list_select_related = ()
    date_hierarchy = "created_at"
    search_fields = ["error"]
    search_help_text = "Search by what the last attempt ended with, or by whose it is"

    @display(description="not before (UTC)", ordering="next_try_at")
    def next_display(self, row: SentNotification | NotificationDigest) -> SafeString | str:
        """When it is tried again; nothing where it is settled."""
        return moment(row.next_try_at if row.state == "pending" else None)

    @display(description="sent (UTC)", ordering="sent_at")
    def sent_display(self, row: SentNotification | NotificationDigest) -> SafeString | str:
        """When it went out."""
        return moment(row.sent_at)


class SentNotificationPage(SendingPage):
    """Mails and pushes about one notification each."""

    list_display = ["kind_display", "user_display", *TRIES, "game_link"]
    people = ("notification__user",)
    fieldsets = [
        (None, {"fields": ["kind_display", "user_display", "game_link", "created_at"]}),
        ("How it is", {"fields": ["state", "attempts", "error", "next_try_at", "leased_until", "sent_at"]}),
    ]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """The rows with what they are about."""
        return super().get_queryset(request).select_related("notification__game")

    @display(description="about", ordering="notification__kind")
    def kind_display(self, row: Any) -> str:
        """The kind of the notification; what it says is its reader's."""
        return str(row.notification.kind)

    @display(description="user")
    def user_display(self, row: Any) -> SafeString:
        """Whose it is."""
        user = row.notification.user
        return link(str(user), "accounts_user_change", user.pk)

    @display(description="game", ordering="notification__game__name")
    def game_link(self, row: Any) -> SafeString:
        """The game that it is about."""
        game = row.notification.game
        return link(game.name, "games_game_change", game.pk)


class NotificationDigestPage(SendingPage):
    """The mails of a day to people about all their games."""

    list_display = ["user", "moment", *TRIES]
    people = ("user",)
    fieldsets = [
        (None, {"fields": ["user", "moment", "claimed_at", "created_at"]}),
        ("How it is", {"fields": ["state", "attempts", "error", "next_try_at", "leased_until", "sent_at"]}),
    ]
