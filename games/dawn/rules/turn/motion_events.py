"""Motions to lengthen the Age, and their ballots, as facts (DW-AGE-2, 4, 5)."""

from typing import ClassVar
from uuid import UUID

from games.dawn.rules.state.records import Motion
from games.dawn.rules.state.schema_types import Value
from games.dawn.rules.state.state import State
from games.engine.audience import Audience, reader, seats
from games.engine.game_state import Answer
from games.engine.kernel import Event
from games.engine.lifecycle.amend import canonical
from games.engine.wording import quantity


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
