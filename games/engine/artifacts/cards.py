"""Cards of artifacts: what is known of one, and who has it."""

from collections.abc import Iterator
from uuid import UUID

from games.engine.artifacts.state import ArtifactState
from games.engine.insight.cards import Card, CardLine, CardName, CardPart, CardText, Deck


def artifact_names(state: ArtifactState) -> Iterator[CardName]:
    """Every artifact, by name; those that are lost come last."""
    for artifact in sorted(state.artifacts.values(), key=lambda each: (each.lost, each.name, each.id)):
        yield CardName(artifact.id, artifact.name)


def artifact_card(state: ArtifactState, artifact: UUID) -> Card | None:
    """An artifact: its holder, and what is known of it."""
    found = state.artifacts.get(artifact)
    if found is None:
        return None
    holder = state.name_of(str(found.holder)) if found.holder is not None else None
    parts: list[CardPart] = [CardLine("Holder", holder or "nobody")]
    if found.description.strip():
        parts.append(CardText("", found.description))
    return Card(found.name, "Lost" if found.lost else "Artifact", tuple(parts))


ARTIFACT_DECK: Deck[ArtifactState] = Deck("Artifacts", artifact_names, artifact_card)
