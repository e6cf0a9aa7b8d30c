"""A worker of its own process, once: looks at what has moved, or pushes, or mails for the day, what is due.

`python -m tests.notifications.worker NOW [push|digest]`.
"""

import os
import sys
from datetime import datetime

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
django.setup()

from api.notifications import digests, following, pushing  # noqa: E402  (Django first)
from core.places import routing  # noqa: E402

if __name__ == "__main__":
    at = datetime.fromisoformat(sys.argv[1])
    if sys.argv[2:] == ["digest"]:
        digests.write_digests(at)
        for each in digests.take(at, 10):
            digests.deliver(each, lambda: at)
        sys.exit()
    for place in routing.every_place():
        with routing.at_place(place):
            if sys.argv[2:] == ["push"]:
                pushing.write_pushes(at)
                for each in pushing.take(at, 10):
                    pushing.deliver(each, lambda: at)
                continue
            for game in following.games_to_look_at(at, 10):
                following.look_at(game, at)
