"""The console's pages, found by the admin's autodiscovery. `games.models.Secret` has none, and never will.

A game without an `admin` module of its own has a page for each of its tables.
"""

from django.contrib import admin

from accounts.models import NotificationDigest, WebhookEndpoint
from api.console.game_admin import GamePage
from api.console.log import DiePage, LoggedEventPage, ReceiptPage, StreamPage
from api.console.notifications import NotificationDigestPage, SentNotificationPage
from api.console.seat_admin import AnswerPage, BanPage, InvitationPage, LeavePage, PromptPage, SeatPage, TimerPage
from api.console.table_pages import register_tables
from api.console.webhooks import ChatHookPage, WebhookEndpointPage, WebhookPage
from api.console.worlds import PAGES
from games import registry
from games.models import (
    Answer,
    Ban,
    ChatHook,
    Die,
    Game,
    Invitation,
    Leave,
    LoggedEvent,
    NotificationMail,
    NotificationPush,
    Prompt,
    Receipt,
    Seat,
    Stream,
    Timer,
    Webhook,
)

admin.site.index_template = "console/index.html"
admin.site.index_title = "Overview"

admin.site.register(Game, GamePage)
admin.site.register(Seat, SeatPage)
admin.site.register(Invitation, InvitationPage)
admin.site.register(Ban, BanPage)
admin.site.register(Leave, LeavePage)
admin.site.register(Prompt, PromptPage)
admin.site.register(Answer, AnswerPage)
admin.site.register(Timer, TimerPage)
admin.site.register(LoggedEvent, LoggedEventPage)
admin.site.register(Stream, StreamPage)
admin.site.register(Receipt, ReceiptPage)
admin.site.register(Die, DiePage)
admin.site.register(Webhook, WebhookPage)
admin.site.register(WebhookEndpoint, WebhookEndpointPage)
admin.site.register(ChatHook, ChatHookPage)
admin.site.register(NotificationMail, SentNotificationPage)
admin.site.register(NotificationPush, SentNotificationPage)
admin.site.register(NotificationDigest, NotificationDigestPage)
for _model, _page in PAGES.items():
    admin.site.register(_model, _page)
for _slug in registry.folders():
    if registry.part(_slug, "admin") is None:
        register_tables(registry.store(_slug))
