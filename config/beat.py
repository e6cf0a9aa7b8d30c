"""The Celery application of beat, which ticks: it sends names of tasks, so it loads neither tasks nor tables."""

import os
from logging.config import dictConfig

from celery import Celery
from celery.signals import setup_logging
from django.conf import settings

from config import broker

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
broker.register()

app = Celery("theogony", fixups=())  # the one for Django would set it up
app.config_from_object("django.conf:settings", namespace="CELERY")
app.conf.imports = ()


def configure_logging(**_: object) -> None:
    """Log as every other process does; Django, which would see to it, is not set up here."""
    dictConfig(settings.LOGGING)


setup_logging.connect(configure_logging)
