"""Names (G2-HREC-3): cities, terrain features, wars, lands and races; until then the neutral name stands.

The god who caused a thing is asked for its name until the century ends; a GM names what no god is asked about.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from uuid import UUID

from games.engine.audience import reader, seat_and_gm
from games.engine.kernel import Context, Event
from games.engine.prompts.questions import ask_row, settle_by_silence
from games.gods2.rules.cities.events import CityFounded
from games.gods2.rules.declarations.events import WarDeclared, name_of
from games.gods2.rules.history.events import Kind, NameAsked, nameable_things
from games.gods2.rules.setup.events import FeatureAdded, RaceDefined
from games.gods2.rules.state.questions import Asked
from games.gods2.rules.state.state import State

KINDS: tuple[Kind, ...] = ("city", "feature", "war", "race")
"""What is there before it has a name; a land begins with its name."""


@dataclass(frozen=True, slots=True)
class Made:
    """A thing that a casting has made, which may have a name."""

    kind: Kind
    subject: UUID


def neutral(state: State, kind: Kind, subject: UUID) -> str:
    """The name of a thing that nobody has named: as `War 7 of century 4`, `City 3 of the Norse`."""
    if kind == "war":
        return name_of(state, subject)
    if kind == "city":
        city = state.cities[subject]
        count = sum(1 for other in state.cities.values() if other.race == city.race)
        return f"City {count} of the {state.races[city.race].name}"
    if kind == "feature":
        feature = state.features[subject]
        return f"{state.pack.features[feature.kind].name} at {feature.square.column}, {feature.square.row}"
    return str(nameable_things(state, kind)[subject].name)


def things_made_by(event: Event) -> list[Made]:
    """What an event has made that may have a name."""
    if isinstance(event, CityFounded):
        return [Made("city", event.city)]
    if isinstance(event, FeatureAdded):
        return [Made("feature", event.feature)]
    if isinstance(event, RaceDefined):
        return [Made("race", event.race)]
    return [Made("war", event.war)] if isinstance(event, WarDeclared) else []


def ask_name(state: State, ctx: Context, seat: UUID, made: Made) -> Iterator[Event]:
    """Ask a god how to call what they have made, if it still stands."""
    if made.subject not in nameable_things(state, made.kind):
        return
    readers = seat_and_gm(seat)
    prompt, name = ctx.mint(readers), neutral(state, made.kind, made.subject)
    yield NameAsked(prompt=prompt, kind=made.kind, subject=made.subject, name=name, seat=seat)
    yield from ask_row(
        state, ctx, Asked.NAME, made.subject, prompt=prompt, owners=(reader(seat),), readers=readers, name=name
    )


def leave_unnamed(state: State, ctx: Context) -> Iterator[Event]:
    """The century ends: what its gods have not named keeps its neutral name, and is a GM's to name."""
    for asked in sorted((p for p in state.prompts.values() if p.kind == Asked.NAME), key=lambda p: p.id):
        yield from settle_by_silence(state, ctx, asked)
