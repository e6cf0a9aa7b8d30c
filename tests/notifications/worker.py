"""A worker of its own process: looks at what has moved, once. `python -m tests.notifications.worker NOW`."""

import os
import sys
from datetime import datetime

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
django.setup()

from api.notifications import following  # noqa: E402  (Django first)
from core.places import routing  # noqa: E402

if __name__ == "__main__":
    at = datetime.fromisoformat(sys.argv[1])
    for place in routing.every_place():
        with routing.at_place(place):
            for game in following.games_to_look_at(at, 10):
                following.look_at(game, at)
