"""A worker of its own process, once: looks at what has moved, or pushes what is due.

`python -m tests.notifications.worker NOW [push]`.
"""

import os
import sys
from datetime import datetime

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
django.setup()

from api.notifications import following, pushing  # noqa: E402  (Django first)
from core.places import routing  # noqa: E402

if __name__ == "__main__":
    at = datetime.fromisoformat(sys.argv[1])
    for place in routing.every_place():
        with routing.at_place(place):
            if sys.argv[2:] == ["push"]:
                pushing.write_pushes(at)
                for each in pushing.take(at, 10):
                    pushing.deliver(each, lambda: at)
                continue
            for game in following.games_to_look_at(at, 10):
                following.look_at(game, at)
