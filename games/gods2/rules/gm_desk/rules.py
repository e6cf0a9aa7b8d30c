"""Manual tasks that are void (section 12.1, G2-SEQ-3): by silence, or when the Activity Phase is over."""

from collections.abc import Iterator, Sequence
from uuid import UUID

from games.engine.game_state import Prompt
from games.engine.kernel import Context, Event
from games.engine.prompts.prompt import close
from games.engine.prompts.questions import settle_by_silence
from games.gods2.rules.gm_desk.events import TaskVoided
from games.gods2.rules.mana.rules import refund_mana
from games.gods2.rules.state.effect_records import Task
from games.gods2.rules.state.questions import Asked
from games.gods2.rules.state.state import State

Steps = Iterator[Event]

OVER = "the Activity Phase is over"


def void_task(state: State, task: Task, reason: str) -> Steps:
    """A task is void, whose question is closed: every payer has their part back."""
    yield TaskVoided(task=task.id, casting=task.casting, reason=reason)
    if task.casting is not None:
        for seat, amount in task.payers:
            if amount:
                yield from refund_mana(state, seat, task.casting, amount)


def void_by_silence(state: State, ctx: Context, prompt: Prompt, late: Sequence[UUID]) -> Steps:
    """A task that nobody has done in its time is void."""
    yield from close(state, prompt.id, "deadline")
    if prompt.subject is not None and prompt.subject in state.tasks:
        yield from void_task(state, state.tasks[prompt.subject], OVER)


def void_open_tasks(state: State, ctx: Context) -> Steps:
    """The Activity Phase ends: what no GM has done is void."""
    for task in sorted(state.tasks.values(), key=lambda t: t.id):
        asked = state.question(Asked.TASK, task.id)
        if asked is not None:
            yield from settle_by_silence(state, ctx, state.prompts[asked])
        else:
            yield from void_task(state, task, OVER)
