"""The course of a game as data: its questions with what silence means, its windows, and what follows by itself.

One value a ruleset (`games/<game>/rules/course.py`), to be read beside the rulebook's chapter on turns. What it lacks
is found when the ruleset is loaded (`Course.require_whole`).
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from functools import cached_property
from typing import Any, Generic

from games.engine.game_state import GameState, S, Status
from games.engine.kernel import Command, Context, Event
from games.engine.lifecycle.gm_commands import GameEnded
from games.engine.prompts.prompt import timer_key
from games.engine.prompts.questions import (
    Question,
    SettleDefault,
    SettleLongDefault,
    Window,
    question_without_owners,
    row_of,
    silent_seats,
)
from games.engine.settling import settle_rounds


@dataclass(frozen=True, slots=True)
class When(Generic[S]):
    """A step of a game that waits for nobody."""

    due: Callable[[S], bool]
    then: Callable[[S, Context], Iterator[Event]]
    rules: tuple[str, ...]
    """The rules that say so."""


def _no_options(_: GameState) -> None:
    """Those of a game without windows."""


def _is_live(_: GameState) -> bool:
    return True


@dataclass(frozen=True, kw_only=True)
class Course(Generic[S]):
    """How one game goes on; that of a game which asks nothing is empty."""

    kinds: Iterable[str] | None = None
    """Every kind of question that there is, where the rules enumerate them; each has a row."""
    questions: Mapping[str, Question[S]] = field(default_factory=dict)
    """The rows by name, in the order of the rulebook."""
    windows: Mapping[str, Window] = field(default_factory=dict)
    options: Callable[[S], Any] = _no_options
    """The options of a game: those that windows follow are among their fields."""
    is_live: Callable[[S], bool] = _is_live
    """Whether the windows of live play hold, or those by post."""
    default_name: str = SettleDefault.slug()
    """What the clock's command at a deadline (`SettleDefault`) is called in the logs of this game."""
    marks_all: bool = True
    """Whether all that follows from a default is marked as the deadline's, or only what stands for the answers."""
    steps: Collection[str] = (Status.RUNNING,)
    """The steps in which the game goes on by itself; where a game has none of its own, while it runs."""
    free_steps: Collection[str] | None = None
    """The steps in which players act unasked (`GameState.require_turn` says who); None: all while the game runs."""
    goes_on: tuple[When[S], ...] = ()
    """What follows after each command, until nobody is waited for: the first of these that is due, again and again."""

    def go_on(self, state: S, ctx: Context) -> Iterator[Event]:
        """Go on as far as nobody is waited for."""
        yield from settle_rounds(lambda: self._go_a_step(state, ctx))

    def _go_a_step(self, state: S, ctx: Context) -> Iterator[Event]:
        if state.step not in self.steps:
            return
        following = next((when for when in self.goes_on if when.due(state)), None)
        if following is not None:
            yield from following.then(state, ctx)

    def has_turns(self, state: S) -> bool:
        """Whether any player may act unasked in the present step."""
        is_running = state.info.status is Status.RUNNING
        return is_running if self.free_steps is None else state.step in self.free_steps

    def window_of(self, state: S, name: str) -> timedelta:
        """How long a window is in this game: by its option where that is set, else by the pace."""
        window = self.windows[name]
        return window.length(state, getattr(self.options(state), window.option), is_live=self.is_live(state))

    @cached_property
    def ending_commands(self) -> dict[str, str]:
        """Kinds of questions that a part of the game ends -> the command of the clock whose timer is their deadline."""
        return {row.kind: row.settled_by.slug() for row in self.questions.values() if row.settled_by is not None}

    @cached_property
    def commands(self) -> dict[str, type[Command]]:
        """The clock's command at deadlines, by each name that it has in the logs of this game."""
        return {self.default_name: SettleDefault} | {
            row.deadline: SettleLongDefault if row.takes_long else SettleDefault
            for row in self.questions.values()
            if row.deadline
        }

    def phase_timer(self, state: S) -> str | None:
        """The key of the deadline of what goes on now: that of the innermost question whose row says so.

        Of lanes beside each other the first one counts, in the order of the rows.
        """
        ending = [row for row in self.questions.values() if row.ends_phase]
        kinds, lanes = {row.kind for row in ending}, [row.lane for row in ending]
        asked = [p for p in state.prompts.values() if p.kind in kinds and p.lane in lanes]
        first = min(asked, key=lambda p: (lanes.index(p.lane), -p.depth, p.opened_at, p.id), default=None)
        return timer_key(first.id) if first is not None and timer_key(first.id) in state.timers else None

    def require_whole(self, commands: Mapping[str, type[Command]], options: Any) -> None:
        """Raise ValueError, in words, where a row lacks something or names what the ruleset does not have.

        commands: those of the ruleset by name. options: its class of options.
        """
        if faults := list(self._faults(commands, options.model_fields)):
            raise ValueError(" ".join(faults))

    def _faults(self, commands: Mapping[str, type[Command]], options: Collection[str]) -> Iterator[str]:
        kinds = {row.kind for row in self.questions.values()} if self.kinds is None else {*self.kinds}
        for kind in sorted(kinds):
            if kind not in self.questions:
                yield f"The question {kind} has no row."
        for name, row in self.questions.items():
            if row.kind not in kinds:
                yield f"{name} is no kind of question."
            if not row.silence:
                yield f"It is not said what silence to {name} means."
            if not row.rules:
                yield f"No rule says what silence to {name} means."
            if not row.addressees:
                yield f"It is not said who is asked {name}."
            if not row.answered_by:
                yield f"No command answers {name}."
            for command in row.answered_by:
                if commands.get(command.slug()) is not command:
                    yield f"{name} is answered by {command.slug()}, which the ruleset does not have."
            if row.window and row.window not in self.windows:
                yield f"{name} runs in the window {row.window}, which is none."
            if row.settled_by is not None and commands.get(row.settled_by.slug()) is not row.settled_by:
                yield f"{name} is settled by {row.settled_by.slug()}, which the ruleset does not have."
            if not (row.window or row.until):
                yield f"{name} has neither a window nor words that say what ends it."
            if row.ends_phase and not row.window:
                yield f"The deadline of {name} ends what goes on, and it has no window."
            if row.inside and row.inside not in self.questions:
                yield f"{name} interrupts {row.inside}, which is no question."
        for name, window in self.windows.items():
            if window.option not in options:
                yield f"The window {name} follows the option {window.option}, which is none."
            if name not in {row.window for row in self.questions.values()}:
                yield f"No question runs in the window {name}."


def rows(*questions: Question[S]) -> dict[str, Question[S]]:
    """Rows by their name. Raises ValueError where two have one."""
    found = {row.name: row for row in questions}
    if len(found) < len(questions):
        raise ValueError("Two rows of a course have one name.")
    return found


def game_ends(due: Callable[[S], bool], reason: str, *rules: str) -> When[S]:
    """The game ends as soon as this is so. reason: after a colon, in the words of `GameEnded`."""
    return When(due, lambda *_: iter((GameEnded(reason=reason),)), rules)


def owners_have_left(*rules: str) -> When[Any]:
    """A question whose owners have all left has its default at once."""
    return When(lambda state: question_without_owners(state) is not None, _take_default, rules)


def _take_default(state: GameState, ctx: Context) -> Iterator[Event]:
    asked = question_without_owners(state)
    if asked is not None:
        yield from row_of(state, asked.kind).default(state, ctx, asked, silent_seats(state, asked))
