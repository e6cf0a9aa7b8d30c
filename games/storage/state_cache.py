"""States cached in this process from one command to the next, so that a command need not load the game's rows again.

Only a state with a committed transaction is cached. It is taken by one session at a time, under the game's lock; what
other processes have written since is caught up by folding the log from its position. A state that was refused, failed
or used for a dry run never comes back, so the next session loads the rows. Threads of one process come one at a time to
a game (`thread_lock`), so that each finds what the one before it has put back.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from threading import Lock
from typing import Any
from uuid import UUID
from weakref import WeakValueDictionary

from django.conf import settings

from accounts.process_cache import ProcessCache
from games.engine.lifecycle.gm_commands import Rewound
from games.models import Game, LoggedEvent, Secret
from games.storage import log
from worlds.models import World

MAX_EVENTS_BEHIND = 200  # events behind which loading is cheaper than folding
LOCK_TIMEOUT_SECONDS = 2.0


class Queue:
    """Where the threads of a process wait for one game."""

    def __init__(self) -> None:
        self.lock = Lock()


@dataclass(frozen=True, slots=True)
class CachedState:
    """A committed state, the heads of its streams, its place in the log, and rows of the game that never change."""

    state: Any
    heads: dict[str, int]
    seq: int
    digest: str
    secret: Secret
    world: World | None


class StateCache:
    """The cached states of one process, the longest unused dropped first. Threads may share it."""

    def __init__(self, room: int) -> None:
        self._states: ProcessCache[UUID, CachedState] = ProcessCache(room)
        self._lock = Lock()
        self._queues: WeakValueDictionary[UUID, Queue] = WeakValueDictionary()

    @contextmanager
    def thread_lock(self, game: UUID) -> Iterator[None]:
        """Come one thread at a time to a game, from before its lock until after its commit.

        Only for speed: the lock of the game's row is what counts. So nobody waits longer than two seconds here,
        whatever a transaction around the caller holds.
        """
        with self._lock:
            queue = self._queues.setdefault(game, Queue())
        mine = queue.lock.acquire(timeout=LOCK_TIMEOUT_SECONDS)
        try:
            yield
        finally:
            if mine:
                queue.lock.release()

    def put(self, game: UUID, cached: CachedState) -> None:
        """Keep a committed state, unless a later one of the same game is here."""
        self._states.put(game, cached, unless=lambda here: here.seq > cached.seq)

    def pop(self, game: Game) -> CachedState | None:
        """The cached state of a locked game, caught up with its log; None when there is none, or it is of no use."""
        cached = self._states.pop(game.pk)
        if cached is None or not 0 <= game.seq - cached.seq <= MAX_EVENTS_BEHIND:
            return None
        return _catch_up(game, cached)

    def clear(self) -> None:
        """Forget every state."""
        self._states.clear()

    def __len__(self) -> int:
        return len(self._states)


def _catch_up(game: Game, cached: CachedState) -> CachedState | None:
    """The state after the events since its position: one query, or none when nothing has happened since.

    None when the log does not go on from the state's digest, or went back to an earlier event.
    """
    if cached.seq == game.seq:
        return cached if cached.digest == game.digest else None
    digest, heads = cached.digest, cached.heads
    for row in LoggedEvent.objects.filter(game=game, seq__gt=cached.seq).order_by("seq"):
        event = log.event_of(game.ruleset, row)
        if row.digest != log.digest_of(row, digest) or row.fallen is not None or isinstance(event, Rewound):
            return None
        cached.state.table_at(row.at)
        event.apply(cached.state)
        digest, heads[row.audience] = row.digest, row.ordinal
    cached.state.mark_stored()
    return replace(cached, heads=heads, seq=game.seq, digest=digest)


STATE_CACHE = StateCache(settings.KEPT_GAMES)
