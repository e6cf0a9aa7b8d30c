"""How far games are, and how far a viewer could have read of one; each asked in its place."""

from collections.abc import Collection
from uuid import UUID

from core.places import routing
from games.models import Game
from games.reads import selectors
from worlds.visibility import Visibility


def seqs_of(games: Collection[UUID]) -> dict[UUID, int]:
    """The number of the last event of each of these games, without those that are gone: one query a place."""
    found: dict[UUID, int] = {}
    for place, theirs in routing.by_place(games).items():
        with routing.at_hand(place):
            found.update(Game.objects.filter(pk__in=theirs).values_list("pk", "seq"))
    return found


def present_cursor(game: UUID, visibility: Visibility) -> str:
    """How far this viewer could have read by now."""
    with routing.at(game):
        return selectors.cursor_for(game, visibility)
