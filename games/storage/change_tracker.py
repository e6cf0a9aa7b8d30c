"""Which tables of a game have changed since a moment: so that a reader reads those anew and no others.

A process follows the games whose states are asked for again after something has happened: it keeps a state of its own
for each, folds the events that came since, each checked against the chain of digests, and notes what they touched. It
only says where to look; what is shown is read from the rows, through visibility.
"""

from dataclasses import dataclass, field
from threading import Lock
from typing import Any
from uuid import UUID

import structlog
from django.conf import settings

from accounts.prepared_queries import Statement, column_names, instance
from accounts.process_cache import ProcessCache
from games import registry
from games.engine.lifecycle.gm_commands import Rewound
from games.models import Game, LoggedEvent
from games.storage import log

logger = structlog.get_logger(__name__)
MAX_EVENTS_BEHIND = 200  # events behind which reading everything is cheaper than folding
EVERYTHING = frozenset({"seats"})  # who sits where decides who sees what
DIGEST = Statement(lambda game: Game.objects.filter(pk=game).order_by().values_list("digest"), UUID)
SINCE = Statement(
    lambda game, seq: (
        LoggedEvent.objects.filter(game=game, seq__gt=seq).order_by("seq").values_list(*column_names(LoggedEvent))
    ),
    UUID,
    int,
)


@dataclass(slots=True)
class Follower:
    """A state that follows the log, and the last event that touched each of its tables."""

    state: Any
    ruleset: str
    seq: int
    digest: str
    began: int
    dirty: dict[str, int] = field(default_factory=dict)
    lock: Lock = field(default_factory=Lock)

    def changed_tables(self, game: Game, seq: int) -> frozenset[str] | None:
        """The tables that were touched behind event `seq`; None when that is not known, or all may have been."""
        for row in SINCE.rows(game.pk, self.seq) if self.seq < game.seq else ():
            if not self._fold(instance(LoggedEvent, row)):
                return None
        if not self.began <= seq <= game.seq <= self.seq:
            return None
        moved = frozenset(name for name, last in self.dirty.items() if last > seq)
        return moved if moved.isdisjoint(EVERYTHING) else None

    def _fold(self, row: LoggedEvent) -> bool:
        """Apply an event of the log; whether it goes on from here."""
        event = log.event_of(self.ruleset, row)
        fits = row.seq == self.seq + 1 and row.digest == log.digest_of(row, self.digest)
        if not fits or row.fallen is not None or isinstance(event, Rewound):
            return False
        public = self.state.table.is_public
        self.state.table_at(row.at)
        event.apply(self.state)
        for name in registry.store(self.ruleset).dirty(self.state):
            self.dirty[name] = row.seq
        if self.state.table.is_public != public:
            self.dirty.update(dict.fromkeys(EVERYTHING, row.seq))
        self.state.mark_stored()
        self.seq, self.digest = row.seq, row.digest
        return True


FOLLOWED: ProcessCache[UUID, Follower] = ProcessCache(settings.KEPT_GAMES)


def tables_changed_since(game: Game, seq: int) -> frozenset[str] | None:
    """The tables of a game, by its row as it was read, that were touched behind event `seq`; None: perhaps all.

    One query where something has happened since the last question. Who asks for the first time makes the process follow
    the game, which takes its whole state.
    """
    follower = FOLLOWED.get(game.pk)
    if follower is not None and game.seq - follower.seq <= MAX_EVENTS_BEHIND:
        try:
            with follower.lock:
                moved = follower.changed_tables(game, seq)
        except Exception as error:  # noqa: BLE001  (an event of a newer release, say: who reads all needs no events)
            logger.warning("game_not_followed", game=str(game.pk), error=type(error).__name__)
            FOLLOWED.pop(game.pk)
            return None
        if moved is not None or follower.seq >= game.seq:
            return moved
    _follow(game)
    return None


def _follow(game: Game) -> None:
    """Follow a game from the moment of its row; not yet, when it has moved while its state was read."""
    if not FOLLOWED.room:
        return
    state = registry.store(game.ruleset).load(game)
    if DIGEST.first(game.pk) != (game.digest,):
        return
    FOLLOWED.put(game.pk, Follower(state, game.ruleset, game.seq, game.digest, game.seq))
