"""Commands a second that are safe on disk, on one game and across 50, beside what PostgreSQL itself commits.

The command is `name-place` of The Gods II, by a game-master, with an Idempotency-Key each: one public event, one row.
Rounds of the service and of PostgreSQL (one UPDATE and one INSERT a transaction) take turns, with as many connections.
With --profile: where the time of a command goes, from within.
"""

import statistics
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

# isort: split
from bench.figures import Figure, percentile, ratio_of_pairs
from bench.ground import GAMES, Crowd, Ground, alone, bearer, ground, paths, rate

CONNECTIONS = 16
ROUNDS, SECONDS = 5, 1.5
WITHIN_ROUNDS = 200
BATCH = 16  # as in `bench/within.py`
BODY = 300 * "x"  # about what an event has
AIMS = {1: 0.8, GAMES: 0.2}
DOORS = 2
IN_PLAY, PAUSE_MS = 1000, 50.0


def measure(on: Ground) -> list[Figure]:
    """The figures."""
    return [*over_http(on), *from_within(on), in_play(on)]


def in_play(on: Ground) -> Figure:
    """A thousand games in play at one door: what they take of its memory, and the longest pause they cause."""
    found = on.within(on.copy(), "states", str(IN_PLAY))
    return Figure(
        f"{IN_PLAY:,} games in play at one door",
        f"{found['mb']:.0f} MB; a full collection {found['collection ms']:.0f} ms",
        f"with {found['kept']:.0f}, the default of KEPT_GAMES, {found['kept collection ms']:.0f} ms",
        value=found["kept collection ms"],
        aim=PAUSE_MS,
        unit=" ms with the default",
        most=True,
    )


def over_http(on: Ground) -> list[Figure]:
    """The service's doors, beside PostgreSQL."""
    found, database = on.prepared_contents, on.copy()
    on.administer("CREATE TABLE beside_game (id integer PRIMARY KEY, seq bigint NOT NULL)", database)
    on.administer(
        "CREATE TABLE beside_event (game integer, seq bigint, body text NOT NULL, PRIMARY KEY (game, seq))", database
    )
    on.administer(f"INSERT INTO beside_game SELECT n, 0 FROM generate_series(0, {GAMES - 1}) n", database)
    with ExitStack() as stack:
        ports = [on.door(stack, database) for _ in range(DOORS)]
        return [beside(on, found, database, ports, games) for games in AIMS]


def beside(on: Ground, values: dict[str, Any], database: str, ports: Sequence[int], games: int) -> Figure:
    """Rounds of the one and of the other, in turns; a game always at the same door, as the proxy has it."""
    order = {"connections": CONNECTIONS, "seconds": SECONDS}
    asked = order | {"method": "POST", "headers": bearer(values["gm"]) | {"Idempotency-Key": "@"}}
    used = ports[:games]
    shares = [
        {
            "port": port,
            "paths": paths(values["games"][place : games : len(used)], "commands/name-place/?as=gm"),
            "bodies": [
                f'{{"kind": "city", "subject": "{city}", "name": "City @"}}'
                for city in values["cities"][place : games : len(used)]
            ],
        }
        for place, port in enumerate(used)
    ]
    with ExitStack() as stack:
        ours = Crowd(stack, "http", asked, shares=shares)
        theirs = Crowd(stack, "postgres", order | {"url": on.url(database), "games": games, "body": BODY})
        ours.round()  # every process has seen every game
        theirs.round()
        mine, its, ms = [], [], []
        for _ in range(ROUNDS):
            tally = ours.round()
            mine.append(rate(tally, "201"))
            ms += tally.ms
            its.append(rate(theirs.round(), "201"))
    where = "one game" if games == 1 else f"{games} games"
    return Figure(
        f"commands, {where}",
        f"{statistics.median(mine):.0f}/s (p50 {percentile(ms, 50):.0f}, p95 {percentile(ms, 95):.0f} ms)",
        f"{statistics.median(its):.0f} commits/s",
        ratio_of_pairs(mine, its),
        aim=AIMS[games],
        reason="the service's own Python is the larger part of a command, and PostgreSQL waits for it",
    )


def from_within(on: Ground, profile: str = "") -> list[Figure]:
    """One command after the other in one process, without a server."""
    found = on.within(
        on.copy(), "commands", on.prepared_contents["gm"], str(WITHIN_ROUNDS), *([profile] if profile else [])
    )
    query = found["one query"]["ms"]
    names = {
        "run": "a command in `services.run`",
        "post": "the same with REST around it, no server",
        "door, alone": "the same by the door, alone",
        "door, cold": "the same where the state is not in the process",
    }
    batches = [name for name in found if name.startswith("door") and name not in names]
    return [
        *(
            Figure(
                name,
                f"{found[key]['ms']:.1f} ms, {found[key]['statements']} statements",
                f"one query by key {query:.2f} ms",
                found[key]["ms"] / query,
            )
            for key, name in names.items()
        ),
        *(
            Figure(
                f"{name}: {BATCH} commands at once, each",
                f"{found[name]['ms'] / BATCH:.2f} ms; {found[name]['statements']} statements for all",
                f"one query by key {query:.2f} ms",
                found[name]["ms"] / BATCH / query,
            )
            for name in batches
        ),
    ]


if __name__ == "__main__":
    if "--profile" in sys.argv[1:]:
        with ground(BATCH) as made:
            from_within(made, "profile")
    else:
        alone("commands", measure)
