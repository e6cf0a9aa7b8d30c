"""Motions to lengthen the Age: a sealed vote in a lane of its own (DW-AGE-2, 4, 5)."""

from collections.abc import Iterator
from typing import ClassVar
from uuid import UUID

from pydantic import Field

from games.dawn.rules.state.constants import MOST_ROUNDS
from games.dawn.rules.state.records import Motion
from games.dawn.rules.state.schema_types import Asked, Step, Value
from games.dawn.rules.state.state import State
from games.engine.audience import PUBLIC, Audience, reader, seats
from games.engine.errors import Refused
from games.engine.game_state import Answer
from games.engine.insight.domains import Choices, Flag, Range
from games.engine.insight.legal_commands import Enumerable, LegalCommand
from games.engine.kernel import Actor, Context, Event
from games.engine.lifecycle.amend import canonical
from games.engine.prompts.prompt import answers_to, close, more_than_half, owner_for, verdict
from games.engine.prompts.questions import ask_row
from games.engine.prompts.sealed import owing, seal_value
from games.engine.wording import quantity

RUNNING = (Step.TURN, Step.ROUND_END)


class Ballot(Value):
    """How a god voted, revealed when the motion is closed."""

    seat: UUID
    yes: bool
    salt: str = ""
    """32 hexadecimal digits; empty in games from before ballots had a digest."""
    digest: str = ""
    """SHA-256 of `salt:true` or `salt:false`; that of `BallotSealed`, unless the god thought again."""


class MotionOpened(Event[State]):
    """A god moves to lengthen the Age."""

    rules: ClassVar[tuple[str, ...]] = ("DW-AGE-2",)

    motion: UUID
    by: UUID
    length: int

    def apply(self, state: State) -> None:
        state.motions[self.motion] = Motion(self.motion, self.by, self.length)

    def sentence(self, state: State) -> str:
        return f"{state.title(self.by)} moves that this Age has {self.length} rounds."


class BallotCast(Event[State]):
    """A god has voted; only the voter knows how."""

    rules: ClassVar[tuple[str, ...]] = ("DW-AGE-5",)

    motion: UUID
    seat: UUID
    yes: bool
    salt: str = ""
    digest: str = ""

    def audience(self, state: State) -> Audience:
        return seats(self.seat)

    def apply(self, state: State) -> None:
        owner, value = reader(self.seat), canonical(self.yes)
        state.answers[self.motion, owner] = Answer(self.motion, owner, value, seats(self.seat), self.salt, self.digest)


class BallotSealed(Event[State]):
    """A god has voted; reported once, for a change of mind is the god's secret."""

    rules: ClassVar[tuple[str, ...]] = ("DW-AGE-5",)

    motion: UUID
    seat: UUID
    digest: str = ""
    """The commitment to this ballot; the closing shows what it was made of."""

    def sentence(self, state: State) -> str:
        return f"{state.title(self.seat)} has voted."


class MotionClosed(Event[State]):
    """A motion is decided; all ballots are shown. A missing one counts as no."""

    rules: ClassVar[tuple[str, ...]] = ("DW-AGE-2", "DW-AGE-5")

    motion: UUID
    yes: int
    no: int
    missing: int
    ballots: tuple[Ballot, ...]
    passed: bool
    length: int
    """Planned rounds of the Age from now on."""

    def apply(self, state: State) -> None:
        del state.motions[self.motion]
        state.set_course(length=self.length)

    def sentence(self, state: State) -> str:
        word = "passes" if self.passed else "fails"
        rounds = quantity(self.length, "round")
        return f"The motion {word}: {self.yes} yes, {self.no} no, {self.missing} missing. The Age has {rounds}."


class OpenMotion(Enumerable[State]):
    """Move to lengthen this Age; all gods vote, in secret."""

    rules: ClassVar[tuple[str, ...]] = ("DW-AGE-2", "DW-AGE-4", "DW-AGE-5")

    length: int = Field(ge=0, le=1000)
    """Rounds of the Age: more than now, 10 at most."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        by, low = _moving(state, ctx.actor), state.course.length + 1
        if not low <= self.length <= MOST_ROUNDS:
            raise Refused(
                "length.range",
                f"The Age has {low - 1} rounds; it is lengthened to more, {MOST_ROUNDS} at most, not to {self.length}.",
                rules=("DW-AGE-2",),
                low=low,
                high=MOST_ROUNDS,
            )
        voters = [g.id for g in state.playing()]
        motion = ctx.mint(PUBLIC)
        yield MotionOpened(motion=motion, by=by, length=self.length)
        yield from ask_row(
            state,
            ctx,
            Asked.MOTION,
            owners=[reader(seat) for seat in voters],
            prompt=motion,
            threshold=more_than_half(len(voters)),
            length=self.length,
        )

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        _moving(state, actor)
        if state.course.length < MOST_ROUNDS:
            yield LegalCommand(cls.slug(), {"length": Range(low=state.course.length + 1, high=MOST_ROUNDS)})


class CastBallot(Enumerable[State]):
    """Vote on a motion; you may think again until it is closed."""

    rules: ClassVar[tuple[str, ...]] = ("DW-AGE-5",)

    motion: UUID
    """The motion."""
    yes: bool
    """Whether you are for it."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        state.require(*RUNNING)
        if self.motion not in state.motions:
            raise Refused("motion.closed", "This motion is not open.", rules=("DW-AGE-5",))
        prompt, seat = owing(state, ctx.actor, self.motion)
        sealed = seal_value(state, ctx, prompt, seat, canonical(self.yes), seats(seat))
        yield BallotCast(motion=self.motion, seat=seat, yes=self.yes, salt=sealed.salt, digest=sealed.digest)
        if sealed.first:
            yield BallotSealed(motion=self.motion, seat=seat, digest=sealed.digest)
        yield from count_votes(state)

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        state.require(*RUNNING)
        if not state.motions:
            raise Refused("motion.closed", "No motion is open.", rules=("DW-AGE-5",))
        for motion in state.motions:
            owner_for(state, state.prompts[motion], actor)
            yield LegalCommand(cls.slug(), {"motion": Choices.of((motion,)), "yes": Flag()})


def count_votes(state: State, *, over: bool = False) -> Iterator[Event]:
    """Close the open motion when all ballots are in, or its time is over. Who has left votes no more.

    It is not closed as soon as its result is certain: at a small table that would tell how the first ones voted.
    """
    for motion in list(state.motions.values()):
        prompt, given = state.prompts[motion.id], answers_to(state, motion.id)
        voters = [UUID(owner.removeprefix("seat:")) for owner in prompt.owners]
        silent = {reader(s): "false" for s in voters if reader(s) not in given and (over or state.has_left(s))}
        ballots_in = {**silent, **given}
        if len(ballots_in) < len(voters):
            continue
        passed = verdict(prompt, ballots_in) or False
        answers = {s: state.answers[motion.id, reader(s)] for s in voters if reader(s) in given}
        ballots = tuple(Ballot(seat=s, yes=a.value == "true", salt=a.salt, digest=a.digest) for s, a in answers.items())
        yes = sum(b.yes for b in ballots)
        yield from close(state, motion.id, "passed" if passed else "failed")
        yield MotionClosed(
            motion=motion.id,
            yes=yes,
            no=len(ballots) - yes,
            missing=len(voters) - len(ballots),
            ballots=ballots,
            passed=passed,
            length=motion.length if passed else state.course.length,
        )


def _moving(state: State, actor: Actor) -> UUID:
    """The god who may open a motion now. Raises `motion.open`, `motion.closed`, `conflict.open`."""
    state.require(*RUNNING)
    god = state.acting(actor)
    if state.motions:
        raise Refused("motion.open", "Another motion is being voted on; wait for its end.", rules=("DW-AGE-5",))
    if state.course.step is Step.ROUND_END:
        raise Refused("motion.closed", "The last planned round of this Age is over.", rules=("DW-AGE-4",))
    state.require_no_conflict()
    return god.id
