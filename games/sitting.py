"""One game while it is locked: loaded, decided upon, written. What `games.services` and the clock share.

Nothing here is called from outside `games`: the doors go through `games.services`.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from games import bell, log, registry
from games.engine.audience import Audience
from games.engine.conduct import GameEnded, Resumed, Rewound, SecretShown
from games.engine.dice import SecretDice, Tray
from games.engine.errors import Refused
from games.engine.handdice import EnteredView, by_hand
from games.engine.kernel import CLOCK, Actor, Context, Happening, enact
from games.models import Game, Timer


@dataclass(slots=True)
class Sitting:
    """One game while it is locked: its row, its state, the heads of its streams."""

    game: Game
    state: Any
    heads: dict[str, int]


def sit_down(game_id: UUID) -> Sitting:
    """Lock a game and load it. Raises `game.missing`."""
    game = Game.objects.select_for_update(of=("self",)).select_related("secret").filter(pk=game_id).first()
    if game is None:
        raise Refused("game.missing", "There is no such game, or you may not see it.")
    return seated(game)


def seated(game: Game) -> Sitting:
    return Sitting(game, registry.store(game.ruleset).load(game), log.heads_of(game))


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
        commands=rules.commands,
        starting=rules.starting,
        heads={Audience(audience): head for audience, head in sitting.heads.items()},
        history=log.LoggedHistory(game),
        policies=rules.policies,
        bot_tray=Tray(SecretDice(bytes(secret.bots), str(game.pk)), rewinds=state.table.timers_set),
        by=by,
    )


def write(sitting: Sitting, happened: Sequence[Happening], cause: str) -> None:
    """Rows, log and bell for what happened. A game that ends shows its dice secret."""
    game, state = sitting.game, sitting.state
    if any(isinstance(h.event, GameEnded) for h in happened):
        ctx = context_of(sitting, happened[-1].at, CLOCK)
        shown = SecretShown(secret=bytes(game.secret.dice).hex())
        happened = [*happened, *enact(state, [shown], ctx)]
    before = game.seq
    registry.store(game.ruleset).save(game, state, happened)
    rows = log.append(game, happened, sitting.heads, cause)
    game.save()
    for row, h in zip(rows, happened, strict=True):
        if isinstance(h.event, Rewound):
            log.mark_fallen(game, h.event.to, row.seq)
        if isinstance(h.event, Resumed):
            Timer.objects.filter(game=game).update(failures=0, last_error="")
    if game.seq > before:
        transaction.on_commit(lambda: bell.ring(game.pk))


def recover(sitting: Sitting) -> None:
    """Load the game anew: a state in which a decision broke off is worth nothing."""
    fresh = Game.objects.select_related("secret").get(pk=sitting.game.pk)
    anew = seated(fresh)
    sitting.game, sitting.state, sitting.heads = anew.game, anew.state, anew.heads
