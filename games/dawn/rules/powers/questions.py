"""The questions of a power: consent, leave, decision, objection, challenge (section 9). A chapter may add kinds.

A question has a key, unique within its power, and those who are asked. It is put when its turn comes; each answer is
reported by an event of its own; as soon as the answers settle it, it says what comes of that: the power goes on, is
withdrawn, or a Divine Conflict arises. `course.go_on` takes the next step.
"""

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar
from uuid import UUID

from games.dawn.rules.conflict.rules import conflict_opening
from games.dawn.rules.powers.events import (
    ChallengeRaised,
    ConsentAnswered,
    ConsentAsked,
    DeclinedWithoutPoints,
    LeaveAnswered,
    LeaveAsked,
    ObjectionRaised,
    ObjectionWaived,
    PowerAdvanced,
    SharesDrawn,
)
from games.dawn.rules.standing_answers.events import StandingAnswerUsed
from games.dawn.rules.standing_answers.rules import standing_answer
from games.dawn.rules.state.records import Power
from games.dawn.rules.state.schema_types import AdvanceKind, Asked, Cause, Place, Share
from games.dawn.rules.state.state import State
from games.engine.audience import PUBLIC, reader
from games.engine.game_state import Prompt
from games.engine.kernel import Context, Event
from games.engine.prompts.prompt import PromptAnswered, answers_to, close
from games.engine.prompts.questions import ask_row

YES, NO = "true", "false"
Answers = Mapping[UUID, bool]


@dataclass(frozen=True, slots=True)
class PowerQuestion:
    """What a power asks before it takes effect (or after it, where a choice follows)."""

    key: str
    asked: tuple[UUID, ...]
    """Seats, in turn order (`state.present`). Nobody: the question is settled."""

    kind: ClassVar[Asked]
    advance: ClassVar[AdvanceKind | None] = None
    """Which answers in advance hold for it."""
    asked_once: ClassVar[bool] = False
    """Whether those whom it asks are not asked for a challenge of the same power any more (DW-MIR-6)."""

    def words(self, state: State, power: Power) -> dict[str, Any]:
        """The words that its row leaves open (`course.QUESTIONS`)."""
        return {"caster": state.title(power.caster)}

    @abstractmethod
    def answer_event(self, prompt: UUID, seat: UUID, yes: bool) -> Event | None:
        """The event of one answer; None where the events of its result report it."""

    @abstractmethod
    def is_settled(self, answers: Answers) -> bool:
        """Whether these answers settle it."""

    @abstractmethod
    def outcome(self, state: State, ctx: Context, power: Power, answers: Answers) -> Iterator[Event]:
        """What comes of the answers that settle it."""

    def announcements(self, state: State, prompt: UUID) -> Iterator[Event]:
        """Events that say who is asked, and about what."""
        return iter(())

    def check(self, state: State, seat: UUID, yes: bool) -> None:
        """Refuse an answer that cannot be given."""

    def is_short(self, state: State, seat: UUID) -> bool:
        """Whether somebody who is asked could only decline, for want of points (DW-ASK-3)."""
        return False

    def ask(self, state: State, ctx: Context, power: Power) -> Iterator[Event]:
        """Ask; those who could only decline, and those with a standing answer, have answered."""
        prompt = ctx.mint(PUBLIC)
        yield from ask_row(
            state,
            ctx,
            self.kind,
            power.id,
            owners=[reader(seat) for seat in self.asked],
            prompt=prompt,
            **self.words(state, power),
        )
        yield from self.announcements(state, prompt)
        for seat in self.asked:
            if prompt not in state.prompts:
                return
            if self.is_short(state, seat):
                declined = DeclinedWithoutPoints(subject=power.id, seat=seat)
                yield from self.record_answer(state, ctx, state.prompts[prompt], seat, False, declined)
                continue
            word = standing_answer(state, seat, self.advance, power.caster) if self.advance else None
            if word is not None:
                yield StandingAnswerUsed(prompt=prompt, seat=seat)
                yield from self.record_answer(state, ctx, state.prompts[prompt], seat, word)

    def record_answer(
        self, state: State, ctx: Context, prompt: Prompt, seat: UUID, yes: bool, event: Event | None = None
    ) -> Iterator[Event]:
        """One answer, and what comes of it if it settles the question. event: reports it, where not as usual."""
        if prompt.subject is None:
            raise RuntimeError("a question about no power")
        power = state.powers[prompt.subject]
        yield PromptAnswered(prompt=prompt.id, owner=reader(seat), answer=YES if yes else NO)
        event = event or self.answer_event(prompt.id, seat, yes)
        if event is not None:
            yield event
        given = answers_to(state, prompt.id)
        answers = {s: given[reader(s)] == YES for s in self.asked if reader(s) in given}
        if self.is_settled(answers):
            yield from close(state, prompt.id, "settled")
            yield from self.outcome(state, ctx, power, answers)

    def passing_event(self, power: Power) -> Event:
        """The question is settled in the caster's favour."""
        return PowerAdvanced(power=power.id, settled=self.key)


@dataclass(frozen=True, slots=True)
class Consent(PowerQuestion):
    """Others must agree: co-creators who pay shares (all of them), or one who speaks for another race (any of them)."""

    key: str = "consent"
    asked: tuple[UUID, ...] = ()
    shares: tuple[Share, ...] = ()
    """What co-creators pay; drawn at once when all have said yes (DW-RACE-4)."""
    what: str = ""
    enough: int = 0
    """How many yes are enough; 0: all (DW-CMDR-3 asks for one)."""

    kind: ClassVar[Asked] = Asked.CONSENT

    def words(self, state: State, power: Power) -> dict[str, Any]:
        return {"what": self.what}

    def is_short(self, state: State, seat: UUID) -> bool:
        return any(share.seat == seat and state.balance(seat) < share.amount for share in self.shares)

    def announcements(self, state: State, prompt: UUID) -> Iterator[Event]:
        yield ConsentAsked(prompt=prompt, seats=self.asked, shares=self.shares)

    def answer_event(self, prompt: UUID, seat: UUID, yes: bool) -> Event:
        return ConsentAnswered(prompt=prompt, seat=seat, yes=yes)

    def is_settled(self, answers: Answers) -> bool:
        missing = len(self.asked) - len(answers)
        yes = sum(answers.values())
        return yes >= self._need() or yes + missing < self._need()

    def outcome(self, state: State, ctx: Context, power: Power, answers: Answers) -> Iterator[Event]:
        short = any(state.balance(s.seat) < s.amount for s in self.shares)
        if sum(answers.values()) < self._need() or short:
            yield PowerAdvanced(power=power.id, withdrawn=True)
            return
        if self.shares:
            yield SharesDrawn(power=power.id, shares=self.shares)
        yield self.passing_event(power)

    def _need(self) -> int:
        return self.enough or len(self.asked)


@dataclass(frozen=True, slots=True)
class Leave(PowerQuestion):
    """Gods whose squares are shaped, or whose city is to be drowned, are asked together (DW-LAND-3, 5)."""

    key: str = "leave"
    asked: tuple[UUID, ...] = ()
    squares: tuple[Place, ...] = ()

    kind: ClassVar[Asked] = Asked.LEAVE
    advance: ClassVar[AdvanceKind | None] = AdvanceKind.LEAVE

    def words(self, state: State, power: Power) -> dict[str, Any]:
        return {"caster": state.title(power.caster), "which": "of yours."}

    def announcements(self, state: State, prompt: UUID) -> Iterator[Event]:
        yield LeaveAsked(prompt=prompt, seats=self.asked, squares=self.squares)

    def answer_event(self, prompt: UUID, seat: UUID, yes: bool) -> Event:
        return LeaveAnswered(prompt=prompt, seat=seat, yes=yes)

    def is_settled(self, answers: Answers) -> bool:
        return len(answers) == len(self.asked)

    def outcome(self, state: State, ctx: Context, power: Power, answers: Answers) -> Iterator[Event]:
        refusers = tuple(seat for seat in self.asked if not answers[seat])
        yield PowerAdvanced(power=power.id, settled=self.key, refusers=refusers)


@dataclass(frozen=True, slots=True)
class Decide(PowerQuestion):
    """After a refusal the caster opens a conflict or drops the power; the frame asks it (DW-LAND-3)."""

    refuser: UUID

    kind: ClassVar[Asked] = Asked.DECIDE

    def words(self, state: State, power: Power) -> dict[str, Any]:
        return {"refuser": state.title(self.refuser)}

    def is_short(self, state: State, seat: UUID) -> bool:
        return not state.balance(seat)

    def answer_event(self, prompt: UUID, seat: UUID, yes: bool) -> None:
        return None

    def is_settled(self, answers: Answers) -> bool:
        return bool(answers)

    def outcome(self, state: State, ctx: Context, power: Power, answers: Answers) -> Iterator[Event]:
        if not any(answers.values()):
            yield PowerAdvanced(power=power.id, withdrawn=True)
            return
        yield conflict_opening(
            ctx, Cause.LEAVE, invoker=power.caster, challenger=self.refuser, about=power.id, key=self.key
        )


@dataclass(frozen=True, slots=True)
class Objection(PowerQuestion):
    """Gods may object: creators, or whom a catastrophe hurts; the first is Invoker (DW-ALN-2, DW-MIR-3, DW-MIR-6)."""

    key: str = "objection"
    asked: tuple[UUID, ...] = ()

    kind: ClassVar[Asked] = Asked.OBJECT
    advance: ClassVar[AdvanceKind | None] = AdvanceKind.OBJECT
    cause: ClassVar[Cause] = Cause.OBJECTION

    def words(self, state: State, power: Power) -> dict[str, Any]:
        return {"caster": state.title(power.caster), "does": "uses a power on a people of yours"}

    def is_short(self, state: State, seat: UUID) -> bool:
        return not state.balance(seat)

    def answer_event(self, prompt: UUID, seat: UUID, yes: bool) -> Event:
        if not yes:
            return ObjectionWaived(prompt=prompt, seat=seat)
        return ObjectionRaised(prompt=prompt, seat=seat)

    def is_settled(self, answers: Answers) -> bool:
        return any(answers.values()) or len(answers) == len(self.asked)

    def outcome(self, state: State, ctx: Context, power: Power, answers: Answers) -> Iterator[Event]:
        raised = next((seat for seat in self.asked if answers.get(seat)), None)
        if raised is None:
            yield self.passing_event(power)
            return
        yield conflict_opening(ctx, self.cause, invoker=raised, challenger=power.caster, about=power.id, key=self.key)


@dataclass(frozen=True, slots=True)
class Challenge(Objection):
    """Under the option `open_challenge` everybody else may challenge; the frame asks it last (DW-DC-7)."""

    key: str = "challenge"

    kind: ClassVar[Asked] = Asked.CHALLENGE
    advance: ClassVar[AdvanceKind | None] = None
    cause: ClassVar[Cause] = Cause.CHALLENGE

    def answer_event(self, prompt: UUID, seat: UUID, yes: bool) -> Event:
        if not yes:
            return ObjectionWaived(prompt=prompt, seat=seat)
        return ChallengeRaised(prompt=prompt, seat=seat)
