"""The overview: live games, what is due next, games that are parked, and questions that wait for a game-master."""

from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from django.conf import settings
from django.db.models import Count, Q
from django.http import HttpRequest
from django.utils import timezone

from api.console.clocks import parked_games
from api.console.readonly_admin import UUID_SHAPE, link, one_line, span, until
from core.places.routing import in_places_at_hand
from games import registry
from games.engine.bots import PlayBot
from games.engine.game_state import Status
from games.models import Game, Prompt, Seat, Timer

SHOWN = 10
"""Rows of each list; more stand behind its title."""
Rows = list[tuple[Any, list[Any]]]
"""Rows of a list, each with what it is ordered by."""


@dataclass(frozen=True, slots=True)
class Overview:
    """What one place has of the overview: the numbers, and the first rows of each list."""

    numbers: tuple[int, int, int, int]
    games: Rows
    timers: Rows
    parked: Rows
    prompts: Rows


def overview(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """The lists of the overview, for those who may see games: of all places, which are asked one after the other."""
    if not request.user.has_perm("games.view_game"):
        return context
    found = in_places_at_hand(_look)
    live, late, parked, asked = map(sum, zip(*(each.numbers for each in found), strict=True))
    counts = [
        ("Live games", live, "stadia_controller", "games_game_changelist", {}),
        ("Due now", late, "timer", "games_timer_changelist", {"state": "late"}),
        ("Parked games", parked, "warning", "games_game_changelist", {"clock": "parked"}),
        ("Asked of game-masters", asked, "contact_support", "games_prompt_changelist", {}),
    ]
    tables = [
        _table("Live games", ["game", "now", "status", "players", "events"], [each.games for each in found],
               "No game is live."),
        _table("Due next", ["in", "does", "for", "game"], [each.timers for each in found], "Nothing is due."),
        _table("Parked games", ["game", "does", "failures", "last error"], [each.parked for each in found],
               "No game is parked."),
        _table("Asked of game-masters", ["question", "kind", "waits for", "game"], [each.prompts for each in found],
               "No question waits for a game-master."),
    ]  # fmt: skip
    return {**context, "counts": [_count(*c) for c in counts], "tables": tables}


def _look() -> Overview:
    live = Game.objects.exclude(status=Status.FINISHED)
    waiting = Prompt.objects.filter(owners__contains='"gm"')
    numbers = live.count(), _late().count(), parked_games(live).count(), waiting.count()
    return Overview(numbers, _games(live), _timers(), _list_parked(live), _prompts(waiting))


def _table(title: str, headers: list[str], found: list[Rows], none: str) -> dict[str, Any]:
    """The first rows of all places. none: what is said where there is none."""
    rows = sorted((row for rows in found for row in rows), key=itemgetter(0))
    return {"title": title, "table": {"headers": headers, "rows": [row for _, row in rows[:SHOWN]]}, "none": none}


def _count(title: str, number: int, icon: str, page: str, query: dict[str, str]) -> dict[str, Any]:
    return {"title": title, "number": number, "icon": icon, "link": link("show", page, **query)}


def _late() -> Any:
    return Timer.objects.filter(due__lte=timezone.now(), game__paused_at__isnull=True)


def _games(live: Any) -> Rows:
    games = live.annotate(player_count=Count("seats", filter=Q(seats__role="player"))).order_by("-last_at")[:SHOWN]
    return [
        (
            -(game.last_at or game.created_at).timestamp(),
            [
                link(game.name, "games_game_change", game.pk),
                _caption(game),
                "stands still" if game.paused_at else game.get_status_display(),
                game.player_count,
                game.seq,
            ],
        )
        for game in games
    ]


def _caption(game: Game) -> str:
    """Where a game is; a game whose ruleset is not installed says only its slug."""
    if game.ruleset not in registry.folders():
        return game.ruleset
    return f"{registry.ruleset(game.ruleset).title}: {registry.store(game.ruleset).caption(game)}"


def _timers() -> Rows:
    due = Timer.objects.filter(due__isnull=False, game__paused_at__isnull=True).select_related("game")
    due = due.exclude(does=PlayBot.slug())  # of which a game may have ten each second
    shown = list(due.order_by("due")[:SHOWN])
    names = _names(shown)
    return [
        (
            timer.due,
            [
                one_line(until(timer.due, timer.left, None)),
                _does(timer),
                names.get(_about(timer), "-"),
                link(timer.game.name, "games_game_change", timer.game_id),
            ],
        )
        for timer in shown
    ]


def _does(timer: Timer) -> str:
    """What a timer does, in words, as a link to it."""
    where = {"game": str(timer.game_id)} if settings.PLACES else {}  # its number does not say where it lies
    return link(timer.does.replace("-", " "), "games_timer_change", timer.pk, **where)


def _about(timer: Timer) -> str:
    """The id in a timer's key: of a seat, of a question; "" when it is about the game."""
    found = UUID_SHAPE.search(timer.key)
    return found[0] if found else ""


def _names(timers: list[Timer]) -> dict[str, str]:
    """The names of the seats and the kinds of the questions that timers are about."""
    ids = {_about(timer) for timer in timers} - {""}
    named = {str(seat.pk): seat.name for seat in Seat.objects.filter(pk__in=ids)}
    return named | {str(prompt.pk): prompt.kind for prompt in Prompt.objects.filter(pk__in=ids)}


def _list_parked(live: Any) -> Rows:
    failing = Timer.objects.filter(game__in=parked_games(live), failures__gt=0).select_related("game")
    return [
        (
            0,
            [
                link(timer.game.name, "games_game_change", timer.game_id),
                _does(timer),
                timer.failures,
                timer.last_error[:120],
            ],
        )
        for timer in failing[:SHOWN]
    ]


def _prompts(waiting: Any) -> Rows:
    return [
        (
            prompt.opened_at,
            [
                link(prompt.question[:100], "games_prompt_change", prompt.pk),
                prompt.kind,
                span(timezone.now() - prompt.opened_at),
                link(prompt.game.name, "games_game_change", prompt.game_id),
            ],
        )
        for prompt in waiting.select_related("game").order_by("opened_at")[:SHOWN]
    ]
