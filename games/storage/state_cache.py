"""States cached in this process: a command loads no rows of a game again, a reader learns which tables have changed.

Only a state with a committed transaction is cached. It is used by one thread at a time (`thread_lock`): a session takes
it out under the game's lock and puts it back on commit, a reader looks at it where it is. What other processes have
written since is caught up by folding the log from its position, each event checked against the chain of digests. What
a refusal, a dry run or a die that is awaited has begun is undone (`engine.savepoint`); a state in which anything else
broke off never comes back, so the next session loads the rows.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock
from typing import Any
from uuid import UUID
from weakref import WeakValueDictionary

import orjson
import structlog
from django.conf import settings

from core.prepared_queries import Statement, column_names, instance
from core.process_cache import ProcessCache
from games import registry
from games.engine.lifecycle.gm_commands import Rewound
from games.models import Game, LoggedEvent, Secret
from games.storage import log
from games.storage.cursors import Head
from games.storage.rolled_dice import RolledDice
from worlds.models import World

logger = structlog.get_logger(__name__)
MAX_EVENTS_BEHIND = 200  # events behind which loading is cheaper than folding
MAX_POSITIONS = 64  # positions of which a state knows the digest: 13 KB a game; who has read before these reads anew
LOCK_TIMEOUT_SECONDS = 2.0
READER_TIMEOUT_SECONDS = 0.2  # after which reading everything is better than waiting for a session
SEATS = "seats"  # a change of seats touches every table: who sits where decides who sees what
DIGEST = Statement(lambda game: Game.objects.filter(pk=game).order_by().values_list("digest"), UUID)
SINCE = Statement(
    lambda game, seq: (
        LoggedEvent.objects.filter(game=game, seq__gt=seq).order_by("seq").values_list(*column_names(LoggedEvent))
    ),
    UUID,
    int,
)


class Queue:
    """Where the threads of a process wait for one game."""

    def __init__(self) -> None:
        self.lock = Lock()


@dataclass(slots=True)
class CachedState:
    """A committed state, the heads of its streams, its place in the log, and rows of the game that never change."""

    state: Any
    ruleset: str
    heads: dict[str, Head]
    seq: int
    digest: str
    dice: RolledDice
    digests: dict[int, str]
    """The last positions at which the log was seen, and its digests: behind these it is known what was touched.

    Only a digest says that a position is of this log: after a restore another log may have the same number there.
    """
    touched: dict[str, int] = field(default_factory=dict)
    """The last event that touched each table, of those behind the first of `digests`."""
    secret: Secret | None = None
    world: World | None = None

    def catch_up(self, game: Game) -> bool:
        """Fold the events up to a game's row: one query, or none when nothing has happened.

        False when the log does not go on from the state's digest, or went back to an earlier event; then the state is
        of no use any more.
        """
        if not 0 <= game.seq - self.seq <= MAX_EVENTS_BEHIND:
            return False
        for values in SINCE.rows(game.pk, self.seq) if self.seq < game.seq else ():
            row = instance(LoggedEvent, values)
            event = log.event_of(self.ruleset, row)
            fits = row.seq == self.seq + 1 and row.digest == log.digest_of(row, self.digest)
            if not fits or row.fallen is not None or isinstance(event, Rewound):
                return False
            public = self.state.info.is_public
            self.state.note_time(row.at)
            event.apply(self.state)
            self.touch(registry.store(self.ruleset).dirty(self.state), row.seq)
            if self.state.info.is_public != public:
                self.touch([SEATS], row.seq)
            self.state.mark_stored()
            self.dice.add((roll["label"], roll["index"]) for roll in orjson.loads(row.rolls))
            self.seq, self.digest, self.heads[row.audience] = row.seq, row.digest, Head(row.ordinal, row.mark)
            note_position(self.digests, row.seq, row.digest)
        return self.seq > game.seq or self.digest == game.digest

    def touch(self, tables: Iterable[str], seq: int) -> None:
        """Event `seq` has touched these tables."""
        self.touched.update(dict.fromkeys(tables, seq))

    def touched_tables(self, seq: int, digest: str) -> frozenset[str] | None:
        """The tables that were touched behind event `seq` with this digest; None: not known, or all may have been."""
        if self.digests.get(seq) != digest:
            return None
        tables = frozenset(name for name, last in self.touched.items() if last > seq)
        return None if SEATS in tables else tables


def note_position(digests: dict[int, str], seq: int, digest: str) -> None:
    """Note where the log stands, and forget the oldest position where there are too many."""
    digests[seq] = digest
    if len(digests) > MAX_POSITIONS:
        del digests[next(iter(digests))]


class StateCache:
    """The cached states of one process, the longest unused dropped first. Threads may share it."""

    def __init__(self, room: int) -> None:
        self._states: ProcessCache[UUID, CachedState] = ProcessCache(room)
        self._lock = Lock()
        self._queues: WeakValueDictionary[UUID, Queue] = WeakValueDictionary()

    @property
    def room(self) -> int:
        """How many states it holds at most."""
        return self._states.room

    @contextmanager
    def thread_lock(self, game: UUID, seconds: float | None = None) -> Iterator[bool]:
        """Serialise this process's threads per game, from before its lock until after its commit; False on a timeout.

        For a session that is only speed: the lock of the game's row is what counts. So nobody waits longer than two
        seconds here, whatever a transaction around the caller holds.
        """
        with self._lock:
            queue = self._queues.setdefault(game, Queue())
        mine = queue.lock.acquire(timeout=LOCK_TIMEOUT_SECONDS if seconds is None else seconds)
        try:
            yield mine
        finally:
            if mine:
                queue.lock.release()

    def holds(self, game: UUID) -> bool:
        """Whether a state of this game is here now, not taken out by anybody."""
        return self._states.get(game) is not None

    def games(self) -> list[UUID]:
        """The games of which a state is here now."""
        return self._states.keys()

    def put(self, game: UUID, cached: CachedState) -> None:
        """Keep a committed state, unless a later one of the same game is here."""
        self._states.put(game, cached, unless=lambda here: here.seq > cached.seq)

    def pop(self, game: Game) -> CachedState | None:
        """The cached state of a locked game, caught up with its log; None when there is none, or it is of no use."""
        cached = self._states.pop(game.pk)
        return cached if cached is not None and cached.catch_up(game) else None

    @contextmanager
    def reading(self, game: Game) -> Iterator[Any]:
        """The state of a game as of its row, or later, to look at and not to change, until the block ends.

        It is taken out meanwhile, so no session finds it that came without waiting. Where none is here, or it is of no
        use, it is loaded, and kept for the next reader.
        """
        with self.thread_lock(game.pk, READER_TIMEOUT_SECONDS) as mine:
            if not (mine and self.room):
                yield registry.store(game.ruleset).load(game)
                return
            cached, whole = self._follow(game), True
            if cached is None:
                cached, whole = self._load_anew(game)
            yield cached.state
            if whole:
                self.put(game.pk, cached)

    def _follow(self, game: Game) -> CachedState | None:
        """The cached state of a game, taken out and caught up; None where there is none of any use."""
        try:
            return self.pop(game)
        except Exception as error:  # noqa: BLE001  (an event of a newer release, say: rows need no events)
            logger.warning("game_not_followed", game=str(game.pk), error=type(error).__name__)
            return None

    def heads_at(self, game: Game) -> Mapping[str, Head] | None:
        """The heads of all streams of a game at its row as it was read; None where no state of that moment is here.

        Nobody waits for them: one query finds them as well.
        """
        with self.thread_lock(game.pk, 0.0) as mine:
            here = self._states.get(game.pk) if mine else None
            if here is None or here.seq > game.seq:
                return None
            cached = self._follow(game)
            if cached is None:
                return None
            self.put(game.pk, cached)
            return dict(cached.heads)

    def tables_touched_since(self, game: Game, seq: int, digest: str) -> frozenset[str] | None:
        """The tables of a game, by its row as it was read, that were touched behind an event; None: perhaps all.

        seq, digest: of that event.

        One query where another process has written since. Who asks for the first time loads the state, so that the
        next question can be answered. It only says where to look: what is shown is read from the rows, through
        `visible_to`.
        """
        if not self.room:
            return None
        with self.thread_lock(game.pk, READER_TIMEOUT_SECONDS) as mine:
            if not mine:
                return None
            cached = self._states.get(game.pk)
            try:
                if cached is not None and cached.catch_up(game):
                    return cached.touched_tables(seq, digest)
            except Exception as error:  # noqa: BLE001  (an event of a newer release, say: who reads all needs no events)
                logger.warning("game_not_followed", game=str(game.pk), error=type(error).__name__)
                self._states.pop(game.pk)
                return None
            self._states.pop(game.pk)
            cached, whole = self._load_anew(game)
            if whole:
                self.put(game.pk, cached)
        return None

    def _load_anew(self, game: Game) -> tuple[CachedState, bool]:
        """A game's state from its rows, and whether it is that of the game's row: not when it moved meanwhile."""
        heads, state = log.heads_of(game), registry.store(game.ruleset).load(game)
        dice, digests = RolledDice(game.pk), {game.seq: game.digest}
        cached = CachedState(state, game.ruleset, heads, game.seq, game.digest, dice, digests)
        return cached, DIGEST.first(game.pk) == (game.digest,)

    def clear(self) -> None:
        """Forget every state."""
        self._states.clear()

    def __len__(self) -> int:
        return len(self._states)


STATE_CACHE = StateCache(settings.KEPT_GAMES)
