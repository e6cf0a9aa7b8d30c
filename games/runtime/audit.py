"""The nightly comparison: what a process keeps of its games is what their rows say.

A cached state follows the log by itself and is undone after each refusal; should either ever go wrong, commands would
be decided on what nobody can read. Whatever differs is reported and dropped, so the next command loads the rows.
"""

import time
from uuid import UUID

import structlog
from django.db import transaction

from core.places.routing import at
from games import registry
from games.engine.game_state import dump
from games.runtime import metrics
from games.runtime.session import cache_on_commit, lock, thread_lock
from games.storage import log
from games.storage.state_cache import STATE_CACHE

PAUSE_SECONDS = 0.05  # between two games
logger = structlog.get_logger(__name__)


def compare_state(game: UUID) -> list[str] | None:
    """The parts of a game's cached state that differ from its rows, sorted; [] when none does.

    None when it is not compared: it is not in this process any more, or another one holds the game. A state
    that differs is dropped.
    """
    with at(game), thread_lock(game), transaction.atomic():
        if not STATE_CACHE.holds(game):
            return None
        found = lock([game], skip_locked=True)
        if not found:
            return None
        session = found[game]
        cached = dump(session.state) | {"heads": session.heads}
        rows = dump(registry.store(session.game.ruleset).load(session.game)) | {"heads": log.heads_of(session.game)}
        differing = sorted(name for name in cached.keys() | rows.keys() if cached.get(name) != rows.get(name))
        if not differing:
            cache_on_commit(session)
        return differing


def compare_states() -> int:
    """Compare every state that is cached in this process with its rows; returns how many differed."""
    wrong = compared = 0
    for game in STATE_CACHE.games():
        differing = compare_state(game)
        compared += differing is not None
        if differing:
            wrong += 1
            logger.error("state_differs", game=str(game), parts=differing)
            metrics.count_differing_state()
        time.sleep(PAUSE_SECONDS)
    logger.info("states_compared", games=compared, differing=wrong)
    return wrong
