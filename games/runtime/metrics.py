"""What the service counts and times as it works, for Prometheus. What is asked when somebody looks: config.metrics.

Labels are names of rulesets, of commands and of outcomes, each out of a list: never an id, never a person. A number
that cannot be stored is reported in the log and fails nobody's command.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter

import structlog
from django.conf import settings
from prometheus_client import REGISTRY, CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.multiprocess import MultiProcessCollector

from games import registry
from games.engine.kernel import Command

OTHER = "other"
log = structlog.get_logger(__name__)

COMMANDS = Histogram(
    "theogony_command_seconds",
    "Commands by ruleset, name and outcome (done, refused, replayed, dry_run, failed), and how long each took.",
    ["ruleset", "command", "outcome"],
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0),
)
EVENTS = Counter("theogony_events", "Events written and committed.", ["ruleset"])
TIMER_LAG = Histogram(
    "theogony_timer_lag_seconds",
    "How much later than due a timer was fired.",
    buckets=(0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 300.0, 3600.0),
)
SWEEPS = Histogram(
    "theogony_sweep_seconds",
    "Looks for games in which something is due, and how long each took. None for a while: beat or workers are gone.",
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0),
)
WAITING = Gauge(
    "theogony_commands_waiting",
    "Commands that wait at the door of a process.",
    multiprocess_mode="livesum",
)
DROPPED = Counter("theogony_watchers_dropped", "Watchers that were cut because they read too slowly.", ["kind"])
POSTS = Counter(
    "theogony_posts",
    "Attempts to post to webhooks and chat hooks (kind): taken, refused (another status), unanswered.",
    ["kind", "outcome"],
)
LOOKS = Counter("theogony_notification_looks", "Games looked through for notifications: done, failed.", ["outcome"])

DIFFERING = Counter("theogony_states_differ", "Cached states that were not what the rows of their game say.")


def counted_registry() -> CollectorRegistry:
    """What was counted: by this process alone, or by every process that shares PROMETHEUS_MULTIPROC_DIR."""
    if not settings.METRICS_DIR:
        return REGISTRY
    shared = CollectorRegistry()
    MultiProcessCollector(shared, path=settings.METRICS_DIR)
    return shared


@contextmanager
def forgiving(what: str) -> Iterator[None]:
    """What fails within is logged and goes no further: to be observed must hurt nobody."""
    try:
        yield
    except Exception:
        log.exception("metric_lost", metric=what)


def label_of(ruleset: str) -> str:
    """The ruleset as a label."""
    return ruleset if ruleset in registry.folders() else OTHER


def name_of(ruleset: str, command: Command) -> str:
    """The command as a label: its slug where the ruleset lists it."""
    slug = command.slug()
    known = label_of(ruleset) != OTHER and slug in registry.ruleset(ruleset).commands
    return slug if known else OTHER


def command_took(ruleset: str, command: Command, outcome: str, seconds: float) -> None:
    """A command has ended."""
    with forgiving("theogony_command_seconds"):
        COMMANDS.labels(label_of(ruleset), name_of(ruleset, command), outcome).observe(seconds)


def events_stand(ruleset: str, count: int) -> None:
    """Events were committed."""
    with forgiving("theogony_events_total"):
        EVENTS.labels(label_of(ruleset)).inc(count)


def timer_late_by(seconds: float) -> None:
    """A timer was fired so much later than due."""
    with forgiving("theogony_timer_lag_seconds"):
        TIMER_LAG.observe(max(0.0, seconds))


def commands_waiting(count: int) -> None:
    """So many commands wait at this process's door."""
    with forgiving("theogony_commands_waiting"):
        WAITING.set(count)


def count_dropped_watcher(kind: str) -> None:
    """A watcher of this kind (sse, websocket) was cut."""
    with forgiving("theogony_watchers_dropped_total"):
        DROPPED.labels(kind).inc()


def count_post(kind: str, status: int | None, *, is_success: bool) -> None:
    """Something was posted to a receiver of this kind (webhook, chat_hook, push). status: of its answer, if any."""
    with forgiving("theogony_posts_total"):
        POSTS.labels(kind, "taken" if is_success else "refused" if status else "unanswered").inc()


def count_look(outcome: str) -> None:
    """A game was looked through for notifications (done), or could not be (failed)."""
    with forgiving("theogony_notification_looks_total"):
        LOOKS.labels(outcome).inc()


def count_differing_state() -> None:
    """A cached state was not what its rows say."""
    with forgiving("theogony_states_differ_total"):
        DIFFERING.inc()


@contextmanager
def sweeping() -> Iterator[None]:
    """The time of one sweep, whatever comes of it."""
    begin = perf_counter()
    try:
        yield
    finally:
        with forgiving("theogony_sweep_seconds"):
            SWEEPS.observe(perf_counter() - begin)
