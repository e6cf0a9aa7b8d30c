"""What gods do about a turmoil (G2-TURM-1, 3, 4, 5; AMB-30 to 32): begin one at their will, answer whom they expel."""

from collections.abc import Iterator
from typing import ClassVar
from uuid import UUID

from pydantic import Field

from games.engine.audience import reader
from games.engine.errors import Refused
from games.engine.insight.domains import Choices, Flag
from games.engine.insight.legal_commands import Enumerable, LegalCommand
from games.engine.kernel import Actor, Context, Event
from games.engine.prompts.prompt import answer, close, open_prompt, owner_for
from games.gods2.rules.cascade.aftermath import run_and_settle
from games.gods2.rules.effects.turmoil import expel_member
from games.gods2.rules.pantheon.expulsions import expulsions, may_start, start_turmoil_by
from games.gods2.rules.pantheon.turmoil_events import (
    ExpulsionAnswered,
    TurmoilDeferred,
    name_of_member,
)
from games.gods2.rules.state.gods import god_of
from games.gods2.rules.state.questions import Asked
from games.gods2.rules.state.records import ACTING, RECKONING
from games.gods2.rules.state.state import State
from games.gods2.rules.window.prompts import seat_of

Steps = Iterator[Event]


class StartTurmoil(Enumerable[State]):
    """Start a religious turmoil in a race that worships you: no number is needed, and no mana is paid.

    In the Calculation Phase it begins with the next century.
    """

    rules: ClassVar[tuple[str, ...]] = ("G2-TURM-1", "G2-QUEUE-3")

    race: UUID
    """The race; you are a member of its pantheon."""
    signed: bool = False
    """Whether the public entry of the history names you."""

    def decide(self, state: State, ctx: Context) -> Steps:
        god = may_start(state, ctx.actor, self.race)
        if state.era.phase in RECKONING:
            yield TurmoilDeferred(race=self.race, century=state.era.century + 1, seat=god.id)
        else:
            yield from start_turmoil_by(state, ctx, self.race, god.id, signed=self.signed)

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        state.require(*ACTING)
        god = god_of(state, actor)
        races = [
            r.id
            for r in state.living()
            if (r.id, str(god.id)) in state.shares and not r.turmoil and r.id not in state.later_turmoils
        ]
        if not races:
            raise Refused("member.missing", f"No race at peace worships {god.name}.", rules=("G2-TURM-1",))
        yield LegalCommand(cls.slug(), {"race": Choices.of(races), "signed": Flag()})


class AnswerExpulsion(Enumerable[State]):
    """Throw another member out of a pantheon in turmoil, or decline: you were chosen by the die."""

    rules: ClassVar[tuple[str, ...]] = ("G2-TURM-5",)

    prompt: UUID
    """The question."""
    member: str | None = Field(default=None, max_length=60)
    """Another member: a seat's id, `diabolism` or `atheism`; nobody when absent."""

    def decide(self, state: State, ctx: Context) -> Steps:
        asked = open_prompt(state, self.prompt)
        if asked.kind != Asked.EXPEL or asked.subject is None:
            raise Refused("prompt.not_yours", "This question is answered with another command.", rules=("G2-ASK-1",))
        seat = seat_of(owner_for(state, asked, ctx.actor))
        if self.member is not None and self.member not in asked.choices:
            raise Refused("member.missing", "This is no other member of that pantheon.", rules=("G2-TURM-5",))
        yield from answer(state, ctx, self.prompt, "null" if self.member is None else f'"{self.member}"')
        yield from close(state, self.prompt, "answered")
        yield ExpulsionAnswered(prompt=self.prompt, race=asked.subject, seat=seat, member=self.member)
        if self.member is not None:
            yield from run_and_settle(state, ctx, expel_member(state, asked.subject, self.member, "turmoil"), "turmoil")

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        seat = actor.acting_seat
        for asked in expulsions(state):
            if seat is not None and reader(seat) in asked.owners:
                yield LegalCommand(
                    cls.slug(),
                    {
                        "prompt": Choices.of((asked.id,)),
                        "member": Choices.with_titles({m: name_of_member(state, m) for m in asked.choices}),
                    },
                )
