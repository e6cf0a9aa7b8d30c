"""Questions that belong to a casting (lane `casting`, section 11.2): while one is open, the casting is not finished.

Only the innermost is answered; those below keep what is left. The clock of a called number stands still meanwhile.
What a question's default does is a command of the clock, named as data.
"""

from collections.abc import Collection, Iterator
from datetime import timedelta
from uuid import UUID

from games.engine.audience import Audience
from games.engine.errors import Refused
from games.engine.game_state import Prompt
from games.engine.kernel import Context, Event
from games.engine.prompts.prompt import PromptOpened, Rule, close, expire_prompt, timer_key
from games.engine.timer import TimerFrozen, TimerSet, TimerThawed, timer_of
from games.gods2.rules.state.options import scaled_window
from games.gods2.rules.state.state import State

WINDOW, CASTING = "queue", "casting"
"""Lanes: the called number, and what is asked for its casting."""
ANSWER_SECONDS = 60  # in a century of 30 minutes (section 9.1)
SHORTEST = 5  # seconds that a person needs, however short the century


def queue_key(number: int) -> str:
    """The key of the timer of a called number."""
    return f"queue:{number}"


def questions(state: State) -> list[Prompt]:
    """The open questions of castings, the innermost first."""
    return sorted((p for p in state.prompts.values() if p.lane == CASTING), key=lambda p: (-p.depth, p.id))


def call_of(state: State) -> Prompt | None:
    """The question put to the caster whose number is called, while nothing has been cast."""
    return next((p for p in state.prompts.values() if p.lane == WINDOW), None)


def check_idle(state: State) -> None:
    """Refuse (`number.running`) while a casting is not finished."""
    if questions(state):
        raise Refused(
            "number.running", "A casting is not finished; its question comes first.", rules=("G2-QUEUE-1", "G2-WAR-1")
        )


def check_unasked(state: State) -> None:
    """Refuse (`prompt.open`) the called caster while something is still asked for the casting."""
    if questions(state):
        raise Refused(
            "prompt.open", "An inner question of a casting is still open; it comes first.", rules=("G2-ASK-1",)
        )


def ask_question(
    state: State,
    ctx: Context,
    kind: str,
    question: str,
    *,
    prompt: UUID,
    owners: Collection[str],
    readers: Audience,
    rule: Rule,
    answered_by: str,
    subject: UUID | None,
    choices: tuple[str, ...] = (),
    silence: str,
    does: str,
    arguments: str,
    parent: Prompt | None = None,
    window: timedelta | None = None,
    lane: str = CASTING,
) -> Iterator[Event]:
    """Put a question of a casting, above those that are open. does, arguments: what follows from silence.

    window: how long it may be answered; a minute by default, at least some seconds. lane: that of another cause.
    """
    under = next((p for p in questions(state) if lane == CASTING), parent)
    yield from stop_clock(state)
    if under is not None and timer_key(under.id) in state.timers:
        yield TimerFrozen(key=timer_key(under.id))
    yield PromptOpened(
        prompt=prompt,
        kind=kind,
        lane=lane,
        parent=under.id if under is not None else None,
        owners=tuple(sorted(owners)),
        rule=rule,
        readers=readers,
        answered_by=(answered_by,),
        question=question,
        subject=subject,
        choices=choices,
        silence=silence,
    )
    due = ctx.now + (window or timedelta(seconds=max(SHORTEST, scaled_window(state, ANSWER_SECONDS))))
    yield TimerSet(key=timer_key(prompt), due=due, does=does, with_=arguments, shown=readers, subject=prompt)


def stop_clock(state: State) -> Iterator[Event]:
    """Let the clock of the called number stand still."""
    key = _call_key(state)
    if key is not None and state.timers[key].due is not None:
        yield TimerFrozen(key=key)


def resume_clock(state: State) -> Iterator[Event]:
    """Let the clock of the called number go on, when nothing of a casting is asked any more."""
    key = _call_key(state)
    if key is not None and state.timers[key].left is not None and not questions(state):
        yield TimerThawed(key=key)


def close_at_deadline(state: State, prompt: UUID) -> Iterator[Event]:
    """A question whose answer could be changed until now is closed: as answered, or by silence."""
    if any(asked == prompt for asked, _ in state.answers):
        yield from close(state, prompt, "answered")
    else:
        yield from expire_prompt(state, prompt)


def seat_of(owner: str) -> UUID:
    """The seat that an owner of a question is: `seat:<id>`."""
    return UUID(owner.partition(":")[2])


def _call_key(state: State) -> str | None:
    called = state.era.called
    return queue_key(called) if called is not None and queue_key(called) in state.timers else None


def take_defaults(state: State, ctx: Context) -> Iterator[Event]:
    """The Activity Phase ends: what is still asked for castings is settled as by silence, the innermost first."""
    while asked := questions(state):
        timer = timer_of(state, timer_key(asked[0].id))
        yield from ctx.command(timer.does, timer.arguments).decide(state, ctx)
