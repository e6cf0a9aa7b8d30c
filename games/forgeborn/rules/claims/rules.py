"""Artifacts leave the Vault, and claims are used when a character stands at the Citadel (FB-PRI-3)."""

from collections.abc import Iterator
from uuid import UUID

from games.engine.kernel import Event
from games.forgeborn.rules.claims.events import ArtifactTaken, ClaimUsed, ClaimVoided
from games.forgeborn.rules.state.records import Character
from games.forgeborn.rules.state.schema_types import CameBy, PlaceKind
from games.forgeborn.rules.state.state import State


def take_artifact(state: State, artifact: UUID, character: UUID, came_by: CameBy) -> Iterator[Event]:
    """An artifact leaves the Vault by vote, conflict or test; all claims on it are void, the taker's too."""
    claimants = _claimants(state, artifact)
    yield ArtifactTaken(artifact=artifact, character=character, came_by=came_by)
    for seat in claimants:
        yield ClaimVoided(seat=seat, artifact=artifact)


def use_claim(state: State, seat: UUID, arrived: Character | None = None) -> Iterator[Event]:
    """What a player has claimed passes to a character at the Citadel; nothing without a claim or a character there.

    arrived: who has come there just now; else the Smith, then the Heroines in the order of recruiting (at the start
    of a turn).
    """
    claim = state.purses[seat].claim
    if claim is None:
        return
    candidates = [arrived] if arrived is not None else state.characters_of(seat)
    citadel = state.place_of_kind(PlaceKind.CITADEL).id
    taker = next((character for character in candidates if state.characters[character.id].place == citadel), None)
    if taker is None:
        return
    others = [other for other in _claimants(state, claim) if other != seat]
    yield ClaimUsed(seat=seat, artifact=claim, character=taker.id)
    for other in others:
        yield ClaimVoided(seat=other, artifact=claim)


def _claimants(state: State, artifact: UUID) -> list[UUID]:
    """The seats that claim an artifact, in seat order."""
    return [s.id for s in state.players() if s.id in state.purses and state.purses[s.id].claim == artifact]
