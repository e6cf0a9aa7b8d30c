"""The Earth itself: land that changes, features that appear and go, names that are given (G2-MAP-*, G2-HREC-3)."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from games.engine.insight.chronicle import Fact, Scene, Sentence, Teller, names
from games.engine.kernel import Event
from games.gods2.rules.chronicle.names import lands, spots
from games.gods2.rules.chronicle.powers import blow_of
from games.gods2.rules.effects.events import DisasterStruck, FeatureRemoved, TerrainChanged
from games.gods2.rules.history.events import PlaceNamed
from games.gods2.rules.setup.events import FeatureAdded
from games.gods2.rules.state.names import cause_name
from games.gods2.rules.state.state import State

Setting = Scene[State]
BECOMES: Mapping[str, str] = {
    "P": "Plains open",
    "F": "Forests spread",
    "D": "The desert grows",
    "M": "Mountains rise",
    "I": "Ice covers more of the land",
    "W": "The water rises over the land",
}
"""What becomes of land, by its terrain from now on."""


def tell_land(scene: Setting, event: TerrainChanged) -> Iterator[Fact]:
    yield Fact(("land", event.terrain), partial(_land, scene), event)


def _land(scene: Setting, events: Sequence[TerrainChanged]) -> Sentence:
    squares = [place for event in events for place in event.squares]
    causes = dict.fromkeys(cause_name(scene.state, event.cause) for event in events)
    why = _reason(scene, events[0]) if len(causes) == 1 else ""
    figures = f"{', '.join(causes)} {spots(squares)}"
    return Sentence(f"{BECOMES[events[0].terrain]}{lands(scene, squares)}{why}.", figures)


def _reason(scene: Setting, event: TerrainChanged) -> str:
    """Why land changes, with a blank before it: a disaster, a god, or what stands on the Earth."""
    cause = cause_name(scene.state, event.cause)
    if scene.first(DisasterStruck, casting=event.casting) is not None and event.casting is not None:
        what = blow_of(cause)
        return f" after {what[:1].lower()}{what[1:]}"
    return f" through {cause}" if event.casting is None else " at a god's word"


def tell_feature(scene: Setting, event: FeatureAdded) -> Iterator[Fact]:
    if event.cause != "map":
        yield Fact("features", partial(_features, scene), event)


def _features(scene: Setting, events: Sequence[FeatureAdded]) -> Sentence:
    found = [feature_name(scene, event) for event in events]
    return Sentence(f"New on the Earth: {names(found, 'others')}.", spots(event.square for event in events))


def feature_name(scene: Setting, event: FeatureAdded | FeatureRemoved) -> str:
    """A feature by its own name, else by its kind."""
    known = scene.state.features.get(event.feature)
    return known.name if known is not None and known.name else cause_name(scene.state, f"feature:{event.kind}")


def tell_gone(scene: Setting, event: FeatureRemoved) -> Iterator[Fact]:
    yield Fact("gone", partial(_gone, scene), event)


def _gone(scene: Setting, events: Sequence[FeatureRemoved]) -> Sentence:
    found = [feature_name(scene, event) for event in events]
    return Sentence(f"Gone from the Earth: {names(found, 'others')}.", spots(event.square for event in events))


def tell_name(scene: Setting, event: PlaceNamed) -> Iterator[Fact]:
    """Lands and peoples; what else has a name is called by it where it is told of."""
    if event.kind == "land":
        yield Fact(
            "lands", lambda found: Sentence(f"Lands are given their names: {names(found, 'others')}."), event.name
        )
    elif event.kind == "race":
        yield Fact("renamed", lambda found: Sentence(f"A people takes a new name: {names(found)}."), event.name)


TELLERS: Mapping[type[Event], Teller] = {
    TerrainChanged: tell_land,
    FeatureAdded: tell_feature,
    FeatureRemoved: tell_gone,
    PlaceNamed: tell_name,
}
