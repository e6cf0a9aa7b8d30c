"""Timers: a thousand, and ten thousand, due at one moment in 50 games; how late each is, and whether it fires once.

Each timer voids a task of the GM's: one row, one public event. On PostgreSQL and Redis with one worker of two processes
and beat, as compose runs them, and 200 in 10 games on the embedded default (`manage.py serve`: SQLite, folders). A
timer is done when its receipt can be read from outside: that is after the commit.
"""

import sqlite3
import statistics
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack, closing
from pathlib import Path
from types import MappingProxyType
from typing import Any

import psycopg

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

# isort: split
from bench.figures import Figure, percentile, spread
from bench.ground import GAMES, Ground, alone, free_port
from tools.with_services import await_port

EACH, MANY_EACH = 20, 200
GAMES_EMBEDDED = 10
AHEAD_SECONDS, AHEAD_EACH = 0.16, 0.001  # at first, for each game and timer that must be there before they are due
SPARE_SECONDS = 1.0
ROUNDS = 5
LOOK_SECONDS = 0.01
PATIENCE = 40.0
AIM_SECONDS, MANY_AIM_SECONDS = 1.2, 4.5
COUNT = "SELECT count(*) FROM games_receipt WHERE principal = 'clock' AND key LIKE '{mark}%'"
Count = Callable[[str], int]


def measure(on: Ground) -> list[Figure]:
    """The figures."""
    return [
        on_services(on, EACH, AIM_SECONDS, ROUNDS),
        on_services(on, MANY_EACH, MANY_AIM_SECONDS, 1),
        measure_embedded(on),
    ]


def on_services(on: Ground, each: int, aim: float, count: int) -> Figure:
    """PostgreSQL, Redis, worker and beat: so many timers in each game."""
    database = on.copy()
    with ExitStack() as stack:
        on.clock(stack, database)
        session = stack.enter_context(psycopg.connect(on.url(database), autocommit=True))

        def fired_count(mark: str) -> int:
            row = session.execute(COUNT.format(mark=mark)).fetchone()  # type: ignore[call-overload]
            return int(row[0]) if row else 0

        return rounds(on, database, GAMES, each, fired_count, "PostgreSQL and Redis", count, aim=aim)


def measure_embedded(on: Ground) -> Figure:
    """SQLite and a folder as broker."""
    folder = on.folder / "embedded"
    here = {"DATA_DIR": str(folder), "DJANGO_SETTINGS_MODULE": "config.settings", "PROXIES": "0"}
    on.within("", "prepare", str(GAMES_EMBEDDED), **here)
    port = free_port()
    with ExitStack() as stack:
        serve = on.start(stack, on.environment("", PORT=str(port), **here), "manage", "serve")
        await_port(port, serve.popen, serve.log)
        session = stack.enter_context(closing(sqlite3.connect(folder / "theogony.sqlite3", timeout=20)))

        def fired_count(mark: str) -> int:
            return int(session.execute(COUNT.format(mark=mark)).fetchone()[0])

        return rounds(on, "", GAMES_EMBEDDED, EACH, fired_count, "embedded: SQLite and folders", ROUNDS, here=here)


def rounds(
    on: Ground,
    database: str,
    games: int,
    each: int,
    fired_count: Count,
    where: str,
    count: int,
    *,
    here: Mapping[str, str] = MappingProxyType({}),
    aim: float | None = None,
) -> Figure:
    """Some rounds, one after the other; the lateness of all, the median round's p99 against the aim."""
    late: list[float] = []
    p99s: list[float] = []
    ahead = games * (AHEAD_SECONDS + AHEAD_EACH * each)
    for _ in range(count):
        found, ahead = ahead_of_time(
            lambda ahead: on.within(database, "set-timers", str(each), str(ahead), **here), ahead
        )
        one = lateness(found["due"], found["timers"], lambda mark=found["mark"]: fired_count(mark))
        late += one
        p99s.append(percentile(one, 99))
        check = on.within(database, "fired", found["mark"], **here)
        if check != {"fired": found["timers"], "did": found["timers"], "left": 0}:
            raise RuntimeError(f"a timer fired twice or never: {check}, {found}")
    return Figure(
        f"{games * each} timers due at once, {where}",
        f"late by {spread([1000 * seconds for seconds in late])}; each exactly once",
        f"median p99 of {count} round{'s' * (count > 1)} {statistics.median(p99s):.2f} s",
        value=statistics.median(p99s),
        aim=aim,
        unit=" s",
        most=True,
        reason="what is due in a few games is written together, by two processes beside PostgreSQL",
    )


def ahead_of_time(set_timers: Callable[[float], dict[str, Any]], ahead: float) -> tuple[dict[str, Any], float]:
    """What was set, with some time left until it is due, and how far ahead: more, tried again, on a slow machine."""
    while (found := set_timers(ahead))["spare"] < SPARE_SECONDS:
        time.sleep(SPARE_SECONDS)
        ahead = 2 * SPARE_SECONDS + 1.3 * (ahead - found["spare"])
    return found, ahead


def lateness(due: float, timers: int, fired_count: Callable[[], int]) -> list[float]:
    """Seconds from the due moment until each timer's receipt could be read. Raises when they do not come."""
    late: list[float] = []
    if fired_count():
        raise RuntimeError("timers fired before they were due, or could not be set in time")
    while len(late) < timers:
        here = time.time() - due
        if here > PATIENCE:
            raise RuntimeError(f"only {len(late)} of {timers} timers fired in {PATIENCE:.0f} s")
        late += [here] * (fired_count() - len(late))
        time.sleep(LOOK_SECONDS)
    return late


if __name__ == "__main__":
    alone("timers", measure)
