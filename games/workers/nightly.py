"""What each process that plays games does at night: it compares the states that it keeps with their rows."""

import random
import threading
import time
from datetime import datetime, timedelta

import structlog
from celery.signals import worker_process_init
from django.db import DatabaseError, close_old_connections, connections
from django.utils import timezone

from games.runtime import audit

HOUR = 3  # of the day, UTC
SPREAD_SECONDS = 3600  # over which processes begin, so that they do not load all games at once
logger = structlog.get_logger(__name__)


def seconds_until_night(now: datetime, spread: float) -> float:
    """From `now` until the next comparison of a process: `spread` seconds after the hour, always in the future."""
    night = now.replace(hour=HOUR, minute=0, second=0, microsecond=0) + timedelta(seconds=spread)
    if night <= now:
        night += timedelta(days=1)
    return (night - now).total_seconds()


def _compare_each_night() -> None:
    spread = random.uniform(0, SPREAD_SECONDS)
    while True:
        time.sleep(seconds_until_night(timezone.now(), spread))
        try:
            close_old_connections()
            audit.compare_states()
        except DatabaseError as error:
            logger.warning("states_not_compared", error=type(error).__name__)
        except Exception:
            logger.exception("states_not_compared")  # logged, and tried again the next night
        finally:
            connections.close_all()


def start(**_: object) -> None:
    """Compare each night, in a thread that ends with its process."""
    threading.Thread(target=_compare_each_night, daemon=True, name="audit").start()


worker_process_init.connect(start)
