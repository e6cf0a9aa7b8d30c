"""One game while it is locked: loaded, decided upon, written. What `games.services` and the clock share.

Nothing here is called from outside `games`: the APIs go through `games.services`.
"""

import os
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.db import transaction

from core.columns import RowReader, RowUpdater, Writes, read_together
from core.prepared_queries import instance
from games import registry
from games.engine.audience import PUBLIC, Audience
from games.engine.dice import SecretDice, Tray
from games.engine.errors import Refused
from games.engine.kernel import CLOCK, Actor, Context, EventRecord, apply_events
from games.engine.lifecycle.gm_commands import GameEnded, Resumed, Rewound, SecretShown
from games.engine.prompts.manual_dice import EnteredView, by_hand
from games.models import Game, Receipt, Timer
from games.models.log import EventRow, ReceiptRow
from games.runtime import command_log, failpoints, notify, service_clock
from games.storage import log
from games.storage.chronicle import Entry
from games.storage.cursors import START, Head
from games.storage.rolled_dice import RolledDice
from games.storage.state_cache import SEATS, STATE_CACHE, CachedState, note_position


class Acknowledged(NamedTuple):
    """What was acknowledged under a key."""

    fingerprint: str
    first_seq: int
    last_seq: int
    at: datetime


@dataclass(slots=True)
class Unwritten:
    """What has happened in a locked game and is not in its rows yet."""

    happened: list[EventRecord] = field(default_factory=list)
    rows: list[EventRow] = field(default_factory=list)
    """Those of the log, one for each."""
    entries: list[Entry] = field(default_factory=list)
    """What the chronicle retells of it."""
    receipts: list[ReceiptRow] = field(default_factory=list)
    causes: list[str] = field(default_factory=list)
    """The commands and timers behind it, in order."""


@dataclass(slots=True)
class GameSession:
    """One game while it is locked: its row, its state, the heads of its streams."""

    game: Game
    state: Any
    heads: dict[str, Head]
    dice: RolledDice
    digests: dict[int, str] = field(default_factory=dict)
    """The positions behind which `touched` says when each table was touched, as in `CachedState`."""
    touched: dict[str, int] = field(default_factory=dict)
    unwritten: Unwritten = field(default_factory=Unwritten)
    committed: int = 0
    """The last event that stood when the game was locked."""
    acknowledged: dict[tuple[str, str], Acknowledged] = field(default_factory=dict)
    """By principal and key: what was asked for when the game was locked, and what was acknowledged since."""


GAME = RowUpdater(Game, fixed=("ruleset", "opened_by", "is_demo", "created_at"))
LOCKED, LOCKED_IF_FREE = RowReader(Game, ("id",), lock=True), RowReader(Game, ("id",), lock=True, skip_locked=True)
RECEIPTS = RowReader(
    Receipt,
    ("game_id", "principal", "key"),
    ("game_id", "principal", "key", "fingerprint", "first_seq", "last_seq", "at"),
)


def lock(
    games: Sequence[UUID], keys: Sequence[tuple[UUID, str, str]] = (), *, skip_locked: bool = False
) -> dict[UUID, GameSession]:
    """Lock games and take their cached states, or load them: one query, two with keys, in one trip.

    games: in the order of their ids, in which they are locked; missing from the answer is what does not exist.
    keys: game, principal and idempotency key of what may have been acknowledged. skip_locked: leave out the games that
    other processes hold.
    """
    wanted = [[game] for game in games]
    rows, receipts = read_together((LOCKED_IF_FREE if skip_locked else LOCKED, wanted), (RECEIPTS, keys))
    found: list[Game] = [instance(Game, row) for row in rows]
    sessions = {game.pk: _open_session(game) for game in found}
    for game_id, principal, key, *former in receipts:
        if game_id in sessions:
            sessions[game_id].acknowledged[principal, key] = Acknowledged(*former)
    return sessions


def missing() -> Refused:
    """What is said of a game that does not exist, or that its asker may not see."""
    return Refused("game.missing", "There is no such game, or you may not see it.")


def load(game: Game) -> GameSession:
    """A locked game with its state loaded from its rows."""
    state, heads = registry.store(game.ruleset).load(game), log.heads_of(game)
    return GameSession(game, state, heads, RolledDice(game.pk), {game.seq: game.digest})


def cache_on_commit(session: GameSession) -> None:
    """Keep the state for the next command of this process, once the transaction has committed."""
    game = session.game
    cached = CachedState(
        session.state, game.ruleset, session.heads, game.seq, game.digest,
        session.dice, session.digests, session.touched, game.secret, game.world,
    )  # fmt: skip
    transaction.on_commit(lambda: STATE_CACHE.put(game.pk, cached))


def _open_session(game: Game) -> GameSession:
    session = _take_or_load(game)
    session.committed = game.seq
    return session


def _take_or_load(game: Game) -> GameSession:
    cached = STATE_CACHE.pop(game)
    if cached is None:
        return load(game)
    if cached.secret is not None:
        game.secret, game.world = cached.secret, cached.world
    return GameSession(game, cached.state, cached.heads, cached.dice, cached.digests, cached.touched)


def thread_lock(game_id: UUID, seconds: float | None = None) -> AbstractContextManager[bool]:
    """Serialise this process's threads per game; best effort, two seconds at most, unless said."""
    return STATE_CACHE.thread_lock(game_id, seconds)


def time_of(session: GameSession, now: datetime | None) -> datetime:
    """The game's time: the service's clock, but never before its last event. `service_clock` says what `now` may be."""
    at, last = now or service_clock.now(), session.game.last_at
    return max(at, last) if last else at


def context_of(
    session: GameSession, at: datetime, actor: Actor, *, dry_run: bool = False, by: str = "", in_batch: bool = False
) -> Context:
    """The context of a decision. A dry run rolls dice of a throw-away secret: a preview must not rehearse."""
    game, state = session.game, session.state
    rules, secret = registry.ruleset(game.ruleset), game.secret
    dice = os.urandom(32) if dry_run else bytes(secret.dice)
    return Context(
        game=game.pk,
        now=state.info.paused_at or at,
        at=at,
        actor=actor,
        tray=Tray(
            SecretDice(dice, str(game.pk)),
            rewinds=state.info.rewinds,
            entered={} if dry_run else EnteredView(state),
            by_hand=(lambda label, index: by_hand(state, label, index)) if not dry_run else (lambda *_: False),
            rolled=session.dice.under,
        ),
        id_secret=bytes(secret.ids),
        salt_secret=os.urandom(32) if dry_run else bytes(secret.salts),
        commands=rules.commands,
        start=rules.start,
        end_setup=rules.end_setup,
        goes_on=rules.course.go_on,
        attacks=rules.attacks,
        heads={Audience(audience): head.ordinal for audience, head in session.heads.items()},
        history=log.LoggedHistory(game),
        policies=rules.policies,
        gm_policies=rules.gm_policies,
        bot_tray=Tray(SecretDice(bytes(secret.bots), str(game.pk)), rewinds=state.info.timers_set),
        is_dry_run=dry_run,
        by=by,
        is_in_batch=in_batch,
    )


def record(session: GameSession, happened: Sequence[EventRecord], cause: str) -> list[EventRow]:
    """Number and chain what has happened; `write` puts it into the rows. A game that ends shows its dice secret."""
    game, state, head = session.game, session.state, session.heads.get(PUBLIC, START).ordinal
    if any(isinstance(h.event, GameEnded) for h in happened):
        ctx = context_of(session, happened[-1].at, CLOCK)
        shown = SecretShown(secret=bytes(game.secret.dice).hex())
        happened = [*happened, *apply_events(state, [shown], ctx)]
    rows = log.rows_of(game, happened, session.heads, cause)
    unwritten = session.unwritten
    unwritten.entries += registry.store(game.ruleset).retell(state, game, happened, head)
    unwritten.happened += happened
    unwritten.rows += rows
    unwritten.causes.append(cause)
    session.dice.add((roll.label, roll.index) for h in happened for roll in h.rolls)
    return rows


def acknowledge(
    session: GameSession, key: str, command: str, first: int, at: datetime, principal: str, fingerprint: str
) -> None:
    """Note a receipt for the events from `first` to the last."""
    last = session.game.seq
    receipt = ReceiptRow(session.game.pk, principal, key, command, fingerprint, first, last, at)
    session.unwritten.receipts.append(receipt)
    session.acknowledged[principal, key] = Acknowledged(fingerprint, first, last, at)


def write_at_once(session: GameSession, happened: Sequence[EventRecord]) -> None:
    """Write, where what has just happened must be in the rows before more happens."""
    if registry.store(session.game.ruleset).is_written_at_once(happened):
        write(session)


def write(*sessions: GameSession) -> None:
    """Write what was recorded in these games, rows and log in one go; the watchers are notified on commit."""
    writing = [Writing.of(session) for session in sessions if session.unwritten.causes]
    if not writing:
        return
    writes = Writes()
    for each in writing:
        each.gather_rows(writes)
    _reach(failpoints.ROWS_WRITTEN, writing)
    for each in writing:
        log.write(each.game, each.new.rows, each.new.happened, each.session.heads, writes)
    _reach(failpoints.LOG_WRITTEN, writing)
    for each in writing:
        log.write_receipts(each.new.receipts, writes)
    _reach(failpoints.RECEIPT_WRITTEN, writing)
    for each in writing:
        writes.update(GAME, each.game)
    writes.send()
    _reach(failpoints.GAME_WRITTEN, writing)
    for each in writing:
        each.finish()
    if moved := [each.game for each in writing if each.new.rows]:
        transaction.on_commit(lambda: _on_committed([game.pk for game in moved]))


@dataclass(slots=True)
class Writing:
    """What one game writes in a go: what has happened there, and the tables that were touched."""

    session: GameSession
    game: Game
    new: Unwritten
    touched: frozenset[str]

    @classmethod
    def of(cls, session: GameSession) -> "Writing":
        """Take what is unwritten; what the tables refer to is written here."""
        new, session.unwritten = session.unwritten, Unwritten()
        game, state, store = session.game, session.state, registry.store(session.game.ruleset)
        public, touched = game.is_public, store.dirty(state)
        store.update_row(game, state)
        if game.is_public != public:
            touched |= {SEATS}
        store.save_before(state, game, new.happened)
        return cls(session, game, new, touched)

    def gather_rows(self, writes: Writes) -> None:
        """Give the rows of the state."""
        registry.store(self.game.ruleset).save(self.session.state, self.game, self.new.entries, writes)

    def finish(self) -> None:
        """Write what follows from the rows, which are there now."""
        game, session, new = self.game, self.session, self.new
        registry.store(game.ruleset).save_after(session.state, game, new.happened, self.touched)
        for row, h in zip(new.rows, new.happened, strict=True):
            if isinstance(h.event, Rewound):
                log.mark_fallen(game, h.event.to, row.seq)
                session.digests.clear()
            if isinstance(h.event, Resumed):
                Timer.objects.filter(game=game).update(failures=0, last_error="")
        session.touched.update(dict.fromkeys(self.touched, game.seq))
        note_position(session.digests, game.seq, game.digest)
        if new.rows:
            command_log.count_events(game, len(new.rows))


def commit_events(session: GameSession, happened: Sequence[EventRecord], cause: str) -> list[EventRow]:
    """Record and write what has happened; its rows of the log."""
    rows = record(session, happened, cause)
    write(session)
    return rows


def _reach(point: str, writing: Sequence[Writing]) -> None:
    for cause in (cause for each in writing for cause in each.new.causes):
        failpoints.reach(point, cause)


def _on_committed(games: Sequence[UUID]) -> None:
    """What was written stands; the watchers are notified."""
    failpoints.reach(failpoints.COMMIT)
    notify.ring(games)


def reload(session: GameSession) -> None:
    """Load the game anew: a state that was written in a transaction which broke off is of no use."""
    anew = load(Game.objects.select_related("secret").get(pk=session.game.pk))
    session.game, session.state, session.heads = anew.game, anew.state, anew.heads
    session.digests, session.touched, session.unwritten = anew.digests, anew.touched, anew.unwritten
    session.acknowledged, session.dice = anew.acknowledged, anew.dice
