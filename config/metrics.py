"""`/metrics`: what this process, or all processes that share a folder, have counted; and what is true right now.

The clock and the parked games are asked of the database when somebody looks, so a dead worker cannot hide. With the
database away the rest is reported all the same.
"""

from collections.abc import Callable, Iterator

import structlog
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from api.streams.hub import watchers
from core.places import routing
from games.reads import due_timers, followers
from games.runtime import metrics

KINDS = ("sse", "websocket")
log = structlog.get_logger(__name__)


def oldest_due() -> Iterator[GaugeMetricFamily]:
    """The age of the oldest due timer: one query a place."""
    age = max(routing.in_places_at_hand(due_timers.oldest_due, timezone.now())).total_seconds()
    description = "Age of the oldest due timer of a running game; 0 when none is due."
    yield GaugeMetricFamily("theogony_timer_oldest_due_seconds", description, value=age)


def parked_games() -> Iterator[GaugeMetricFamily]:
    """The games that stand still because a timer failed: one query a place."""
    count = sum(routing.in_places_at_hand(due_timers.parked_game_count))
    description = "Games that stand still because a timer failed three times."
    yield GaugeMetricFamily("theogony_games_parked", description, value=count)


def following() -> Iterator[GaugeMetricFamily]:
    """Webhooks, chat hooks and games that are to be looked at for what happened: three queries a place."""
    places = routing.in_places_at_hand(lambda now: list(followers.followers_behind(now)), timezone.now())
    found = [each for place in places for each in place]
    count = GaugeMetricFamily(
        "theogony_followers_behind", "Followers of logs that are to be looked at, by kind.", labels=["kind"]
    )
    oldest = GaugeMetricFamily(
        "theogony_followers_oldest_seconds",
        "How long the first of them has waited; 0 where none does.",
        labels=["kind"],
    )
    for kind in followers.KINDS:
        of_kind = [each for each in found if each.kind == kind]
        count.add_metric([kind], sum(each.count for each in of_kind))
        oldest.add_metric([kind], max(each.oldest for each in of_kind).total_seconds())
    yield count
    yield oldest


def watching() -> Iterator[GaugeMetricFamily]:
    """The streams that this process holds open."""
    found = watchers()
    family = GaugeMetricFamily("theogony_watchers", "Streams that are open in this process.", labels=["kind"])
    for kind in KINDS:
        family.add_metric([kind], found[kind])
    yield family


class CurrentCounts(Collector):
    """What is true at the moment of the question; what cannot be asked is left out, and the log says so."""

    questions: tuple[Callable[[], Iterator[GaugeMetricFamily]], ...] = (oldest_due, parked_games, following, watching)

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Ask everything."""
        for ask in self.questions:
            try:
                yield from ask()
            except (DatabaseError, LookupError) as away:
                log.warning("metric_unasked", metric=ask.__name__, error=type(away).__name__)


def queried_registry() -> CollectorRegistry:
    """What is asked now. A registry of its own: the counted ones belong to prometheus_client."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(CurrentCounts())
    return registry


@never_cache
@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """The text that Prometheus reads."""
    return HttpResponse(
        generate_latest(metrics.counted_registry()) + generate_latest(queried_registry()),
        content_type=CONTENT_TYPE_LATEST,
    )
