"""What the Die Tower costs: risk and odds of a high tower by the rules alone, and its dice through the service."""

import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

# isort: split
from bench.figures import Figure, table
from bench.ground import Ground, ground
from games.dietower.rules.state.constants import MOST_HALF_WIDTH
from games.dietower.rules.tower.balance import Centre, risk, standing_chances

ROUNDS = 15
MOST_MS, MOST_OF_PLAIN = 5.0, 1.2
CLOSE = "two times that lie within a millisecond of each other"
PLAIN, LEAST = "request-check with its ruling", "withdraw-check"
"""A command of the same run that asks as they do and knows no tower; and one that only closes a question."""
TOWER = tuple(
    Centre(x, y)
    for x, y in zip((0, 1, -1, 0, 2, 1, 0, -1, 0, 1, 0, 0), (0, 0, 1, -1, 0, 1, 0, 1, 0, -1, 0, 1), strict=True)
)


def measure(on: Ground) -> list[Figure]:
    """The figures."""
    return [*by_rules(), *by_service(on)]


def by_rules() -> list[Figure]:
    """Risk and odds of a tower of twelve dice."""
    found = (
        ("the risk of a die on a tower of 12", median_ms(lambda: risk(TOWER, MOST_HALF_WIDTH))),
        ("the odds of two dice on it", median_ms(lambda: standing_chances(TOWER, MOST_HALF_WIDTH, 2))),
    )
    return [Figure(what, f"{ms:.2f} ms", aim=MOST_MS, value=ms, unit=" ms", most=True) for what, ms in found]


def by_service(on: Ground) -> list[Figure]:
    """Dice beside a plain command of the same run; a read beside that of The Gods II."""
    _ = on.prepared_contents
    found = on.within(on.copy(), "evening")
    plain, least = found[PLAIN], found[LEAST]
    figures = [
        Figure(
            f"{name}, {found['events']} events in the log",
            f"{found[name]:.1f} ms",
            f"{PLAIN}: {plain:.1f} ms",
            found[name] / plain,
            aim=MOST_OF_PLAIN,
            most=True,
            reason=CLOSE,
        )
        for name in ("close-roll", "place-die")
    ]
    figures += [
        Figure(f"{name}, beside less", f"{found[name]:.1f} ms", f"{LEAST}: {least:.1f} ms", found[name] / least)
        for name in ("close-roll", "place-die")
    ]
    read, beside = found["state"], found["state of The Gods II"]
    where = f"the state of The Gods II: {beside:.1f} ms"
    return [*figures, Figure("its state for a stranger", f"{read:.1f} ms", where, read / beside, aim=1.0, most=True)]


def median_ms(work: Callable[[], object]) -> float:
    """The median of some rounds."""
    times = []
    for _ in range(ROUNDS):
        begun = time.perf_counter()
        work()
        times.append((time.perf_counter() - begun) * 1000)
    return statistics.median(times)


if __name__ == "__main__":
    with ground() as on:
        print(table(measure(on)))
