"""Answering a casting that one is asked to share (G2-HIST-3)."""

from collections.abc import Iterator
from typing import ClassVar
from uuid import UUID

from games.engine.audience import reader
from games.engine.errors import Refused
from games.engine.insight.domains import Choices, Flag
from games.engine.insight.legal_commands import Enumerable, LegalCommand
from games.engine.kernel import Actor, Context, Event
from games.engine.prompts.prompt import answer, open_prompt, owner_for
from games.gods2.rules.casting.events import HIST
from games.gods2.rules.casting.joint import is_able, record_reply
from games.gods2.rules.casting.rules import check_purse
from games.gods2.rules.state.questions import Asked
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import PartOf
from games.gods2.rules.window.prompts import seat_of

Steps = Iterator[Event]


class AnswerCasting(Enumerable[State]):
    """Say whether you cast with the god who asks you, and pay your part."""

    rules: ClassVar[tuple[str, ...]] = HIST

    prompt: UUID
    """The question."""
    yes: bool
    """Whether you join in."""

    def decide(self, state: State, ctx: Context) -> Steps:
        asked = open_prompt(state, self.prompt)
        if asked.kind != Asked.JOIN or asked.subject is None:
            raise Refused("prompt.not_yours", "This question is answered with another command.", rules=("G2-ASK-1",))
        seat = seat_of(owner_for(state, asked, ctx.actor))
        proposal = state.proposals[asked.subject]
        if self.yes:
            power = state.pack.powers[proposal.power]
            check_purse(state, state.gods[seat], dict(proposal.parts)[seat], power)
        yield from answer(state, ctx, self.prompt, "true" if self.yes else "false")
        yield from record_reply(state, ctx, self.prompt, proposal.id, seat, yes=self.yes)

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        seat = actor.acting_seat
        for asked in sorted((p for p in state.prompts.values() if p.kind == Asked.JOIN), key=lambda p: p.id):
            if seat is not None and asked.subject is not None and reader(seat) in asked.owners:
                proposal = state.proposals[asked.subject]
                amount = dict(proposal.parts)[seat]
                able = is_able(state, PartOf(seat=seat, amount=amount), state.pack.powers[proposal.power])
                yield LegalCommand(
                    cls.slug(),
                    {"prompt": Choices.of((asked.id,)), "yes": Flag() if able else Choices((False,))},
                    price=amount,
                    note=asked.question,
                )
