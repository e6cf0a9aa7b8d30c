"""The events of a vote on an artifact of the Vault (FB-VLT-1, 2)."""

from dataclasses import replace
from typing import ClassVar
from uuid import UUID

from games.engine.audience import Audience, seats
from games.engine.kernel import Event
from games.forgeborn.rules.state.records import Ballot, Seal, Vote
from games.forgeborn.rules.state.schema_types import Value
from games.forgeborn.rules.state.state import State


class OpenBallot(Value):
    """What a seat has voted, after the close."""

    seat: UUID
    yes: bool


class VaultAsked(Event[State]):
    """A Smith asks for an artifact; the others vote. That is the action, whatever follows."""

    rules: ClassVar[tuple[str, ...]] = ("FB-VLT-1", "FB-END-3")

    vote: UUID
    artifact: UUID
    seat: UUID
    electorate: tuple[UUID, ...]

    def apply(self, state: State) -> None:
        state.votes[self.vote] = Vote(self.vote, self.artifact, self.seat, self.electorate)

    def sentence(self, state: State) -> str:
        return f"{state.seat_name(self.seat)} asks for {state.artifacts[self.artifact].name}."


class BallotCast(Event[State]):
    """A seat votes, or votes anew; nobody else reads how."""

    rules: ClassVar[tuple[str, ...]] = ("FB-VLT-2", "FB-AMB-45")

    vote: UUID
    seat: UUID
    yes: bool

    def audience(self, state: State) -> Audience:
        return seats(self.seat)

    def apply(self, state: State) -> None:
        state.ballots[self.vote, self.seat] = Ballot(self.vote, self.seat, self.yes)


class BallotSealed(Event[State]):
    """That a ballot is in, which everybody may know; said once."""

    rules: ClassVar[tuple[str, ...]] = ("FB-VLT-2",)

    vote: UUID
    seat: UUID

    def apply(self, state: State) -> None:
        state.seals[self.vote, self.seat] = Seal(self.vote, self.seat)

    def sentence(self, state: State) -> str:
        return f"{state.seat_name(self.seat)} has voted."


class VaultDecided(Event[State]):
    """The vote is closed, and its ballots are open."""

    rules: ClassVar[tuple[str, ...]] = ("FB-VLT-1", "FB-AMB-12", "FB-AMB-35")
    unseals: ClassVar[bool] = True

    vote: UUID
    artifact: UUID
    yes: int
    no: int
    missing: int
    ballots: tuple[OpenBallot, ...]
    agreed: bool

    def apply(self, state: State) -> None:
        vote = state.votes[self.vote]
        state.votes[self.vote] = replace(vote, is_agreed=self.agreed, yes=self.yes, no=self.no, missing=self.missing)
        for ballot in [ballot for ballot in state.ballots.values() if ballot.vote == self.vote]:
            state.ballots[ballot.vote, ballot.seat] = replace(ballot, is_open=True)

    def sentence(self, state: State) -> str:
        name, verdict = state.artifacts[self.artifact].name, "agreed" if self.agreed else "not agreed"
        missing = f", {self.missing} missing" if self.missing else ""
        return f"{name}: {self.yes} yes, {self.no} no{missing}; {verdict}."


class ArtifactLeft(Event[State]):
    """A Smith lets an artifact be that was denied."""

    rules: ClassVar[tuple[str, ...]] = ("FB-VLT-1",)

    artifact: UUID

    def sentence(self, state: State) -> str:
        return f"{state.artifacts[self.artifact].name} stays in the Vault."
