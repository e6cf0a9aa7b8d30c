"""Seats: what the pages of forty seats ask for after an event, part by part, in the process that answers them.

Forty gods of The Gods II on the demo Earth, each in a browser of their own; an event is public, so that every page
moves. The aim is for the processor: forty pages ask at once, and wait for each other. What a network takes is left out.
"""

import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

# isort: split
from bench.figures import Figure, percentile
from bench.ground import Ground, alone

SEATS, EVENTS = 40, 5
MOST_BYTES, MOST_MS = 10_000, 50.0
PARTS = {"body/": "what moves", "may/": "what may be done"}


def measure(on: Ground) -> list[Figure]:
    """The figures."""
    found = on.within(on.copy(), "seats", str(SEATS), str(EVENTS))
    figures = []
    for part, called in PARTS.items():
        busy, times, sizes = (found[part][name] for name in ("processor", "clock", "bytes"))
        figures += [
            Figure(
                f"a seat's page after an event: {called}",
                f"p50 {percentile(busy, 50):.0f}, p95 {percentile(busy, 95):.0f} ms of the processor",
                f"by the clock p50 {percentile(times, 50):.0f}, p95 {percentile(times, 95):.0f} ms",
                value=percentile(busy, 95),
                aim=MOST_MS,
                unit=" ms",
                most=True,
                reason="the first look of a seat after an event finds anew what it may do",
            ),
            Figure(
                f"the same, as it is sent ({called})",
                f"at most {max(sizes) / 1000:.1f} kB",
                f"median {statistics.median(sizes) / 1000:.1f} kB; {SEATS} seats, {EVENTS} events",
                value=max(sizes) / 1000,
                aim=MOST_BYTES / 1000,
                unit=" kB",
                most=True,
            ),
        ]
    return figures


def looks(clients: dict[str, Any], happen: Callable[[], object], events: int) -> dict[str, dict[str, list[float]]]:
    """What each part of each seat's page takes after each of some events. clients: by the address of the page."""
    found: dict[str, dict[str, list[float]]] = {part: defaultdict(list) for part in PARTS}
    for _ in range(events):
        happen()
        for path, client in clients.items():
            for part, noted in found.items():
                begun, busy = time.perf_counter(), time.process_time()
                answer = client.get(f"{path}{part}")
                noted["processor"].append((time.process_time() - busy) * 1000)
                noted["clock"].append((time.perf_counter() - begun) * 1000)
                if answer.status_code != 200:
                    raise RuntimeError(f"{path}{part}: {answer.status_code}")
                noted["bytes"].append(len(answer.content))
    return found


if __name__ == "__main__":
    alone("seats", measure, games=1)
