"""Step 5 of a century: what begins it, when all races have grown (G2-SEQ-2, AMB-34).

Modifications come first, in casting order; then terrain that spreads, forests that are cut, disasters of features,
features of turmoil, conversions, cults. Inside a kind: features by their key, row and column, then what races have by
its key and the race's id. After each event everything is settled (G2-CITY-10).
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum, auto
from uuid import UUID

from games.engine.audience import PUBLIC
from games.engine.board.board import Square
from games.engine.kernel import Context, Event
from games.gods2.rules.cascade.aftermath import settle_races
from games.gods2.rules.effects.events import TableRolled, TerrainChanged, TerrainSpreadRolled
from games.gods2.rules.effects.registry import LASTING, perform
from games.gods2.rules.effects.triggers import activate, run_with_triggers
from games.gods2.rules.geometry.carried_effects import EARLY
from games.gods2.rules.history.record import enter_history
from games.gods2.rules.pack.filters import awaits, has
from games.gods2.rules.pack.operations import Convert, Cult, Kick, LimitCut, RollTable, TerrainSpread, Turmoil
from games.gods2.rules.pack.pack import Entry, Pack, Power
from games.gods2.rules.pack.schema_types import Operation
from games.gods2.rules.state.effect_records import Modification, ModStatus
from games.gods2.rules.state.records import Feature
from games.gods2.rules.state.state import State
from games.gods2.rules.workings.active_triggers import ready
from games.gods2.rules.workings.context import Working
from games.gods2.rules.workings.modifications import effects_on

Steps = Iterator[Event]

START = "century_start"


class Kind(IntEnum):
    """The kinds of start events in their order."""

    SPREAD = auto()
    CUTTING = auto()
    DISASTER = auto()
    TURMOIL = auto()
    CONVERSION = auto()
    CULT = auto()


@dataclass(frozen=True, slots=True)
class Source:
    """Where a start event comes from: a feature on the map, or an attribute or knowledge of a race."""

    key: str
    """As `feature:void_gate`, `knowledge:explosives`."""
    entry: Entry
    feature: UUID | None = None
    race: UUID | None = None


def start_events(state: State, ctx: Context) -> Steps:
    """Everything that begins with the century, each event settled before the next."""
    if _is_held_back(state):
        yield from settle_races(state, ctx, START)
    yield from _modifications(state, ctx)
    for kind in Kind:
        for source in (*_features(state), *_natures(state)):
            effects = due(state.pack, source, kind)
            if effects and _stands(state, source):
                working = _working(state, source)
                yield from _run_and_record(
                    state, ctx, working, source.entry.name, perform(state, ctx, working, effects)
                )


def due(pack: Pack, source: Source, kind: Kind) -> list[Operation]:
    """The start effects of one kind that a source has."""
    found = [e for e in source.entry.effects if awaits(e.on, START)]
    return [e for e in found if kind_of(pack, e, of_race=source.race is not None) is kind]


def kind_of(pack: Pack, effect: Operation, *, of_race: bool) -> Kind:
    """To which kind of start events an effect belongs."""
    if isinstance(effect, TerrainSpread):
        return Kind.CUTTING if of_race else Kind.SPREAD
    if isinstance(effect, Convert):
        return Kind.CONVERSION
    if isinstance(effect, Cult):
        return Kind.CULT
    rolled = pack.tables[effect.table].rows if isinstance(effect, RollTable) else ()
    troubles = isinstance(effect, (Turmoil, Kick)) or any(
        isinstance(e, (Turmoil, Kick)) for row in rolled for e in row.effects
    )
    return Kind.TURMOIL if troubles else Kind.DISASTER


def _features(state: State) -> list[Source]:
    """The features with something to begin, by key, row and column; two of one kind on a square are one."""
    kinds = state.pack.features
    begins = {key for key, kind in kinds.items() if any(awaits(e.on, START) for e in kind.effects)}
    places: dict[tuple[str, Square], Feature] = {}
    for feature in sorted(state.features.values(), key=lambda f: (f.kind, f.square, f.id)):
        if feature.kind in begins:
            places.setdefault((feature.kind, feature.square), feature)
    return [Source(f"feature:{f.kind}", kinds[f.kind], feature=f.id) for f in places.values()]


def _natures(state: State) -> list[Source]:
    """The attributes and knowledges of living races with something to begin, by key, then race."""
    found: list[Source] = []
    for race in state.living():
        for name, keys, entries in _sources_owned(state, race.id):
            found += [
                Source(f"{name}:{key}", entries[key], race=race.id)
                for key in keys
                if any(awaits(e.on, START) for e in entries[key].effects)
            ]
    return sorted(found, key=lambda s: (s.entry.id, s.race))


def _sources_owned(state: State, race: UUID) -> Iterable[tuple[str, tuple[str, ...], Mapping[str, Entry]]]:
    record = state.races[race]
    yield "attribute", record.attributes, state.pack.attributes
    yield "knowledge", record.knowledges, state.pack.knowledges


def _stands(state: State, source: Source) -> bool:
    """Whether a source is still there after the events before it."""
    if source.feature is not None:
        return source.feature in state.features
    race = state.races[source.race] if source.race is not None else None
    return race is not None and not race.extinct and source.entry.id in (*race.attributes, *race.knowledges)


def _working(state: State, source: Source) -> Working:
    """What works: a feature on its square and on who lives there, or a nature on its race."""
    if source.feature is None:
        return Working(cause=source.key, perform=perform, races=() if source.race is None else (source.race,))
    square = state.features[source.feature].square
    there = state.board.people_at(square)
    return Working(
        cause=source.key,
        perform=perform,
        races=() if there is None else (there,),
        squares=(square,),
        feature=source.feature,
    )


def _modifications(state: State, ctx: Context) -> Steps:
    """What modifications begin or renew: start effects, limit cuts, and what an Mc held back until all had grown."""
    used: dict[UUID, set[str]] = {}
    for here in sorted(state.modifications.values(), key=lambda m: m.place):
        power, mine = state.pack.powers[here.power], used.setdefault(here.race, set())
        effects = _begins(here, power, state.era.century)
        if effects and here.id in state.modifications and ready(here, power, mine, state.era.century):
            if has(power.codes, "Mv+"):
                mine.add(power.id)
            working = Working(cause=power.id, perform=perform, races=(here.race,), casting=here.casting)
            yield from _run_and_record(state, ctx, working, power.name, activate(state, ctx, here, START, effects))


def _is_held_back(state: State) -> bool:
    """Whether an Mc that begins with this century has values that count only now that all have grown (AMB-34)."""
    return any(
        here.status is ModStatus.ACTIVE
        and here.century == state.era.century - 1
        and has(state.pack.powers[here.power].codes, "Mc")
        and any(isinstance(e, LASTING) and not isinstance(e, EARLY) for e in state.pack.powers[here.power].effects)
        for here in state.modifications.values()
    )


def _begins(here: Modification, power: Power, century: int) -> list[Operation]:
    """The effects of a modification that begin with the century, once all races have grown (AMB-34).

    A cut of limits is renewed while the modification lasts, unless it has a duration of its own (G2-LIM-3).
    """
    waits = any(awaits(e.on, START) for e in power.effects)
    if here.status is ModStatus.DORMANT:
        return effects_on(power, START) if waits else []
    is_recent = has(power.codes, "Mc") and here.century == century - 1
    found = [
        e
        for e in power.effects
        if awaits(e.on, START) or (e.on is None and (is_recent or (isinstance(e, LimitCut) and e.duration is None)))
    ]
    return [e for e in found if not isinstance(e, LASTING)]


def _run_and_record(state: State, ctx: Context, working: Working, name: str, steps: Steps) -> Steps:
    """Let a start event happen, settle, and enter in the history what everybody may know of it."""
    sentences: list[str] = []
    squares: set[Square] = set(working.squares)
    for event in run_with_triggers(state, ctx, steps):
        yield event
        if isinstance(event, TerrainChanged):
            squares.update(place.square for place in event.squares)
        if event.audience(state) == PUBLIC and not isinstance(event, (TerrainSpreadRolled, TableRolled)):
            sentences.append(event.sentence(state))
    yield from settle_races(state, ctx, working.cause)
    if text := " ".join(filter(None, sentences)):
        yield from enter_history(
            state,
            ctx,
            kind="start",
            cause=working.cause,
            words=f"{name}: {text}",
            squares=sorted(squares),
            casting=working.casting,
        )
