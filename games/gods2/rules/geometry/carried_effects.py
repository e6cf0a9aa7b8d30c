"""The effects that a race has now, and those that stand on the map: what the data pack gives, with its source."""

from collections.abc import Iterator, Mapping
from typing import TypeVar
from uuid import UUID

from games.engine.board.grid import Mask
from games.gods2.rules.geometry.adjacency import features_at
from games.gods2.rules.pack.filters import has
from games.gods2.rules.pack.operations import Grow, StatAdd, StatClamp
from games.gods2.rules.pack.schema_types import Operation
from games.gods2.rules.state.effect_records import Modification, ModStatus
from games.gods2.rules.state.records import Phase
from games.gods2.rules.state.state import State

Op = TypeVar("Op", bound=Operation)
BEFORE_GROWN = (Phase.OPENING, Phase.GROWTH)
EARLY = (StatAdd, StatClamp, Grow)


def carried_effects(state: State, race: UUID, kind: type[Op], war: UUID | None = None) -> Iterator[tuple[str, Op]]:
    """The effects of one operation that a race has now, by attributes, knowledges and modifications, with sources.

    war: in this war; what another war has activated is left out.
    """
    record, pack = state.races[race], state.pack
    attributes, knowledges = pack.passive("attributes", kind), pack.passive("knowledges", kind)
    for key in record.attributes:
        for effect in attributes[key]:
            yield f"attribute:{key}", effect
    for key in record.knowledges:
        for effect in knowledges[key]:
            yield f"knowledge:{key}", effect
    for here, given in modification_effects(state, race, kind, war):
        yield f"modification:{here.power}", given


def modification_effects(
    state: State, race: UUID, kind: type[Op], war: UUID | None = None
) -> Iterator[tuple[Modification, Op]]:
    """The effects of one operation that active modifications give a race, in casting order."""
    if not state.modifications:
        return
    events = (None,) if war is None else (None, war, state.wars[war].group)
    running = [m for m in state.modifications.values() if m.race == race and m.status is ModStatus.ACTIVE]
    for here in sorted(running, key=lambda m: m.place):
        for given in state.pack.powers[here.power].effects:
            if isinstance(given, kind) and _works(state, here, given) and (war is None or here.event in events):
                yield here, given


def _works(state: State, here: Modification, effect: Operation) -> bool:
    """Whether an effect of an active modification works now.

    One that a trigger woke works for that trigger alone (G2-MOD-5). Of what begins with the century only stat values
    and growth count before all races have grown (AMB-34).
    """
    power = state.pack.powers[here.power]
    first = next((e.on for e in power.effects if e.on is not None), None)
    if here.fired is not None and (effect.on or first) != here.fired:
        return False
    if here.fired is None and effect.on is not None:
        return False
    begins = has(power.codes, "Mc") and here.century == state.era.century - 1
    return not (begins and state.era.phase in BEFORE_GROWN) or isinstance(effect, EARLY)


def on_squares(
    state: State, kind: type[Op], features: Mapping[str, Mask] | None = None
) -> Iterator[tuple[str, Op, Mask]]:
    """The passive effects of one operation that stand on the map by features, with their squares; by kind."""
    given = state.pack.passive("features", kind)
    for key, mask in sorted((features_at(state) if features is None else features).items()):
        for effect in given[key]:
            yield f"feature:{key}", effect, mask
