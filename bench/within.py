"""What is measured from within the service, and what is prepared for the rest: one job in a process of its own.

    python bench/within.py JOB [ARGUMENT ...]        prints its result as the last line of standard output, in JSON

The environment says which database; nothing here is asserted, the tests hold query counts.
"""

import asyncio
import cProfile
import gc
import itertools
import json
import pstats
import statistics
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import django

django.setup()

# isort: split
from django.conf import settings  # noqa: E402  (Django must be set up first)
from django.core.management import call_command  # noqa: E402
from django.db import connection, transaction  # noqa: E402
from django.test import Client  # noqa: E402
from django.utils import timezone  # noqa: E402

from accounts import services as accounts  # noqa: E402
from accounts.models import Scope, User  # noqa: E402
from api.door import incoming, writers  # noqa: E402
from api.door.queue import Batch  # noqa: E402
from bench.evening import evening  # noqa: E402
from bench.followers import happen, subscribe  # noqa: E402
from bench.seats import looks  # noqa: E402
from bench.smithy import smithy  # noqa: E402
from config.process.gc_tuning import freeze  # noqa: E402
from core.places import routing  # noqa: E402
from games import registry, services  # noqa: E402
from games.engine.kernel import CLOCK, Actor, Event, Issuer, apply_events  # noqa: E402
from games.engine.lifecycle.gm_commands import Start  # noqa: E402
from games.engine.lifecycle.seating import AddSeat, HandOver  # noqa: E402
from games.engine.prompts.questions import ask_row  # noqa: E402
from games.engine.timer import TimerSet  # noqa: E402
from games.gods2.rules.century.commands import OpenSession  # noqa: E402
from games.gods2.rules.effects.events import TaskOpened  # noqa: E402
from games.gods2.rules.gm_desk.commands import SettleTask  # noqa: E402
from games.gods2.rules.history.commands import NamePlace  # noqa: E402
from games.gods2.rules.state.questions import Asked  # noqa: E402
from games.models import Game, LoggedEvent, Seat, Timer  # noqa: E402
from games.reads import selectors  # noqa: E402
from games.runtime import clock, session  # noqa: E402
from games.storage import log  # noqa: E402
from games.storage.state_cache import STATE_CACHE  # noqa: E402
from games.workers import demo  # noqa: E402
from tests.api.bombs import BOMBS  # noqa: E402
from worlds.models import City  # noqa: E402
from worlds.visibility import Visibility  # noqa: E402

LONG_CENTURY = 7200  # seconds: no timer of a game's own comes due while it is measured
WATCHERS = 250
BATCH = 16  # commands that the door plays at once
TOP = 30
OWN_BYTES = "SELECT sum(pg_column_size(e)) FROM games_loggedevent e WHERE game_id = %s"
"""Of the rows of a game's log, without their indexes."""


# --- what is prepared ------------------------------------------------------------------------------------------------
def prepare(games: str) -> dict[str, Any]:
    """So many demo games, none of them with bots, led by one person; and people who only watch."""
    call_command("prepare")
    gm = User.objects.create_user("bench-gm", password=None)
    script = demo.registry.demo("gods2")
    opened = [_open_game(script, gm, f"Earth {number}") for number in range(int(games))]
    watchers = User.objects.bulk_create(User(username=f"watcher-{n}", password="!") for n in range(WATCHERS))
    return {
        "gm": accounts.mint_token(gm, "bench", scopes=tuple(Scope))[1],
        "watchers": [accounts.mint_token(user, "bench")[1] for user in watchers],
        "games": [str(game.pk) for game in opened],
        "worlds": [str(game.world_id) for game in opened],
        "cities": [str(_city(game)) for game in opened],
    }


def _open_game(script: Any, gm: User, name: str) -> Game:
    options = script.options(60).model_copy(update={"century_seconds": LONG_CENTURY})
    game = services.open_game("gods2", name, user=gm.pk, options=options.model_dump_json())
    with routing.at(game.pk):
        return _begin(script, options, gm, game)


def _begin(script: Any, options: Any, gm: User, game: Game) -> Game:
    host, leader = (Actor(Issuer(role), gm.pk, Seat.objects.get(game=game, role=role).pk) for role in ("host", "gm"))
    for god, _ in script.players():
        services.run(game.pk, AddSeat(name=god), actor=host)
    seats = dict(Seat.objects.filter(game=game).values_list("name", "pk"))
    for _, command in script.commands(seats, options):
        services.run(game.pk, command, actor=host)
    services.run(game.pk, Start(), actor=host)
    services.run(game.pk, OpenSession(), actor=leader)
    return Game.objects.get(pk=game.pk)


def _city(game: Game) -> UUID:
    """The city that is named again and again."""
    with routing.at(game.pk):
        return City.objects.filter(race__world=game.world_id).order_by("id").values_list("pk", flat=True)[0]


def set_timers(each: str, seconds: str) -> dict[str, Any]:
    """Set so many timers in every game, all due at one moment, some seconds from now; each voids a task."""
    due, games = timezone.now() + timedelta(seconds=float(seconds)), list(Game.objects.order_by("pk"))
    for game in games:
        with transaction.atomic():
            table = session.lock([game.pk])[game.pk]
            ctx = session.context_of(table, timezone.now(), CLOCK)
            opened: list[Event] = []
            for n in range(int(each)):
                task, words = uuid4(), f"At {due:%H:%M:%S}"
                opened += [
                    TaskOpened(task=task, words=words),
                    *ask_row(table.state, ctx, Asked.TASK, task, words=words),
                ]
                opened.append(TimerSet.of(f"bench:{due:%H%M%S}:{n}", due, SettleTask(task=task)))
            session.commit_events(table, apply_events(table.state, opened, ctx), cause="bench")
    spare = (due - timezone.now()).total_seconds()
    return {"due": due.timestamp(), "spare": spare, "mark": f"bench:{due:%H%M%S}:", "timers": len(games) * int(each)}


def timer_counts(mark: str) -> dict[str, int]:
    """How often the timers of a mark fired by the log, and how many of them still stand."""
    bodies = LoggedEvent.objects.filter(type="TimerFired").values_list("body", flat=True)
    ours = sum(json.loads(body)["key"].startswith(mark) for body in bodies)
    voided = LoggedEvent.objects.filter(type="TaskVoided", cause__startswith=mark).count()
    return {"fired": ours, "did": voided, "left": Timer.objects.filter(key__startswith=mark).count()}


# --- what is measured from within ------------------------------------------------------------------------------------
@contextmanager
def statements() -> Iterator[list[float]]:
    """The seconds of each statement that is sent to the database meanwhile."""
    took: list[float] = []

    def time_statement(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        begun = time.perf_counter()
        try:
            return execute(sql, params, many, context)
        finally:
            took.append(time.perf_counter() - begun)

    with connection.execute_wrapper(time_statement):
        yield took


def median_ms(work: Callable[[], object], rounds: int) -> float:
    """The median time of some rounds, in milliseconds."""
    times = []
    for _ in range(rounds):
        begun = time.perf_counter()
        work()
        times.append((time.perf_counter() - begun) * 1000)
    return statistics.median(times)


def _print_profile(name: str, work: Callable[[], object], rounds: int) -> None:
    """Print where the time of some rounds goes."""
    profile = cProfile.Profile()
    profile.enable()
    for _ in range(rounds):
        work()
    profile.disable()
    print(f"--- {name}: {rounds} rounds, by own time")
    stats = pstats.Stats(profile, stream=sys.stdout)
    stats.sort_stats("tottime").print_stats(TOP)
    stats.sort_stats("cumulative").print_stats(TOP)


def commands(token: str, rounds: str, profile: str = "") -> dict[str, Any]:
    """One command again and again: through `services.run`, and through the whole of Django without a server."""
    game = Game.objects.order_by("pk")[0]
    city, asked = _city(game), iter(range(10**6))
    gm = Actor(Issuer.GM, game.opened_by_id, Seat.objects.get(game=game, role="gm").pk)
    settings.ALLOWED_HOSTS = ["testserver"]
    client, headers = Client(), {"authorization": f"Bearer {token}"}

    def run() -> None:
        number = next(asked)
        name = NamePlace(kind="city", subject=city, name=f"City {number}")
        services.run(game.pk, name, actor=gm, key=f"within-{number}")

    def post() -> None:
        number = next(asked)
        answer = client.post(
            f"/api/v1/games/{game.pk}/commands/name-place/?as=gm",
            {"kind": "city", "subject": str(city), "name": f"City {number}"},
            content_type="application/json",
            headers=headers | {"idempotency-key": f"within-{number}"},
        )
        if answer.status_code != 201:
            raise RuntimeError(f"{answer.status_code}: {answer.content!r}")

    def one_query() -> None:
        Game.objects.filter(pk=game.pk).values_list("seq").get()

    loop, cities = asyncio.new_event_loop(), [(each.pk, _city(each)) for each in Game.objects.order_by("pk")[:BATCH]]

    def door(games: Sequence[tuple[UUID, UUID]]) -> None:
        """A command each, as the door plays what has come in."""
        batch: dict[UUID, list[incoming.Incoming]] = {}
        for game_id, subject in games:
            number = next(asked)
            body = json.dumps({"kind": "city", "subject": str(subject), "name": f"City {number}"}).encode()
            sent = headers | {
                "idempotency-key": f"within-{number}",
                "host": "testserver",
                "content-length": str(len(body)),
            }
            scope = {
                "type": "http", "method": "POST", "path": f"/api/v1/games/{game_id}/commands/name-place/",
                "query_string": b"as=gm", "client": ("127.0.0.1", 1), "server": ("testserver", 80), "scheme": "http",
                "headers": [(k.encode(), v.encode()) for k, v in sent.items()],
            }  # fmt: skip
            found = incoming.incoming(scope, body, loop)
            if found is None:
                raise RuntimeError("the door does not take it")
            batch.setdefault(game_id, []).append(found)
        answered = writers.play(Batch(batch)).answered
        if wrong := [each for _, each in answered if each is None or each.status != 201]:
            raise RuntimeError(f"not taken: {wrong[0] and wrong[0].body!r}")

    def play_cold() -> None:
        """The same where the state is not in this process."""
        STATE_CACHE.clear()
        door(cities[:1])

    batches = {"door, one game": [cities[0]] * BATCH, f"door, {BATCH} games": cities}
    post()  # the process knows whose token it is
    found: dict[str, Any] = {"one query": {"ms": median_ms(one_query, int(rounds))}}
    works: dict[str, Callable[[], None]] = {"run": run, "post": post}
    works |= {"door, alone": partial(door, cities[:1]), "door, cold": play_cold}
    works |= {name: partial(door, games) for name, games in batches.items()}
    for name, work in works.items():
        for _ in range(10):
            work()
        with statements() as sent:
            work()
        found[name] = {"ms": median_ms(work, int(rounds)), "statements": len(sent)}
        if profile:
            _print_profile(name, work, int(rounds))
    return found


def loads() -> dict[str, Any]:
    """The demo Earth with its bots: opened, loaded, played for a century, folded."""
    call_command("migrate", interactive=False, verbosity=0)
    game = Game.objects.get(pk=demo.prepare("gods2")["game"])
    store = registry.store(game.ruleset)
    found: dict[str, Any] = {
        "vendor": connection.vendor,
        "one query": median_ms(lambda: Game.objects.filter(pk=game.pk).values_list("seq").get(), 50),
        "load": median_ms(lambda: store.load(game), 9),
        "state for a stranger": median_ms(lambda: selectors.state_for(game, Visibility.nobody()), 9),
        "100 events": median_ms(lambda: selectors.events_for(game, Visibility.nobody()), 9),
    }
    with statements() as sent:
        store.load(game)
    found["load statements"] = len(sent)
    found["century"] = _century(game)
    game.refresh_from_db()
    found["fold"], found["events"] = median_ms(lambda: log.fold(game), 3), game.seq
    tracemalloc.start()
    state = store.load(game)
    found["kept bytes"] = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    del state
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(OWN_BYTES, [game.pk])
            found["log bytes"] = cursor.fetchone()[0]
    return found


def states(wanted: str) -> dict[str, float]:
    """So many games in play as a door has them: what they add to its memory, and how long a full collection takes.

    Those that are prepared, loaded again and again: a state shares nothing with another.
    """
    games = [(registry.store(game.ruleset), game) for game in Game.objects.order_by("pk")]
    for store, game in games:
        store.load(game)
    freeze()
    before, found = _resident_megabytes(), dict[str, float]()
    kept = [store.load(game) for store, game in itertools.islice(itertools.cycle(games), int(wanted))]
    found["mb"] = _resident_megabytes() - before
    found["collection ms"] = median_ms(gc.collect, 5)
    del kept[settings.KEPT_GAMES :]
    found["kept"], found["kept collection ms"] = len(kept), median_ms(gc.collect, 5)
    return found


def _resident_megabytes() -> float:
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmRSS")).split()[1]) / 1024


def _century(game: Game) -> dict[str, Any]:
    """From the next century's opening to the one after: seconds in all, in the database, in the rules."""
    ruled = 0.0
    plain = clock.apply_events

    def time_rules(*arguments: Any, **more: Any) -> Any:
        nonlocal ruled
        begun = time.perf_counter()
        try:
            return plain(*arguments, **more)
        finally:
            ruled += time.perf_counter() - begun

    def century() -> int:
        return int(Game.objects.values_list("gods2_era__century", flat=True).get(pk=game.pk))

    def play_until(wanted: int) -> int:
        fires = 0
        while century() < wanted:
            timer = Timer.objects.filter(game=game, due__isnull=False).order_by("due")[0]
            fires += services.fire_due(game.pk, now=timer.due)
        return fires

    play_until(century() + 1)
    before = Game.objects.values_list("seq", flat=True).get(pk=game.pk)
    clock.apply_events = time_rules  # what the rules cost is seen from here alone
    STATE_CACHE.clear()
    try:
        with statements() as sent:
            begun = time.perf_counter()
            fires = play_until(century() + 1)
            wall = time.perf_counter() - begun
    finally:
        clock.apply_events = plain
    after = Game.objects.values_list("seq", flat=True).get(pk=game.pk)
    return {
        "wall": wall, "database": sum(sent), "rules": ruled, "statements": len(sent), "timers": fires,
        "events": after - before, "seconds": settings.DEMO_STEP_SECONDS,
    }  # fmt: skip


def seats(count: str, events: str) -> dict[str, Any]:
    """What the pages of so many players of the first game ask for after each of so many public events."""
    game = Game.objects.order_by("pk")[0]
    host = Actor(Issuer.HOST, game.opened_by_id, Seat.objects.get(game=game, role="host").pk)
    held = Seat.objects.filter(game=game, role="player").count()
    for number in range(held, int(count)):
        services.run(game.pk, AddSeat(name=f"God {number}"), actor=host)
    clients = {}
    for number, seat in enumerate(Seat.objects.filter(game=game, role="player")):
        player = User.objects.create_user(f"bench-seat-{number}", password=None)
        services.run(game.pk, HandOver(seat=seat.pk, user=player.pk, reason="measured"), actor=host)
        path = f"/games/{game.pk}/seats/{seat.pk}/"
        clients[path] = Client(headers={"HX-Request": "true"}, SERVER_NAME="localhost")
        clients[path].force_login(player)
    named, city = itertools.count(), _city(game)
    leader = Actor(Issuer.GM, game.opened_by_id, Seat.objects.get(game=game, role="gm").pk)

    def happen() -> None:
        named_city = NamePlace(kind="city", subject=city, name=f"City {next(named)}")
        services.run(game.pk, named_city, actor=leader)

    return looks(clients, happen, int(events))


def bombs() -> dict[str, Any]:
    """How long the processor works to refuse each GraphQL bomb, in milliseconds, and with what status."""
    call_command("migrate", interactive=False, verbosity=0)
    client = Client(headers={"Accept": "application/graphql-response+json"}, SERVER_NAME="localhost")
    found = {}
    for name, body in BOMBS.items():
        raw, times, status = json.dumps(body), [], 0
        for _ in range(7):
            begun = time.process_time()
            status = client.post("/graphql/", raw, content_type="application/json").status_code
            times.append((time.process_time() - begun) * 1000)
        found[name] = [status, statistics.median(times[2:]), len(raw)]
    return found


JOBS: dict[str, Callable[..., Any]] = {
    "bombs": bombs,
    "prepare": prepare,
    "set-timers": set_timers,
    "fired": timer_counts,
    "commands": commands,
    "loads": loads,
    "states": states,
    "evening": evening,
    "smithy": smithy,
    "seats": seats,
    "subscribe": subscribe,
    "happen": happen,
}

if __name__ == "__main__":
    report = JOBS[sys.argv[1]](*sys.argv[2:])
    print(json.dumps(report))
