"""What Celery carries: ticks without truth. Each may be lost, late, doubled or shuffled; the rows decide."""

from uuid import UUID

from celery import shared_task
from django.utils import timezone

from games import selectors, services


@shared_task(ignore_result=True, expires=5)
def sweep() -> None:
    """Each second: hand every game in which something is due to a worker."""
    for game_id in selectors.games_with_due_timers(timezone.now()):
        fire_timers_of.delay(str(game_id))


@shared_task(ignore_result=True, expires=30)
def fire_timers_of(game_id: str) -> None:
    """Fire what is due in one game. Safe to run twice, late, or at once with another."""
    services.fire_due(UUID(game_id))
