"""Games by their clocks: those that run, stand still, or are parked after failures."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from games.engine.game_state import Status
from games.models import Game


class PausedFilter(admin.SimpleListFilter):
    """Games whose clock stands still, and those whose clock runs."""

    title = "clock"
    parameter_name = "clock"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """The three choices."""
        return [("runs", "runs"), ("paused", "stands still"), ("parked", "parked after failures")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """The games of the choice."""
        if self.value() == "runs":
            return queryset.filter(status__in=(Status.SETUP, Status.RUNNING), paused_at__isnull=True)
        if self.value() == "paused":
            return queryset.filter(paused_at__isnull=False)
        return parked_games(queryset) if self.value() == "parked" else queryset


def parked_games(games: QuerySet[Game]) -> QuerySet[Game]:
    """Games that stand still because something due has failed."""
    return games.filter(paused_at__isnull=False, timers__failures__gt=0).distinct()
