"""The one writer: every change of a game passes through `run`, under that game's lock, and is logged.

REST, GraphQL, Celery and the admin are doors to this room. Nothing here names a game.
"""

import hmac
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any
from uuid import UUID, uuid4

import structlog
from django.conf import settings
from django.db import transaction
from django.utils import timezone

from games import bell, cursors, log, registry
from games.engine.audience import Audience
from games.engine.conduct import ClockSlipped, GameEnded, Paused, Resumed, Rewound, SecretShown
from games.engine.dice import SecretDice, Tray, commitment
from games.engine.errors import DieOwed, Refused
from games.engine.handdice import EnteredView, by_hand, hold
from games.engine.kernel import CLOCK, Actor, Command, Context, Event, Happening, Issuer, enact
from games.engine.seating import GameOpened, SeatTaken
from games.engine.table import Role
from games.engine.timer import TimerFailed, TimerRefused, fire
from games.models import Game, Receipt, Secret, Timer

AT_ONCE = 50  # timers fired in one go; more wait for the next
FAILURES = 3  # tries after which a game is parked
logger = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Expected:
    """What the client believes: the cursor it acted on, and the heads that cursor should equal now."""

    cursor: str
    readable: Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a command did: the events `first_seq`..`last_seq` of the log, or the happenings of a dry run."""

    game: UUID
    first_seq: int
    last_seq: int
    at: datetime
    replayed: bool = False
    imagined: tuple[Happening, ...] = ()


@dataclass(slots=True)
class Sitting:
    """One game while it is locked: its row, its state, the heads of its streams."""

    game: Game
    state: Any
    heads: dict[str, int]
    touched: bool = field(default=False)


def open_game(
    ruleset: str,
    name: str,
    *,
    user: UUID | None,
    options: str = "{}",
    is_public: bool = True,
    now: datetime | None = None,
) -> Game:
    """Open a game of a ruleset; its opener gets the host's and a game-master's seat.

    options: JSON that the ruleset's options model accepts. Raises `ruleset.missing`, pydantic's ValidationError.
    """
    rules = registry.ruleset(ruleset)
    chosen = rules.options.model_validate_json(options)
    secrets = {kind: os.urandom(32) for kind in ("dice", "ids", "salts", "bots")}
    with transaction.atomic():
        game = Game.objects.create(
            id=uuid4(), ruleset=ruleset, name=name, opened_by_id=user, is_public=is_public,
            commitment=commitment(secrets["dice"]),
        )  # fmt: skip
        Secret.objects.create(game=game, **secrets)
        sitting = Sitting(game, registry.store(ruleset).new_state(game.pk), {})
        opened = GameOpened(
            ruleset=ruleset,
            name=name,
            options=chosen.model_dump_json(),
            commitment=game.commitment,
            is_public=is_public,
        )

        def events(ctx: Context) -> Iterator[Event]:
            yield opened
            if user is not None:
                yield SeatTaken(seat=ctx.mint(Audience("public")), role=Role.HOST, name="Host", user=user)
                yield SeatTaken(seat=ctx.mint(Audience("public")), role=Role.GM, name="Game-master", user=user)

        ctx = _context(sitting, now or timezone.now(), CLOCK)
        _write(sitting, enact(sitting.state, events(ctx), ctx), cause="open-game")
    return game


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
    with transaction.atomic():
        sitting = _sit_down(game_id)
        at = _clock(sitting, now)
        if former := _former(sitting.game, actor, key, command):
            return former
        _fire_due(sitting, at)
        refused: Refused | None = None
        try:
            return _decide(sitting, command, actor, key, expected, dry_run, at)
        except Refused as why:
            # What the clock did stands; the command has written nothing.
            refused = why
    raise refused


def fire_due(game_id: UUID, now: datetime | None = None) -> int:
    """Fire what is due in one game; how many timers fired. A game that another worker holds is left to it."""
    with transaction.atomic():
        game = Game.objects.select_for_update(skip_locked=True, of=("self",)).filter(pk=game_id).first()
        if game is None:
            return 0
        sitting = _seated(game)
        return _fire_due(sitting, _clock(sitting, now))


def _sit_down(game_id: UUID) -> Sitting:
    """Lock a game and load it. Raises `game.missing`."""
    game = Game.objects.select_for_update(of=("self",)).select_related("secret").filter(pk=game_id).first()
    if game is None:
        raise Refused("game.missing", "There is no such game, or you may not see it.")
    return _seated(game)


def _seated(game: Game) -> Sitting:
    return Sitting(game, registry.store(game.ruleset).load(game), log.heads_of(game))


def _clock(sitting: Sitting, now: datetime | None) -> datetime:
    """The game's time: the clock, but never before its last event."""
    at, last = now or timezone.now(), sitting.game.last_at
    return max(at, last) if last else at


def _decide(
    sitting: Sitting,
    command: Command,
    actor: Actor,
    key: str,
    expected: Expected | None,
    dry_run: bool,
    at: datetime,
) -> Outcome:
    game, state = sitting.game, sitting.state
    if _due(sitting, at) and game.paused_at is None:
        raise Refused("clock.behind", "The clock is catching up; try again in a second.")
    _check_position(sitting, expected)
    _check_issuer(command, actor)
    if game.paused_at is not None and not command.while_paused:
        raise Refused("clock.paused", "The clock stands still; wait until the GM resumes.")
    ctx = _context(sitting, at, actor, imagined=dry_run)
    try:
        happened = enact(state, command.decide(state, ctx), ctx, command.rules)
    except DieOwed as owed:
        sitting = _seated(game)
        ctx = _context(sitting, at, actor)
        happened = enact(sitting.state, hold(sitting.state, ctx, command, owed), ctx)
    if dry_run:
        return Outcome(game.pk, game.seq + 1, game.seq, at, imagined=tuple(happened))
    first = game.seq + 1
    _write(sitting, happened, cause=command.slug())
    _receipt(game, actor, key, command, first, at)
    return Outcome(game.pk, first, game.seq, at)


def _check_position(sitting: Sitting, expected: Expected | None) -> None:
    if expected is None:
        return
    heads = {audience: head for audience, head in sitting.heads.items() if expected.readable(audience)}
    if cursors.encode(heads) != expected.cursor:
        raise Refused(
            "position.stale",
            "The game has moved on since you looked; read the state again and decide anew.",
            rules=("CF-4",),
        )


def _check_issuer(command: Command, actor: Actor) -> None:
    represented = actor.is_gm and actor.on_behalf_of is not None and Issuer.SEAT in command.issuers
    if actor.role not in command.issuers and not represented:
        wanted = " or ".join(sorted(i for i in command.issuers if i is not Issuer.CLOCK))
        raise Refused("issuer.other", f"{command.slug()} is for {wanted or 'the clock'}; you act as {actor.role}.")


def _context(sitting: Sitting, at: datetime, actor: Actor, *, imagined: bool = False, by: str = "") -> Context:
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


def _write(sitting: Sitting, happened: Sequence[Happening], cause: str) -> None:
    """Rows, log and bell for what happened. A game that ends shows its dice secret."""
    game, state = sitting.game, sitting.state
    if any(isinstance(h.event, GameEnded) for h in happened):
        ctx = _context(sitting, happened[-1].at, CLOCK)
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


def _principal(actor: Actor) -> str:
    return str(actor.user) if actor.user else "clock"


def _fingerprint(actor: Actor, command: Command) -> str:
    said = f"{command.slug()}\n{command.model_dump_json()}\n{actor.role}\n{actor.acting_seat or ''}"
    return sha256(said.encode()).hexdigest()


def _former(game: Game, actor: Actor, key: str, command: Command) -> Outcome | None:
    """The outcome that was acknowledged under this key before. Raises `key.reused` for another command."""
    if not key:
        return None
    receipt = Receipt.objects.filter(game=game, principal=_principal(actor), key=key).first()
    if receipt is None:
        return None
    if not hmac.compare_digest(receipt.fingerprint, _fingerprint(actor, command)):
        raise Refused("key.reused", "This Idempotency-Key was used for another command; make a new one.")
    return Outcome(game.pk, receipt.first_seq, receipt.last_seq, receipt.at, replayed=True)


def _receipt(game: Game, actor: Actor, key: str, command: Command, first: int, at: datetime) -> None:
    if key:
        Receipt.objects.create(
            game=game, principal=_principal(actor), key=key, command=command.slug(),
            fingerprint=_fingerprint(actor, command), first_seq=first, last_seq=game.seq, at=at,
        )  # fmt: skip


def _due(sitting: Sitting, at: datetime) -> list[tuple[datetime, int, str]]:
    """The timers due by `at`: (due, generation, key), earliest first."""
    timers = sitting.state.timers.values()
    return sorted((t.due, t.generation, t.key) for t in timers if t.due is not None and t.due <= at)


def _fire_due(sitting: Sitting, at: datetime) -> int:
    """Fire every timer due by `at`, each at its own time, at most 50; how many fired."""
    slip = timedelta(seconds=settings.CLOCK_SLIP_SECONDS)
    due = _due(sitting, at)
    if due and slip and at - due[0][0] > slip and sitting.game.paused_at is None:
        ctx = _context(sitting, at, CLOCK)
        _write(sitting, enact(sitting.state, [ClockSlipped(by=at - due[0][0])], ctx), cause="clock")
    fired = 0
    while fired < AT_ONCE and sitting.game.paused_at is None and (due := _due(sitting, at)):
        moment, _, key = due[0]
        last = sitting.game.last_at
        if not _fire_one(sitting, key, max(moment, last) if last else moment):
            break
        fired += 1
    return fired


def _fire_one(sitting: Sitting, key: str, at: datetime) -> bool:
    """Fire one timer in a savepoint. A refusal settles it and tells the GM; a fault is counted and ends this go."""
    timer = sitting.state.timers[key]
    name = f"{key}#{timer.generation}"
    try:
        with transaction.atomic():
            first = sitting.game.seq + 1
            happened = _fired(sitting, key, at)
            _write(sitting, happened, cause=name)
            Receipt.objects.create(
                game=sitting.game, principal="clock", key=name, command=timer.does,
                fingerprint="", first_seq=first, last_seq=sitting.game.seq, at=at,
            )  # fmt: skip
    except Exception as fault:
        logger.exception("timer.failed", game=str(sitting.game.pk), timer=key)
        _recover(sitting)
        _count_failure(sitting, key, at, fault)
        return False
    return True


def _fired(sitting: Sitting, key: str, at: datetime) -> list[Happening]:
    """What a timer does, or the GM's notice that the rules refused it, or a question for a die."""
    timer = sitting.state.timers[key]
    by = "deadline" if key.startswith("prompt:") else "clock"
    try:
        ctx = _context(sitting, at, CLOCK, by=by)
        return enact(sitting.state, fire(sitting.state, key, ctx), ctx)
    except DieOwed as owed:
        _recover(sitting)
        ctx = _context(sitting, at, CLOCK)
        command = ctx.command(timer.does, timer.arguments)
        return enact(sitting.state, _hold_fired(sitting.state, ctx, command, owed, key), ctx)
    except Refused as refused:
        _recover(sitting)
        ctx = _context(sitting, at, CLOCK)
        told = TimerRefused(key=key, does=timer.does, code=refused.code, reason=refused.message)
        return enact(sitting.state, [told], ctx)


def _hold_fired(state: Any, ctx: Context, command: Command, owed: DieOwed, key: str) -> Iterator[Event]:
    """The timer is removed, its command waits for the die."""
    yield next(fire(state, key, ctx))
    yield from hold(state, ctx, command, owed)


def _recover(sitting: Sitting) -> None:
    """Load the game anew: a state in which a decision broke off is worth nothing."""
    fresh = Game.objects.select_related("secret").get(pk=sitting.game.pk)
    anew = _seated(fresh)
    sitting.game, sitting.state, sitting.heads = anew.game, anew.state, anew.heads


def _count_failure(sitting: Sitting, key: str, at: datetime, fault: Exception) -> None:
    """Count a fault; at the third the game's clock stops and its GMs are told, and the other games go on."""
    row = Timer.objects.get(game=sitting.game, key=key)
    row.failures += 1
    row.last_error = f"{type(fault).__name__}: {fault}"[:2000]
    row.save(update_fields=["failures", "last_error"])
    if row.failures >= FAILURES:
        reason = "The service could not carry out what was due; a game-master looks into it."
        told = TimerFailed(key=key, does=row.does, times=row.failures, reason=row.last_error)
        ctx = _context(sitting, at, CLOCK)
        _write(sitting, enact(sitting.state, [told, Paused(reason=reason)], ctx), cause="clock")
