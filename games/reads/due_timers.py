"""What is due, and who stands still, over all games: what a sweep, the watchdog and `/readyz` ask."""

import math
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import Count, Min

from games import registry
from games.engine.timer import MAX_FAILURES
from games.models import Game, Timer


def games_with_due_timers(now: datetime) -> list[UUID]:
    """The running games in which a timer is due, the longest waiting first: one query."""
    due = Timer.objects.filter(due__lte=now, game__paused_at__isnull=True)
    first = due.values_list("game").annotate(first=Min("due")).order_by("first", "game")
    return [game for game, _ in first]


def due_games_in_lists(now: datetime, most: int, most_timers: float = math.inf) -> list[list[UUID]]:
    """As `games_with_due_timers`, in lists of at most so many games; where something that takes long is due, of one.

    most_timers: that are due in a list of several games.
    """
    due = Timer.objects.filter(due__lte=now, game__paused_at__isnull=True)
    kinds = due.values_list("game", "game__ruleset", "does").annotate(first=Min("due"), count=Count("pk"))
    games, slow = dict[UUID, int](), set[UUID]()
    for game, ruleset, does, _, count in kinds.order_by("first", "game"):
        games[game] = games.get(game, 0) + count
        if takes_long(ruleset, does):
            slow.add(game)
    lists, timers = list[list[UUID]](), 0
    for game, count in games.items():
        if game in slow:
            continue
        if not lists or timers + count > most_timers or len(lists[-1]) == most:
            lists, timers = [*lists, []], 0
        lists[-1].append(game)
        timers += count
    return lists + [[game] for game in games if game in slow]


def takes_long(ruleset: str, command: str) -> bool:
    """Whether a command may take more than a moment; so does one that is not known."""
    kind = registry.ruleset(ruleset).commands.get(command)
    return kind is None or kind.takes_long


def oldest_due(now: datetime) -> timedelta:
    """How late the oldest due timer of a running game is; zero when none is due."""
    due = Timer.objects.filter(due__lte=now, game__paused_at__isnull=True).order_by("due").values_list("due", flat=True)
    first = due.first()
    return now - first if first else timedelta(0)


def parked_game_count() -> int:
    """How many games stand still because a timer failed again and again."""
    return Game.objects.filter(paused_at__isnull=False, timers__failures__gte=MAX_FAILURES).distinct().count()
