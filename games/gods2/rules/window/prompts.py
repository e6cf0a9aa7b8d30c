"""Questions that belong to a casting (lane `casting`, section 11.2): while one is open, the casting is not finished.

Only the innermost is answered; those below keep what is left. The clock of a called number stands still meanwhile.
"""

from collections.abc import Iterator, Sequence
from typing import Any
from uuid import UUID

from games.engine.errors import Refused
from games.engine.game_state import Prompt
from games.engine.kernel import Context, Event
from games.engine.prompts.prompt import close
from games.engine.prompts.questions import ask_row, settle_by_silence
from games.engine.timer import TimerFrozen, TimerThawed
from games.gods2.rules.state.questions import CASTING, QUEUE, Asked, queue_key
from games.gods2.rules.state.state import State

SHORTEST = 5  # seconds that a person needs, however short the century


def questions(state: State) -> list[Prompt]:
    """The open questions of castings, the innermost first."""
    return sorted((p for p in state.prompts.values() if p.lane == CASTING), key=lambda p: (-p.depth, p.id))


def call_of(state: State) -> Prompt | None:
    """The question put to the caster whose number is called, while nothing has been cast."""
    return next((p for p in state.prompts.values() if p.lane == QUEUE), None)


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
    state: State, ctx: Context, kind: Asked, subject: UUID | None, *, parent: Prompt | None = None, **given: Any
) -> Iterator[Event]:
    """Put a question of a casting, above those that are open, while the clock of the called number stands still.

    parent: what it interrupts where nothing is asked for the casting. The rest is as in `ask_row`.
    """
    under = next(iter(questions(state)), parent)
    yield from stop_clock(state)
    yield from ask_row(state, ctx, kind, subject, parent=under.id if under is not None else None, **given)


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


def close_at_deadline(state: State, ctx: Context, prompt: Prompt) -> Iterator[Event]:
    """A question whose answer could be changed until now is closed: as answered, or by silence."""
    if any(asked == prompt.id for asked, _ in state.answers):
        yield from close(state, prompt.id, "answered")
    else:
        yield from settle_by_silence(state, ctx, prompt)


def leave_it(state: State, ctx: Context, prompt: Prompt, late: Sequence[UUID]) -> Iterator[Event]:
    """Nothing follows from silence but that the question is closed: the rules have their way."""
    yield from close(state, prompt.id, "deadline")


def seat_of(owner: str) -> UUID:
    """The seat that an owner of a question is: `seat:<id>`."""
    return UUID(owner.partition(":")[2])


def _call_key(state: State) -> str | None:
    called = state.era.called
    return queue_key(called) if called is not None and queue_key(called) in state.timers else None


def take_defaults(state: State, ctx: Context) -> Iterator[Event]:
    """The Activity Phase ends: what is still asked for castings is settled as by silence, the innermost first."""
    while asked := questions(state):
        yield from settle_by_silence(state, ctx, asked[0])
