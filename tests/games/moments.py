"""Moments of a game for tests, which know the places in its log."""

from uuid import UUID

from games.engine.lifecycle.gm_commands import Rewind
from games.models import Game
from games.storage.moments import events_of_gms


def number_at(game: UUID, seq: int) -> int:
    """The number of the last event up to a place in the log that game-masters may read."""
    return events_of_gms(Game.objects.get(pk=game)).filter(seq__lte=seq).count()


def rewind_to(game: UUID, seq: int, reason: str) -> Rewind:
    """A rewind to the command that wrote the event at a place in the log."""
    return Rewind(to=number_at(game, seq), reason=reason)
