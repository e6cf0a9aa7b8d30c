"""A worker of its own process: one step of each chat hook that is due. `python -m tests.chat_hooks.worker NOW`."""

import os
import sys
from datetime import datetime

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
django.setup()

from api.webhooks.chat import delivery  # noqa: E402  (Django first)
from core.places import routing  # noqa: E402

if __name__ == "__main__":
    at = datetime.fromisoformat(sys.argv[1])
    for place in routing.every_place():
        with routing.at_place(place):
            for hook in delivery.take(at, 10):
                delivery.deliver(hook, lambda: at)
