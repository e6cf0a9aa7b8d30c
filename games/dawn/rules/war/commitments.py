"""What both sides of a battle commit: sealed by a digest that is public at once, shown together (DW-WAR-4)."""

import json
from collections.abc import Iterable
from typing import ClassVar
from uuid import UUID

from games.dawn.rules.state.records import War
from games.dawn.rules.state.schema_types import Value, WarSide
from games.dawn.rules.state.state import State
from games.engine.audience import Audience, seats
from games.engine.game_state import GameState, Prompt
from games.engine.kernel import Event
from games.engine.lifecycle.amend import canonical
from games.engine.prompts.prompt import answers_to
from games.engine.prompts.sealed import AnswerWritten


class ArmiesCommitted(AnswerWritten[State]):
    """A side has chosen what it commits; it alone knows until both have."""

    rules: ClassVar[tuple[str, ...]] = ("DW-WAR-4",)

    war: UUID
    prompt: UUID
    seat: UUID
    armies: tuple[UUID, ...]
    """Armies, or the avatar who attacks alone; nothing is a retreat."""
    digest: str = ""

    def value(self) -> str:
        return value_of(self.armies)

    def audience(self, state: GameState) -> Audience:
        return seats(self.seat)


def value_of(armies: Iterable[UUID]) -> str:
    """Armies as the canonical JSON that is sealed: a list of ids, in the order in which they were named."""
    return canonical([str(army) for army in armies])


class CommitSealed(Event[State]):
    """A side has committed; reported once, for a change of mind is its secret."""

    rules: ClassVar[tuple[str, ...]] = ("DW-WAR-4",)

    war: UUID
    side: WarSide
    digest: str = ""
    """The commitment to this choice; `ArmiesRevealed` shows what it was made of."""

    def sentence(self, state: State) -> str:
        return f"The {self.side} has chosen."


class Commitment(Value):
    """What a side had sealed, shown with its salt: SHA-256 of `salt:armies`, the ids as canonical JSON, is the digest.

    It is the digest of `CommitSealed`, unless the side thought again.
    """

    side: WarSide
    armies: tuple[UUID, ...]
    """As named; an army that was lost since does not fight."""
    salt: str
    digest: str


class ArmiesRevealed(Event[State]):
    """Both sides have chosen; what they commit is shown together."""

    rules: ClassVar[tuple[str, ...]] = ("DW-WAR-4",)

    war: UUID
    attacker_armies: tuple[UUID, ...]
    """Or the avatar who attacks alone; nothing is a retreat."""
    defender_armies: tuple[UUID, ...]
    commitments: tuple[Commitment, ...] = ()
    """By whom was asked; empty in games from before commitments had a digest."""

    def sentence(self, state: State) -> str:
        return f"{len(self.attacker_armies)} attack, {len(self.defender_armies)} defend."


def side_of(war: War, seat: UUID) -> WarSide:
    """Which side a god is on who was asked what to commit."""
    return WarSide.ATTACKER if seat == war.attacker else WarSide.DEFENDER


def commitments(state: State, war: War, prompt: Prompt) -> tuple[Commitment, ...]:
    """What the sides that were asked had sealed."""
    return tuple(
        Commitment(
            side=side_of(war, UUID(owner.removeprefix("seat:"))),
            armies=tuple(map(UUID, json.loads(value))),
            salt=state.answers[prompt.id, owner].salt,
            digest=state.answers[prompt.id, owner].digest,
        )
        for owner, value in answers_to(state, prompt.id).items()
    )
