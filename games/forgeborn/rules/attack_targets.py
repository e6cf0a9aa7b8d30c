"""Which events attack which players: somebody else takes the artifact that they have a claim on (FB-PRI-3)."""

from uuid import UUID

from games.engine.attacks import Attacks
from games.forgeborn.rules.claims.events import ArtifactTaken, ClaimUsed
from games.forgeborn.rules.state.state import State


def _other_claimants(event: ArtifactTaken | ClaimUsed, state: State) -> set[UUID]:
    """Whose claim on the artifact is void by it; never who takes it."""
    taker = state.characters.get(event.character)
    claimants = {seat for seat, purse in state.purses.items() if purse.claim == event.artifact}
    return claimants - ({taker.seat} if taker is not None else set())


ATTACKS: Attacks = {ArtifactTaken: _other_claimants, ClaimUsed: _other_claimants}
