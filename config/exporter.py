"""The worker's own endpoint for Prometheus: what its pool has counted, at METRICS_PORT.

A worker answers no requests, so where it has no web beside it that shares its folder, it opens this port. The main
process of the worker listens; the processes of its pool write into the folder.
"""

from wsgiref.simple_server import WSGIServer

import structlog
from celery.signals import worker_init
from django.conf import settings
from prometheus_client import start_http_server

from games.runtime.metrics import counted_registry

log = structlog.get_logger(__name__)


def open_port(port: int) -> WSGIServer | None:
    """Listen in a thread that ends with the process; None when the port cannot be had: timers matter more."""
    try:
        server, _ = start_http_server(port, registry=counted_registry())
    except OSError as error:
        log.error("metrics_port_taken", port=port, error=str(error))
        return None
    return server


def start(**_: object) -> None:
    """Open the port where one is named."""
    if settings.METRICS_PORT:
        open_port(settings.METRICS_PORT)


worker_init.connect(start)
