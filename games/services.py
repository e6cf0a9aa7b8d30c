"""The one writer: every change of a game passes through `run`, under that game's lock, and is logged.

REST, GraphQL, Celery and the admin are doors to this room. Nothing here names a game.
"""

import hmac
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from uuid import UUID, uuid4

from django.db import transaction
from django.utils import timezone

from games import cursors, registry
from games.clock import due_by, fire_all
from games.engine.audience import PUBLIC
from games.engine.dice import commitment
from games.engine.errors import DieOwed, Refused
from games.engine.handdice import hold
from games.engine.kernel import CLOCK, Actor, Command, Context, Event, Happening, Issuer, enact
from games.engine.seating import GameOpened, SeatTaken
from games.engine.table import Role
from games.models import Game, Receipt, Secret
from games.sitting import Sitting, context_of, seated, sit_down, time_of, write


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
            chosen=chosen.model_dump_json(),
            commitment=game.commitment,
            is_public=is_public,
        )

        def events(ctx: Context) -> Iterator[Event]:
            yield opened
            if user is not None:
                yield SeatTaken(seat=ctx.mint(PUBLIC), role=Role.HOST, name="Host", user=user)
                yield SeatTaken(seat=ctx.mint(PUBLIC), role=Role.GM, name="Game-master", user=user)

        ctx = context_of(sitting, now or timezone.now(), CLOCK)
        write(sitting, enact(sitting.state, events(ctx), ctx), cause="open-game")
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
        sitting = sit_down(game_id)
        at = time_of(sitting, now)
        if former := _former(sitting.game, actor, key, command):
            return former
        fire_all(sitting, at)
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
        sitting = seated(game)
        return fire_all(sitting, time_of(sitting, now))


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
    if due_by(sitting, at) and game.paused_at is None:
        raise Refused("clock.behind", "The clock is catching up; try again in a second.")
    _check_position(sitting, expected)
    _check_issuer(command, actor)
    if game.paused_at is not None and not command.while_paused:
        raise Refused("clock.paused", "The clock stands still; wait until the GM resumes.")
    ctx = context_of(sitting, at, actor, imagined=dry_run)
    try:
        happened = enact(state, command.decide(state, ctx), ctx, command.rules)
    except DieOwed as owed:
        sitting = seated(game)
        ctx = context_of(sitting, at, actor)
        happened = enact(sitting.state, hold(sitting.state, ctx, command, owed), ctx)
    if dry_run:
        return Outcome(game.pk, game.seq + 1, game.seq, at, imagined=tuple(happened))
    first = game.seq + 1
    write(sitting, happened, cause=command.slug())
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
