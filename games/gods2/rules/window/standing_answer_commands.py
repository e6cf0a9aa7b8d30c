"""Answers in advance (G2-ASK-2)."""

from collections.abc import Iterator
from typing import ClassVar
from uuid import UUID

from pydantic import Field

from games.engine.errors import Refused
from games.engine.insight.domains import Choices, Domain, Range
from games.engine.insight.legal_commands import Enumerable, LegalCommand
from games.engine.kernel import Actor, Context, Event
from games.engine.prompts.standing import StandingAnswerSet
from games.gods2.rules.casting.events import ANSWERS
from games.gods2.rules.state.gods import god_of
from games.gods2.rules.state.records import ACTING
from games.gods2.rules.state.state import State
from games.gods2.rules.window.standing_answers import Kind, Word, key_of

MOST_MANA = 1_000_000
FITTING: dict[Kind, tuple[Word, ...]] = {"casting": ("yes", "no", "ask"), "expulsion": ("decline", "ask")}


class SetStandingAnswer(Enumerable[State]):
    """Say in advance what you answer when somebody wants to cast with you, or when you may throw a member out."""

    rules: ClassVar[tuple[str, ...]] = ANSWERS

    kind: Kind
    """Which questions."""
    seat: UUID | None = None
    """Only for castings of this god; for those of all others when absent."""
    answer: Word
    """`yes`, `no` or `ask` to castings; `decline` or `ask` to expulsions. `ask`: you answer each time."""
    amount: int | None = Field(default=None, ge=0)
    """The most mana for which you say yes to a casting; for more you are asked."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        god = god_of(state, ctx.actor)
        state.require(*ACTING)
        narrow = self.seat is not None or self.amount is not None
        if self.answer not in FITTING[self.kind] or (self.kind == "expulsion" and narrow):
            answers = " or ".join(FITTING[self.kind])
            raise Refused(
                "answer.invalid", f"To an expulsion say {answers}." if narrow else f"Say {answers}.", rules=ANSWERS
            )
        if self.amount is not None and self.answer != "yes":
            raise Refused("answer.invalid", "An amount goes with yes.", rules=ANSWERS)
        if self.seat is not None and (self.seat not in state.gods or self.seat == god.id):
            raise Refused("seat.missing", "There is no other god at such a seat.", rules=ANSWERS)
        word = self.answer if self.amount is None else f"{self.answer}:{self.amount}"
        yield StandingAnswerSet(
            seat=god.id, kind=key_of(self.kind, self.seat), answer="" if word == "ask" and self.seat is None else word
        )

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        god = god_of(state, actor)
        state.require(*ACTING)
        others = Choices.of(sorted(seat for seat in state.gods if seat != god.id))
        alone: dict[str, Domain] = {"seat": others} if others.values else {}
        yes, *rest = FITTING["casting"]
        asked = {"kind": Choices(("casting",)), **alone}
        yield LegalCommand(cls.slug(), {**asked, "answer": Choices((yes,)), "amount": Range(low=0, high=MOST_MANA)})
        yield LegalCommand(cls.slug(), {**asked, "answer": Choices.of(rest)})
        yield LegalCommand(cls.slug(), {"kind": Choices(("expulsion",)), "answer": Choices.of(FITTING["expulsion"])})
