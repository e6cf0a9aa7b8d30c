"""/metrics: each figure moves when its thing happens, and no figure names a person or a game."""

import asyncio
import re
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
from django.db import DatabaseError
from django.test import Client
from django.utils import timezone
from prometheus_client import CollectorRegistry, multiprocess
from prometheus_client.parser import text_string_to_metric_families

from api.streams.hub import Hub, _hubs
from api.streams.subscribers import MAX_QUEUE, Channel, Ended, Message, Subscriber
from config import exporter
from config import metrics as pages
from core.places import routing
from games import services
from games.engine.errors import Refused
from games.engine.lifecycle.gm_commands import Pause, Resume
from games.models import Timer
from games.reads import due_timers, selectors
from games.runtime import metrics
from games.storage.state_cache import STATE_CACHE
from games.workers import tasks
from tests.games.cairns import NOON, Cairns, table
from tests.test_serve import free_port
from tests.toy.rules.commands import AddStones, BringTide
from worlds.visibility import Visibility

pytestmark = pytest.mark.django_db
OURS = re.compile(r"(# \w+ )?theogony_")
ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}|\b(ann|bob|host|cairns)\b", re.IGNORECASE)


@pytest.fixture
def cairns() -> Cairns:
    return table()


def page() -> str:
    answer = Client().get("/metrics")
    assert answer.status_code == 200
    assert answer["Content-Type"].startswith("text/plain; version=")
    return answer.content.decode()


def figures(text: str | None = None, *, buckets: bool = False) -> dict[tuple[str, ...], float]:
    """Samples of ours on the page: (name, label=value ...) -> figure. buckets: those of histograms, too, the most."""
    lines = [line for line in (page() if text is None else text).splitlines(keepends=True) if OURS.match(line)]
    families = text_string_to_metric_families("".join(line for line in lines if buckets or "_bucket{" not in line))
    samples = [sample for family in families for sample in family.samples]
    return {(s.name, *(f"{name}={value}" for name, value in sorted(s.labels.items()))): s.value for s in samples}


def metric_changes(act: Callable[[], Any]) -> dict[tuple[str, ...], float]:
    """What an act added to the metrics; times and buckets left out."""
    before = figures()
    act()
    left_out = ("_created", "_sum", "_bucket")
    after = {key: value for key, value in figures().items() if not key[0].endswith(left_out) and key != OLDEST}
    return {key: value - before.get(key, 0.0) for key, value in after.items() if value != before.get(key, 0.0)}


def command(name: str, outcome: str) -> tuple[str, ...]:
    return ("theogony_command_seconds_count", f"command={name}", f"outcome={outcome}", "ruleset=toy")


def test_the_page_parses_and_each_figure_stands_on_it_once() -> None:
    families = [family.name for family in text_string_to_metric_families(page())]
    assert sorted(families) == sorted(set(families))
    assert {
        "theogony_timer_oldest_due_seconds", "theogony_sweep_seconds", "theogony_timer_lag_seconds", "theogony_events",
        "theogony_command_seconds", "theogony_watchers", "theogony_watchers_dropped", "theogony_games_parked",
        "theogony_followers_behind", "theogony_followers_oldest_seconds", "theogony_posts",
        "theogony_notification_looks",
    } <= set(families)  # fmt: skip


# --- commands and events ---------------------------------------------------------------------------------------------
@pytest.mark.django_db(transaction=True)
def test_a_command_counts_once_with_its_events() -> None:
    cairns = table()
    found = metric_changes(lambda: cairns.run(AddStones(stones=2), cairns.ann))
    assert found == {command("add-stones", "done"): 1, ("theogony_events_total", "ruleset=toy"): 1}


def test_what_was_refused_replayed_tried_or_broken_counts_apart(
    cairns: Cairns, monkeypatch: pytest.MonkeyPatch
) -> None:
    cairns.run(AddStones(stones=2), cairns.ann, key="once")
    again = metric_changes(lambda: cairns.run(AddStones(stones=2), cairns.ann, key="once"))
    tried = metric_changes(lambda: cairns.run(AddStones(stones=2), cairns.ann, dry_run=True))

    def refuse() -> None:
        with pytest.raises(Refused):
            cairns.run(Pause(reason="because"), cairns.ann)

    def break_down() -> None:
        monkeypatch.setattr(AddStones, "decide", None)
        with pytest.raises(TypeError):
            cairns.run(AddStones(stones=2), cairns.ann)

    assert again == {command("add-stones", "replayed"): 1}
    assert tried == {command("add-stones", "dry_run"): 1}
    assert metric_changes(refuse) == {command("pause", "refused"): 1}
    assert metric_changes(break_down) == {command("add-stones", "failed"): 1}


def test_no_label_names_a_person_or_a_game(cairns: Cairns) -> None:
    cairns.run(AddStones(stones=2), cairns.ann, key="once")
    services.fire_due(cairns.game.pk, NOON + timedelta(seconds=61))
    labels = {part for key in figures(buckets=True) for part in key[1:]}
    assert not [label for label in labels if ID.search(label)]
    assert {label.split("=")[0] for label in labels} == {"ruleset", "command", "outcome", "kind", "le"}


def test_a_metric_that_cannot_be_stored_fails_no_command(cairns: Cairns, monkeypatch: pytest.MonkeyPatch) -> None:
    class Full:
        """As on a disk that is full."""

        def __getattr__(self, name: str) -> Any:
            raise OSError(28, "No space left on device")

    for name in ("COMMANDS", "EVENTS", "TIMER_LAG", "SWEEPS", "DROPPED", "POSTS", "LOOKS"):
        monkeypatch.setattr(metrics, name, Full())
    cairns.run(AddStones(stones=2), cairns.ann)
    assert cairns.types()[-1] == "StonesAdded"
    metrics.events_stand("toy", 1)
    metrics.timer_late_by(1.0)
    metrics.count_dropped_watcher("sse")
    metrics.count_post("webhook", 200, is_success=True)
    metrics.count_look("done")
    tasks.sweep.delay()
    assert "TideCame" in cairns.types()


# --- the clock -------------------------------------------------------------------------------------------------------
OLDEST = ("theogony_timer_oldest_due_seconds",)
PARKED = ("theogony_games_parked",)


def lag_buckets() -> dict[str, float]:
    """How many timers fired at most so late: `le=seconds` -> figure."""
    found = figures(buckets=True).items()
    return {key[1]: value for key, value in found if key[0] == "theogony_timer_lag_seconds_bucket"}


def test_the_oldest_due_timer_ages_until_somebody_fires_it(cairns: Cairns, django_assert_num_queries: Any) -> None:
    Timer.objects.filter(game=cairns.game).update(due=timezone.now() + timedelta(hours=1))
    assert figures()[OLDEST] == 0
    Timer.objects.filter(game=cairns.game).update(due=timezone.now() - timedelta(seconds=100))
    assert 100 <= figures()[OLDEST] < 200
    with django_assert_num_queries(len(routing.every_place())):
        list(pages.oldest_due())
    cairns.run(Pause(reason="lunch"), cairns.gm)
    assert figures()[OLDEST] == 0


@pytest.mark.django_db(transaction=True)
def test_a_sweep_and_the_lag_of_what_it_fires_are_timed() -> None:
    cairns = table('{"tide_seconds": 3600}')
    Timer.objects.filter(game=cairns.game).update(due=timezone.now() - timedelta(seconds=20))
    STATE_CACHE.clear()  # the row was moved behind the service's back
    former = {
        key[1]: value for key, value in figures(buckets=True).items() if key[0] == "theogony_timer_lag_seconds_bucket"
    }
    found = metric_changes(tasks.sweep.delay)
    assert found[("theogony_sweep_seconds_count",)] == 1
    assert found[("theogony_timer_lag_seconds_count",)] == 1
    lags = {
        key[1]: value for key, value in figures(buckets=True).items() if key[0] == "theogony_timer_lag_seconds_bucket"
    }
    assert (lags["le=10.0"] - former["le=10.0"], lags["le=30.0"] - former["le=30.0"]) == (0, 1)


def test_a_game_whose_timer_fails_is_parked_until_it_is_resumed(
    cairns: Cairns, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(self: BringTide, state: object, ctx: object) -> None:
        raise ZeroDivisionError

    cairns.run(Pause(reason="lunch"), cairns.gm)
    assert figures()[PARKED] == 0  # the caller's own decision
    cairns.run(Resume(), cairns.gm)
    with monkeypatch.context() as rules:
        rules.setattr(BringTide, "decide", fail)
        for _ in range(3):
            assert figures()[PARKED] == 0
            services.fire_due(cairns.game.pk, NOON + timedelta(seconds=61))
    assert cairns.fresh().paused_at is not None
    assert figures()[PARKED] == 1
    cairns.run(Resume(), cairns.gm, at=70)
    assert figures()[PARKED] == 0


def test_with_the_database_away_the_other_metrics_are_served(monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*_: object) -> None:
        raise DatabaseError("away")

    monkeypatch.setattr(due_timers, "oldest_due", away)
    monkeypatch.setattr(due_timers, "parked_game_count", away)
    found = figures()
    assert OLDEST not in found and PARKED not in found
    assert ("theogony_watchers", "kind=sse") in found


# --- watchers --------------------------------------------------------------------------------------------------------
class Looking:
    """StreamViewer to a game in which nothing happens."""

    game, ruleset, visibility = None, "", Visibility()


async def test_a_watcher_counts_while_it_watches_and_one_that_is_cut_counts_as_dropped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hub = Hub()

    async def ask(*_: object, **__: object) -> Any:
        return selectors.EventPage([], "", "", more=False), 0, None

    async def begin(channel: Channel) -> None:
        channel.cursor = ""

    monkeypatch.setattr(hub, "ask", ask)
    monkeypatch.setattr(hub, "_begin", begin)
    loop = asyncio.get_running_loop()
    _hubs[loop] = hub
    stream = hub.follow(Looking(), "", 0.01, kind="sse")  # type: ignore[arg-type]
    assert await anext(stream) is None  # a heartbeat: it watches
    assert watching() == {"sse": 1, "websocket": 0}
    watcher: Subscriber = next(iter(next(iter(hub.channels.values())).watchers))
    before = metrics.DROPPED.labels("sse")._value.get()
    for number in range(MAX_QUEUE + 1):
        watcher.put(Message(None, number))  # type: ignore[arg-type]
    with pytest.raises(Ended, match=r"reader\.slow"):
        await anext(stream)
    assert watching() == {"sse": 0, "websocket": 0}
    assert metrics.DROPPED.labels("sse")._value.get() - before == 1


def watching() -> dict[str, float]:
    (family,) = pages.watching()
    return {sample.labels["kind"]: sample.value for sample in family.samples}


# --- many processes --------------------------------------------------------------------------------------------------
def test_the_worker_opens_its_own_door_and_a_taken_port_stops_no_timer(monkeypatch: pytest.MonkeyPatch) -> None:
    with metrics.sweeping():
        port = free_port()
    server = exporter.open_port(port)
    assert server is not None
    try:
        with urlopen(f"http://127.0.0.1:{port}/metrics", timeout=240) as answer:
            assert figures(answer.read().decode())[("theogony_sweep_seconds_count",)] >= 1
        assert exporter.open_port(port) is None
    finally:
        server.shutdown()
        server.server_close()


def test_processes_that_share_a_folder_are_read_together(tmp_path: Path, settings: Any) -> None:
    assert metrics.counted_registry() is not None
    settings.METRICS_DIR = str(tmp_path)
    shared = metrics.counted_registry()
    assert isinstance(shared, CollectorRegistry)
    (collector,) = shared._collector_to_names
    assert isinstance(collector, multiprocess.MultiProcessCollector)
