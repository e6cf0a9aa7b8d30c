"""Sheets of players' characters: written, completed, and named apart (DT-CHR-1, 2, DT-AMB-52)."""

from collections.abc import Iterator
from uuid import UUID

from core.names import is_among
from games.dietower.rules.actors.events import MysteryWritten, SheetSaved
from games.dietower.rules.state.records import Actor, Sheet
from games.dietower.rules.state.schema_types import Line, Step, Text, Value
from games.dietower.rules.state.state import State, missing_of
from games.engine.audience import PUBLIC
from games.engine.bots import wake_bots
from games.engine.errors import Refused
from games.engine.game_state import Role
from games.engine.kernel import Actor as CommandActor
from games.engine.kernel import Context, Event
from games.engine.lifecycle.seating import Name
from games.engine.wording import listing


class Draft(Value):
    """A sheet as somebody writes it."""

    name: Name
    weapon: Text = ""
    weapon_defensive: bool = False
    power: Text = ""
    power_drawback: Text = ""
    deviation: Text = ""
    mystery: Text = ""
    secret_mystery: bool = False
    notes: Text = ""
    good_at: tuple[Line, ...] = ()


def draft_of(state: State, actor: Actor) -> Draft:
    """The sheet of a character as it is; a mystery that nobody has written would be a secret."""
    sheet, mystery = state.sheets[actor.id], state.mysteries.get(actor.id)
    return Draft(
        name=actor.name,
        weapon=sheet.weapon,
        weapon_defensive=sheet.weapon_defensive,
        power=sheet.power,
        power_drawback=sheet.power_drawback,
        deviation=sheet.deviation,
        mystery=mystery.text if mystery is not None else "",
        secret_mystery=mystery.secret if mystery is not None else True,
        notes=sheet.notes,
        good_at=sheet.good_at,
    )


def save_sheet(state: State, ctx: Context, seat: UUID, actor: Actor | None, draft: Draft) -> Iterator[Event]:
    """Write a sheet. Raises `sheet.incomplete` where play has begun and something is missing (section 9)."""
    lacking = missing_of(_sheet_of(draft, actor), draft.mystery)
    if lacking and state.course.step is not Step.SETUP:
        raise Refused(
            "sheet.incomplete",
            f"In play a sheet needs {listing([name.replace('_', ' ') for name in lacking], 'and')}.",
            rules=("DT-CHR-1",),
            lacking=lacking,
        )
    named = actor.id if actor is not None else ctx.mint(PUBLIC)
    yield SheetSaved(
        actor=named,
        seat=seat,
        complete=not lacking,
        **draft.model_dump(exclude={"mystery", "secret_mystery"}),
    )
    mystery = state.mysteries.get(named)
    before = (mystery.text, mystery.secret) if mystery is not None else ("", None)
    if before != (draft.mystery, draft.secret_mystery) and (draft.mystery or mystery is not None):
        yield MysteryWritten(actor=named, seat=seat, text=draft.mystery, secret=draft.secret_mystery)
    if state.course.step is Step.SETUP:  # who opens the session waits for the last sheet, and is asked nothing
        yield from wake_bots(state, ctx, [master.id for master in state.seats_of(Role.GM)])


def _sheet_of(draft: Draft, actor: Actor | None) -> Sheet:
    return Sheet(
        actor=actor.id if actor is not None else UUID(int=0),
        weapon=draft.weapon,
        power=draft.power,
        power_drawback=draft.power_drawback,
        deviation=draft.deviation,
    )


def require_free_actor_name(state: State, asker: CommandActor, name: str, of: UUID | None) -> None:
    """Refuse (`name.taken`) a name that another bears; a player learns of shown ones alone (DT-AMB-52)."""
    if is_among(name, names_in_use(state, asker, of)):
        raise Refused("name.taken", f"Another is called {name}; choose another name.", rules=("DT-AMB-60",))


def names_in_use(state: State, asker: CommandActor, of: UUID | None) -> list[str]:
    """The names that others bear, as far as the asker may know."""
    return [a.name for a in state.actors.values() if a.id != of and (a.shown or asker.is_gm)]
