"""The lines of a chronicle about artifacts, which a ruleset takes into its story."""

from collections.abc import Iterator, Mapping
from typing import Any

from games.engine.artifacts.events import ArtifactCreated, ArtifactDestroyed, ArtifactPassed
from games.engine.insight.chronicle import Fact, Scene, Teller, plain
from games.engine.kernel import Event


def tell_artifact(scene: Scene[Any], event: ArtifactCreated | ArtifactPassed | ArtifactDestroyed) -> Iterator[Fact]:
    """What has happened to an artifact, in the words of its event."""
    yield plain(event.sentence(scene.state))


ARTIFACT_TELLERS: Mapping[type[Event], Teller] = dict.fromkeys(
    (ArtifactCreated, ArtifactPassed, ArtifactDestroyed), tell_artifact
)
