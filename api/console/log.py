"""The log in the console: to read, to search and to check. Nothing here can be added, changed or deleted."""

import json
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.safestring import SafeString
from unfold.decorators import display

from accounts.models import User
from api.common.names import seats_in
from api.console.columns import OF_GAME
from api.console.readonly_admin import AudienceFilter, OfGamePage, link, moment, mono, pretty, short
from games.models import Die, LoggedEvent, Receipt


class FallenFilter(admin.SimpleListFilter):
    """Events that stand, and those behind a rewind."""

    title = "main line"
    parameter_name = "fallen_behind"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """The two choices."""
        return [("0", "stands"), ("1", "fell behind a rewind")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """The rows of the choice."""
        if self.value() not in ("0", "1"):
            return queryset
        return queryset.filter(fallen__isnull=self.value() == "0")


class LoggedEventPage(OfGamePage):
    """What happened, in the past tense."""

    list_display = ["seq", "moment_display", "type", "text_start", "readers", "by", "cause_short", "game_link"]
    list_display_links = ["seq", "type"]
    list_filter = [OF_GAME, "type", AudienceFilter, "by", FallenFilter, "at"]
    list_select_related = ()
    search_fields = ["type", "text", "cause", "=seq"]
    search_help_text = "Search by type, text, cause or number"
    date_hierarchy = "at"
    ordering = ["-at", "-seq"]
    fieldsets = [
        (None, {"fields": ["game", "seq", "type_and_version", "moment_display", "text"]}),
        ("What it says", {"fields": ["body_display", "dice_display", "rules_display"]}),
        ("Who may read it, who did it", {"fields": ["readers", "ordinal", "by", "for_seat", "cause"]}),
        ("Chain", {"fields": ["fallen", "digest_display"]}),
    ]

    @display(description="at (UTC)", ordering="at")
    def moment_display(self, row: LoggedEvent) -> SafeString | str:
        """When it happened, to the second."""
        return moment(row.at)

    @display(description="cause", ordering="cause")
    def cause_short(self, row: LoggedEvent) -> str:
        """The command or timer behind it, ids cut short."""
        return short(row.cause)

    @display(description="type")
    def type_and_version(self, row: LoggedEvent) -> str:
        """The class and the version it was written with."""
        return f"{row.type}, version {row.v}"

    @display(description="text")
    def text_start(self, row: LoggedEvent) -> str:
        """The first words of what it says."""
        return row.text if len(row.text) <= 90 else f"{row.text[:89]}…"

    @display(description="on behalf of")
    def for_seat(self, row: LoggedEvent) -> str:
        """The seat for which it was done, by name."""
        key = str(row.on_behalf_of)
        return seats_in(row.game).get(key, key) if row.on_behalf_of else "-"

    @display(description="fields")
    def body_display(self, row: LoggedEvent) -> SafeString:
        """The event's fields."""
        return pretty(row.body)

    @display(description="dice")
    def dice_display(self, row: LoggedEvent) -> SafeString | str:
        """The dice it used."""
        return pretty(row.rolls) if row.rolls != "[]" else "none"

    @display(description="rules")
    def rules_display(self, row: LoggedEvent) -> str:
        """The rules it cites."""
        return ", ".join(json.loads(row.rules)) or "none"

    @display(description="digest")
    def digest_display(self, row: LoggedEvent) -> SafeString:
        """SHA-256 over the digest before and this row."""
        return mono(row.digest)


class StreamPage(OfGamePage):
    """The heads of the streams: how much each audience has read."""

    list_display = ["readers", "head", "game_link"]
    list_filter = [OF_GAME, AudienceFilter]
    list_select_related = ()
    search_fields = ["audience"]
    fields = ["game", "readers", "audience", "head"]


class ReceiptPage(OfGamePage):
    """Acknowledged commands: the same key again returns the same outcome."""

    list_display = ["moment_display", "command", "by", "key_short", "events", "game_link"]
    list_filter = [OF_GAME, "command", "at"]
    list_select_related = ()
    search_fields = ["principal", "key", "command"]
    date_hierarchy = "at"
    ordering = ["-at"]

    @display(description="at (UTC)", ordering="at")
    def moment_display(self, row: Receipt) -> SafeString | str:
        """When it was acknowledged."""
        return moment(row.at)

    @display(description="by", ordering="principal")
    def by(self, row: Receipt) -> str:
        """Who issued it: the clock, or a user by name, asked once a game."""
        if row.principal == "clock":
            return row.principal
        names: dict[str, str] = row.game.__dict__.setdefault("_user_names", {})
        if row.principal not in names:
            names[row.principal] = str(User.objects.filter(pk=row.principal).first() or row.principal)
        return names[row.principal]

    @display(description="key", ordering="key")
    def key_short(self, row: Receipt) -> str:
        """The key, ids cut short."""
        return short(row.key)

    @display(description="events")
    def events(self, row: Receipt) -> str:
        """The numbers of its events."""
        return f"{row.first_seq} to {row.last_seq}"


class DiePage(OfGamePage):
    """Every die that was rolled, with the label it is bound to."""

    list_display = ["seq", "shows", "label", "index", "source", "rule", "event_link", "game_link"]
    list_filter = [OF_GAME, "sides", "source", "rule", AudienceFilter]
    list_select_related = ["event"]
    search_fields = ["label", "rule"]
    ordering = ["-id"]

    @display(description="die", ordering="value", label=True)
    def shows(self, row: Die) -> str:
        """Sides and value."""
        return str(row)

    @display(description="event")
    def event_link(self, row: Die) -> SafeString:
        """The event that used it."""
        return link(row.event.type, "games_loggedevent_change", row.event_id)
