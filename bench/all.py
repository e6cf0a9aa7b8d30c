"""Every benchmark, one after the other, on one ground: `make bench` prints the table.

    python bench/all.py [--write docs/performance.md] [NAME ...]

With --write the part of that page between its two marks is written anew: what misses its aim first, with the reason.
Figures of one page come from one run, so it takes no names.
"""

import argparse
import os
import platform
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

# isort: split
from bench import (
    bombs,
    commands,
    embedded,
    forge,
    loads,
    menu,
    places,
    reads,
    rules,
    screens,
    seats,
    subscribers,
    timers,
    tower,
    watchers,
)
from bench.figures import Figure, report
from bench.ground import Ground, Measure, TooLong, ground, measurement

PROGRAMS: Mapping[str, Measure] = {
    "commands": commands.measure,
    "places": places.measure,
    "reads": reads.measure,
    "watchers": watchers.measure,
    "timers": timers.measure,
    "subscribers": subscribers.measure,
    "embedded": embedded.measure,
    "screens": screens.measure,
    "seats": seats.measure,
    "loads": loads.measure,
    "bombs": bombs.measure,
    "menu": menu.measure,
    "tower": tower.measure,
    "forge": forge.measure,
    "rules": rules.measure,
}
ROUNDS = (
    f"commands {commands.ROUNDS} x {commands.SECONDS:g} s, reads {reads.ROUNDS} x {reads.SECONDS:g} s, "
    f"watchers {watchers.EVENTS} events, timers {timers.ROUNDS}"
)
PACKAGES = ("django", "psycopg", "granian", "uvicorn", "celery")
BEGIN, END = "<!-- figures: written by bench/all.py -->", "<!-- figures end -->"


def circumstances(on: Ground) -> str:
    """When, where and with what it was measured."""
    postgres = str(on.administer("SHOW server_version")[0][0]).split()[0]
    load = f"{os.getloadavg()[2]:.1f}" if hasattr(os, "getloadavg") else "unknown"
    versions = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    return "\n".join(
        (
            f"Measured on {datetime.now(UTC):%Y-%m-%d %H:%M} UTC; {os.cpu_count()} processors ({platform.machine()}), "
            f"load of the last quarter of an hour {load}.",
            f"Python {platform.python_version()}, PostgreSQL {postgres} (durable), {versions}.",
            f"Rounds: {ROUNDS}.",
        )
    )


def rewritten(page: str, figures: str) -> str:
    """The page with other figures between its marks. Raises ValueError when it has none."""
    before, _, rest = page.partition(BEGIN)
    _, mark, after = rest.partition(END)
    if not mark:
        raise ValueError(f"the page has no marks {BEGIN} and {END}")
    return f"{before}{BEGIN}\n{figures}\n{END}{after}"


def main() -> None:
    """Measure, print, and write where asked."""
    parser = argparse.ArgumentParser(description="Every benchmark, as one Markdown table.")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="write the table between the marks of this page")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(PROGRAMS)}; all when absent")
    asked = parser.parse_args()
    if unknown := set(asked.names) - set(PROGRAMS):
        parser.error(f"there is no {', '.join(sorted(unknown))}; there are {', '.join(PROGRAMS)}")
    if asked.write and asked.names:
        parser.error("a page is written from one run of all; leave the names out")
    figures: list[Figure] = []
    with ground() as on:
        found = circumstances(on)  # before the benchmarks make a load of their own
        _ = on.prepared_contents
        for name in asked.names or PROGRAMS:
            try:
                figures += measurement(name, PROGRAMS[name], on)
            except TooLong as late:  # the others still have theirs
                figures.append(Figure(name, str(late)))
    whole = f"{found}\n\n{report(figures)}"
    print(whole)
    if asked.write:
        asked.write.write_text(rewritten(asked.write.read_text(), whole))


if __name__ == "__main__":
    main()
