"""Artifacts as the history of Earth tells of them (G2-ART-1 to 7): made, passed on, lost; never who uses one."""

from collections.abc import Iterator, Mapping
from uuid import UUID

from games.engine.artifacts.events import ArtifactCreated, ArtifactDestroyed, ArtifactPassed
from games.engine.insight.chronicle import Fact, Scene, Teller, plain
from games.engine.kernel import Event
from games.engine.wording import capital, full_sentence
from games.gods2.rules.chronicle.names import people
from games.gods2.rules.state.state import State

Setting = Scene[State]


def artifact_name(scene: Setting, artifact: UUID) -> str:
    """An artifact by its name."""
    found = scene.state.artifacts.get(artifact)
    return capital(found.name) if found is not None else "An artifact"


def holder_name(scene: Setting, holder: UUID | None) -> str:
    """Who has an artifact: a god, a people, a city by its name or its people; "" for nobody."""
    if holder is None:
        return ""
    state, city = scene.state, scene.state.cities.get(holder)
    if city is not None:
        return city.name or f"a city of {people(scene, city.race)}"
    return state.gods[holder].name if holder in state.gods else people(scene, holder)


def tell_making(scene: Setting, event: ArtifactCreated) -> Iterator[Fact]:
    holder = holder_name(scene, event.holder)
    yield plain(f"{capital(event.name)} is made{f' for {holder}' if holder else ', and nobody has it yet'}.")


def tell_passing(scene: Setting, event: ArtifactPassed) -> Iterator[Fact]:
    name, former, holder = (
        artifact_name(scene, event.artifact), holder_name(scene, event.former), holder_name(scene, event.holder),
    )  # fmt: skip
    if not holder:
        text = f"{name} leaves {former}, and nobody has it"
    else:
        text = f"{name} passes {f'from {former} ' if former else ''}to {holder}"
    yield plain(f"{text}: {full_sentence(event.reason)}" if event.reason else f"{text}.")


def tell_loss(scene: Setting, event: ArtifactDestroyed) -> Iterator[Fact]:
    yield plain(f"{artifact_name(scene, event.artifact)} is lost: {full_sentence(event.reason)}")


TELLERS: Mapping[type[Event], Teller] = {
    ArtifactCreated: tell_making,
    ArtifactPassed: tell_passing,
    ArtifactDestroyed: tell_loss,
}
