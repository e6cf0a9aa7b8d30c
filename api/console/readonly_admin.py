"""What the pages of the table share: nothing is added, changed or deleted there, JSON is laid out to be read."""

import contextlib
import json
import re
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlencode

from django.contrib import admin
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.urls import NoReverseMatch, reverse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from unfold.decorators import display

from api.common.names import names_in, seats_in
from api.console.people_pages import NamingPeople
from games.models import Game, Timer

LINK = "text-primary-600 dark:text-primary-500 hover:underline"
UUID_SHAPE = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
KINDS = (("public", "everybody"), ("gm", "game-masters"), ("server", "nobody"), ("seat", "some seats"))


class ReadingPage(NamingPeople):
    """Rows that only the game's own commands write."""

    list_per_page = 50
    show_full_result_count = False
    list_filter_submit = True

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Never."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Never."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Never."""
        return False


class OfGamePage(ReadingPage):
    """Rows of games: those of one game share it on a page, so that its names are asked once."""

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """The rows with their games."""
        return super().get_queryset(request).prefetch_related("game")

    @display(description="game", ordering="game__name")
    def game_link(self, row: Any) -> SafeString:
        """Its game, as a link."""
        return link(row.game.name, "games_game_change", row.game_id)

    @display(description="audience", ordering="audience")
    def readers(self, row: Any) -> str:
        """Who may read it, seats by name."""
        return readers_in_words(row.audience, row.game)


class AudienceFilter(admin.SimpleListFilter):
    """Rows by who may read them."""

    title = "audience"
    parameter_name = "readers"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Four kinds of audience."""
        return list(KINDS)

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """The rows of the kind; `gm` those of game-masters alone."""
        if self.value() == "seat":
            return queryset.filter(audience__contains="seat:")
        return queryset.filter(audience=self.value()) if self.value() in dict(KINDS) else queryset


def pretty(text: str) -> SafeString:
    """JSON laid out over lines; text that is none as it is."""
    with contextlib.suppress(ValueError):
        text = json.dumps(json.loads(text), indent=2, ensure_ascii=False)
    return format_html(
        '<pre class="whitespace-pre-wrap break-words font-mono text-xs leading-relaxed max-w-4xl">{}</pre>', text
    )


def json_as_lines(text: str) -> SafeString | str:
    """A JSON object as lines of names and values."""
    given: dict[str, Any] = json.loads(text or "{}")
    row = (
        '<div class="flex gap-4 py-0.5"><span class="w-56 text-font-subtle-light dark:text-font-subtle-dark">{}</span>'
        "<span>{}</span></div>"
    )
    return (
        format_html_join("", row, ((name.replace("_", " "), _value_in_words(value)) for name, value in given.items()))
        or "-"
    )


def _value_in_words(value: Any) -> str:
    """A JSON value in words."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(_value_in_words, value)) or "-"
    return "-" if value is None or value == "" else str(value)


def mono(text: object) -> SafeString:
    """An id or digest in characters of one width."""
    return format_html('<code class="font-mono text-xs break-all">{}</code>', text)


def readers_in_words(audience: str, game: Game) -> str:
    """An audience key with the names of its seats."""
    return ", ".join(reader_in_words(reader, game) for reader in audience.split("+"))


def reader_in_words(reader: str, game: Game) -> str:
    """One reader of an audience key, or one owner of a question: a seat by name, or who else it is."""
    kind, _, key = reader.partition(":")
    return seats_in(game).get(key, key) if kind == "seat" else dict(KINDS).get(kind, kind)


def link(text: str, name: str, *args: Any, **query: Any) -> SafeString:
    """A link to a page of the admin; without that page the text alone."""
    try:
        address = reverse(f"admin:{name}", args=args)
    except NoReverseMatch:
        return format_html("{}", text)
    if query:
        address = f"{address}?{urlencode(query)}"
    return format_html(
        '<a class="text-primary-600 dark:text-primary-500 hover:underline" href="{}">{}</a>', address, text
    )


def link_row(links: Iterable[SafeString]) -> SafeString:
    """Links beside each other."""
    return format_html_join("  ·  ", "{}", ((each,) for each in links))


def rows_of(game: Game) -> list[SafeString]:
    """Links to the lists of what a game's ruleset keeps of it, by name."""
    pages = sorted(
        (str(model._meta.verbose_name_plural), str(model._meta.model_name))
        for model in admin.site._registry
        if model._meta.app_label == game.ruleset and any(field.name == "game" for field in model._meta.fields)
    )
    return [link(word, f"{game.ruleset}_{name}_changelist", game__id__exact=game.pk) for word, name in pages]


def moment(at: datetime | None) -> SafeString | str:
    """A time to the second, in UTC, on one line."""
    return one_line(f"{at:%Y-%m-%d %H:%M:%S}") if at else "-"


def one_line(text: str) -> SafeString:
    """A text that is not broken over lines."""
    return format_html('<span class="whitespace-nowrap">{}</span>', text)


def span(length: timedelta) -> str:
    """A length of time in words: `2 h 5 min`, `48 s`, `-3 s` when it is past."""
    seconds = int(length.total_seconds())
    sign, seconds = ("-" if seconds < 0 else ""), abs(seconds)
    days, hours, minutes = seconds // 86400, seconds // 3600 % 24, seconds // 60 % 60
    if days:
        return f"{sign}{days} d {hours} h"
    if hours:
        return f"{sign}{hours} h {minutes} min"
    return f"{sign}{minutes} min {seconds % 60} s" if minutes else f"{sign}{seconds} s"


def about(timer: Timer) -> str:
    """The seat or the question in a timer's key, by name; "" when it is about the game."""
    found = UUID_SHAPE.search(timer.key)
    return names_in(timer.game).get(found[0], "") if found else ""


def short(key: str) -> str:
    """A timer's key with the ids in it cut to eight characters."""
    return UUID_SHAPE.sub(lambda found: f"{found[0][:8]}…", key)


def span_left(seconds: float, *, frozen: bool) -> str:
    """What is left of a deadline in words."""
    left = span(timedelta(seconds=abs(seconds)))
    return f"{left} late" if seconds < 0 else f"{left}, stands still" if frozen else left


def until(due: datetime | None, left: timedelta | None, paused_at: datetime | None) -> str:
    """How long until a deadline; frozen ones keep what is left."""
    if due is None:
        return f"frozen, {span(left)} left" if left is not None else "-"
    if paused_at is not None:
        return f"paused, {span(due - paused_at)} left"
    left = due - timezone.now()
    return f"{span(-left)} late" if left < timedelta(0) else span(left)
