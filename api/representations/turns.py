"""The seats of a person that must or may act now, in all their games: for the home page and for a calendar."""

from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import UUID

from api.representations import table
from core.places import routing
from games import registry
from games.engine.game_state import Role, Status
from games.models import Game, Seat

MAX_TURNS = 30
"""Seats that are looked at, those first in whose game something public has happened last."""
PLAYED = (Status.SETUP, Status.RUNNING)
NEVER = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Turn:
    """A seat that is waited for."""

    seat: Seat
    game: Game
    caption: str
    """Where the game is, such as its chapter."""
    must: bool
    """Whether it is asked; else it may act."""
    due: datetime | None
    """When it is too late; None where nothing ends it, and while the game is paused."""


def turns_of(user: UUID) -> list[Turn]:
    """The seats of a player that must or may act now, in the order of their deadlines; what has none stands last."""
    held = Seat.objects.filter(user=user, role=Role.PLAYER, game__status__in=PLAYED).select_related("game")
    found = []
    for seat in held.order_by("-game__public_at", "pk")[:MAX_TURNS]:
        waiting = table.waiting_json(seat.game.waiting_for, [seat.pk], gm=False)
        mine = next((each for each in waiting if each["seat"] == seat.pk), None)
        if mine is not None:
            with routing.at(seat.game_id):
                caption = registry.store(seat.game.ruleset).caption(seat.game)
            found.append(Turn(seat, seat.game, caption, mine["must"], mine["due"]))
    return sorted(found, key=lambda each: (each.due is None, each.due or NEVER, not each.must))
