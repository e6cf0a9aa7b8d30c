"""Previews (section 11.2 of the rulebook): what the rules would do, shown to the GMs while they may still change it.

A preview is a question with a deadline; silence, like `accept-preview`, lets the rules have their way. What each kind
shows and does stands in its chapter.
"""

from collections.abc import Iterator
from uuid import UUID

from games.engine.errors import Refused
from games.engine.kernel import Context, Event
from games.engine.prompts.prompt import answer, close, open_prompt
from games.engine.prompts.questions import settle_by_silence
from games.gods2.rules.state.effect_records import Preview
from games.gods2.rules.state.records import WarStatus
from games.gods2.rules.state.state import State


def preview_of(state: State, prompt: UUID) -> Preview:
    """The preview of an open question. Raises `prompt.closed`, `prompt.not_yours` for a question of another kind."""
    open_prompt(state, prompt)
    if prompt not in state.previews:
        raise Refused("prompt.not_yours", "This question is answered with another command.", rules=("G2-ASK-1",))
    return state.previews[prompt]


def record_answer(state: State, ctx: Context, prompt: UUID, value: str) -> Iterator[Event]:
    """Record a GM's answer and close the question. value: JSON."""
    yield from answer(state, ctx, prompt, value)
    yield from close(state, prompt, "answered")


def close_void_previews(state: State, ctx: Context) -> Iterator[Event]:
    """A war has ended without a fight, or a race is extinct: what was shown of it cannot happen any more, and closes.

    Of wars that are fought together the next one is then shown: it is asked until all that is shown can happen.
    """
    while void := min((p.id for p in state.previews.values() if _is_void(state, p)), default=None):
        yield from settle_by_silence(state, ctx, state.prompts[void])


def _is_void(state: State, preview: Preview) -> bool:
    if preview.subject in state.wars:
        return state.wars[preview.subject].status is not WarStatus.DECLARED
    return preview.subject in state.races and state.races[preview.subject].extinct
