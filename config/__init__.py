"""Settings, addresses, servers. Imports everything below; nothing below imports it."""

from config.celery import app as celery

__all__ = ("celery",)
