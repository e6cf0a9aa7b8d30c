"""The overview: live games, what is due next, games that are parked, and questions that wait for a game-master."""

from typing import Any

from django.db.models import Count, Q
from django.http import HttpRequest
from django.utils import timezone

from api.console.clocks import parked_games
from api.console.readonly_admin import UUID_SHAPE, link, one_line, span, until
from games import registry
from games.engine.bots import PlayBot
from games.engine.game_state import Status
from games.models import Game, Prompt, Seat, Timer

SHOWN = 10
"""Rows of each list; more stand behind its title."""


def overview(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """The lists of the overview, for those who may see games."""
    if not request.user.has_perm("games.view_game"):
        return context
    live = Game.objects.exclude(status=Status.FINISHED)
    waiting = Prompt.objects.filter(owners__contains='"gm"')
    counts = [
        ("Live games", live.count(), "stadia_controller", "games_game_changelist", {}),
        ("Due now", _late().count(), "timer", "games_timer_changelist", {"state": "late"}),
        ("Parked games", parked_games(live).count(), "warning", "games_game_changelist", {"clock": "parked"}),
        ("Asked of game-masters", waiting.count(), "contact_support", "games_prompt_changelist", {}),
    ]
    tables = [_games(live), _timers(), _parked_list(live), _prompts(waiting)]
    return {**context, "counts": [_count(*c) for c in counts], "tables": tables}


def _count(title: str, number: int, icon: str, page: str, query: dict[str, str]) -> dict[str, Any]:
    return {"title": title, "number": number, "icon": icon, "link": link("show", page, **query)}


def _late() -> Any:
    return Timer.objects.filter(due__lte=timezone.now(), game__paused_at__isnull=True)


def _games(live: Any) -> dict[str, Any]:
    games = live.annotate(player_count=Count("seats", filter=Q(seats__role="player"))).order_by("-last_at")[:SHOWN]
    rows = [
        [
            link(game.name, "games_game_change", game.pk),
            _caption(game),
            "stands still" if game.paused_at else game.get_status_display(),
            game.player_count,
            game.seq,
        ]
        for game in games
    ]
    headers = ["game", "now", "status", "players", "events"]
    return {"title": "Live games", "table": {"headers": headers, "rows": rows}, "none": "No game is live."}


def _caption(game: Game) -> str:
    """Where a game is; a game whose ruleset is not installed says only its slug."""
    if game.ruleset not in registry.folders():
        return game.ruleset
    return f"{registry.ruleset(game.ruleset).title}: {registry.store(game.ruleset).caption(game)}"


def _timers() -> dict[str, Any]:
    due = Timer.objects.filter(due__isnull=False, game__paused_at__isnull=True).select_related("game")
    due = due.exclude(does=PlayBot.slug())  # of which a game may have ten each second
    shown = list(due.order_by("due")[:SHOWN])
    names = _names(shown)
    rows = [
        [
            one_line(until(timer.due, timer.left, None)),
            _does(timer),
            names.get(_about(timer), "-"),
            link(timer.game.name, "games_game_change", timer.game_id),
        ]
        for timer in shown
    ]
    table = {"headers": ["in", "does", "for", "game"], "rows": rows}
    return {"title": "Due next", "table": table, "none": "Nothing is due."}


def _does(timer: Timer) -> str:
    """What a timer does, in words, as a link to it."""
    return link(timer.does.replace("-", " "), "games_timer_change", timer.pk)


def _about(timer: Timer) -> str:
    """The id in a timer's key: of a seat, of a question; "" when it is about the game."""
    found = UUID_SHAPE.search(timer.key)
    return found[0] if found else ""


def _names(timers: list[Timer]) -> dict[str, str]:
    """The names of the seats and the kinds of the questions that timers are about."""
    ids = {_about(timer) for timer in timers} - {""}
    named = {str(seat.pk): seat.name for seat in Seat.objects.filter(pk__in=ids)}
    return named | {str(prompt.pk): prompt.kind for prompt in Prompt.objects.filter(pk__in=ids)}


def _parked_list(live: Any) -> dict[str, Any]:
    rows = [
        [
            link(timer.game.name, "games_game_change", timer.game_id),
            _does(timer),
            timer.failures,
            timer.last_error[:120],
        ]
        for timer in Timer.objects.filter(game__in=parked_games(live), failures__gt=0).select_related("game")[:SHOWN]
    ]
    table = {"headers": ["game", "does", "failures", "last error"], "rows": rows}
    return {"title": "Parked games", "table": table, "none": "No game is parked."}


def _prompts(waiting: Any) -> dict[str, Any]:
    rows = [
        [
            link(prompt.question[:100], "games_prompt_change", prompt.pk),
            prompt.kind,
            span(timezone.now() - prompt.opened_at),
            link(prompt.game.name, "games_game_change", prompt.game_id),
        ]
        for prompt in waiting.select_related("game").order_by("opened_at")[:SHOWN]
    ]
    table = {"headers": ["question", "kind", "waits for", "game"], "rows": rows}
    return {"title": "Asked of game-masters", "table": table, "none": "No question waits for a game-master."}
