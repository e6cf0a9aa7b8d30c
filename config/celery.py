"""The Celery application: a worker that fires timers, and beat, which ticks each second."""

import os

from billiard.process import current_process
from celery import Celery
from celery.app.task import Task
from celery.signals import task_postrun, task_prerun, worker_process_init
from django.db import close_old_connections

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


def close_what_is_old(sender: Task, **_: object) -> None:
    """Before and after each task as before and after each request: a connection that is old or broken is closed.

    Celery alone would close all of them each time (CELERY_DB_REUSE_MAX keeps it from that), and each tick would begin
    with a session of its own. A task that runs in the process that asks for it has that process's connection.
    """
    if not sender.request.is_eager:
        close_old_connections()


worker_process_init.connect(end_with_the_worker)
task_prerun.connect(close_what_is_old)
task_postrun.connect(close_what_is_old)
