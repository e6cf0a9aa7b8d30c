"""What it costs to spread games over places (ADR 115), and what a place that moves costs those who play in it.

The command is that of `bench/commands.py`. Rounds of a door with games in sixteen places and of one with games in one
schema take turns. Then one place of the sixteen gives all its slots to another, in the middle of a round.
"""

import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from threading import Thread
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

# isort: split
from bench.commands import CONNECTIONS, ROUNDS, SECONDS
from bench.figures import Figure, percentile, ratio_of_pairs
from bench.ground import GAMES, ROOT, Crowd, Ground, alone, bearer, paths, rate
from core.places.place import even_share

PLACES, SLOTS = 16, 4096
AIM = 0.85
MOVING_SECONDS, BEGINS_AFTER_SECONDS = 20.0, 2.0
LONGEST_MS = 2000.0


def measure(on: Ground) -> list[Figure]:
    """The figures."""
    spread = replace(on, places=PLACES)
    with ExitStack() as stack:
        whole, database = on.copy(), spread.copy()
        plain = crowd_at(stack, on, whole, SECONDS)
        placed = crowd_at(stack, spread, database, SECONDS)
        return [cost(plain, placed), moving(stack, spread, database)]


def crowd_at(stack: ExitStack, on: Ground, database: str, seconds: float) -> Crowd:
    """Clients of a door, over all games."""
    values, port = on.prepared_contents, on.door(stack, database)
    asked: dict[str, Any] = {
        "connections": CONNECTIONS,
        "seconds": seconds,
        "method": "POST",
        "headers": bearer(values["gm"]) | {"Idempotency-Key": "@"},
    }
    share = {
        "port": port,
        "paths": paths(values["games"], "commands/name-place/?as=gm"),
        "bodies": [f'{{"kind": "city", "subject": "{city}", "name": "City @"}}' for city in values["cities"]],
    }
    crowd = Crowd(stack, "http", asked, shares=[share])
    crowd.round()  # the door has seen every game
    return crowd


def cost(plain: Crowd, placed: Crowd) -> Figure:
    """Rounds of both in turns."""
    one, many, ms = list[float](), list[float](), list[float]()
    for _ in range(ROUNDS):
        one.append(rate(plain.round(), "201"))
        tally = placed.round()
        many.append(rate(tally, "201"))
        ms += tally.ms
    return Figure(
        f"commands, {GAMES} games in {PLACES} places, one door",
        f"{statistics.median(many):.0f}/s (p50 {percentile(ms, 50):.0f}, p95 {percentile(ms, 95):.0f} ms)",
        f"{statistics.median(one):.0f}/s in one schema",
        ratio_of_pairs(many, one),
        aim=AIM,
        reason="a batch is a transaction in each of its places",
    )


def place_of(game: str, places: int) -> int:
    """The number of the place in which a game lies, where no slot has moved."""
    return even_share(int(game[:3], 16), SLOTS, places)


def moving(stack: ExitStack, on: Ground, database: str) -> Figure:
    """The place with most games moves while they go on; the longest command, and how long the move took."""
    crowd, took, done = crowd_at(stack, on, database, MOVING_SECONDS), list[float](), list[str]()
    places = [place_of(game, PLACES) for game in on.prepared_contents["games"]]
    fullest = Counter(places).most_common(1)[0][0]
    to = fullest % PLACES + 1

    def move() -> None:
        time.sleep(BEGINS_AFTER_SECONDS)
        begun = time.monotonic()
        done.append(manage(on, database, "places", "move", str(fullest), str(to)))
        took.append(time.monotonic() - begun)

    mover = Thread(target=move)
    mover.start()
    tally = crowd.round()
    mover.join()
    rate(tally, "201")  # no other answer came
    manage(on, database, "places", "check")
    return longest(
        f"a place of {PLACES} moves into another while {GAMES} games go on",
        tally.ms,
        f"the move took {took[0]:.1f} s, {places.count(fullest)} games: {done[0].strip().splitlines()[-1]}",
    )


def longest(what: str, ms: Sequence[float], beside: str, who: str = "") -> Figure:
    """How long the longest command took, and that all were done. who: whose commands they are, as it stands there."""
    return Figure(
        what,
        f"{who}longest command {max(ms):.0f} ms, p50 {percentile(ms, 50):.0f} ms; no error",
        beside,
        value=max(ms),
        aim=LONGEST_MS,
        unit=" ms",
        most=True,
    )


def manage(on: Ground, database: str, *command: str) -> str:
    """What a management command says. Raises RuntimeError where it fails."""
    words: Sequence[str] = (sys.executable, "manage.py", *command)
    done = subprocess.run(words, cwd=ROOT, env=on.environment(database), capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)} ended with {done.returncode}:\n{done.stderr[-4_000:]}")
    return done.stdout


if __name__ == "__main__":
    alone("places", measure)
