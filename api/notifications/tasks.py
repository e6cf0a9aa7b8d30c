"""What Celery carries for notifications: a tick without truth. The rows say which games are to be looked at.

The tick hands the work to one thread of the worker's process and ends, so that no timer waits for it.
"""

from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache
from threading import Lock

import structlog
from celery import shared_task
from django.db import connections
from django.utils import timezone

from api.notifications import following
from core.places import routing

MAX_GAMES_PER_TICK = 50
"""Of each place; the others come with the next tick."""
logger = structlog.get_logger(__name__)
_is_free = Lock()


@shared_task(name="notifications.follow_games", ignore_result=True, expires=5)
def follow_games() -> None:
    """Each second: begin to look at the games that have moved. Safe to run twice, late, or at once."""
    begin()


def begin() -> Future[None] | None:
    """The work that was begun; None while that of an earlier tick goes on."""
    return _thread().submit(_follow_and_free) if _is_free.acquire(blocking=False) else None


@cache
def _thread() -> ThreadPoolExecutor:
    """Made by the first tick, thus in the process that works and not in the one that forks it."""
    return ThreadPoolExecutor(1, thread_name_prefix="notifications")


def _follow_and_free() -> None:
    try:
        follow_everywhere()
    except Exception:
        logger.exception("notifications_not_followed")  # the next tick tries again
    finally:
        connections.close_all()
        _is_free.release()


def follow_everywhere() -> None:
    """Look at the games that have moved, of each place so many."""
    for place in routing.every_place():
        with routing.at_place(place):
            _follow_here()


def _follow_here() -> None:
    for game in following.games_to_look_at(timezone.now(), MAX_GAMES_PER_TICK):
        try:
            following.look_at(game, timezone.now())
        except Exception:
            logger.exception("notifications_failed", game=str(game))
            following.put_off(game, timezone.now())
