"""What is due, and who stands still, over all games: what a sweep, the watchdog and `/readyz` ask."""

import math
from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple
from uuid import UUID

from django.db.models import Count, Min

from games import registry
from games.engine.timer import MAX_FAILURES
from games.models import Game, Timer

TENTH, CLOCK_SLIP = timedelta(milliseconds=100), timedelta(milliseconds=20)
MOST_AHEAD = 2_000
"""Moments of games that a look takes at most."""


def games_with_due_timers(now: datetime) -> list[UUID]:
    """The running games in which a timer is due, the longest waiting first: one query."""
    due = Timer.objects.filter(due__lte=now, game__paused_at__isnull=True)
    first = due.values_list("game").annotate(first=Min("due")).order_by("first", "game")
    return [game for game, _ in first]


class Tick(NamedTuple):
    """Games whose timers are fired together, and when; `at` is None where something is due already."""

    games: list[UUID]
    at: datetime | None = None


Kind = tuple[UUID, str, str, int]
"""A game, its ruleset, a command that timers of it issue, how many these are."""


def ticks(now: datetime, ahead: timedelta, most: int, most_timers: float = math.inf) -> list[Tick]:
    """What is due, the longest waiting first, then what falls due within `ahead`: two queries.

    Games in which timers fall due in the same tenth of a second are fired at its end; where they are very many,
    the next look finds the rest. most, most_timers: as for `due_games_in_lists`.
    """
    moments = defaultdict[datetime, list[Kind]](list)
    coming = Timer.objects.filter(due__gt=now, due__lte=now + ahead, game__paused_at__isnull=True)
    kinds = coming.values_list("game", "game__ruleset", "does", "due").annotate(count=Count("pk"))
    for game, ruleset, does, due, count in kinds.order_by("due", "game")[:MOST_AHEAD]:
        if due is not None:
            moments[_end_of_tenth(due)].append((game, ruleset, does, count))
    return [
        *(Tick(games) for games in due_games_in_lists(now, most, most_timers)),
        *(Tick(games, at) for at, found in moments.items() for games in _in_lists(found, most, most_timers)),
    ]


def due_games_in_lists(now: datetime, most: int, most_timers: float = math.inf) -> list[list[UUID]]:
    """As `games_with_due_timers`, in lists of at most so many games; where something that takes long is due, of one.

    most_timers: that are due in a list of several games.
    """
    due = Timer.objects.filter(due__lte=now, game__paused_at__isnull=True)
    kinds = due.values_list("game", "game__ruleset", "does").annotate(first=Min("due"), count=Count("pk"))
    found = [(game, ruleset, does, count) for game, ruleset, does, _, count in kinds.order_by("first", "game")]
    return _in_lists(found, most, most_timers)


def _end_of_tenth(moment: datetime) -> datetime:
    """The end of a moment's tenth of a second, and a little more: a clock may run two hundredths ahead."""
    tenths = math.floor(moment.microsecond / TENTH.microseconds) + 1
    return moment.replace(microsecond=0) + tenths * TENTH + CLOCK_SLIP


def _in_lists(kinds: Sequence[Kind], most: int, most_timers: float) -> list[list[UUID]]:
    """Their games in lists."""
    games, slow = dict[UUID, int](), set[UUID]()
    for game, ruleset, does, count in kinds:
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
