"""Artifacts leave the Vault, change hands, and are claimed (FB-ROW-1, FB-PRI-3, FB-TRN-4)."""

from typing import ClassVar
from uuid import UUID

from games.engine.kernel import Event
from games.forgeborn.rules.state.schema_types import CameBy
from games.forgeborn.rules.state.state import State

TAKEN = {
    CameBy.VOTE: "The others agree",
    CameBy.CONFLICT: "Taken without consent",
    CameBy.TEST: "The test is passed",
}


class ArtifactTaken(Event[State]):
    """An artifact leaves the Vault: by vote, by conflict or by a test. Claims on it are void."""

    rules: ClassVar[tuple[str, ...]] = ("FB-VLT-1", "FB-TST-1", "FB-PRI-3")

    artifact: UUID
    character: UUID
    came_by: CameBy

    def apply(self, state: State) -> None:
        leave_vault(state, self.artifact, self.character, self.came_by)

    def sentence(self, state: State) -> str:
        taker, artifact = state.characters[self.character].name, state.artifacts[self.artifact].name
        return f"{TAKEN[self.came_by]}: {taker} has {artifact}."


class ArtifactHanded(Event[State]):
    """An artifact is handed over between a Smith and a Heroine who stand together."""

    rules: ClassVar[tuple[str, ...]] = ("FB-TRN-4", "FB-AMB-7")

    artifact: UUID
    giver: UUID
    taker: UUID

    def apply(self, state: State) -> None:
        state.set_artifact(self.artifact, holder=self.taker, came_by=CameBy.GIFT)

    def sentence(self, state: State) -> str:
        giver, taker = state.characters[self.giver].name, state.characters[self.taker].name
        return f"{giver} hands {state.artifacts[self.artifact].name} to {taker}."


class ClaimMade(Event[State]):
    """A player claims an artifact in the Vault; an older claim of theirs falls."""

    rules: ClassVar[tuple[str, ...]] = ("FB-PRI-3", "FB-AMB-50")

    seat: UUID
    artifact: UUID
    replaced: UUID | None = None
    """The artifact that they had claimed before."""

    def apply(self, state: State) -> None:
        state.set_purse(self.seat, claim=self.artifact)

    def sentence(self, state: State) -> str:
        return f"{state.seat_name(self.seat)} has a claim on {state.artifacts[self.artifact].name}."


class ClaimUsed(Event[State]):
    """A claimed artifact passes to a character at the Citadel; other claims on it are void."""

    rules: ClassVar[tuple[str, ...]] = ("FB-PRI-3",)

    seat: UUID
    artifact: UUID
    character: UUID

    def apply(self, state: State) -> None:
        leave_vault(state, self.artifact, self.character, CameBy.CLAIM)

    def sentence(self, state: State) -> str:
        taker, artifact = state.characters[self.character].name, state.artifacts[self.artifact].name
        return f"By the Prince's word {taker} has {artifact}."


class ClaimVoided(Event[State]):
    """What a player has claimed has left the Vault another way."""

    rules: ClassVar[tuple[str, ...]] = ("FB-PRI-3",)

    seat: UUID
    artifact: UUID

    def sentence(self, state: State) -> str:
        return f"The claim of {state.seat_name(self.seat)} on {state.artifacts[self.artifact].name} is void."


def leave_vault(state: State, artifact: UUID, character: UUID, came_by: CameBy) -> None:
    """Give an artifact of the Vault to a character; no claim is left on it."""
    state.set_artifact(artifact, holder=character, came_by=came_by)
    for purse in [purse for purse in state.purses.values() if purse.claim == artifact]:
        state.set_purse(purse.seat, claim=None)
