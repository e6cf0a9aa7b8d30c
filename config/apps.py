"""The app that has the commands of the service, and makes Celery's application the one of every process with tables."""

from django.apps import AppConfig

from config.celery import app as celery

__all__ = ("ServiceConfig", "celery")


class ServiceConfig(AppConfig):
    """`manage.py serve`, `prepare` and their like."""

    name = "config"
