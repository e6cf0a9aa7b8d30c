"""Previews (section 11.2 of the rulebook): what the rules would do, shown to the GMs while they may still change it.

A preview is a question with a deadline; silence, like `accept-preview`, lets the rules have their way. What each kind
shows and does stands in its chapter.
"""

from collections.abc import Iterator
from uuid import UUID

from games.engine.errors import Refused
from games.engine.kernel import Context, Event
from games.engine.prompts.prompt import answer, close, open_prompt
from games.gods2.rules.state.effect_records import Preview
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
