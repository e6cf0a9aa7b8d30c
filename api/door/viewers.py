"""Who looks at a locked game: read once, and again only when its seats were touched."""

from dataclasses import dataclass, replace
from uuid import UUID

from api.common.viewer import Viewer, viewer_of
from core.process_cache import ProcessCache
from games.runtime.session import GameSession, write

ROOM, SECONDS = 5_000, 300
SEATS = "seats"


@dataclass(frozen=True, slots=True)
class KnownViewer:
    """A viewer, and the position of the log at which they looked, which its digest alone makes certain."""

    viewer: Viewer
    seq: int
    digest: str

    def holds_in(self, session: GameSession) -> bool:
        """Whether they would look the same now: the log has come from there, and nobody's seat was touched since."""
        return session.digests.get(self.seq) == self.digest and session.touched.get(SEATS, 0) <= self.seq


_known: ProcessCache[tuple[UUID | None, UUID, UUID | None, str], KnownViewer] = ProcessCache(ROOM, SECONDS)


def viewer_at(session: GameSession, user: UUID | None, seat: UUID | None, as_: str) -> Viewer:
    """The viewer of a user in a locked game, as `viewer_of` finds it; no query while nobody's seat changes.

    Raises what `viewer_of` raises.
    """
    key = (user, session.game.pk, seat, as_)
    if session.state.seats.dirty:
        write(session)
    known = _known.get(key)
    if known is not None and known.holds_in(session):
        return replace(known.viewer, game=session.game)
    viewer = viewer_of(session.game.pk, user, seat=seat, as_=as_)
    if session.game.seq == session.committed:  # what is not committed may never have happened
        _known.put(key, KnownViewer(viewer, session.committed, session.game.digest))
    return viewer
