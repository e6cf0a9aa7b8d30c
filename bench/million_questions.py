"""What `bench/million.py` asks of a service: each list and sweep some times, with the plan of its dearest statement."""

import json
import statistics
import sys
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

# isort: split
import django

django.setup()

# isort: split
from django.conf import settings  # noqa: E402  (Django must be set up first)
from django.core.cache import caches  # noqa: E402
from django.db import connection  # noqa: E402
from django.test import Client  # noqa: E402
from django.utils import timezone  # noqa: E402

from accounts import services as accounts  # noqa: E402
from accounts.models import Scope, User  # noqa: E402
from core.places import routing  # noqa: E402
from core.places.place import CARDS  # noqa: E402
from games.models import Timer  # noqa: E402
from games.reads import due_timers  # noqa: E402

ROUNDS = 15
MOST_AT_ONCE = 8


def ask_all(due_each: int) -> dict[str, Any]:
    """Each question by its name. due_each: of so many live games one is due."""
    settings.ALLOWED_HOSTS = ["*"]
    person = User.objects.filter(username="person-77").get()
    token = {"Authorization": f"Bearer {accounts.mint_token(person, 'bench', scopes=tuple(Scope))[1]}"}
    lists = {
        "`games/`, a stranger": ("/api/v1/games/?limit=50", {}),
        "`games/?status=running`, a stranger": ("/api/v1/games/?status=running&limit=50", {}),
        "`games/?mine=1`": ("/api/v1/games/?mine=1&limit=50", token),
        "`games/?my_turn=1`, the inbox": ("/api/v1/games/?my_turn=1&limit=50", token),
        "`worlds/`, a stranger": ("/api/v1/worlds/?limit=50", {}),
        "home page, a stranger": ("/", {}),
    }
    found = {
        name: measure(lambda address=address, headers=headers: get(address, headers), CARDS)
        for name, (address, headers) in lists.items()
    }
    for place in routing.every_place():
        with routing.at_place(place):
            some = list(Timer.objects.filter(key="far").order_by("pk").values_list("pk", flat=True)[::due_each])
            Timer.objects.filter(pk__in=some).update(due=timezone.now() - timedelta(seconds=1))
    first = routing.every_place()[0]

    def sweep() -> None:
        for place in routing.every_place():
            with routing.at_place(place):
                due_timers.due_games_in_lists(timezone.now(), MOST_AT_ONCE)

    found["the sweep's look at all places, one live game of 200 due"] = measure(sweep, first)
    return found


def get(address: str, headers: dict[str, str]) -> None:
    """Ask an address. Raises RuntimeError for another answer than 200."""
    caches["throttles"].clear()
    answer = Client(headers=headers).get(address)
    if answer.status_code != 200:
        raise RuntimeError(f"{address}: {answer.status_code} {answer.content[:500]!r}")


def measure(ask: Callable[[], Any], place: Any) -> dict[str, Any]:
    """Its median, how many statements it sends, and what the dearest of them reads."""
    sent = list[tuple[str, Any]]()

    def note(execute: Callable[..., Any], sql: Any, params: Any, many: bool, context: Any) -> Any:
        sent.append((str(sql), params))
        return execute(sql, params, many, context)

    ask()
    with connection.execute_wrapper(note):
        ask()
    took = []
    for _ in range(ROUNDS):
        begun = time.perf_counter()
        ask()
        took.append((time.perf_counter() - begun) * 1000)
    plans = [plan for sql, params in sent if sql.startswith("SELECT") and (plan := plan_of(sql, params, place))]
    dearest = max(plans, key=lambda plan: float(plan["ms"]), default=None)
    said = "{node}, {buffers:,} pages, {ms:.1f} ms".format(**dearest) if dearest else ""
    return {"ms": statistics.median(took), "statements": len(sent), "plan": said}


def plan_of(sql: str, params: Any, place: Any) -> dict[str, Any] | None:
    """What a statement reads in a place; None for one that is of another."""
    with routing.at_place(place), connection.cursor() as cursor:
        try:
            cursor.execute(f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {sql}", params)
        except django.db.ProgrammingError:
            return None
        plan = cursor.fetchone()[0][0]
    top = plan["Plan"]
    while "Plans" in top and top["Node Type"] in ("Limit", "Result", "Sort", "Unique"):
        top = top["Plans"][0]
    return {
        "ms": plan["Execution Time"],
        "buffers": plan["Plan"]["Shared Hit Blocks"] + plan["Plan"]["Shared Read Blocks"],
        "node": " on ".join(filter(None, (top["Node Type"], top.get("Relation Name"), top.get("Index Name")))),
    }


if __name__ == "__main__":
    print(json.dumps(ask_all(int(sys.argv[1]))))
