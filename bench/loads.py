"""A game as a whole: loaded from its rows, played for a century, folded from its log. The demo Earth with its bots.

A century of it is played by the clock alone, without waiting: how long it takes in all, and how much of that is spent
in the rules, in statements to the database, and in between (rows and log made and read, in Python).
"""

import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

# isort: split
from bench.figures import Figure
from bench.ground import Ground, alone

NAMES = {"postgresql": "PostgreSQL", "sqlite": "SQLite"}


def measure(on: Ground) -> list[Figure]:
    """The figures, on PostgreSQL and on SQLite."""
    on.administer("CREATE DATABASE loads")
    figures = []
    for database, folder in (("loads", "loads"), ("", "loads-embedded")):
        here = {"DATA_DIR": str(on.folder / folder), "DEMO": "1", "DJANGO_SETTINGS_MODULE": "config.settings"}
        figures += figures_of(on.within(database, "loads", **here))
    return figures


def figures_of(found: dict[str, Any]) -> list[Figure]:
    """What was found on one database."""
    where, query, century = NAMES[found["vendor"]], found["one query"], found["century"]
    rest = century["wall"] - century["database"] - century["rules"]
    shares = " ".join(
        f"{name} {100 * seconds / century['wall']:.0f} %,"
        for name, seconds in (("database", century["database"]), ("rules", century["rules"]), ("between", rest))
    ).rstrip(",")

    def beside(what: str, ms: float, more: str = "") -> Figure:
        return Figure(f"{what}, {where}", f"{ms:.1f} ms{more}", f"one query by key {query:.2f} ms", ms / query)

    return [
        beside("demo Earth, cold load", found["load"], f", {found['load statements']} statements"),
        beside("its whole state for a stranger", found["state for a stranger"]),
        beside("100 events behind a cursor", found["100 events"]),
        beside(f"fold of its log ({found['events']} events)", found["fold"]),
        *_sizes(found, where),
        Figure(
            f"a century of it, {where}",
            f"{century['wall']:.2f} s: {shares}",
            f"lasts {century['seconds']} s; {century['timers']} timers, {century['events']} events, "
            f"{century['statements']} statements",
            century["wall"] / century["seconds"],
        ),
    ]


def _sizes(found: dict[str, Any], where: str) -> list[Figure]:
    """What a game takes in memory and, where that can be asked, on disk."""
    kept = Figure(f"memory of its state in a process, {where}", f"{found['kept bytes'] / 1e6:.1f} MB (tracemalloc)")
    if "log bytes" not in found:
        return [kept]
    each = found["log bytes"] / found["events"]
    return [kept, Figure(f"its log on disk, {where}", f"{found['log bytes'] / 1e6:.1f} MB, {each:.0f} bytes an event")]


if __name__ == "__main__":
    alone("loads", measure, games=0)
