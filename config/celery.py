"""The Celery application: a worker that fires timers, and beat, which ticks each second."""

import os

from billiard.process import current_process
from celery import Celery
from celery.signals import worker_process_init

from config import broker
from config.process.parent_watch import die_with_parent

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
broker.register()

MAIN_PROCESS = "MainProcess"
app = Celery("theogony")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


def end_with_the_worker(**_: object) -> None:
    """A pool process ends when its worker does, however that ended; else it would go on as an orphan.

    A worker without a pool (`solo`) is its own only process, whose parent may be any shell.
    """
    if current_process().name != MAIN_PROCESS:
        die_with_parent()


worker_process_init.connect(end_with_the_worker)
