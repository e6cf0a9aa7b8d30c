"""Muting a seat: one's own wish, of which nobody else learns; what is done with it stands in `games.reads.muting`."""

from typing import Any
from uuid import UUID

from api.common.viewer import Viewer
from games.engine.errors import Refused
from games.models import Seat
from games.reads.muting import muted_seats_for
from games.storage import muting as store


def muted_seats_json(viewer: Viewer) -> dict[str, Any]:
    """The seats of a game that a person mutes, by id."""
    return {"results": muted_seats_for(viewer.game.pk, _person(viewer))}


def mute_seat(viewer: Viewer, seat: UUID) -> dict[str, Any]:
    """Mute a seat; all that are muted then. Again it changes nothing.

    Raises `user.missing`, `seat.missing`, `mute.own`.
    """
    user = _person(viewer)
    if any(own.pk == seat for own in viewer.seats):
        raise Refused("mute.own", "This is your own seat; mute those of others.")
    if not Seat.objects.filter(game=viewer.game, pk=seat).exists():
        raise Refused("seat.missing", "There is no such seat in this game.")
    store.mute(viewer.game.pk, user, seat)
    return muted_seats_json(viewer)


def unmute_seat(viewer: Viewer, seat: UUID) -> dict[str, Any]:
    """Read the messages of a seat again; all that are muted still. Raises `user.missing`."""
    store.unmute(viewer.game.pk, _person(viewer), seat)
    return muted_seats_json(viewer)


def _person(viewer: Viewer) -> UUID:
    if viewer.user is None:
        raise Refused("user.missing", "Sign in: send Authorization: Bearer <token>.")
    return viewer.user
