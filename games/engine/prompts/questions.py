"""The questions of a game as rows of its course: who is asked what, how long, and what silence means.

The rules of a chapter name the question (`ask_row`), and the row says the rest. It stands above them, in
`rules/course.py` of the game: its default and the commands that answer it may belong to any chapter.
"""

import inspect
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, ClassVar, Generic, TypeAlias
from uuid import UUID

from pydantic import Field

from games.engine.audience import GM_READER, PUBLIC, Audience, Reader, reader
from games.engine.deadlines import deadline_for
from games.engine.errors import Refused
from games.engine.game_state import GameState, Prompt, Role, S
from games.engine.kernel import Command, Context, Event, Issuer
from games.engine.prompts.abandonment import count_missed
from games.engine.prompts.excuses import excusable, excuse_silent
from games.engine.prompts.prompt import Rule, ask, close, innermost, lapse_event, open_prompt, timer_key
from games.engine.timer import CommandRef

Default: TypeAlias = Callable[[S, Context, Prompt, Sequence[UUID]], Iterator[Event]]
"""The events of silence to a question: (state, context, question, the seats that are silent) -> events."""
Owners: TypeAlias = Callable[[S, UUID | None], Collection[Reader]]
"""Who is asked, given what a question is about: (state, subject) -> readers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """How long a kind of question waits, in live play and by post.

    option: the field of the game's options, in seconds, that goes before both.
    """

    is_dated: ClassVar[bool] = True
    """Whether it follows the calendar of the game, where it has an hour or more."""

    live: timedelta
    by_post: timedelta
    option: str

    def length(self, state: GameState, chosen: int | None, *, is_live: bool) -> timedelta:
        """How long it is in a game. chosen: what its option says."""
        if chosen is not None:
            return timedelta(seconds=chosen)
        return self.live if is_live else self.by_post


def silent_seats(state: GameState, prompt: Prompt) -> list[UUID]:
    """The seats that owe an answer to a question, players first, in their order."""
    answered = {owner for asked, owner in state.answers if asked == prompt.id}
    silent = {*prompt.owners} - answered
    first = [seat.id for seat in state.players()]
    return [seat for seat in (*first, *sorted({*state.seats} - {*first})) if reader(seat) in silent]


def nobody(state: GameState, prompt: Prompt) -> list[UUID]:
    """Those who are late where all who are asked may answer, and none of them must."""
    return []


def every_player(state: GameState, subject: UUID | None) -> tuple[Reader, ...]:
    """Every player."""
    return tuple(reader(seat.id) for seat in state.players())


def the_game_master(state: GameState, subject: UUID | None) -> tuple[Reader, ...]:
    """The game-master."""
    return (GM_READER,)


def the_game_master_and_hosts(state: GameState, subject: UUID | None) -> tuple[Reader, ...]:
    """The game-master and the hosts."""
    return (GM_READER, *(reader(seat.id) for seat in state.seats_of(Role.HOST)))


_CONDUCTORS: dict[Any, frozenset[Role]] = {
    the_game_master: frozenset({Role.GM}),
    the_game_master_and_hosts: frozenset({Role.GM, Role.HOST}),
}


def everybody(state: GameState, subject: UUID | None) -> Audience:
    """The readers of a question that is no secret."""
    return PUBLIC


@dataclass(frozen=True, slots=True, kw_only=True)
class Question(Generic[S]):
    """A row of the course: one kind of question."""

    kind: str
    """Its name in the log and in both APIs."""
    case: str = ""
    """Where a kind is asked in several ways, which this is; the default of all is that of the first, without one."""
    about: str = ""
    """What the question is about, after "nobody is asked": `for help`."""
    lane: str
    """`{name}` stands for a word that the caller of `ask_row` gives."""
    inside: str = ""
    """The kind of question that it interrupts, where one is open: in its lane, and its deadline stands still."""
    owners: Owners[S] | str
    """Who is asked; in words where the caller of `ask_row` says who."""
    asked_of: frozenset[Role] = frozenset({Role.PLAYER})
    """Whose seats those may be, where they are not the game-masters and hosts."""
    settles: Rule = Rule.FIRST
    sealed: bool = False
    tells_who: bool = False
    """Of a sealed question: whether the game tells everybody who sees it who has answered, though not what."""
    readers: Callable[[S, UUID | None], Audience] = everybody
    shown: Audience | None = None
    """Who sees its deadline, and that it has passed; the readers of the question unless said."""
    window: str = ""
    """Which window of the course it runs in; empty where something else ends it."""
    until: str = ""
    """What ends it in time, in words, where it has no window, or may be later than that."""
    settled_by: type[Command] | None = None
    """The clock's command that ends it, where its timer is that of a part of the game; of several that of its subject.

    The timer is its deadline.
    """
    deadline: str = ""
    """What the clock's command at its deadline is called in the logs of this game; as the course says unless said."""
    early: bool = True
    """Whether a host or game-master may end its window before its time."""
    ends_phase: bool = False
    """Whether its deadline is that of what goes on now, which `end-now` ends."""
    answered_by: tuple[type[Command], ...]
    asks: str
    """The question; `{name}` stands for a word that the caller of `ask_row` gives."""
    silence: str
    """What happens when nobody answers, in words, with such words as `asks` has."""
    default: Default[S]
    """The events of silence; they close the question."""
    takes_long: bool = False
    """Whether its silence may take more than a moment."""
    late: Callable[[S, Prompt], Sequence[UUID]] = silent_seats
    """Who was silent, as its deadline says."""
    rules: tuple[str, ...]
    """The rules that say so."""

    @property
    def name(self) -> str:
        """Its name among the rows: its kind, with its case."""
        return f"{self.kind}: {self.case}" if self.case else self.kind

    @property
    def roles(self) -> frozenset[Role]:
        """Whose seats may be asked."""
        return _CONDUCTORS.get(self.owners, self.asked_of)

    @property
    def addressees(self) -> str:
        """Who is asked, in words: `the seat on turn`."""
        words = self.owners if isinstance(self.owners, str) else inspect.getdoc(self.owners) or ""
        return words[:1].lower() + words[1:].rstrip(".")

    def but(self, case: str, **changes: Any) -> "Question[S]":
        """Another way in which the same is asked."""
        return replace(self, case=case, **changes)


def ask_row(
    state: GameState,
    ctx: Context,
    kind: str,
    subject: UUID | None = None,
    *,
    case: str = "",
    owners: Collection[Reader] = (),
    prompt: UUID | None = None,
    readers: Audience | None = None,
    parent: UUID | None = None,
    choices: Sequence[str] = (),
    threshold: int = 0,
    due: datetime | None = None,
    carries: str = "",
    **words: Any,
) -> Iterator[Event]:
    """Ask the question of a row, with its window.

    subject: what it is about. case: which of the ways to ask it. owners: who is asked, where the row leaves that open.
    prompt, readers: its id, where that is minted already, and who sees it, where the row does not say. parent: what it
    interrupts, where the row does not say. due: its deadline, where it has no window; else the window
    ends no sooner. A window of an hour or more follows the calendar of the game (`engine.deadlines`). carries: the
    arguments of its deadline (JSON), where more must be known to settle it. words: those that its text leaves open. The
    rest is as in `ask`.
    """
    row = row_of(state, f"{kind}: {case}" if case else kind)
    readers = readers or row.readers(state, subject)
    prompt = prompt or ctx.mint(readers)
    around = state.question(row.inside) if row.inside else None
    asked = owners if isinstance(row.owners, str) else row.owners(state, subject)
    if row.window:
        due = max(_window_end(state, ctx, row.window, asked), due or ctx.now)
    later = CommandRef(
        row.deadline or state.course_rows.default_name, carries or SettleDefault(prompt=prompt).model_dump_json()
    )
    yield from ask(
        state,
        ctx,
        kind,
        row.asks.format(**words).strip(),
        owners=asked,
        lane=state.prompts[around].lane if around else row.lane.format(subject=subject, **words),
        rule=row.settles,
        answered_by=row.answered_by,
        prompt=prompt,
        readers=readers,
        parent=around or parent,
        subject=subject,
        choices=choices,
        threshold=threshold,
        sealed=row.sealed,
        due=due,
        default=later if due is not None else None,
        silence=row.silence.format(**words),
        shown=row.shown,
        early=row.early,
    )


def _window_end(state: GameState, ctx: Context, window: str, owners: Collection[Reader]) -> datetime:
    length = state.window(window)
    if not state.course_rows.windows[window].is_dated:
        return ctx.now + length
    return deadline_for(state, ctx.now, length, owners)


def row_of(state: GameState, name: str) -> Question[Any]:
    """The row of this name: of a kind of question, or of one of its cases."""
    found: Question[Any] = state.course_rows.questions[name]
    return found


def require_question(state: GameState, command: type[Command], *, rules: tuple[str, ...] = ()) -> Prompt:
    """The open question that a command answers. Raises `prompt.closed`."""
    asked = next(questions_answered_by(state, command), None)
    if asked is None:
        about = next(row.about for row in state.course_rows.questions.values() if command in row.answered_by)
        raise Refused("prompt.closed", f"Nobody is asked {about} now; look which questions are open.", rules=rules)
    return asked


def questions_answered_by(state: GameState, command: type[Command]) -> Iterator[Prompt]:
    """The open questions that a command answers."""
    name = command.slug()
    return (prompt for prompt in state.prompts.values() if name in prompt.answered_by)


def close_question(state: GameState, kind: str, result: str, subject: UUID | None = None) -> Iterator[Event]:
    """Close the question of a kind, where it is open. subject: what it is about, where there may be several."""
    asked = state.question(kind, subject)
    if asked is not None:
        yield from close(state, asked, result)


class Deadline(Command[S], abstract=True):
    """The time of a question is up: silence is taken as the course of the game says."""

    issuers: ClassVar[frozenset[Issuer]] = frozenset({Issuer.CLOCK})

    is_excused: bool = Field(default=False, exclude_if=lambda excused: not excused)
    """Whether it has moved by the grace of the game."""

    def question(self, state: S) -> UUID | None:
        """The question; None where it is not open."""
        raise TypeError(f"{type(self).__name__} names no question")

    def decide(self, state: S, ctx: Context) -> Iterator[Event]:
        asked = self.question(state)
        if asked is None:
            return
        prompt = open_prompt(state, asked)
        row = row_of(state, prompt.kind)
        late = row.late(state, prompt)
        if state.course_rows.marks_all:
            ctx.by = "deadline"
        if not self.is_excused and (excused := list(excusable(state, ctx, prompt, late))):
            yield from excuse_silent(state, ctx, prompt, excused)
            return
        yield lapse_event(state, prompt.id, late, row.shown)
        yield from default_of(state, ctx, prompt, late)
        yield from count_missed(state, ctx, prompt, late)


class PromptDeadline(Deadline[GameState], abstract=True, extra="ignore"):
    """The time of a question is up, which is named; what else its deadline carries, `carried_by` reads."""

    prompt: UUID
    """The question."""

    def question(self, state: GameState) -> UUID | None:
        return self.prompt


class SettleDefault(PromptDeadline, extra="ignore"):
    """The time of a question is up: silence is taken as the course of the game says."""


class SettleLongDefault(PromptDeadline, extra="ignore"):
    """The time of a question is up whose silence may take more than a moment."""

    takes_long: ClassVar[bool] = True


def settle_by_silence(state: GameState, ctx: Context, prompt: Prompt) -> Iterator[Event]:
    """A part of the game ends before a question is answered: its time has passed, silence is taken as its row says."""
    row = row_of(state, prompt.kind)
    late = row.late(state, prompt)
    yield lapse_event(state, prompt.id, late, row.shown)
    yield from row.default(state, ctx, prompt, late)


def default_of(state: GameState, ctx: Context, prompt: Prompt, late: Sequence[UUID]) -> Iterator[Event]:
    """The events of the silence of some seats to a question, marked as the deadline's; all close it together."""
    was, ctx.by = ctx.by, "deadline"
    yield from row_of(state, prompt.kind).default(state, ctx, prompt, late)
    ctx.by = was


def carried_by(state: GameState, ctx: Context, prompt: UUID) -> str:
    """The arguments of a question's deadline (JSON), be it to come or fired just now."""
    timer = state.timers.get(timer_key(prompt), ctx.fired)
    if timer is None:
        raise RuntimeError("the deadline of a question was lost")
    return timer.arguments


def question_without_owners(state: GameState) -> Prompt | None:
    """A question of the course that can be answered now, and whose owners have all left: nobody holds their seats."""
    rows = state.course_rows.questions
    asked = (p for p in state.prompts.values() if p.kind in rows and innermost(state, p))
    return next((p for p in asked if _has_no_owner(state, p)), None)


def _has_no_owner(state: GameState, prompt: Prompt) -> bool:
    return not any(_is_there(state, owner) for owner in prompt.owners)


def _is_there(state: GameState, owner: Reader) -> bool:
    """Whether somebody can answer as this owner: any game-master, or who holds the seat."""
    if owner == GM_READER:
        return any(state.is_held(seat.id) for seat in state.seats_of(Role.GM))
    return state.is_held(UUID(owner.removeprefix("seat:")))
