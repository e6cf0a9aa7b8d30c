"""A game of Forgeborn through the service: a conflict with its pool beside a plain command, small and with much forged.

A job of `bench/within.py`: two people help a Village in turn; a correction brings them there and their dice back.
"""

import statistics
import time
from collections import defaultdict
from contextlib import nullcontext
from typing import Any

from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from bench.evening import read_ms
from bench.forge import CONFLICT, PLAIN
from bench.tower import median_ms
from games import services
from games.models import Game
from games.storage.state_cache import STATE_CACHE
from tests.games.forgeborn import Smithy, amend, begin, fill, made

ROUNDS = 60
POOL = {"free": [12, 12, 12], "sacrifice": [12, 12]}


def play(here: Smithy) -> dict[str, float]:
    """So many turns; the median milliseconds of each command, and how many statements the last conflict took."""
    times: dict[str, list[float]] = defaultdict(list)
    sent = 0
    for _ in range(ROUNDS):
        name = here.active
        amend(here, "characters", str(here.of(name)), place=f'"{here.place("village", 1)}"', d12="9")
        for command, arguments in ((PLAIN, {"list": "names", "line": 1}), (CONFLICT, {"pool": POOL, "gain": {}})):
            issued, actor = made(command, **arguments), here.actor(name)
            counted = CaptureQueriesContext(connection) if len(times[command]) == ROUNDS - 1 else nullcontext()
            begun = time.perf_counter()
            with counted as captured:
                services.run(here.id, issued, actor=actor)
            times[command].append((time.perf_counter() - begun) * 1000)
            sent = len(captured) if captured is not None else sent
    return {name: statistics.median(found) for name, found in times.items()} | {"statements": sent}


def smithy() -> dict[str, Any]:
    """Medians in milliseconds: commands in a small game and in a full one, and reads of the full one's state."""
    here = begin({"referee": "none"}, now=timezone.now())
    small = play(here)
    fill(here)
    STATE_CACHE.clear()  # the rows are other than the state that is kept
    full = play(here)
    beside = Game.objects.filter(ruleset="gods2").order_by("pk")[0]
    return {
        "small": small,
        "full": full,
        "one query": median_ms(lambda: Game.objects.filter(pk=here.id).values_list("seq").get()),
        "state": read_ms(Game.objects.get(pk=here.id)),
        "state of The Gods II": read_ms(beside),
    }
