"""What viewers have seen of games, remembered in this process while nothing happens there.

Whatever a glance holds changes only with an event of its game, and every event changes the game's digest: one query
by key tells whether it still holds. What is remembered may be newer than its digest, never older, because the digest
is read first.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, TypeVar
from uuid import UUID

from cachetools import TTLCache

from api.kit.viewer import Viewer, look, visible_game
from games.models import Game

T = TypeVar("T")
Key = tuple[UUID | None, UUID, UUID | None, str]
ROOM, KEPT_SECONDS = 2_000, 300


@dataclass(frozen=True, slots=True)
class Glance:
    """A viewer, the digest of the game he looked at, and what was found out for him since."""

    digest: str
    viewer: Viewer
    found: dict[str, Any] = field(default_factory=dict)

    def once(self, name: str, find: Callable[[Viewer], T]) -> T:
        """Find something out for this viewer, or tell what was found before. It is shared: nobody changes it."""
        if name not in self.found:
            self.found[name] = find(self.viewer)
        found: T = self.found[name]
        return found


_glances: TTLCache[Key, Glance] = TTLCache(ROOM, ttl=KEPT_SECONDS)
_lock = Lock()


def glance(game_id: UUID, user: UUID | None, *, seat: UUID | None = None, as_: str = "") -> Glance:
    """How a user looks at a game: one query when nothing has happened since he last did, else three.

    Raises what `visible_game` and `look` raise.
    """
    key = (user, game_id, seat, as_)
    with _lock:
        known = _glances.get(key)
    if known is not None and Game.objects.filter(pk=game_id).values_list("digest").first() == (known.digest,):
        return known
    game = visible_game(game_id, user)
    fresh = Glance(game.digest, look(game, user, seat=seat, as_=as_))
    with _lock:
        _glances[key] = fresh
    return fresh


def forget() -> None:
    """Forget every glance."""
    with _lock:
        _glances.clear()
