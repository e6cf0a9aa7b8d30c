"""The lines of a chronicle about artifacts, which a ruleset takes into its story: names, and no squares (ADR 107)."""

from collections.abc import Iterator, Mapping
from typing import Any
from uuid import UUID

from games.engine.artifacts.events import ArtifactCreated, ArtifactDestroyed, ArtifactPassed, called, has
from games.engine.artifacts.state import ArtifactState
from games.engine.insight.chronicle import Fact, Scene, Teller, plain
from games.engine.kernel import Event
from games.engine.naming import noun_of, records_of
from games.engine.wording import capital, full_sentence, with_article


def tell_created(scene: Scene[Any], event: ArtifactCreated) -> Iterator[Fact]:
    """What has come into the world, and who has it."""
    holder = holder_name(scene.state, event.holder)
    yield plain(f"{capital(event.name)} is made" + (f"; {holder} {has(event.kind)} it." if holder else "."))


def tell_passed(scene: Scene[Any], event: ArtifactPassed) -> Iterator[Fact]:
    """From whom to whom a thing has passed, and why."""
    name = capital(called(scene.state, event.artifact))
    former, holder = (holder_name(scene.state, each) for each in (event.former, event.holder))
    way = " ".join(filter(None, (f"from {former}" if former else "", f"to {holder}" if holder else "")))
    told = f"{name} passes {way}" if holder else f"{name} is nobody's any more"
    yield plain(f"{told}: {full_sentence(event.reason)}" if event.reason else f"{told}.")


def tell_destroyed(scene: Scene[Any], event: ArtifactDestroyed) -> Iterator[Fact]:
    """What was lost, and how."""
    yield plain(f"{capital(called(scene.state, event.artifact))} is lost: {full_sentence(event.reason)}")


def holder_name(state: ArtifactState, holder: UUID | None) -> str:
    """What a holder is called, else what it is: `a city`; "" for nobody and for one that is no more."""
    found = next(records_of(state, holder), None) if holder is not None else None
    if found is None:
        return ""
    table, record = found
    return getattr(record, "name", "") or with_article(noun_of(state, table))


ARTIFACT_TELLERS: Mapping[type[Event], Teller] = {
    ArtifactCreated: tell_created,
    ArtifactPassed: tell_passed,
    ArtifactDestroyed: tell_destroyed,
}
