"""How a table is conducted: start, end of the set-up, pause, resume, extend, end now, fire now, overrule, rewind.

The GM's hand on the clock, the same in every ruleset; each is a logged command. Amend is in
`games.engine.lifecycle.amend`. Long for one reason: each command says beside what it refuses what it would accept.
"""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Annotated, Any, ClassVar

from pydantic import Field

from games.engine.audience import SERVER, Audience
from games.engine.bots import WAKING, wake_bots
from games.engine.deadlines import SHORTEST, realign, time_by_calendar
from games.engine.errors import Refused
from games.engine.game_state import GameState, Status, Timer
from games.engine.insight.domains import AnyValue, Choices, FreeText, Range
from games.engine.insight.legal_commands import Enumerable, LegalCommand, TableCommand, refusal_of, require_accepted
from games.engine.kernel import Actor, Context, Event, Issuer
from games.engine.state import Rows
from games.engine.timer import Extended, fire, require_early, timer_of
from games.engine.wording import full_sentence, span

CONDUCTORS = frozenset({Issuer.HOST, Issuer.GM})
Reason = Annotated[str, Field(max_length=2000)]
WEEK = 7 * 24 * 3600
A_SECOND = timedelta(seconds=1)  # a rewind sooner than this moves no deadline


class Started(Event[GameState]):
    """The game has left its lobby; a set-up that follows says so by an event of its own."""

    def apply(self, state: GameState) -> None:
        state.set_status(Status.RUNNING)

    def sentence(self, state: GameState) -> str:
        return f"{state.info.name or 'The game'} begins."


class Paused(Event[GameState]):
    """The clock stands still: every timer and prompt keeps what it has left."""

    reason: str

    def apply(self, state: GameState) -> None:
        state.info = replace(state.info, paused_at=state.log_time)

    def sentence(self, state: GameState) -> str:
        return f"The clock stands still. {full_sentence(self.reason)}".strip()


class Resumed(Event[GameState]):
    """The clock goes on; all that was still to come moves by the length of the pause."""

    by: timedelta

    def apply(self, state: GameState) -> None:
        state.info = replace(state.info, paused_at=None)
        state.shift(self.by)

    def sentence(self, state: GameState) -> str:
        seconds = int(self.by.total_seconds())
        return f"The clock goes on after {span(seconds)}." if seconds >= 0 else "The clock goes on."


class ClockSlipped(Event[GameState]):
    """The service was away, or its clock went back: all that is still to come moves, so that what was left is left.

    Nothing falls due during the outage. After a clock that went back the time of this event may be before that of the
    last one: only here do the times of a log go back, and where a game that could not follow is parked instead.
    """

    by: timedelta
    """How far every time that lies ahead moves; below zero where the clock went back."""

    def apply(self, state: GameState) -> None:
        state.shift(self.by)

    def sentence(self, state: GameState) -> str:
        seconds = int(self.by.total_seconds())
        if seconds < 0:
            return f"The service's clock went back by {span(-seconds)}; every deadline moves with it."
        return f"The service was away; every deadline moves by {span(seconds)}."


class Overruled(Event[GameState]):
    """A GM decided against the letter of a rule, and says so."""

    rule: str
    reason: str

    def sentence(self, state: GameState) -> str:
        return f"The game-master overrules {self.rule}: {full_sentence(self.reason)}"


class Rewound(Event[GameState]):
    """The game goes on from an earlier moment. Nothing is cut: what came after stays in the log, marked as fallen."""

    survives_rewind: ClassVar[bool] = True  # a rewind behind a rewind counts as the second

    to: int
    """The place in the log of the last event that stands; it tells how much is secret, so nobody reads it."""
    reason: str
    timers_set: int
    """How many timers were ever set: generations only grow."""

    def audience(self, state: GameState) -> Audience:
        return SERVER

    def apply(self, state: GameState) -> None:
        state.info = replace(state.info, rewinds=state.info.rewinds + 1, timers_set=self.timers_set)


class TimeTurned(Event[GameState]):
    """What the table learns of a rewind: how far, and why."""

    moment: datetime
    reason: str

    def sentence(self, state: GameState) -> str:
        return f"Time was turned back to {self.moment:%Y-%m-%d %H:%M:%S} UTC: {full_sentence(self.reason)}"


class SecretShown(Event[GameState]):
    """The dice secret is shown, so that every die can be recomputed."""

    secret: str
    """Hexadecimal; its SHA-256 was published when the game was opened."""


class GameEnded(Event[GameState]):
    """The game is over."""

    reason: str

    def apply(self, state: GameState) -> None:
        state.set_status(Status.FINISHED)
        open_rows: tuple[Rows[Any, Any], ...] = (state.timers, state.answers, state.prompts)
        for rows in open_rows:
            for key in list(rows):
                del rows[key]

    def sentence(self, state: GameState) -> str:
        return f"{state.info.name or 'The game'} is over: {full_sentence(self.reason)}"


class Start(Enumerable[GameState]):
    """Leave the lobby: the set-up opens, or play begins in a game without one.

    The ruleset says what must be in place before.
    """

    issuers: ClassVar[frozenset[Issuer]] = CONDUCTORS

    def decide(self, state: GameState, ctx: Context) -> Iterator[Event]:
        if state.info.status is not Status.LOBBY:
            raise state.status_refusal(Status.LOBBY)
        state.require_startable()
        following = ctx.start(state, ctx)
        first = next(following, None)  # refuses here, before anything has happened
        yield Started()
        if first is not None:
            yield first
            yield from following

    @classmethod
    def legal_commands(cls, state: GameState, actor: Actor) -> Iterator[LegalCommand]:
        require_accepted(cls(), state, actor)
        yield LegalCommand(cls.slug())


class EndSetup(Enumerable[GameState]):
    """End the set-up and begin play; the ruleset says what must be in place before.

    Its legal entry is `partial` where something that must be in place may be missing among what you do not see.
    """

    issuers: ClassVar[frozenset[Issuer]] = CONDUCTORS

    def decide(self, state: GameState, ctx: Context) -> Iterator[Event]:
        require_setup(state)
        yield from ctx.end_setup(state, ctx)

    @classmethod
    def legal_commands(cls, state: GameState, actor: Actor) -> Iterator[LegalCommand]:
        require_setup(state)
        yield LegalCommand(cls.slug(), partial=state.may_hide_gaps())


class Pause(TableCommand):
    """Stop the clock: every timer and prompt of the game keeps what it has left."""

    issuers: ClassVar[frozenset[Issuer]] = CONDUCTORS

    reason: Reason = ""
    """Shown to the table."""

    def decide(self, state: GameState, ctx: Context) -> Iterator[Event]:
        state.require_running()
        if state.info.paused_at is not None:
            raise Refused(
                "clock.paused", "The clock stands still already; `resume` lets it go on.", rules=state.pause_rules
            )
        yield Paused(reason=self.reason)

    @classmethod
    def legal_commands(cls, state: GameState, actor: Actor) -> Iterator[LegalCommand]:
        require_accepted(cls(), state, actor)
        yield LegalCommand(cls.slug(), {"reason": FreeText()})


class Resume(TableCommand):
    """Let the clock go on; what was still to come moves by the length of the pause.

    In a game with a calendar deadlines fall at the first slot from then on; a pause of less than an hour moves none.
    """

    issuers: ClassVar[frozenset[Issuer]] = CONDUCTORS
    while_paused: ClassVar[bool] = True

    def decide(self, state: GameState, ctx: Context) -> Iterator[Event]:
        if state.info.paused_at is None:
            raise Refused("clock.running", "The clock runs; there is nothing to resume.")
        by = ctx.happens_at - state.info.paused_at
        yield Resumed(by=by)
        yield from realign(state, by)

    @classmethod
    def legal_commands(cls, state: GameState, actor: Actor) -> Iterator[LegalCommand]:
        require_accepted(cls(), state, actor)
        yield LegalCommand(cls.slug())


class Extend(TableCommand):
    """Put a deadline off by some seconds; without a timer the deadline of what is going on now.

    By an hour or more it is put off to the first slot of the game's calendar from then on, where it has one.
    """

    issuers: ClassVar[frozenset[Issuer]] = CONDUCTORS
    while_paused: ClassVar[bool] = True

    timer: str = Field(default="", max_length=120)
    """The timer's key, as `timers/` shows it."""
    seconds: int = Field(ge=1, le=WEEK)
    """How much later."""
    reason: Reason = ""
    """Shown with the new time."""

    def decide(self, state: GameState, ctx: Context) -> Iterator[Event]:
        state.require_running()
        timer = timer_of(state, self.timer or phase_timer(state))
        if timer.due is None:
            raise Refused("timer.frozen", "This deadline stands still while an inner question is open.")
        by = timedelta(seconds=self.seconds)
        due = timer.due + by
        if by >= SHORTEST and state.info.paused_at is None:  # what is put off in a pause falls at a slot after it
            due = time_by_calendar(state, timer, due)
        yield Extended(timer=timer.key, due=due, reason=self.reason)

    @classmethod
    def legal_commands(cls, state: GameState, actor: Actor) -> Iterator[LegalCommand]:
        barred = refusal_of(cls(seconds=1), state, actor)
        timers = [key for key in sorted(state.timers) if not refusal_of(cls(timer=key, seconds=1), state, actor)]
        if barred and not timers:
            raise barred
        named = {"timer": Choices.with_titles({key: title_of(state.timers[key]) for key in timers})} if timers else {}
        terms = {"seconds": Range(), "reason": FreeText()}
        yield LegalCommand(cls.slug(), {**named, **terms}, required=("timer",) if barred else ())


class EndNow(TableCommand):
    """End what is going on now, as if its time were up.

    Its legal entry is `partial` while that time stands still for a question inside it: whether it may end is then for
    the question's own rules to say.
    """

    issuers: ClassVar[frozenset[Issuer]] = CONDUCTORS
    ends_time: ClassVar[bool] = True
    takes_long: ClassVar[bool] = True

    def decide(self, state: GameState, ctx: Context) -> Iterator[Event]:
        state.require_running()
        key = phase_timer(state)
        require_early(state, key)
        yield from fire(state, key, ctx)

    @classmethod
    def legal_commands(cls, state: GameState, actor: Actor) -> Iterator[LegalCommand]:
        """What a deadline does while an inner question is open, its own command says."""
        require_accepted(cls(), state, actor)
        yield LegalCommand(cls.slug(), partial=state.timers[phase_timer(state)].due is None)


class FireNow(TableCommand):
    """Fire one timer now instead of at its time; some windows the rules leave open until then."""

    issuers: ClassVar[frozenset[Issuer]] = CONDUCTORS
    ends_time: ClassVar[bool] = True
    takes_long: ClassVar[bool] = True

    timer: str = Field(min_length=1, max_length=120)
    """The timer's key, as `timers/` shows it."""

    def decide(self, state: GameState, ctx: Context) -> Iterator[Event]:
        state.require_running()
        require_early(state, self.timer)
        yield from fire(state, self.timer, ctx)

    @classmethod
    def legal_commands(cls, state: GameState, actor: Actor) -> Iterator[LegalCommand]:
        state.require_running()
        running = sorted(timer.key for timer in state.timers.values() if timer.due is not None)
        timers = [key for key in running if not refusal_of(cls(timer=key), state, actor)]
        if not timers:
            raise Refused("timer.missing", "Nothing waits for its time that may be fired before it.")
        named = Choices.with_titles({key: title_of(state.timers[key]) for key in timers})
        yield LegalCommand(cls.slug(), {"timer": named})


class Overrule(TableCommand):
    """Say in the log that a rule was set aside, and why; the change itself is made by amend."""

    issuers: ClassVar[frozenset[Issuer]] = frozenset({Issuer.GM})
    while_paused: ClassVar[bool] = True

    rule: str = Field(pattern=r"^[A-Z0-9]{2}(-[A-Z]+)?-\w+$", max_length=20)
    """The id of the rule, for example G2-WAR-1."""
    reason: str = Field(min_length=1, max_length=2000)
    """Shown to the table."""

    def decide(self, state: GameState, ctx: Context) -> Iterator[Event]:
        yield Overruled(rule=self.rule, reason=self.reason)

    @classmethod
    def legal_commands(cls, state: GameState, actor: Actor) -> Iterator[LegalCommand]:
        yield LegalCommand(cls.slug(), {"rule": AnyValue(), "reason": FreeText()})


class Rewind(TableCommand):
    """Go on from an earlier moment of this game. What this undoes stays in the log, marked; later dice change.

    Its legal entry is `partial`: which moments may be gone back to stands in the log alone; `rewind-preview/` says it.
    """

    issuers: ClassVar[frozenset[Issuer]] = frozenset({Issuer.GM})
    while_paused: ClassVar[bool] = True
    takes_long: ClassVar[bool] = True
    reads_log: ClassVar[bool] = True

    to: int = Field(ge=1)
    """The number of an event as `rewind-preview/` lists it; its whole command stands, what follows is undone."""
    reason: str = Field(min_length=1, max_length=2000)
    """Shown to the table."""

    def decide(self, state: GameState, ctx: Context) -> Iterator[Event]:
        if ctx.history is None:
            raise Refused("history.missing", "This game keeps no history to go back to.")
        to, past = ctx.history.at(self.to)
        if past.info.status is Status.LOBBY:
            raise not_begun()
        moment, seats = past.log_time, list(past.seats.values())
        awake = {seat.id for seat in seats if seat.bot}
        for event in ctx.history.lasting_behind(to):  # as the log will be folded from now on
            event.apply(past)
        state.require_none_removed(seats, past)
        state.become(past)
        yield Rewound(to=to, reason=self.reason, timers_set=state.info.timers_set)
        if ctx.happens_at - moment >= A_SECOND:
            yield from shift_time(state, ctx.happens_at - moment)
        yield TimeTurned(moment=moment, reason=self.reason)
        if state.info.status is not Status.FINISHED:
            # Who sits where is not undone, timers are: a bot that has come since would never look at the game.
            asleep = [seat.id for seat in state.seats.values() if seat.bot and seat.id not in awake]
            yield from wake_bots(state, ctx, asleep, WAKING)

    @classmethod
    def legal_commands(cls, state: GameState, actor: Actor) -> Iterator[LegalCommand]:
        """What may be gone back to stands in the log: `rewind-preview/` lists it."""
        if state.info.status is Status.LOBBY:
            raise not_begun()
        yield LegalCommand(cls.slug(), {"to": Range(low=1), "reason": FreeText()}, partial=True)


def not_begun() -> Refused:
    """What is said to those who would go back to before the start."""
    return Refused("history.early", "The game had not begun then; open a new one instead.")


def shift_time(state: GameState, by: timedelta) -> Iterator[Event]:
    """Move all that lies ahead by so much: what was left is left, and deadlines fall at slots of the calendar again."""
    yield ClockSlipped(by=by)
    yield from realign(state, by)


def title_of(timer: Timer) -> str:
    """What a timer does, in words: `fight war`."""
    return timer.does.replace("-", " ")


def require_setup(state: GameState) -> None:
    """Refuse (`phase.closed`, `game.not_ready`) unless the set-up is open and complete."""
    if state.info.status is not Status.SETUP:
        raise state.status_refusal(Status.SETUP, instead="`start` opens it, where the game has one.")
    state.require_ready()


def phase_timer(state: GameState) -> str:
    """The key of the timer that ends what is going on. Raises `timer.missing`."""
    key = state.phase_timer()
    if key is None:
        raise Refused("timer.missing", "Nothing that is going on now has a deadline.")
    return key
