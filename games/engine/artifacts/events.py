"""What happens to artifacts: made, passed on, destroyed. Everybody reads it."""

from dataclasses import replace
from typing import ClassVar
from uuid import UUID

from games.engine.artifacts.state import RULE, Artifact, ArtifactState, HolderKind
from games.engine.kernel import Event
from games.engine.wording import capital, full_sentence


class ArtifactEvent(Event[ArtifactState], abstract=True):
    """What happens to an artifact. `under` are the rules of its game that it follows from; none for a GM's hand."""

    rules: ClassVar[tuple[str, ...]] = (RULE,)

    artifact: UUID
    under: tuple[str, ...] = ()
    """The rules that it follows from."""

    def cites(self) -> tuple[str, ...]:
        return self.under or self.rules


class ArtifactCreated(ArtifactEvent):
    """An artifact has come into the world."""

    name: str
    description: str = ""
    kind: HolderKind | None = None
    """Of which kind its holder is; null for nobody."""
    holder: UUID | None = None

    def apply(self, state: ArtifactState) -> None:
        made = Artifact(self.artifact, self.name, self.description)
        state.artifacts[self.artifact] = made.with_holder(self.kind, self.holder)

    def sentence(self, state: ArtifactState) -> str:
        if self.holder is None:
            return f"{capital(self.name)} is made; nobody has it yet."
        return f"{capital(self.name)} is made; {name_of(state, self.holder)} {has(self.kind)} it."


class ArtifactPassed(ArtifactEvent):
    """An artifact has another holder, or none any more."""

    kind: HolderKind | None = None
    """Of which kind its holder is; null for nobody."""
    holder: UUID | None = None
    former: UUID | None = None
    """Who had it before."""
    reason: str = ""
    """Why, in words."""

    def apply(self, state: ArtifactState) -> None:
        state.artifacts[self.artifact] = state.artifacts[self.artifact].with_holder(self.kind, self.holder)

    def sentence(self, state: ArtifactState) -> str:
        why = f": {full_sentence(self.reason)}" if self.reason else "."
        return f"{passing(state, self)}{why}"


class ArtifactDestroyed(ArtifactEvent):
    """An artifact is no more; its row stays for the chronicle."""

    reason: str
    former: UUID | None = None
    """Who had it."""

    def apply(self, state: ArtifactState) -> None:
        state.artifacts[self.artifact] = replace(state.artifacts[self.artifact].with_holder(None, None), lost=True)

    def sentence(self, state: ArtifactState) -> str:
        return f"{capital(called(state, self.artifact))} is lost: {full_sentence(self.reason)}"


def passing(state: ArtifactState, event: ArtifactPassed) -> str:
    """From whom to whom an artifact has passed, without a full stop."""
    name = capital(called(state, event.artifact))
    if event.holder is None:
        return f"{name} leaves {name_of(state, event.former)}; nobody has it"
    if event.former is None:
        return f"{name} comes to {name_of(state, event.holder)}"
    return f"{name} passes from {name_of(state, event.former)} to {name_of(state, event.holder)}"


def called(state: ArtifactState, artifact: UUID) -> str:
    """What an artifact is called; one that a correction has taken away is an artifact."""
    found = state.artifacts.get(artifact)
    return found.name if found is not None else "an artifact"


def name_of(state: ArtifactState, holder: UUID | None) -> str:
    """What a holder is called; one that is no more in the words of nobody in particular."""
    return (state.name_of(str(holder)) if holder is not None else None) or "its holder"


def has(kind: HolderKind | None) -> str:
    """The verb of a holder: a race is called by a plural."""
    return "have" if kind is HolderKind.RACE else "has"
