"""One game while it is locked: loaded, decided upon, written. What `games.services` and the clock share.

Nothing here is called from outside `games`: the doors go through `games.services`.
"""

import os
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts.prepared_queries import Alteration, Statement, column_names, instance
from games import registry
from games.engine.audience import Audience
from games.engine.dice import SecretDice, Tray
from games.engine.errors import Refused
from games.engine.kernel import CLOCK, Actor, Context, EventRecord, apply_events
from games.engine.lifecycle.gm_commands import GameEnded, Resumed, Rewound, SecretShown
from games.engine.prompts.manual_dice import EnteredView, by_hand
from games.models import Game, LoggedEvent, Timer
from games.runtime import command_log, failpoints, notify
from games.storage import log
from games.storage.state_cache import SHELF, Kept


@dataclass(slots=True)
class Sitting:
    """One game while it is locked: its row, its state, the heads of its streams."""

    game: Game
    state: Any
    heads: dict[str, int]


def sit_down(game_id: UUID, *, imagined: bool = False) -> Sitting:
    """Lock a game and take its kept state, or load it; an imagined sitting always loads. Raises `game.missing`."""
    game = _locked(game_id)
    if game is None:
        raise Refused("game.missing", "There is no such game, or you may not see it.")
    return seated(game) if imagined else _resumed(game)


def sit_down_if_free(game_id: UUID) -> Sitting | None:
    """As `sit_down`; None when there is no such game or another process holds it."""
    game = _locked(game_id, skip_locked=True)
    return _resumed(game) if game else None


def seated(game: Game) -> Sitting:
    """A locked game with its state loaded from its rows."""
    return Sitting(game, registry.store(game.ruleset).load(game), log.heads_of(game))


def leave(sitting: Sitting) -> None:
    """Keep the state for the next command of this process, once the transaction has committed."""
    game = sitting.game
    kept = Kept(sitting.state, sitting.heads, game.seq, game.digest, game.secret, game.world)
    transaction.on_commit(lambda: SHELF.put(game.pk, kept))


def _locking(*, skip_locked: bool) -> Statement:
    def make(game: UUID) -> QuerySet[Game, Any]:
        rows = Game.objects.select_for_update(skip_locked=skip_locked).filter(pk=game).order_by()
        return rows.values_list(*column_names(Game))

    return Statement(make, UUID)


GAME = Alteration(Game, fixed=("ruleset", "opened_by", "is_demo", "created_at"))
LOCKED, LOCKED_IF_FREE = _locking(skip_locked=False), _locking(skip_locked=True)


def _locked(game_id: UUID, *, skip_locked: bool = False) -> Game | None:
    row = (LOCKED_IF_FREE if skip_locked else LOCKED).first(game_id)
    return None if row is None else instance(Game, row)


def _resumed(game: Game) -> Sitting:
    kept = SHELF.take(game)
    if kept is None:
        return seated(game)
    game.secret, game.world = kept.secret, kept.world
    return Sitting(game, kept.state, kept.heads)


def alone(game_id: UUID) -> AbstractContextManager[None]:
    """Come one thread at a time to a game: each finds the state that the one before it has left."""
    return SHELF.alone(game_id)


def time_of(sitting: Sitting, now: datetime | None) -> datetime:
    """The game's time: the clock, but never before its last event."""
    at, last = now or timezone.now(), sitting.game.last_at
    return max(at, last) if last else at


def context_of(sitting: Sitting, at: datetime, actor: Actor, *, imagined: bool = False, by: str = "") -> Context:
    """The context of a decision. An imagined one rolls dice of a throw-away secret: a preview must not rehearse."""
    game, state = sitting.game, sitting.state
    rules, secret = registry.ruleset(game.ruleset), game.secret
    dice = os.urandom(32) if imagined else bytes(secret.dice)
    return Context(
        game=game.pk,
        now=at,
        actor=actor,
        tray=Tray(
            SecretDice(dice, str(game.pk)),
            rewinds=state.table.rewinds,
            entered={} if imagined else EnteredView(state),
            by_hand=(lambda label, index: by_hand(state, label, index)) if not imagined else (lambda *_: False),
        ),
        id_secret=bytes(secret.ids),
        salt_secret=os.urandom(32) if imagined else bytes(secret.salts),
        commands=rules.commands,
        starting=rules.starting,
        heads={Audience(audience): head for audience, head in sitting.heads.items()},
        history=log.LoggedHistory(game),
        policies=rules.policies,
        bot_tray=Tray(SecretDice(bytes(secret.bots), str(game.pk)), rewinds=state.table.timers_set),
        by=by,
    )


def write(sitting: Sitting, happened: Sequence[EventRecord], cause: str) -> list[LoggedEvent]:
    """Rows, log and bell for what happened; the rows of the log. A game that ends shows its dice secret."""
    game, state = sitting.game, sitting.state
    if any(isinstance(h.event, GameEnded) for h in happened):
        ctx = context_of(sitting, happened[-1].at, CLOCK)
        shown = SecretShown(secret=bytes(game.secret.dice).hex())
        happened = [*happened, *apply_events(state, [shown], ctx)]
    before = game.seq
    registry.store(game.ruleset).save(game, state, happened)
    failpoints.reach(failpoints.ROWS_WRITTEN, cause)
    rows = log.append(game, happened, sitting.heads, cause)
    failpoints.reach(failpoints.LOG_WRITTEN, cause)
    GAME.write(game)
    failpoints.reach(failpoints.GAME_WRITTEN, cause)
    for row, h in zip(rows, happened, strict=True):
        if isinstance(h.event, Rewound):
            log.mark_fallen(game, h.event.to, row.seq)
        if isinstance(h.event, Resumed):
            Timer.objects.filter(game=game).update(failures=0, last_error="")
    if game.seq > before:
        command_log.written(game, len(rows))
        transaction.on_commit(lambda: _committed(game.pk))
    return rows


def _committed(game_id: UUID) -> None:
    """What was written stands; the watchers are told."""
    failpoints.reach(failpoints.COMMIT)
    notify.ring(game_id)


def recover(sitting: Sitting) -> None:
    """Load the game anew: a state in which a decision broke off is worth nothing."""
    fresh = Game.objects.select_related("secret").get(pk=sitting.game.pk)
    anew = seated(fresh)
    sitting.game, sitting.state, sitting.heads = anew.game, anew.state, anew.heads
