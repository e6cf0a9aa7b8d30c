"""Rows as a live game's state sees them: which table, which row, which fields; and what an edit of them changes.

The reverse of `games.storage.tables`: from the columns of a model to the records of the state, so that the admin can
turn an edited form into one `Amend`. Reads rows and never writes any.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, get_type_hints
from uuid import UUID

from django.core.exceptions import ObjectDoesNotExist
from django.db.models import Model
from pydantic import TypeAdapter

from games import registry
from games.engine.errors import Refused
from games.engine.game_state import GameState, Status
from games.engine.lifecycle.amend import Change, Deed, FieldChange, canonical
from games.models import Game
from games.storage.tables import PLACE, Mapped, Part
from worlds.models import PantheonShare, Presence, Square

Facets = dict[tuple[str, str], dict[str, Any]]
"""JSON values by field of the record, by table of the state and key of the row."""

GONE: Mapping[str, Any] = {"race": None, "units": 0}
"""What is left of a square when its units go: squares are neither made nor deleted."""


@dataclass(frozen=True)
class Holding:
    """How a ruleset's state holds the rows of one model."""

    table: str
    amendable: bool
    mapped: Mapped | None = None
    part: Part | None = None
    collected: str = ""
    """The field that lists the rows' keys, when many rows make one field of their owner's record."""
    special: Callable[[Any], tuple[str, dict[str, Any]]] | None = None
    """Key and values of a row of a table that is no plain mapping."""
    key: tuple[str, ...] = ()
    """The record's fields that name it."""

    @property
    def leads(self) -> bool:
        """Whether a row of this model makes the record: sheets come and go with the row they hang on."""
        return not self.collected and (self.mapped is None or self.part is self.mapped.parts[0])

    @property
    def creatable(self) -> bool:
        """Whether a new record can be named here: one that takes over another row's id is made by a command."""
        parts = self.mapped.parts if self.mapped is not None else ()
        return self.leads and not any(isinstance(source, str) for part in parts for source in part.copies.values())

    def fixed_fields(self, model: type[Model]) -> set[str]:
        """The model's fields that name the row or its game, or follow from the rest of it: no edit changes them."""
        part = self.part
        named = {*(part.column(name) for name in self.key), *part.copies} if part is not None else set()
        return {f.name for f in model._meta.concrete_fields if f.attname in named or f.attname == "game_id"}

    def field_names(self, model: type[Model]) -> dict[str, tuple[str, ...]]:
        """The record's fields of each of the model's fields that the state holds: two of a square."""
        if self.part is None:
            return {f.name: (f.name,) for f in model._meta.concrete_fields}
        records: dict[str, tuple[str, ...]] = {column: (name,) for name, column in self.part.columns.items()}
        if self.part.at:
            records[self.part.at] = PLACE
        return {f.name: records[f.attname] for f in model._meta.concrete_fields if f.attname in records}


def _share(row: PantheonShare) -> tuple[str, dict[str, Any]]:
    member = row.special or str(row.deity_id)
    return f"{row.race_id}/{member}", {"race": str(row.race_id), "member": member, "share": row.share}


def _square(row: Square) -> tuple[str, dict[str, Any]]:
    return f"{row.x},{row.y}", {"terrain": row.terrain}


def _presence(row: Presence) -> tuple[str, dict[str, Any]]:
    return f"{row.square.x},{row.square.y}", {"race": str(row.race_id), "units": row.units}


SPECIAL: Mapping[type[Model], tuple[str, Callable[[Any], tuple[str, dict[str, Any]]]]] = {
    PantheonShare: ("shares", _share),
    Square: ("squares", _square),
    Presence: ("squares", _presence),
}
"""Nouns of worlds whose rows stand in columns of their own: table and reading."""


@cache
def state_of(ruleset: str) -> type[GameState]:
    """The class of a ruleset's states: what it records, and what may be amended."""
    return type(registry.store(ruleset).new_state(UUID(int=0)))


@cache
def holding(model: type[Model], ruleset: str) -> Holding | None:
    """How this ruleset's state holds a model; None when it does not know it."""
    state = state_of(ruleset)
    tables = {mapped.table: mapped for mapped in registry.store(ruleset).tables}
    table, reading = SPECIAL.get(model, ("", None))
    plain = table in tables and any(part.columns for part in tables[table].parts)
    if reading is not None and not plain:
        amendable = table in state.amendable()
        return Holding(table, amendable, special=reading) if amendable or table in tables else None
    for table, mapped in tables.items():
        amendable = table in state.amendable()
        for part in mapped.parts:
            if part.model is model:
                return Holding(table, amendable, mapped, part, key=state.tables[table].key)
        for name, kind in mapped.keyed:
            if kind is model:
                return Holding(table, amendable, mapped, collected=name)
    return None


def live_game(row: Model) -> Game | None:
    """The unfinished game that a row belongs to: by its own column, else by its world."""
    try:
        if hasattr(row, "game_id"):
            game: Game | None = row.game if row.game_id else None  # type: ignore[attr-defined]
            return game if game is not None and game.status != Status.FINISHED else None
        world: Any = row
        for step in getattr(row, "world_path", "world").split("__"):
            world = getattr(world, step, None)
    except ObjectDoesNotExist:
        return None
    if world is None:
        return None
    return Game.objects.filter(world=world).exclude(status=Status.FINISHED).first()


def holding_of(row: Model) -> tuple[Game, Holding] | None:
    """The live game that rules a row, and how it holds it; None for a row that may be edited freely."""
    game = live_game(row)
    found = holding(type(row), game.ruleset) if game is not None else None
    return (game, found) if game is not None and found is not None else None


def facets(game: Game, model: type[Model], rows: Iterable[Model], owner: Model | None = None) -> Facets:
    """What rows of one model say in the state. owner: whose field they make, when they are collected into one.

    Raises `amend.invalid` for a value that the record cannot hold.
    """
    held = holding(model, game.ruleset)
    changed: Facets = {}
    if held is None:
        return changed
    if held.collected:
        if owner is not None:
            keys = sorted(str(row.key) for row in rows)  # type: ignore[attr-defined]
            changed[held.table, str(owner.pk)] = {held.collected: keys}
        return changed
    for row in rows:
        try:
            key, values = _plain(game, held, row)
        except (ValueError, TypeError, KeyError) as wrong:
            raise Refused("amend.invalid", f"The values of {row} do not fit: {wrong}") from wrong
        changed.setdefault((held.table, key), {}).update(values)
    return changed


def _plain(game: Game, held: Holding, row: Model) -> tuple[str, dict[str, Any]]:
    """Key and JSON values of one row."""
    if held.special is not None:
        return held.special(row)
    if held.mapped is None or held.part is None:
        raise TypeError(f"{held.table} is read by its owner")
    values = {
        name: _json(held.mapped, name, held.mapped.codec(name, game).from_row(getattr(row, column)))
        for name, column in held.part.columns.items()
    }
    if held.part.at and not set(PLACE) & set(values):
        square = getattr(row, held.part.at.removesuffix("_id"))
        values |= {"x": square.x, "y": square.y}
    return "/".join(str(values[name]) for name in held.key), values


@cache
def _adapter(record: type, name: str) -> TypeAdapter[Any]:
    return TypeAdapter(get_type_hints(record)[name])


def _json(mapped: Mapped, name: str, value: Any) -> Any:
    """A field of a record as the state's JSON has it."""
    return _adapter(mapped.record, name).dump_python(value, mode="json")


def merge(*parts: Facets) -> Facets:
    """Several readings as one: the values of one row from the columns of many."""
    whole: Facets = {}
    for part in parts:
        for row, values in part.items():
            whole.setdefault(row, {}).update(values)
    return whole


def pack_facets(facets: Facets) -> str:
    """Facets as text, for a form to carry."""
    return canonical([[table, row, values] for (table, row), values in sorted(facets.items())])


def unpack_facets(text: str) -> Facets:
    """Facets from their text. Raises `amend.invalid`."""
    try:
        return {(str(table), str(row)): dict(values) for table, row, values in json.loads(text or "[]")}
    except (ValueError, TypeError) as wrong:
        raise Refused("amend.invalid", "The form has lost what it showed; open it anew.") from wrong


def changes(ruleset: str, before: Facets, after: Facets) -> tuple[Change, ...]:
    """What turns `before` into `after`: rows altered, created, deleted, each with its values before."""
    tables = state_of(ruleset).tables
    made: list[Change] = []
    for table, row in sorted({*before, *after}):
        was, now = before.get((table, row)), after.get((table, row))
        deed = Deed.ALTER
        if table not in tables:  # squares
            was, now = was or dict(GONE), now or dict(GONE)
        elif was is None:
            deed = Deed.CREATE
        elif now is None:
            deed = Deed.DELETE
        fields = _field_changes(deed, was or {}, now or {})
        if fields:
            made.append(Change(deed=deed, table=table, row=row, fields=fields))
    return tuple(made)


def _field_changes(deed: Deed, was: Mapping[str, Any], now: Mapping[str, Any]) -> tuple[FieldChange, ...]:
    if deed is Deed.CREATE:
        return tuple(FieldChange(field=name, value=canonical(value)) for name, value in now.items())
    if deed is Deed.DELETE:
        return tuple(FieldChange(field=name, before=canonical(value)) for name, value in was.items())
    return tuple(
        FieldChange(field=name, value=canonical(value), before=canonical(was[name]) if name in was else "")
        for name, value in now.items()
        if name not in was or canonical(value) != canonical(was[name])
    )
