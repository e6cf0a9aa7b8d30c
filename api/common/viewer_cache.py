"""What viewers have seen of games, remembered in this process while nothing happens there.

What a cached viewer holds changes only with an event of its game, and every event changes the game's digest: one query
by key says whether it still holds. What is remembered may be newer than its digest, never older, because the digest
is read first.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic
from typing import Any, TypeVar
from uuid import UUID

from api.common.viewer import Viewer, viewer_of
from core.process_cache import ProcessCache
from games.storage.state_cache import DIGEST, STATE_CACHE

T = TypeVar("T")
Key = tuple[UUID | None, UUID, UUID | None, str]
ROOM, CACHE_SECONDS, SECTIONS_ROOM = 2_000, 300, 500


@dataclass(frozen=True, slots=True)
class CachedViewer:
    """A viewer, the digest of the game they looked at, and what was found out for them since."""

    digest: str
    viewer: Viewer
    found: dict[str, Any] = field(default_factory=dict)

    def once(self, name: str, find: Callable[[Viewer], T]) -> T:
        """Find something out for this viewer, or return what was found before. It is shared: nobody changes it."""
        if name not in self.found:
            self.found[name] = find(self.viewer)
        found: T = self.found[name]
        return found


@dataclass(frozen=True, slots=True)
class Sections:
    """What was read of a game for one viewer at one moment, section by section: tables as JSON, and rows that count."""

    seq: int
    digest: str
    read_at: float
    """When the oldest of it was read; it is used no longer than a cached viewer."""
    tables: dict[str, bytes]
    rows: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Since:
    """What was read before for this viewer, and the tables that were touched since; None where all may have been."""

    sections: Sections | None
    moved: frozenset[str] | None

    def holds(self, *tables: str) -> bool:
        """Whether what was read of these tables is what would be read now."""
        return self.sections is not None and self.moved is not None and self.moved.isdisjoint(tables)


ViewerKey = tuple[object, ...]
_sections: ProcessCache[ViewerKey, Sections] = ProcessCache(SECTIONS_ROOM, CACHE_SECONDS)
_cached_viewers: ProcessCache[Key, CachedViewer] = ProcessCache(ROOM, CACHE_SECONDS)


def cached_viewer(
    game_id: UUID, user: UUID | None, *, seat: UUID | None = None, as_: str = "", digest: str = ""
) -> CachedViewer:
    """The viewer of a user in a game: one query when nothing has happened since the last time, else two.

    digest: of the game, where it was just read; one query less. Raises what `visible_game` and `look` raise.
    """
    key = (user, game_id, seat, as_)
    known = _cached_viewers.get(key)
    if known is not None and (digest or digest_of(game_id)) == known.digest:
        return known
    viewer = viewer_of(game_id, user, seat=seat, as_=as_)
    fresh = CachedViewer(viewer.game.digest, viewer)
    _cached_viewers.put(key, fresh)
    return fresh


def digest_of(game_id: UUID) -> str:
    """The digest of a game; empty where there is none."""
    row = DIGEST.first(game_id)
    return row[0] if row else ""


def since(seen: CachedViewer) -> Since:
    """What was read for this viewer before, and what has happened to it."""
    game = seen.viewer.game
    former = _sections.get(_viewer_key(seen.viewer))
    if former is None or monotonic() - former.read_at > CACHE_SECONDS:
        return Since(None, None)
    if former.digest == game.digest:
        return Since(former, frozenset())
    moved = seen.once(
        f"moved since {former.digest}", lambda _: STATE_CACHE.tables_touched_since(game, former.seq, former.digest)
    )
    return Since(former, moved)


def store_sections(viewer: Viewer, before: Since, tables: dict[str, bytes], rows: dict[str, Any]) -> None:
    """Remember what was read at the moment of a viewer's game; before: what of it was read before."""
    game, whole = viewer.game, before.sections is None or before.moved is None
    read_at = monotonic() if whole or before.sections is None else before.sections.read_at
    _sections.put(_viewer_key(viewer), Sections(game.seq, game.digest, read_at, tables, rows))


def _viewer_key(viewer: Viewer) -> ViewerKey:
    """Which viewer, with which seats, at which game and map: what is read for them differs by nothing else."""
    game, visibility = viewer.game, viewer.visibility
    ground = (game.world_id, game.world.width, game.world.height) if game.world else ()
    seat = viewer.seat.pk if viewer.seat else None
    return (
        game.pk,
        ground,
        visibility.user,
        visibility.seats,
        visibility.gm_games,
        viewer.as_gm,
        seat,
        viewer.on_behalf_of,
    )
