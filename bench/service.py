"""What a century costs: the demo Earth through the one writer, on whatever database is configured.

Prints medians and ratios, never one absolute time: `make bench`. Nothing here is asserted; the tests hold query counts.
"""

import os
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import django

FOLDER = TemporaryDirectory(prefix="theogony-bench-")
os.environ.update(DATA_DIR=FOLDER.name, DEBUG="1", DEMO="1", DJANGO_SETTINGS_MODULE="config.settings")
sys.path.insert(0, str(Path(__file__).parent.parent))
django.setup()

# isort: split
from django.core.management import call_command  # noqa: E402  (Django must be set up first)
from django.db import connection  # noqa: E402

from games import demo, log, registry, selectors, services  # noqa: E402
from games.engine.conduct import Pause, Resume  # noqa: E402
from games.engine.kernel import Actor, Issuer  # noqa: E402
from games.models import Game, Seat, Timer  # noqa: E402
from worlds.sight import Sight  # noqa: E402

ROUNDS = 5


def median_ms(work: Callable[[], object], rounds: int = ROUNDS) -> float:
    """The median time of some rounds, in milliseconds."""
    times = []
    for _ in range(rounds):
        begun = time.perf_counter()
        work()
        times.append((time.perf_counter() - begun) * 1000)
    return statistics.median(times)


def report(rows: list[tuple[str, float]], base: float) -> None:
    """A table of medians with their ratio to the first."""
    print(f"{'what':<46}{'median ms':>12}{'ratio':>9}")
    for name, value in rows:
        print(f"{name:<46}{value:>12.2f}{value / base:>9.2f}")


def main() -> None:
    """Open a demo event in a folder of its own, play it, and measure as it goes."""
    call_command("migrate", verbosity=0)
    game = Game.objects.get(pk=demo.prepare()["game"])
    store = registry.store(game.ruleset)
    gm = Actor(Issuer.GM, None, Seat.objects.get(game=game, role="gm").pk)

    def one_query() -> None:
        Game.objects.filter(pk=game.pk).values_list("seq").get()

    def fire_next() -> None:
        timer = Timer.objects.filter(game=game, due__isnull=False).order_by("due").first()
        if timer is not None:
            services.fire_due(game.pk, now=timer.due)

    def stop_and_go() -> None:
        now = Game.objects.get(pk=game.pk).last_at
        services.run(game.pk, Pause(reason="bench"), actor=gm, now=now)
        services.run(game.pk, Resume(), actor=gm, now=now)

    base = median_ms(one_query, 50)
    rows = [
        ("one query by key", base),
        ("two commands (pause, resume)", median_ms(stop_and_go)),
        ("a timer fires", median_ms(fire_next, 40)),
        ("load the state from rows", median_ms(lambda: store.load(game))),
        ("the state as a stranger may see it", median_ms(lambda: selectors.state_for(game, Sight.nobody()))),
        ("100 events behind a cursor", median_ms(lambda: selectors.events_for(game, Sight.nobody()))),
        ("fold the whole log", median_ms(lambda: log.folded(game))),
    ]
    game.refresh_from_db()
    print(f"{connection.vendor}; {game.seq} events, century {game.gods2_era.century}; medians of {ROUNDS} to 50 rounds")
    report(rows, base)


if __name__ == "__main__":
    main()
