"""Motions to lengthen the Age: a sealed vote in a lane of its own (DW-AGE-2, 4, 5)."""

from collections.abc import Iterator
from typing import ClassVar
from uuid import UUID

from pydantic import Field

from games.dawn.rules.state.constants import MOST_ROUNDS
from games.dawn.rules.state.schema_types import Asked, Step
from games.dawn.rules.state.state import State
from games.dawn.rules.turn.motion_events import BallotCast, BallotSealed, MotionOpened
from games.dawn.rules.turn.motions import count_votes
from games.engine.audience import PUBLIC, reader, seats
from games.engine.errors import Refused
from games.engine.insight.domains import Choices, Flag, Range
from games.engine.insight.legal_commands import Enumerable, LegalCommand
from games.engine.kernel import Actor, Context, Event
from games.engine.lifecycle.amend import canonical
from games.engine.prompts.prompt import more_than_half, owner_for
from games.engine.prompts.questions import ask_row
from games.engine.prompts.sealed import owing, seal_value


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


RUNNING = (Step.TURN, Step.ROUND_END)


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
