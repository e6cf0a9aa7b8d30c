"""Standing answers: what a god says in advance to common castings and to expulsions (section 12.1).

They are reported by the same events as given ones; that one was used, only its seat and the GMs see.
"""

from collections.abc import Iterator
from typing import ClassVar, Literal
from uuid import UUID

from pydantic import Field

from games.engine.audience import reader
from games.engine.errors import Refused
from games.engine.insight.domains import Choices, Domain, Range
from games.engine.insight.legal_commands import Enumerable, LegalCommand
from games.engine.kernel import Actor, Context, Event
from games.engine.prompts.prompt import PromptAnswered
from games.engine.prompts.standing import AnsweredInAdvance, StandingAnswerSet, standing_answer
from games.gods2.rules.casting.eligibility import god_of
from games.gods2.rules.pantheon.commands import ACTING
from games.gods2.rules.state.state import State

Kind = Literal["casting", "expulsion"]
Word = Literal["yes", "no", "ask", "decline"]
ANSWERS = ("G2-ASK-2",)
MOST_MANA = 1_000_000
FITTING: dict[Kind, tuple[Word, ...]] = {"casting": ("yes", "no", "ask"), "expulsion": ("decline", "ask")}


class StandingAnswerUsed(AnsweredInAdvance[State]):
    """A question was settled by what a god has said in advance."""

    rules: ClassVar[tuple[str, ...]] = ANSWERS

    def sentence(self, state: State) -> str:
        return f"{state.gods[self.seat].name} has answered this in advance."


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


def key_of(kind: Kind, seat: UUID | None) -> str:
    """The kind of a standing answer in the state; one for the castings of a single god names that god's seat."""
    return kind if seat is None else f"{kind}:{seat.hex}"


def answer_to_casting(state: State, seat: UUID, primary: UUID, amount: int) -> bool | None:
    """What a god has said in advance to a casting of another for which they pay so much; None: the god is asked."""
    given = standing_answer(state, seat, key_of("casting", primary), "casting") or "ask"
    word, _, most = given.partition(":")
    if word == "yes":
        return True if not most or amount <= int(most) else None
    return False if word == "no" else None


def declines(state: State, seat: UUID) -> bool:
    """Whether a god has said in advance to throw nobody out."""
    return standing_answer(state, seat, "expulsion") == "decline"


def use_standing_answer(prompt: UUID, seat: UUID, value: str) -> Iterator[Event]:
    """A question is answered by what a god has said in advance. value: JSON."""
    yield StandingAnswerUsed(prompt=prompt, seat=seat)
    yield PromptAnswered(prompt=prompt, owner=reader(seat), answer=value)
