"""The choice that an effect leaves is made: by its owner, or by silence (prompt EFFECT.choose, section 11.2)."""

import json
from collections.abc import Iterator, Sequence
from uuid import UUID

from games.engine.game_state import Prompt
from games.engine.kernel import Context, Event
from games.engine.prompts.prompt import close
from games.engine.prompts.questions import carried_by
from games.gods2.rules.cascade.aftermath import settle_races
from games.gods2.rules.casting.completion import finish_casting
from games.gods2.rules.casting.rules import enter_deed
from games.gods2.rules.effects.choices import Pending, key_of, row_works
from games.gods2.rules.effects.events import EffectChosen
from games.gods2.rules.effects.registry import perform
from games.gods2.rules.effects.triggers import run_with_triggers
from games.gods2.rules.history.naming import Made, ask_name, things_made_by
from games.gods2.rules.history.record import enter_history
from games.gods2.rules.pack.wording import effects_name
from games.gods2.rules.state.names import cause_name
from games.gods2.rules.state.state import State
from games.gods2.rules.workings.context import Working

Steps = Iterator[Event]


def pending_for(state: State, ctx: Context, asked: Prompt) -> Pending:
    """The working that waits for a choice: the deadline of the question carries it."""
    return Pending.model_validate(json.loads(carried_by(state, ctx, asked.id))["pending"])


def take_first_row(state: State, ctx: Context, asked: Prompt, late: Sequence[UUID]) -> Steps:
    """Nobody has chosen in time: the first row happens."""
    pending = pending_for(state, ctx, asked)
    yield from close(state, asked.id, "deadline")
    yield from carry_out_choice(state, ctx, pending, asked.choices[0])


def carry_out_choice(state: State, ctx: Context, pending: Pending, choice: str) -> Steps:
    """The chosen row works, with what follows and its entry; then the casting goes on to its end."""
    row = next(row for row in state.pack.tables[pending.table].rows if key_of(row) == choice)
    does = effects_name(state.pack, row.effects)
    yield EffectChosen(casting=pending.casting, choice=choice, does=does)
    working = working_of(state, pending)
    made: list[Made] = []
    for event in run_with_triggers(state, ctx, row_works(state, ctx, working, pending.table, row)):
        yield event
        made += things_made_by(event)
    yield from settle_races(state, ctx, pending.cause)
    text = f"{cause_name(state, pending.power or pending.cause)}: {does}."
    entry = enter_history(
        state, ctx, kind="choice", cause=pending.cause, words=text, squares=working.squares, casting=pending.casting
    )
    yield from enter_deed(entry, working.caster)
    if working.caster is not None:
        for each in made:
            yield from ask_name(state, ctx, working.caster, each)
    yield from finish_casting(state, ctx)


def working_of(state: State, pending: Pending) -> Working:
    """The working that waited for the choice; what has died out meanwhile is hit no more."""
    author = state.authorships.get(pending.casting) if pending.casting is not None else None
    power = state.pack.powers.get(pending.power) if pending.power is not None else None
    return Working(
        cause=pending.cause,
        perform=perform,
        codes=power.codes if power is not None else (),
        power=pending.power,
        casting=pending.casting,
        caster=author.primary if author is not None else None,
        parts=pending.parts,
        races=tuple(race for race in pending.races if not state.races[race].extinct),
        squares=tuple(place.square for place in pending.squares),
        city=pending.city if pending.city in state.cities else None,
        earth=pending.earth,
        modification=pending.modification,
        feature=pending.feature,
    )
