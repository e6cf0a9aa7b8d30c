"""Previews (section 11.2 of the rulebook): what the rules would do, shown to the GMs while they may still change it.

A preview is a question with a deadline; silence, like `accept-preview`, lets the rules have their way. What each kind
shows and does stands in its chapter.
"""

from collections.abc import Iterator
from typing import ClassVar
from uuid import UUID

from games.engine.errors import Refused
from games.engine.insight.domains import Choices
from games.engine.insight.legal_commands import Enumerable, LegalCommand
from games.engine.kernel import Actor, Context, Event, Issuer
from games.engine.prompts.prompt import answer, close, open_prompt
from games.engine.prompts.questions import row_of
from games.gods2.rules.state.audiences import ForGm
from games.gods2.rules.state.effect_records import Preview
from games.gods2.rules.state.state import State

PREVIEWS = ("G2-GROW-10", "G2-WAR-8")


class PreviewAccepted(ForGm[State]):
    """A GM has approved what the rules would do."""

    rules: ClassVar[tuple[str, ...]] = PREVIEWS

    prompt: UUID

    def sentence(self, state: State) -> str:
        return "The GM lets the rules have their way."


class PreviewClosed(ForGm[State]):
    """What was shown happens now, or cannot happen any more."""

    rules: ClassVar[tuple[str, ...]] = PREVIEWS

    prompt: UUID

    def apply(self, state: State) -> None:
        del state.previews[self.prompt]


class AcceptPreview(Enumerable[State]):
    """Let what a preview shows happen at once, without waiting for its deadline."""

    issuers: ClassVar[frozenset[Issuer]] = frozenset({Issuer.GM})
    rules: ClassVar[tuple[str, ...]] = PREVIEWS

    prompt: UUID
    """The preview's question."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        preview_of(state, self.prompt)
        asked = state.prompts[self.prompt]
        yield from record_answer(state, ctx, self.prompt, "true")
        yield PreviewAccepted(prompt=self.prompt)
        yield from row_of(state, asked.kind).default(state, ctx, asked, ())

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        if not state.previews:
            raise Refused("prompt.closed", "Nothing is shown to you beforehand now.", rules=PREVIEWS)
        yield LegalCommand(cls.slug(), {"prompt": Choices.of(sorted(state.previews))})


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
