"""What Celery carries for notifications: a tick without truth. The rows say which games are to be looked at."""

import structlog
from celery import shared_task
from django.utils import timezone

from api.notifications import following
from core.places import routing

MAX_GAMES_PER_TICK = 50
"""Of each place; the others come with the next tick."""
logger = structlog.get_logger(__name__)


@shared_task(name="notifications.follow_games", ignore_result=True, expires=5)
def follow_games() -> None:
    """Each second: look at the games that have moved. Safe to run twice, late, or at once."""
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
