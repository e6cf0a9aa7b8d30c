"""A process beside a running service that turns the clock of its games: what is due next happens now.

Each line on standard input names a game and a seat; the answer is a line of JSON: whether the game is over, its
chapter, and whether the seat must answer or may act. The service hears of what happened as of anything else.
"""

import json
import sys
from typing import Any
from uuid import UUID

import django

django.setup()

# isort: split
from api.representations import table  # noqa: E402
from games import services  # noqa: E402
from games.engine.game_state import Status  # noqa: E402
from games.models import Game, Timer  # noqa: E402


def turn(game_id: UUID, seat: UUID) -> dict[str, Any]:
    """Let what is due next happen, and say how the game stands."""
    due = Timer.objects.filter(game=game_id, due__isnull=False).order_by("due").first()
    if due is not None:
        services.fire_due(game_id, now=due.due)
    game = Game.objects.get(pk=game_id)
    asked = table.waiting_json(game.waiting_for, [seat], gm=False)
    return {
        "over": game.status == Status.FINISHED,
        "chapter": game.chapter or 0,
        "must": any(each["must"] for each in asked),
        "may": bool(asked),
    }


if __name__ == "__main__":
    for line in sys.stdin:
        game, seat = map(UUID, line.split())
        sys.stdout.write(json.dumps(turn(game, seat)) + "\n")
        sys.stdout.flush()
