"""Who looks at a locked game: read once, and again only when its seats were touched."""

from dataclasses import replace
from uuid import UUID

from api.common.viewer import Viewer, viewer_of
from core.process_cache import ProcessCache
from games.runtime.session import GameSession, write

ROOM, SECONDS = 5_000, 300
SEATS = "seats"
_known: ProcessCache[tuple[UUID | None, UUID, UUID | None, str], tuple[int, Viewer]] = ProcessCache(ROOM, SECONDS)


def viewer_at(session: GameSession, user: UUID | None, seat: UUID | None, as_: str) -> Viewer:
    """The viewer of a user in a locked game, as `viewer_of` finds it; no query while nobody's seat changes.

    Raises what `viewer_of` raises.
    """
    key = (user, session.game.pk, seat, as_)
    if session.state.seats.dirty:
        write(session)
    known = _known.get(key)
    if known is not None and session.since <= known[0] and session.touched.get(SEATS, 0) <= known[0]:
        return replace(known[1], game=session.game)
    viewer = viewer_of(session.game.pk, user, seat=seat, as_=as_)
    if session.game.seq == session.committed:  # what is not committed may never have happened
        _known.put(key, (session.committed, viewer))
    return viewer
