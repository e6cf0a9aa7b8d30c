"""One command of one locked game: read, decided, recorded, acknowledged; or refused, and nothing of it is left."""

import hmac
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from itertools import chain
from time import perf_counter
from typing import Any, ClassVar, TypeAlias
from uuid import UUID

from accounts.models import User
from games.engine.errors import DieOwed, Refused
from games.engine.game_state import GameState
from games.engine.kernel import Actor, Command, Event, EventRecord, apply_events, follow, require_clock, require_issuer
from games.engine.lifecycle.seating import HandedOver, SeatTaken, take_over
from games.engine.prompts.manual_dice import hold
from games.engine.prompts.sealed import note_disclosures, run_until_opened
from games.engine.savepoint import Savepoint
from games.models.log import EventRow
from games.runtime.clock import next_due
from games.runtime.session import GameSession, acknowledge, context_of, record, write, write_at_once
from games.storage import cursors
from games.storage.cursors import Head

Fire: TypeAlias = Callable[[GameSession, datetime], int]
"""Fires what is due in a game; how many timers fired."""


@dataclass(frozen=True, slots=True)
class Expected:
    """What the client believes: the cursor it acted on, and the heads that cursor should equal now.

    cursor: or several, separated by commas, of which any will do.
    """

    cursor: str
    readable: Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class Shown:
    """What a page showed to whoever issues a command that names nothing itself: it acts upon that and nothing else.

    stage: what went on (`GameState.stage` or `phase_mark`); "" where it does not matter. question: that it answers.
    """

    stage: str = ""
    question: UUID | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a command did: the events `first_seq`..`last_seq` of the log, or the events of a dry run."""

    game: UUID
    first_seq: int
    last_seq: int
    at: datetime
    replayed: bool = False
    dry_run_events: tuple[EventRecord, ...] = ()
    written: tuple[EventRow, ...] = ()
    """The events, as they were just written; none when the command is replayed."""
    before: Mapping[str, Head] = field(default_factory=dict)
    """The heads of the streams before the first of them, or when a dry run was decided."""
    reseats: bool = True
    """Whether who sits where may have changed."""
    discloses: bool = False
    """Whether dice were rolled, or something was read that others had sealed or may have decided in secret."""


@dataclass(frozen=True, slots=True)
class IssuedCommand:
    """A command, who issues it, and how."""

    command: Command
    actor: Actor
    expected: Expected | None = None
    dry_run: bool = False
    shown: Shown | None = None
    among: str = ""
    """A digest of all commands that were issued in one request with it; "" where it was issued alone."""

    @property
    def fingerprint(self) -> str:
        """What the same command from the same seat has in common, and no other."""
        command, actor = self.command, self.actor
        text = f"{command.slug()}\n{command.model_dump_json()}\n{actor.role}\n{actor.acting_seat or ''}"
        if self.among:
            text += f"\n{self.among}"
        return sha256(text.encode()).hexdigest()


@dataclass(slots=True, kw_only=True)
class PendingCommand:
    """A command that waits for its game; once it has been decided, there is an outcome or an error.

    key: the idempotency key, of the user's (None: the clock's). now: the time that counts, where it is not the clock's.
    """

    unreadable: ClassVar[tuple[type[Exception], ...]] = (Refused,)
    """What `read_issued` raises where no command can be read: that is answered, and nobody beside it is bothered."""

    game: UUID
    user: UUID | None
    issued: IssuedCommand | None = None
    key: str = ""
    now: datetime | None = None
    outcome: Outcome | None = None
    error: Exception | None = None
    ruleset: str = ""
    """Of its game, as soon as that is known."""
    was_acknowledged: bool = False
    """Whether something was acknowledged under its key when it was decided; what came later does not answer it."""
    about: Mapping[str, str] = field(default_factory=dict)
    """What else its line in the log says."""
    since: float = field(default_factory=perf_counter)
    """When it was issued."""
    is_followed: bool = False
    """Whether others follow it in a sequence that is taken back as a whole: its dry run stays until then."""

    @property
    def parts(self) -> Sequence["PendingCommand"]:
        """The commands that it stands for: itself."""
        return (self,)

    @property
    def principal(self) -> str:
        """Whose keys its key is one of."""
        return str(self.user) if self.user else "clock"

    @property
    def is_decided(self) -> bool:
        """Whether it has been decided."""
        return self.outcome is not None or self.error is not None

    def read_issued(self, session: GameSession) -> IssuedCommand:
        """What was issued; in some classes only the locked game says who may issue what."""
        if self.issued is None:
            raise ValueError("it is not said what was issued")
        return self.issued

    def settle(self, session: GameSession, at: datetime, fire: Fire) -> None:
        """Give it its outcome, or the refusal that is its error; what is due before it fires first."""
        self.ruleset = session.game.ruleset
        self.was_acknowledged = (self.principal, self.key) in session.acknowledged
        try:
            issued = self.issued = self.read_issued(session)
        except self.unreadable as why:
            self.error = why
            return
        try:
            self.outcome = former_outcome(session, self, issued)
            if self.outcome is None:
                fire(session, at)
                if session.state.info.paused_at is None and next_due(session, at):
                    raise Refused("clock.behind", "The clock is catching up; try again in a second.")
                self.outcome = decide(session, issued, at, self.principal, self.key, is_followed=self.is_followed)
        except Refused as refused:
            self.error = refused


def former_outcome(session: GameSession, waiting: PendingCommand, issued: IssuedCommand) -> Outcome | None:
    """The outcome that was acknowledged under its key before. Raises `key.reused` for another command."""
    former = session.acknowledged.get((waiting.principal, waiting.key)) if waiting.key else None
    if former is None:
        return None
    if not hmac.compare_digest(former.fingerprint, issued.fingerprint):
        raise Refused("key.reused", "This Idempotency-Key was used for another command; make a new one.")
    return Outcome(waiting.game, former.first_seq, former.last_seq, former.at, replayed=True)


def decide(
    session: GameSession,
    issued: IssuedCommand,
    at: datetime,
    principal: str = "",
    key: str = "",
    *,
    is_followed: bool = False,
) -> Outcome:
    """Decide a command at a time and record what happens, acknowledged under the principal's key, if there is one.

    is_followed: whether what a dry run does stays, because the caller takes it back. Raises Refused; then the session
    is as it was.
    """
    game, state, command, actor = session.game, session.state, issued.command, issued.actor
    _check_position(session, issued.expected)
    _check_shown(state, issued.shown)
    require_issuer(command, actor)
    require_clock(state, type(command), actor)
    if command.reads_log:
        write(session)
    ctx = context_of(session, at, actor, dry_run=issued.dry_run, in_batch=bool(issued.among))
    before = dict(session.heads)
    with Savepoint(state) as savepoint:
        try:
            decided = note_disclosures(state, ctx, follow(state, command, ctx))
            decided = run_until_opened(state, decided) if issued.dry_run else chain(_take_seat(state, issued), decided)
            happened = apply_events(state, decided, ctx, command.rules)
            _check_people(actor, happened)
        except DieOwed as owed:
            savepoint.undo()
            ctx = context_of(session, at, actor)
            happened = apply_events(state, chain(_take_seat(state, issued), hold(state, ctx, command, owed)), ctx)
        discloses = ctx.discloses or any(h.rolls for h in happened)
        if issued.dry_run:
            outcome = Outcome(
                game.pk, game.seq + 1, game.seq, at, dry_run_events=tuple(happened), before=before, discloses=discloses
            )
            if is_followed:
                record(session, happened, cause=command.slug())
            else:
                savepoint.undo()
            return outcome
    first = game.seq + 1
    rows = record(session, happened, cause=command.slug())
    if key:
        acknowledge(session, key, command.slug(), first, at, principal, issued.fingerprint)
    write_at_once(session, happened)
    reseats = any(h.event.survives_rewind for h in happened)
    return Outcome(
        game.pk, first, game.seq, at, written=tuple(rows), before=before, reseats=reseats, discloses=discloses
    )


def _take_seat(state: GameState, issued: IssuedCommand) -> Iterator[Event[Any]]:
    """Who plays takes their seat over from a bot that stands in; nobody by a dry run."""
    if not issued.dry_run:
        yield from take_over(state, issued.command, issued.actor)


def _check_position(session: GameSession, expected: Expected | None) -> None:
    if expected is None:
        return
    heads = {audience: head for audience, head in session.heads.items() if expected.readable(audience)}
    if not any(cursors.is_at(cursor, heads) for cursor in expected.cursor.split(",")):
        raise Refused(
            "position.stale",
            "The game has moved on since you looked; read the state again and decide anew.",
            rules=("CF-4",),
        )


def _check_shown(state: GameState, shown: Shown | None) -> None:
    """Refuse what was meant for another stage (`position.stale`), or a question that is closed (`prompt.closed`)."""
    if shown is None:
        return
    if shown.question is not None and shown.question not in state.prompts:
        raise Refused(
            "prompt.closed",
            "The question that this answers is not open any more: it was decided or withdrawn, or its time has passed.",
            rules=("CF-6",),
        )
    if shown.stage not in ("", state.stage, state.phase_mark):
        raise Refused(
            "position.stale",
            "The game has moved on since this was shown; look at what goes on now and decide anew.",
            rules=("CF-4",),
        )


def _check_people(actor: Actor, happened: Sequence[EventRecord]) -> None:
    """Refuse (`person.missing`) to seat somebody who is not there, or has left: no key of the database checks it."""
    named = {h.event.user for h in happened if isinstance(h.event, SeatTaken | HandedOver)} - {None, actor.user}
    if named and named - set(User.objects.filter(pk__in=named, retired_at=None).values_list("pk", flat=True)):
        raise Refused("person.missing", "There is no such person here; ask them for the id of their account.")
