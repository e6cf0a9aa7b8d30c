"""A process beside a running service that turns the clock of its games: what is due next happens now.

Each line on standard input is `turn` or `look`, a game and a seat; the clock stops where the seat is asked. The answer
is a line of JSON: whether the game is over, its chapter, whether the seat must answer or may act, and by which `sight`
its page knows that it shows this. The service hears of what happened as of anything else.
"""

import json
import sys
from typing import Any
from uuid import UUID

import django

django.setup()

# isort: split
from api.common.viewer import viewer_of  # noqa: E402
from api.representations import table  # noqa: E402
from games import services  # noqa: E402
from games.engine.game_state import Status  # noqa: E402
from games.models import Seat, Timer  # noqa: E402
from games.reads import selectors  # noqa: E402

MAX_TIMERS = 20
"""So many fire at most in a turn."""


def turn(game_id: UUID, seat: UUID) -> dict[str, Any]:
    """Let what is due next happen until the seat is asked or may act, and say how the game stands."""
    for _ in range(MAX_TIMERS):
        due = Timer.objects.filter(game=game_id, due__isnull=False).order_by("due").first()
        if due is not None:
            services.fire_due(game_id, now=due.due)
        found = standing(game_id, seat)
        if due is None or found["over"] or found["may"]:
            break
    return found


def standing(game_id: UUID, seat: UUID) -> dict[str, Any]:
    """How a game stands for a seat."""
    viewer = viewer_of(game_id, Seat.objects.get(pk=seat).user_id, seat=seat)
    asked = table.waiting_json(viewer.game.waiting_for, [seat], gm=False)
    return {
        "over": viewer.game.status == Status.FINISHED,
        "chapter": viewer.game.chapter or 0,
        "must": any(each["must"] for each in asked),
        "may": bool(asked),
        "sight": selectors.cursor_for(viewer.game, viewer.visibility),
    }


DEEDS = {"turn": turn, "look": standing}

if __name__ == "__main__":
    for line in sys.stdin:
        deed, game, seat = line.split()
        sys.stdout.write(json.dumps(DEEDS[deed](UUID(game), UUID(seat))) + "\n")
        sys.stdout.flush()
