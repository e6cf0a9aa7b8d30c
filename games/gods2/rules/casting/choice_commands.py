"""Choosing the effect of a power where its caster may."""

from collections.abc import Iterator
from typing import ClassVar
from uuid import UUID

from pydantic import Field

from games.engine.audience import GM_READER, reader
from games.engine.errors import Refused
from games.engine.game_state import Prompt
from games.engine.insight.domains import Choices
from games.engine.insight.legal_commands import Enumerable, LegalCommand
from games.engine.kernel import Actor, Context, Event, Issuer
from games.engine.prompts.prompt import answer, close, open_prompt, owner_for
from games.gods2.rules.casting.choice_prompts import carry_out_choice, pending_for
from games.gods2.rules.state.questions import Asked
from games.gods2.rules.state.state import State

Steps = Iterator[Event]


class ChooseEffect(Enumerable[State]):
    """Choose what an effect does, where it leaves a choice to you."""

    issuers: ClassVar[frozenset[Issuer]] = frozenset({Issuer.SEAT, Issuer.GM})
    rules: ClassVar[tuple[str, ...]] = ("G2-MISC-1",)

    prompt: UUID
    """The question."""
    choice: str = Field(min_length=1, max_length=200)
    """One of the rows it names, by its first number."""

    def decide(self, state: State, ctx: Context) -> Steps:
        asked = open_prompt(state, self.prompt)
        if asked.kind != Asked.CHOOSE:
            raise Refused("prompt.not_yours", "This question is answered with another command.", rules=("G2-ASK-1",))
        owner_for(state, asked, ctx.actor)
        if self.choice not in asked.choices:
            raise Refused(
                "choice.invalid",
                f"Choose one of {', '.join(asked.choices)}.",
                rules=("G2-MISC-1",),
                choices=asked.choices,
            )
        pending = pending_for(state, ctx, asked)
        yield from answer(state, ctx, self.prompt, f'"{self.choice}"')
        yield from close(state, self.prompt, "answered")
        yield from carry_out_choice(state, ctx, pending, self.choice)

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        for asked in sorted((p for p in state.prompts.values() if p.kind == Asked.CHOOSE), key=lambda p: p.id):
            if may_answer(asked, actor):
                choices = {"prompt": Choices.of((asked.id,)), "choice": Choices.of(asked.choices)}
                yield LegalCommand(cls.slug(), choices, note=asked.question)


def may_answer(asked: Prompt, actor: Actor) -> bool:
    """Whether an actor may answer a question."""
    seat = actor.acting_seat
    return (seat is not None and reader(seat) in asked.owners) or (actor.is_gm and GM_READER in asked.owners)
