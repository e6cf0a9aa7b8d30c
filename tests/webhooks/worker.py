"""A worker of its own process: posts what is due, once. `python -m tests.webhooks.worker NOW`."""

import os
import sys
from datetime import datetime

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
django.setup()

from api.webhooks import delivery  # noqa: E402  (Django first)
from core.places import routing  # noqa: E402

if __name__ == "__main__":
    at = datetime.fromisoformat(sys.argv[1])
    for place in routing.every_place():
        with routing.at_place(place):
            for webhook in delivery.take(at, 10):
                delivery.deliver(webhook, lambda: at)
