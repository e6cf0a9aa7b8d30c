"""Effects that leave a choice (operation `choose`, section 4.2): one row of a roll table, by caster, target or GM.

Who casts may choose with their command; else the seat that chooses is asked, and the casting is not finished before the
answer. What was chosen is carried out by `choose-effect`; silence takes the first row.
"""

import json
from collections.abc import Iterator
from dataclasses import replace
from uuid import UUID

from games.engine.audience import GM, GM_READER, Reader, reader, seats
from games.engine.errors import Refused
from games.engine.kernel import Context, Event
from games.gods2.rules.effects.events import EffectAsked, EffectChosen
from games.gods2.rules.pack.operations import Choose
from games.gods2.rules.pack.pack import Row
from games.gods2.rules.pack.wording import effects_name
from games.gods2.rules.state.gods import god_members
from games.gods2.rules.state.questions import Asked
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import PartOf, Place, RowOf, Value, places
from games.gods2.rules.window.prompts import ask_question
from games.gods2.rules.workings.context import Doing, Working, works_there

Steps = Iterator[Event]


class Pending(Value):
    """A working that goes on when a row is chosen. Its caster is looked up by the casting: who it is is secret."""

    table: str
    cause: str
    power: str | None
    casting: UUID | None
    parts: tuple[PartOf, ...]
    races: tuple[UUID, ...]
    squares: tuple[Place, ...]
    city: UUID | None
    earth: bool
    modification: UUID | None
    feature: UUID | None


def legal_rows(state: State, working: Working, effect: Choose) -> list[Row]:
    """The rows that can be chosen, by their numbers: those that do nothing, and those that do something here."""
    rows = sorted(state.pack.tables[effect.from_].rows, key=lambda row: row.from_)
    return [row for row in rows if not row.effects or any(works_there(state, working, e) for e in row.effects)]


def key_of(row: Row) -> str:
    """A row as a choice: its first number."""
    return str(row.from_)


def row_chosen_before(working: Working, effect: Choose, rows: list[Row]) -> Row | None:
    """The row that the caster has chosen with their command."""
    if effect.by != "caster" or working.choice is None:
        return None
    return next((row for row in rows if key_of(row) == working.choice), None)


def check_choose(state: State, working: Working, effect: Choose) -> None:
    """Refuse (`choice.invalid`) a choice that is no legal row."""
    rows = legal_rows(state, working, effect)
    if effect.by == "caster" and working.choice is not None and row_chosen_before(working, effect, rows) is None:
        raise Refused(
            "choice.invalid",
            f"{working.choice} cannot be chosen; these can: {', '.join(map(key_of, rows)) or 'none'}.",
            rules=("G2-MISC-1",),
            choices=[key_of(row) for row in rows],
        )


def choosers(state: State, working: Working, effect: Choose) -> tuple[UUID, ...]:
    """Who is asked: the primary caster, the gods of the race hit, or (nobody named) the GMs."""
    if effect.by == "caster" and working.caster is not None:
        return (working.caster,)
    return tuple(god_members(state, working.races[0])) if effect.by == "target" and working.races else ()


def row_works(state: State, ctx: Context, working: Working, table: str, row: Row) -> Steps:
    """Carry out a chosen row, under the codes of its table."""
    inside = replace(working, codes=state.pack.tables[table].codes, table=table, choice=None)
    yield from working.perform(state, ctx, inside, row.effects)


def _choose(state: State, ctx: Context, working: Working, effect: Choose) -> Steps:
    rows = legal_rows(state, working, effect)
    if not rows or not works_there(state, working, effect):
        return
    row = row_chosen_before(working, effect, rows)
    if row is not None:
        yield EffectChosen(casting=working.casting, choice=key_of(row), does=effects_name(state.pack, row.effects))
        yield from row_works(state, ctx, working, effect.from_, row)
        return
    who = choosers(state, working, effect)
    readers = seats(*who, gm=True) if who else GM
    owners: list[Reader] = [reader(seat) for seat in who] or [GM_READER]
    prompt = ctx.mint(readers)
    shown = tuple(RowOf(row=row.from_, text=effects_name(state.pack, row.effects)) for row in rows)
    yield EffectAsked(prompt=prompt, casting=working.casting, rows=shown, seats=who)
    carried = {"prompt": str(prompt), "pending": pending_of(working, effect.from_).model_dump(mode="json")}
    yield from ask_question(
        state,
        ctx,
        Asked.CHOOSE,
        working.casting,
        prompt=prompt,
        owners=owners,
        readers=readers,
        choices=tuple(key_of(row) for row in rows),
        carries=json.dumps(carried),
        rows=" / ".join(f"{each.row}: {each.text}" for each in shown),
        first=key_of(rows[0]),
    )


def pending_of(working: Working, table: str) -> Pending:
    """What must be stored of a working until a row is chosen."""
    return Pending(
        table=table,
        cause=working.cause,
        power=working.power,
        casting=working.casting,
        parts=working.parts,
        races=working.races,
        squares=places(working.squares),
        city=working.city,
        earth=working.earth,
        modification=working.modification,
        feature=working.feature,
    )


CHOOSE = Doing(_choose, check_choose, on_race=False)
