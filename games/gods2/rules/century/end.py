"""Step 14 of a century: what happens at its end, before the worksheets are opened (G2-SEQ-2).

Sacrifices and other end effects of races come first, by id; then those of features by their key, row and column; then
modifications, in casting order. After each everything is settled (G2-CITY-10).
"""

from collections.abc import Iterator
from uuid import UUID

from games.engine.audience import PUBLIC
from games.engine.kernel import Context, Event
from games.gods2.rules.cascade.aftermath import settle_races
from games.gods2.rules.effects.registry import perform
from games.gods2.rules.effects.triggers import fire_trigger, run_with_triggers
from games.gods2.rules.history.record import enter_history
from games.gods2.rules.pack.filters import awaits
from games.gods2.rules.pack.pack import Entry
from games.gods2.rules.state.records import Feature
from games.gods2.rules.state.state import State
from games.gods2.rules.workings.context import Working

Steps = Iterator[Event]

END = "century_end"


def end_events(state: State, ctx: Context) -> Steps:
    """Everything that happens at the end of the Activity Phase by itself."""
    for race in [r.id for r in state.living()]:
        for key, entry in _natures(state, race):
            working = Working(cause=key, perform=perform, races=(race,))
            yield from _carry_out_entry(state, ctx, working, entry)
    for feature in _features(state):
        if feature.id in state.features:
            entry, there = state.pack.features[feature.kind], state.board.people_at(feature.square)
            working = Working(
                cause=f"feature:{feature.kind}",
                perform=perform,
                races=() if there is None else (there,),
                squares=(feature.square,),
                feature=feature.id,
            )
            yield from _carry_out_entry(state, ctx, working, entry)
    for race in [r.id for r in state.living()]:
        if not state.races[race].extinct:
            yield from _run_and_record(
                state, ctx, END, run_with_triggers(state, ctx, fire_trigger(state, ctx, race, END))
            )


def _natures(state: State, race: UUID) -> list[tuple[str, Entry]]:
    """The attributes and knowledges of a race with something to end, by their keys."""
    record, pack = state.races[race], state.pack
    every = [(f"attribute:{key}", pack.attributes[key]) for key in record.attributes]
    known = [(f"knowledge:{key}", pack.knowledges[key]) for key in record.knowledges]
    return [(key, entry) for key, entry in (*every, *known) if _ends(entry)]


def _features(state: State) -> list[Feature]:
    """The features with something to end, by key, row and column."""
    found = [f for f in state.features.values() if _ends(state.pack.features[f.kind])]
    return sorted(found, key=lambda f: (f.kind, f.square, f.id))


def _ends(entry: Entry) -> bool:
    return any(awaits(effect.on, END) for effect in entry.effects)


def _carry_out_entry(state: State, ctx: Context, working: Working, entry: Entry) -> Steps:
    effects = [e for e in entry.effects if awaits(e.on, END)]
    yield from _run_and_record(
        state, ctx, working.cause, run_with_triggers(state, ctx, perform(state, ctx, working, effects)), entry.name
    )


def _run_and_record(state: State, ctx: Context, cause: str, steps: Steps, name: str = "The century's end") -> Steps:
    """Let something happen, settle, and enter in the history what everybody may know of it."""
    sentences: list[str] = []
    for event in steps:
        yield event
        if event.audience(state) == PUBLIC:
            sentences.append(event.sentence(state))
    if text := " ".join(filter(None, sentences)):
        yield from settle_races(state, ctx, cause)
        yield from enter_history(state, ctx, kind="end", cause=cause, words=f"{name}: {text}")
