"""What a game-master does with artifacts: create one, hand it on, destroy it (CF-14)."""

from collections.abc import Iterator
from typing import Annotated, ClassVar
from uuid import UUID

from pydantic import Field

from games.engine.artifacts.rules import destroy_artifact, make_artifact, pass_on
from games.engine.artifacts.state import RULE, Artifact, ArtifactState, Description
from games.engine.errors import Refused
from games.engine.insight.domains import Choices, Domain, FreeText
from games.engine.insight.legal_commands import Enumerable, LegalCommand
from games.engine.kernel import Actor, Context, Event, Issuer
from games.engine.lifecycle.seating import Name

Words = Annotated[str, Field(max_length=2000)]


class ArtifactCommand(Enumerable[ArtifactState], abstract=True):
    """What a game-master does with artifacts: about the world, so that the game does not go on after it by itself."""

    issuers: ClassVar[frozenset[Issuer]] = frozenset({Issuer.GM})
    rules: ClassVar[tuple[str, ...]] = (RULE,)
    is_followed: ClassVar[bool] = False
    while_paused: ClassVar[bool] = True


class CreateArtifact(ArtifactCommand):
    """Bring an artifact into the world."""

    name: Name
    """Its name, unlike that of every other artifact of the game, also of those that are lost."""
    description: Description = ""
    """What is known of it."""
    holder: UUID | None = None
    """Who or what has it, by id; nobody when absent."""

    def decide(self, state: ArtifactState, ctx: Context) -> Iterator[Event]:
        state.require_running()
        yield from make_artifact(state, ctx, self.name, self.holder, description=self.description)

    @classmethod
    def legal_commands(cls, state: ArtifactState, actor: Actor) -> Iterator[LegalCommand]:
        state.require_running()
        name = FreeText().but(artifact.name for artifact in state.artifacts.values())
        holders = list(state.possible_holders())
        given: dict[str, Domain] = {"name": name, "description": FreeText()}
        yield LegalCommand(cls.slug(), given | ({"holder": Choices.of(holders)} if holders else {}))


class HandArtifact(ArtifactCommand):
    """Give an artifact another holder, or take it from its holder."""

    artifact: UUID
    """The artifact."""
    holder: UUID | None = None
    """Who or what has it from now on, by id; nobody when absent."""
    reason: Words = ""
    """How it came there; shown to everybody."""

    def decide(self, state: ArtifactState, ctx: Context) -> Iterator[Event]:
        state.require_running()
        yield from pass_on(state, self.artifact, self.holder, reason=self.reason)

    @classmethod
    def legal_commands(cls, state: ArtifactState, actor: Actor) -> Iterator[LegalCommand]:
        """An entry for what each holder has: it goes to another, or to nobody."""
        every = list(state.possible_holders())
        held: dict[UUID | None, list[UUID]] = {}
        for artifact in existing_artifacts(state):
            held.setdefault(artifact.holder, []).append(artifact.id)
        for holder, artifacts in held.items():
            others = [each for each in every if each != holder]
            given: dict[str, Domain] = {"artifact": Choices.of(artifacts)}
            given |= {"holder": Choices.of(others)} if others else {}
            if others or holder is not None:
                needed = ("holder",) if holder is None else ()
                yield LegalCommand(cls.slug(), {**given, "reason": FreeText()}, required=needed)


class DestroyArtifact(ArtifactCommand):
    """Destroy an artifact: nobody has it any more, and its row stays as lost."""

    artifact: UUID
    """The artifact."""
    reason: str = Field(min_length=1, max_length=2000)
    """How it was lost; shown to everybody."""

    def decide(self, state: ArtifactState, ctx: Context) -> Iterator[Event]:
        state.require_running()
        yield from destroy_artifact(state, self.artifact, self.reason)

    @classmethod
    def legal_commands(cls, state: ArtifactState, actor: Actor) -> Iterator[LegalCommand]:
        artifacts = [artifact.id for artifact in existing_artifacts(state)]
        yield LegalCommand(cls.slug(), {"artifact": Choices.of(artifacts), "reason": FreeText()})


def existing_artifacts(state: ArtifactState) -> list[Artifact]:
    """The artifacts that are not lost, by name. Raises `phase.closed`, `artifact.missing`."""
    state.require_running()
    found = [artifact for artifact in state.artifacts.values() if not artifact.lost]
    if not found:
        raise Refused("artifact.missing", "The world has no artifact; create-artifact brings one.", rules=(RULE,))
    return sorted(found, key=lambda artifact: (artifact.name, artifact.id))
