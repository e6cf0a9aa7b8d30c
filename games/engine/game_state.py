"""The members of every game's state: seats, invitations, bans, timers, prompts, answers, the game's record.

A ruleset's own state extends `GameState` with its own rows. Records are frozen; a change is `replace` and a write.
Long for one reason: each record and each question to it is a few lines.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, fields, is_dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from hashlib import sha256
from typing import Any, ClassVar, Self
from uuid import UUID

from typing_extensions import TypeVar

from games.engine import naming
from games.engine.audience import GM, GM_READER, PUBLIC, SERVER, Audience, Reader, readable, seat_and_gm
from games.engine.errors import Refused
from games.engine.mentions import any_mentions
from games.engine.phases import Steps, are_past, closed_phase, ended_game, other_step
from games.engine.savepoint import Undoable
from games.engine.state import Rows, Table, table


class Status(StrEnum):
    """The life of a game, the same in every ruleset; one without a set-up goes from the lobby straight to play."""

    LOBBY = "lobby"
    SETUP = "setup"
    RUNNING = "running"
    FINISHED = "finished"


STANDS = {
    Status.LOBBY: "the game has not begun",
    Status.SETUP: "the game is being set up",
    Status.RUNNING: "the game has begun",
    Status.FINISHED: "the game is over",
}
"""Where a game is, as a clause."""
TIMES = {Status.LOBBY: "before the start", Status.SETUP: "in the set-up", Status.RUNNING: "while the game runs"}
"""When something is done."""


class Role(StrEnum):
    """What a seat is for."""

    PLAYER = "player"
    HOST = "host"
    GM = "gm"
    OBSERVER = "observer"


ROLES = {Role.PLAYER: "a player", Role.HOST: "the host", Role.GM: "a game-master", Role.OBSERVER: "an observer"}
"""Who sits on a seat, as a noun."""


@dataclass(frozen=True, slots=True)
class GameInfo:
    """The game itself: one record."""

    id: UUID
    ruleset: str
    name: str = ""
    options: str = "{}"
    """The options as canonical JSON; a ruleset reads them through its own model."""
    status: Status = Status.LOBBY
    paused_at: datetime | None = None
    last_at: datetime | None = None
    rewinds: int = 0
    timers_set: int = 0
    is_public: bool = True
    commitment: str = ""
    """SHA-256 of the dice secret, public from the first event."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A place at the table. A person may hold several; an empty one can be taken."""

    id: UUID
    role: Role
    name: str
    user: UUID | None = None
    bot: str = ""
    is_claimable: bool = False
    """Whether a bot keeps it for anybody who takes it."""

    @staticmethod
    def audience(_: "Seat") -> Audience:
        """Everybody sees who sits where."""
        return PUBLIC

    @property
    def is_free(self) -> bool:
        """Whether somebody may take it: nobody holds it, or a bot keeps it for anybody."""
        return self.is_claimable or (self.user is None and not self.bot)


@dataclass(frozen=True, slots=True)
class Invitation:
    """A code that seats one person in a private game."""

    id: UUID
    code: str
    role: Role
    seat: UUID | None = None

    @staticmethod
    def audience(_: "Invitation") -> Audience:
        """GMs only; the host sees it on inviting."""
        return GM


@dataclass(frozen=True, slots=True)
class Ban:
    """A person who may not sit in this game again."""

    id: UUID
    user: UUID
    name: str
    """What their seat was called."""
    by: UUID | None = None
    """The seat of the host or game-master who banned them; none for an administrator without one."""

    @staticmethod
    def audience(record: "Ban") -> Audience:
        """The seat that banned, and the GMs."""
        return GM if record.by is None else seat_and_gm(record.by)


@dataclass(frozen=True, slots=True)
class Timer:
    """What happens if nobody acts: a command named as data, and when.

    `due` runs on the game's clock; a frozen timer has no `due` and keeps what is `left`.
    """

    key: str
    does: str
    arguments: str
    generation: int
    due: datetime | None
    left: timedelta | None = None
    shown: Audience = SERVER
    subject: UUID | None = None
    early: bool = True
    """Whether a host or GM may fire it before its time."""

    @staticmethod
    def audience(record: "Timer") -> Audience:
        """The readers that the timer is shown to."""
        return record.shown


@dataclass(frozen=True, slots=True)
class Prompt:
    """Who owes an answer, by which rule it settles, until when, and what silence means."""

    id: UUID
    kind: str
    lane: str
    depth: int
    parent: UUID | None
    owners: tuple[Reader, ...]
    rule: str
    audience: Audience
    answered_by: tuple[str, ...]
    question: str
    subject: UUID | None
    choices: tuple[str, ...]
    silence: str
    """What happens when nobody answers, in words."""
    threshold: int
    sealed: bool
    opened_at: datetime


@dataclass(frozen=True, slots=True)
class Answer:
    """One owner's answer to a prompt; `value` is JSON. Sealed ones are for their owner alone until the reveal."""

    prompt: UUID
    owner: Reader
    value: str
    audience: Audience
    salt: str = ""
    digest: str = ""
    """What a sealed answer was committed to with; without a value only this is known (`engine.prompts.sealed`)."""


@dataclass(frozen=True, slots=True)
class Standing:
    """What a seat has said in advance: the answer to every prompt of a kind."""

    seat: UUID
    kind: str
    answer: str

    @staticmethod
    def audience(record: "Standing") -> Audience:
        """The own seat and the GMs."""
        return seat_and_gm(record.seat)


@dataclass(frozen=True, slots=True)
class EnteredDie:
    """A die of the real table: awaited, entered with a value, or left to the server (no value)."""

    label: str
    index: int
    value: int | None
    awaited: bool = False
    held: str = ""
    """The decision that waits for it (`DecisionHeld` as JSON), where readers of the question may not read that."""

    @staticmethod
    def audience(_: "EnteredDie") -> Audience:
        """Nobody: its event reports what was entered."""
        return SERVER


@dataclass(frozen=True, slots=True)
class Leave:
    """A time in which a seat is away: a vacation, or a deadline for which it was excused, or that it missed."""

    id: UUID
    seat: UUID
    starts_at: datetime
    """From when; of an absence the deadline at which it was excused."""
    ends_at: datetime
    """Until when; of an absence the deadline that follows, of one that is not excused the deadline itself."""
    days: int
    """How many days of vacation it has cost; 0 for an absence."""
    audience: Audience
    """Everybody for a vacation; the seat and the GMs for an absence, which tells who has not answered."""

    @property
    def is_vacation(self) -> bool:
        """Whether it was taken as vacation."""
        return self.days > 0

    @property
    def is_missed(self) -> bool:
        """Whether it is a deadline at which the seat was silent without an excuse."""
        return not self.is_vacation and self.starts_at == self.ends_at

    @property
    def is_excuse(self) -> bool:
        """Whether it is an absence that was excused."""
        return not self.is_vacation and not self.is_missed

    def covers(self, moment: datetime) -> bool:
        """Whether a moment lies in it."""
        return self.starts_at <= moment < self.ends_at


def anybody_may_write(_state: Any, _sender: Seat, _receiver: Seat) -> Refused | None:
    """The rule of a game in which every player may write to every other."""
    return None


MARK_LENGTH = 16
"""Characters of the mark of a stage: those of one game alone are compared."""
PEOPLE = ("seats", "invitations", "bans")
"""Tables about people, which no rewind undoes."""


class GameState:
    """The state of one game. Rulesets extend it by tables, each declared in one line (`engine.state.table`)."""

    tables: ClassVar[Mapping[str, Table]] = {}
    """Every table of the state by name, those of the engine first, in the order of their declaration."""
    special: ClassVar[frozenset[str]] = frozenset()
    """Tables that are held in arrays and amended by the ruleset's own hands."""
    pause_rules: ClassVar[tuple[str, ...]] = ()
    """The rules that a refusal during a pause cites."""
    amend_rules: ClassVar[tuple[str, ...]] = ()
    """The rules that a refusal of rows which do not fit together cites."""

    seats: Rows[UUID, Seat] = table(Seat)
    invitations: Rows[UUID, Invitation] = table(Invitation)
    timers: Rows[str, Timer] = table(Timer, key="key", hidden=("generation", "arguments", "early"))
    """A timer's generation counts every timer, hidden ones too; its arguments are the clock's own business."""
    prompts: Rows[UUID, Prompt] = table(Prompt)
    answers: Rows[tuple[UUID, Reader], Answer] = table(Answer, key=("prompt", "owner"))
    standing: Rows[tuple[UUID, str], Standing] = table(Standing, key=("seat", "kind"))
    entered: Rows[tuple[str, int], EnteredDie] = table(EnteredDie, key=("label", "index"))
    bans: Rows[UUID, Ban] = table(Ban)
    leaves: Rows[UUID, Leave] = table(Leave)

    steps: ClassVar[Steps | None] = None
    """The steps of the game, where it has others than the parts of its life."""
    thinking_time: ClassVar[timedelta | None] = None
    """How long a bot thinks when its seat is asked something; None where bots look at times of their own."""

    def __init__(self, info: GameInfo) -> None:
        self.info = info
        self._bots: Mapping[Role, Sequence[str]] = {}
        self.stand_in = ""
        self._course: Any = None
        self._violations: Callable[[Any], Iterable[str]] | None = None
        self._message_rule: Callable[[Any, Seat, Seat], Refused | None] = anybody_may_write
        self._is_whole = True
        self._is_view = False
        for name in self.tables:
            setattr(self, name, Rows())

    @classmethod
    def amendable(cls) -> frozenset[str]:
        """The tables whose rows a GM may amend."""
        return cls.special | {name for name, declared in cls.tables.items() if declared.amendable}

    def rows(self) -> Iterator[tuple[str, Rows[Any, Any]]]:
        """The rows of every table with its name."""
        return ((name, getattr(self, name)) for name in self.tables)

    def set_status(self, status: Status) -> None:
        """Let the game go on to the next part of its life."""
        self.info = replace(self.info, status=status)

    def note_time(self, now: datetime) -> None:
        """Note the time of the last event."""
        if now != self.info.last_at:  # the events of one act have one time: most need no copy
            self.info = replace(self.info, last_at=now)

    @property
    def log_time(self) -> datetime:
        """The time of the event that is being applied, as the log has it."""
        if self.info.last_at is None:
            raise RuntimeError("nothing has happened in this game yet")
        return self.info.last_at

    @property
    def now(self) -> datetime:
        """The same on the game's own clock, on which deadlines run: in a pause the time at which that began."""
        return self.info.paused_at or self.log_time

    def seat(self, seat: UUID | None) -> Seat:
        """The seat of this id. Raises `seat.missing`."""
        found = self.seats.get(seat) if seat else None
        if found is None:
            raise Refused("seat.missing", "There is no such seat in this game.")
        return found

    def set_bots(self, bots: Mapping[Role, Sequence[str]], stand_in: str = "") -> None:
        """Let the state know the policies of its ruleset by name, and which seats they play.

        stand_in: the one that plays a seat which its person has abandoned; "": none does.
        """
        self._bots, self.stand_in = bots, stand_in

    def follow_course(self, course: Any) -> None:
        """Let the state know the course of its game (`engine.course.Course`)."""
        self._course = course

    @property
    def course_rows(self) -> Any:
        """The course of the game as its ruleset has it. Raises RuntimeError for a state that no ruleset has made."""
        if self._course is None:
            raise RuntimeError("a state without a course asks nobody; make it by Ruleset.new_state")
        return self._course

    def set_invariants(self, violations: Callable[[Any], Iterable[str]]) -> None:
        """Let the state know what its ruleset asks of every state (`Ruleset.violations`)."""
        self._violations = violations

    def set_message_rule(self, rule: Callable[[Any, Seat, Seat], Refused | None]) -> None:
        """Let the state know which player may write to which (`Ruleset.message_rule`)."""
        self._message_rule = rule

    def message_refusal(self, sender: Seat, receiver: Seat) -> Refused | None:
        """Why a player may not write to another alone, by a rule of this game; None where they may."""
        return self._message_rule(self, sender, receiver)

    def window(self, name: str) -> timedelta:
        """How long a window of the course is in this game."""
        found: timedelta = self.course_rows.window_of(self, name)
        return found

    @property
    def is_whole(self) -> bool:
        """Whether this is the state itself, or as game-masters see it; not that of a player, host or observer."""
        return self._is_whole

    @property
    def is_view(self) -> bool:
        """Whether this is what somebody sees: then each of its rows may be spoken of to them."""
        return self._is_view

    def bots_for(self, role: Role) -> Sequence[str]:
        """The policies that play seats of a role, by name."""
        return self._bots.get(role, ())

    def seats_of(self, role: Role) -> list[Seat]:
        """The seats of one role by id."""
        return sorted((s for s in self.seats.values() if s.role is role), key=lambda s: s.id)

    def players(self) -> list[Seat]:
        """The seats that play, in their order."""
        return self.seats_of(Role.PLAYER)

    def is_held(self, seat: UUID | None) -> bool:
        """Whether somebody holds a seat, a person or a bot."""
        found = self.seats.get(seat) if seat is not None else None
        return found is not None and (found.user is not None or bool(found.bot))

    def question(self, kind: str, subject: UUID | None = None) -> UUID | None:
        """The open question of this kind, about this where it is named."""
        asked = (p for p in self.prompts.values() if p.kind == kind)
        return next((p.id for p in asked if subject is None or p.subject == subject), None)

    def speaks_of(self, seat: UUID, *, besides: str = "") -> bool:
        """Whether a row of the game names a seat or is for its eyes, those about people and of one table left aside."""
        text = str(seat)
        asked = [rows for name, rows in self.rows() if name not in (*PEOPLE, besides)]
        return any(any_mentions(rows.values(), seat, text) for rows in asked)

    def proper_name(self, thing: str) -> str | None:
        """The name that a thing has, by its id or key as text; None for what has none and for no such thing.

        A ruleset adds what it calls its own: entries of a pack, what nobody has named yet.
        """
        return naming.proper_name(self, thing)

    def name_of(self, thing: str) -> str | None:
        """What people call a thing, by its id or key as text: its name, else what it is; None for no such thing.

        Of the state itself what everybody may know of, of a view what its viewer sees. Whatever shows a value to people
        asks here.
        """
        return self.proper_name(thing) or naming.description(self, thing)

    # -- the life of the game ---------------------------------------------------------------------------------------

    @property
    def chapter(self) -> int:
        """The number of the chapter that the game is in (`Ruleset.chapters`); 0 before the first."""
        return 0

    @property
    def step(self) -> str:
        """The phase or question that the game is in, a word of its rulebook."""
        return self.info.status.value

    @property
    def phase_mark(self) -> str:
        """A mark of what ends when its time is up: another phase or question has another."""
        return mark_of("phase", self.info.status, self.chapter, self.step, self.phase_timer())

    @property
    def stage(self) -> str:
        """A mark of what goes on now: who acts upon that without naming it says by the mark what it was."""
        return mark_of("stage", self.phase_mark, *self.stage_marks())

    def stage_marks(self) -> tuple[Any, ...]:
        """What tells a stage of the game from others in the same phase: whose turn it is, which of several alike."""
        return ()

    def require(self, *steps: str) -> None:
        """Refuse (`phase.closed`) unless the game is in one of these steps."""
        if self.step not in steps:
            raise self.step_refusal(steps)

    def step_refusal(self, steps: tuple[str, ...]) -> Refused:
        """Why something that belongs to these steps is refused now."""
        return other_step(self.steps, self.step, steps) if self.steps else self.status_refusal(*map(Status, steps))

    def status_refusal(self, *wanted: Status, instead: str = "") -> Refused:
        """Why something is refused that is done while a game is in these parts of its life.

        instead: a sentence that says what would do while they are still to come.
        """
        status = self.info.status
        if status is Status.FINISHED:
            return ended_game(STANDS[status], step=self.step)
        over = are_past(wanted, status, Status)
        times = (TIMES[each] for each in wanted)
        return closed_phase(STANDS[status], times, step=self.step, over=over, instead="" if over else instead)

    def require_running(self) -> None:
        """Refuse (`phase.closed`) before the start and after the end."""
        if self.info.status is Status.LOBBY:
            raise self.status_refusal(Status.RUNNING, instead="The host or a GM starts it.")
        if self.info.status is Status.FINISHED:
            raise ended_game(STANDS[Status.FINISHED], step=self.step)

    def require_unfinished(self, rules: tuple[str, ...] = ()) -> None:
        """Refuse (`phase.closed`) after the end, in the words of the game.

        rules: those that are cited; those of its steps unless said.
        """
        if self.info.status is not Status.FINISHED:
            return
        if self.steps is None:
            raise ended_game(STANDS[Status.FINISHED], step=self.step, rules=rules)
        raise ended_game(self.steps.now[self.steps.last], step=self.steps.last, rules=rules or self.steps.rules)

    def require_turn(self, seat: UUID, *, publicly: bool = False) -> None:
        """Refuse a player's seat that may not act unasked now. Without turns everybody may, while the game runs.

        publicly: judged by what everybody knows; `turn_hidden_from` says who knows better.
        """
        self.require_running()

    def seat_on_turn(self, seat: UUID | None) -> Seat:
        """The seat of this id, which may act unasked now. Raises `seat.missing`, and what `require_turn` does."""
        found = self.seat(seat)
        self.require_turn(found.id)
        return found

    def has_turns(self) -> bool:
        """Whether anybody may act unasked in the present step: where nobody may, no seat is asked about."""
        found: bool = self.course_rows.has_turns(self)
        return found

    def require_startable(self) -> None:
        """Refuse the start while something is missing that it needs."""

    def require_ready(self) -> None:
        """Refuse (`game.not_ready`) the end of the set-up while something is missing."""

    def may_hide_gaps(self) -> bool:
        """Whether something that the end of the set-up needs may be missing among what this viewer does not see."""
        return False

    def turn_hidden_from(self, seat: UUID) -> Audience:
        """Who knows that a seat is refused which, as far as everybody else knows, may act."""
        return SERVER

    def conducting_roles(self) -> tuple[Role, ...]:
        """Whose seats alone can move the game on from where it is: game-masters', hosts'; none while it goes on."""
        return (Role.GM, Role.HOST) if self.info.status in (Status.LOBBY, Status.SETUP) else ()

    def dice_by_hand(self) -> bool:
        """Whether people enter the dice of a real table."""
        return False

    def hand_dice_seconds(self) -> int:
        """How long a question for dice of a real table is open; then the server rolls them."""
        return 60

    def hand_dice_owners(self, seat: UUID | None) -> tuple[Reader, ...]:
        """Who is asked for dice of a real table, and the first to answer enters them: the GMs unless said.

        seat: whose dice they are; None for the clock's.
        """
        return (GM_READER,)

    def phase_timer(self) -> str | None:
        """The key of the timer that ends what is going on now; `end-now` fires it.

        The deadline of a question, as the course says (`Question.ends_phase`), unless the ruleset has one of its own.
        """
        found: str | None = self._course.phase_timer(self) if self._course is not None else None
        return found

    def calendar_timers(self) -> Mapping[str, timedelta]:
        """The timers that end a part of the game at a slot of its calendar: how long before that slot each is due."""
        return {}

    def follow_extension(self, timer: Timer, due: datetime) -> None:
        """Follow a deadline that was put off, where the ruleset keeps its time elsewhere too."""

    def joining(self, seat: Seat) -> None:
        """Refuse a seat that the ruleset has no place for."""

    def enter_seat(self, seat: UUID) -> None:
        """Follow a seat that was taken for the first time, where the ruleset counts its places."""

    def reseat(self, seat: UUID) -> None:
        """Follow a seat that passes to another, where the ruleset keeps something of its former holder."""

    def subjects(self) -> Sequence[UUID]:
        """Whom a chart may be about, by id; nobody unless the ruleset says so."""
        return ()

    def subject_name(self, subject: UUID) -> str:
        """What such a subject is called. Raises `subject.missing`, or what the ruleset says of a noun of its own."""
        raise Refused("subject.missing", "This game has no charts about one subject.")

    def shift(self, by: timedelta) -> None:
        """Move every time that lies ahead by `by`: after a pause, an outage or a rewind."""
        if self.info.paused_at is not None:
            self.info = replace(self.info, paused_at=self.info.paused_at + by)
        for key, timer in list(self.timers.items()):
            if timer.due is not None:
                self.timers[key] = replace(timer, due=timer.due + by)

    def mark_stored(self) -> None:
        """Forget what was touched: all of it stands in rows."""
        for _, rows in self.rows():
            rows.dirty.clear()

    def view_for(self, seats: frozenset[UUID], *, gm: bool = False, user: UUID | None = None) -> Self:
        """A copy of the state without the rows that this viewer may not see: what a bot's policy receives.

        user: the person who looks; that they are banned is known to them, whoever else may read it.
        """
        seen, judged = copy(self), dict[Audience, bool]()

        def may_read(readers: Audience) -> bool:
            if readers not in judged:
                judged[readers] = readable(readers, seats, gm)
            return judged[readers]

        for name, rows in self.rows():
            judge = self.tables[name].judge
            visible: Rows[Any, Any] = Rows(
                rows if judge is None else {key: record for key, record in rows.items() if may_read(judge(record))}
            )
            setattr(seen, name, visible)
        for ban in self.bans.values():
            if ban.user == user:
                seen.bans.load(ban.id, ban)
        seen._is_whole, seen._is_view = gm, True
        return seen

    def twin(self) -> Self:
        """A copy that shares nothing which changes: for a forecast that plays on."""
        twin = copy(self)
        for name, part in vars(self).items():
            if isinstance(part, Undoable):
                setattr(twin, name, part.copy())
        return twin

    def plain_special(self, table: str, row: str) -> dict[str, Any] | None:
        """A row of such a table as JSON values, or None."""
        return None

    def write_special(self, table: str, row: str, values: dict[str, Any]) -> None:
        """Change a row of such a table."""
        raise TypeError(f"{table} is no special table")

    def readers_of_row(self, table: str, row: str, after: Any) -> Audience:
        """Who may see a row that is amended, judged on what it becomes, or was when it is deleted."""
        if table in self.special:
            return PUBLIC
        rows: Rows[Any, Any] = getattr(self, table)
        record = after or next(
            r for k, r in rows.items() if row in (str(k), "/".join(map(str, k)) if isinstance(k, tuple) else "")
        )
        return self.tables[table].readers(record)

    def invariants(self) -> None:
        """Refuse (`amend.invalid`) a state that cannot be, with every violation; asked after every amendment.

        Raises RuntimeError for a state that no ruleset has made.
        """
        if self._violations is None:
            raise RuntimeError("a state without invariants is not judged; make it by Ruleset.new_state")
        if found := list(self._violations(self)):
            raise Refused("amend.invalid", " ".join(found), rules=self.amend_rules, violations=found)

    def follow_correction(self) -> Iterator[Any]:
        """The events that follow where rows were corrected; none unless the ruleset says so."""
        yield from ()

    @staticmethod
    def require_none_removed(seats: Iterable[Seat], past: "GameState") -> None:
        """Refuse (`history.removed`) a past in which one of these seats took part that was removed since."""
        for seat in seats:
            if seat.id not in past.seats and past.speaks_of(seat.id):
                raise Refused(
                    "history.removed",
                    f"{seat.name} took part in the game then, and that seat was removed since; go back less far.",
                )

    def become(self, other: "GameState") -> None:
        """Take over another state of this game, except the counters that only grow."""
        for name, rows in self.rows():
            rows.become(getattr(other, name))
        self.info = replace(
            self.info, status=other.info.status, options=other.info.options, paused_at=other.info.paused_at
        )


def mark_of(*parts: Any) -> str:
    """A short text that is another one wherever a part is another one."""
    return sha256("\n".join(map(str, parts)).encode()).hexdigest()[:MARK_LENGTH]


S = TypeVar("S", bound=GameState, default=Any)
"""The state of one ruleset; any where none is named."""
S_contra = TypeVar("S_contra", bound=GameState, default=Any, contravariant=True)
"""The same for what only works on a state: what works on that of every game works on that of one."""


def dump(value: Any) -> Any:
    """A state or record as plain comparable data: for tests of equality, digests and snapshots."""
    if isinstance(value, GameState):
        plain = {name: v for name, v in vars(value).items() if not name.startswith("_")}
        return {name: dump(v) for name, v in sorted(plain.items())}
    if isinstance(value, dict):
        return {
            str(dump(k)) if not isinstance(k, tuple) else "/".join(str(p) for p in k): dump(v) for k, v in value.items()
        }
    if is_dataclass(value) and not isinstance(value, type):
        return {f.name: dump(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, (list, tuple)):
        return [dump(v) for v in value]
    if isinstance(value, (set, frozenset)):
        return sorted(dump(v) for v in value)
    if hasattr(value, "content"):
        return value.content()
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, (UUID, timedelta)):
        return str(value)
    return value
