"""Accepting what a preview shows (section 11.2 of the rulebook)."""

from collections.abc import Iterator
from typing import ClassVar
from uuid import UUID

from games.engine.errors import Refused
from games.engine.insight.domains import Choices
from games.engine.insight.legal_commands import Enumerable, LegalCommand
from games.engine.kernel import Actor, Context, Event, Issuer
from games.engine.prompts.questions import row_of
from games.gods2.rules.gm_previews.events import PREVIEWS, PreviewAccepted
from games.gods2.rules.gm_previews.rules import preview_of, record_answer
from games.gods2.rules.state.state import State


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
