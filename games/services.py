"""The one writer: every change of a game passes through `run`, under that game's lock, and is logged.

REST, GraphQL, Celery and the admin call these functions. Nothing here names a game.
"""

import hmac
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from uuid import UUID, uuid4

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from accounts.prepared_queries import Statement
from games import registry
from games.engine.audience import PUBLIC
from games.engine.dice import commitment
from games.engine.errors import DieOwed, Refused
from games.engine.game_state import Role
from games.engine.kernel import CLOCK, Actor, Command, Context, Event, EventRecord, apply_events, require_issuer
from games.engine.lifecycle.seating import GameOpened, HandedOver, SeatTaken
from games.engine.prompts.manual_dice import hold
from games.engine.prompts.sealed import run_until_opened
from games.engine.savepoint import Savepoint
from games.models import Game, LoggedEvent, Receipt, Secret
from games.reads import cursors
from games.runtime import command_log, failpoints
from games.runtime.clock import fire_all, next_due
from games.runtime.session import (
    GameSession,
    acknowledge,
    cache_on_commit,
    commit_events,
    context_of,
    lock_and_load,
    record,
    thread_lock,
    time_of,
    try_lock_and_load,
    write,
)

RECEIPT = Statement(
    lambda game, principal, key: (
        Receipt.objects.filter(game=game, principal=principal, key=key)
        .order_by()
        .values_list("fingerprint", "first_seq", "last_seq", "at")
    ),
    UUID,
    str,
    str,
)


@dataclass(frozen=True, slots=True)
class Expected:
    """What the client believes: the cursor it acted on, and the heads that cursor should equal now."""

    cursor: str
    readable: Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a command did: the events `first_seq`..`last_seq` of the log, or the events of a dry run."""

    game: UUID
    first_seq: int
    last_seq: int
    at: datetime
    replayed: bool = False
    dry_run_events: tuple[EventRecord, ...] = ()
    written: tuple[LoggedEvent, ...] = ()
    """The events, as they were just written; none when the command is replayed."""
    before: Mapping[str, int] = field(default_factory=dict)
    """The heads of the streams before the first of them."""
    reseats: bool = True
    """Whether who sits where may have changed."""


def open_game(
    ruleset: str,
    name: str,
    *,
    user: UUID | None,
    options: str = "{}",
    is_public: bool = True,
    is_demo: bool = False,
    now: datetime | None = None,
) -> Game:
    """Open a game of a ruleset; its opener gets the host's and a game-master's seat.

    options: JSON that the ruleset's options model accepts. is_demo: whether the demo opens it. Raises
    `ruleset.missing`, pydantic's ValidationError, and what the options refuse (`pack.missing`).
    """
    rules = registry.ruleset(ruleset)
    chosen = rules.options.model_validate_json(options)
    secrets = {kind: os.urandom(32) for kind in ("dice", "ids", "salts", "bots")}
    with transaction.atomic():
        game = Game.objects.create(
            id=uuid4(), ruleset=ruleset, name=name, opened_by_id=user, is_public=is_public,
            is_demo=is_demo, commitment=commitment(secrets["dice"]),
        )  # fmt: skip
        Secret.objects.create(game=game, **secrets)
        session = GameSession(game, registry.store(ruleset).new_state(game.pk), {}, 0)
        chosen.check(session.state)
        opened = GameOpened(
            ruleset=ruleset,
            name=name,
            chosen=chosen.model_dump_json(),
            commitment=game.commitment,
            is_public=is_public,
        )

        def events(ctx: Context) -> Iterator[Event]:
            yield opened
            if user is not None:
                yield SeatTaken(seat=ctx.mint(PUBLIC), role=Role.HOST, name="Host", user=user)
                yield SeatTaken(seat=ctx.mint(PUBLIC), role=Role.GM, name="Game-master", user=user)

        ctx = context_of(session, now or timezone.now(), CLOCK)
        commit_events(session, apply_events(session.state, events(ctx), ctx), cause="open-game")
    return game


@command_log.log_command
def run(
    game_id: UUID,
    command: Command,
    *,
    actor: Actor,
    key: str = "",
    expected: Expected | None = None,
    dry_run: bool = False,
    now: datetime | None = None,
) -> Outcome:
    """Run one command of one game, under that game's lock, and log what happened.

    The clock goes first: every timer that is due fires at its own time. The same `key` again returns the first outcome.
    Raises Refused; then nothing of the command has changed or is stored. A dry run keeps nothing and uses other dice.
    """
    with thread_lock(game_id), transaction.atomic():
        session = lock_and_load(game_id)
        command_log.at_hand(session.game)
        at = time_of(session, now)
        if former := _former(session.game, actor, key, command):
            cache_on_commit(session)
            return former
        fire_all(session, at)
        refused: Refused | None = None
        try:
            return _decide(session, command, actor, key, expected, dry_run, at)
        except Refused as why:
            # What the clock did stands; the command has written nothing.
            refused = why
        finally:
            cache_on_commit(session)
    raise refused


def fire_due(game_id: UUID, now: datetime | None = None) -> int:
    """Fire what is due in one game; how many timers fired. A game that another worker holds is left to it."""
    with thread_lock(game_id), transaction.atomic():
        session = try_lock_and_load(game_id)
        if session is None:
            return 0
        failpoints.reach(failpoints.GAME_LOCKED)
        fired = fire_all(session, time_of(session, now))
        failpoints.reach(failpoints.GAME_DONE)
        cache_on_commit(session)
        return fired


def _decide(
    session: GameSession,
    command: Command,
    actor: Actor,
    key: str,
    expected: Expected | None,
    dry_run: bool,
    at: datetime,
) -> Outcome:
    game, state = session.game, session.state
    if next_due(session, at) and game.paused_at is None:
        raise Refused("clock.behind", "The clock is catching up; try again in a second.")
    _check_position(session, expected)
    require_issuer(command, actor)
    if game.paused_at is not None and not command.while_paused:
        raise Refused("clock.paused", "The clock stands still; wait until the GM resumes.")
    ctx = context_of(session, at, actor, dry_run=dry_run)
    with Savepoint(state) as savepoint:
        try:
            decided = command.decide(state, ctx)
            happened = apply_events(state, run_until_opened(state, decided) if dry_run else decided, ctx, command.rules)
            _check_people(actor, happened)
        except DieOwed as owed:
            savepoint.undo()
            ctx = context_of(session, at, actor)
            happened = apply_events(state, hold(state, ctx, command, owed), ctx)
        if dry_run:
            savepoint.undo()
            return Outcome(game.pk, game.seq + 1, game.seq, at, dry_run_events=tuple(happened))
    first, before = game.seq + 1, dict(session.heads)
    rows = record(session, happened, cause=command.slug())
    if key:
        who = {"principal": _principal(actor), "fingerprint": _fingerprint(actor, command)}
        acknowledge(session, key, command.slug(), first, at, **who)
    write(session)
    reseats = any(h.event.survives_rewind for h in happened)
    return Outcome(game.pk, first, game.seq, at, written=tuple(rows), before=before, reseats=reseats)


def _check_position(session: GameSession, expected: Expected | None) -> None:
    if expected is None:
        return
    heads = {audience: head for audience, head in session.heads.items() if expected.readable(audience)}
    if cursors.encode(heads) != expected.cursor:
        raise Refused(
            "position.stale",
            "The game has moved on since you looked; read the state again and decide anew.",
            rules=("CF-4",),
        )


def _check_people(actor: Actor, happened: Sequence[EventRecord]) -> None:
    """Refuse (`person.missing`) to seat somebody who is not there, or has left: no key of the database checks it."""
    named = {h.event.user for h in happened if isinstance(h.event, SeatTaken | HandedOver)} - {None, actor.user}
    if named and named - set(User.objects.filter(pk__in=named, retired_at=None).values_list("pk", flat=True)):
        raise Refused("person.missing", "There is no such person here; ask them for the id of their account.")


def _principal(actor: Actor) -> str:
    return str(actor.user) if actor.user else "clock"


def _fingerprint(actor: Actor, command: Command) -> str:
    text = f"{command.slug()}\n{command.model_dump_json()}\n{actor.role}\n{actor.acting_seat or ''}"
    return sha256(text.encode()).hexdigest()


def _former(game: Game, actor: Actor, key: str, command: Command) -> Outcome | None:
    """The outcome that was acknowledged under this key before. Raises `key.reused` for another command."""
    if not key:
        return None
    receipt = RECEIPT.first(game.pk, _principal(actor), key)
    if receipt is None:
        return None
    fingerprint, first_seq, last_seq, at = receipt
    if not hmac.compare_digest(fingerprint, _fingerprint(actor, command)):
        raise Refused("key.reused", "This Idempotency-Key was used for another command; make a new one.")
    return Outcome(game.pk, first_seq, last_seq, at, replayed=True)
