"""Amend: the GM's correction of rows. A tuple of changes with the value before, applied together, then judged.

A correction is an event with a reason; nothing is edited in the log (CF-10).
"""

import json
from collections.abc import Iterator
from dataclasses import fields
from enum import StrEnum
from functools import cache
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from games.engine.audience import Audience
from games.engine.errors import Refused
from games.engine.kernel import Command, Context, Event, Issuer
from games.engine.rows import Rows
from games.engine.table import TableState


class Deed(StrEnum):
    """What a change does to a row."""

    CREATE = "create"
    ALTER = "alter"
    DELETE = "delete"


class FieldChange(BaseModel):
    """One field of a row: its new value and the value before, as JSON."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    field: str = Field(min_length=1, max_length=60)
    """The field's name."""
    value: str = Field(default="null", max_length=20_000)
    """The new value, as JSON."""
    before: str = Field(default="", max_length=20_000)
    """The value that is replaced, as JSON; when given and different the change is refused."""


class Change(BaseModel):
    """One row created, altered or deleted."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    deed: Deed
    """What is done."""
    table: str = Field(min_length=1, max_length=60)
    """The table of the state, for example `races`."""
    row: str = Field(min_length=1, max_length=200)
    """The row's key; parts of a composite key joined by `/`."""
    fields: tuple[FieldChange, ...] = Field(default=(), max_length=60)
    """The fields that change; all of them for a new row."""


class Amended(Event):
    """A GM has corrected rows, with a reason."""

    changes: tuple[Change, ...]
    reason: str
    readers: str

    def audience(self, state: TableState) -> Audience:
        return Audience(self.readers)

    def apply(self, state: TableState) -> None:
        for change in self.changes:
            write(state, change)

    def text(self, state: TableState) -> str:
        return f"A game-master corrected {len(self.changes)} row(s): {self.reason}"


class Amend(Command):
    """Correct rows of a live game: all changes together, then the ruleset's invariants, or nothing."""

    issuers: ClassVar[frozenset[Issuer]] = frozenset({Issuer.GM})
    while_paused: ClassVar[bool] = True
    rules: ClassVar[tuple[str, ...]] = ("CF-10",)

    changes: tuple[Change, ...] = Field(min_length=1, max_length=500)
    """The rows that change."""
    reason: str = Field(min_length=1, max_length=2000)
    """Shown to whoever may see the rows."""

    def decide(self, state: TableState, ctx: Context) -> Iterator[Event]:
        if len({(c.table, c.row) for c in self.changes}) < len(self.changes):
            raise Refused("amend.invalid", "A row is changed twice; put all of its fields into one change.")
        checked = [self._checked(state, change) for change in self.changes]
        for readers in sorted({r for r, _ in checked}):
            own = tuple(c for r, c in checked if r == readers)
            yield Amended(changes=own, reason=self.reason, readers=readers)
        state.invariants()

    def _checked(self, state: TableState, change: Change) -> tuple[Audience, Change]:
        """The change with the values before, and its readers.

        Raises `amend.invalid`, `row.missing`, `position.stale`.
        """
        if change.table not in state.amendable:
            raise Refused(
                "amend.invalid",
                f"Rows of {change.table} are not amended; these are: {', '.join(sorted(state.amendable))}.",
            )
        present = plain_row(state, change.table, change.row)
        if change.deed is Deed.CREATE:
            if present is not None:
                raise Refused("amend.invalid", f"{change.table} has a row {change.row} already; alter it.")
        elif present is None:
            raise Refused("row.missing", f"{change.table} has no row {change.row}.")
        before = present or {}
        changed = []
        for field in change.fields:
            was = canonical(before.get(field.field))
            parsed(field.value)
            if field.before and canonical(parsed(field.before)) != was:
                raise Refused("position.stale", f"{field.field} of {change.row} has changed meanwhile; look again.")
            changed.append(FieldChange(field=field.field, value=field.value, before=was))
        full = change.model_copy(update={"fields": tuple(changed)})
        return state.readers_of_row(change.table, change.row, after=built(state, full)), full


def canonical(value: Any) -> str:
    """JSON with sorted keys and no spaces."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), default=str)


def parsed(value: str) -> Any:
    """A value from its JSON. Raises `amend.invalid`."""
    try:
        return json.loads(value)
    except json.JSONDecodeError as wrong:
        raise Refused("amend.invalid", f"{value[:60]!r} is no JSON; put text in double quotes.") from wrong


@cache
def adapter(record: Any) -> TypeAdapter[Any]:
    """The reader and writer of one record type."""
    return TypeAdapter(record)


def plain_row(state: TableState, table: str, row: str) -> dict[str, Any] | None:
    """A row as JSON values, or None. Tables that are no `Rows` are read by the ruleset."""
    special = state.plain_special(table, row)
    if special is not None:
        return special
    record = found(state, table, row)
    if record is None:
        return None
    kind: Any = type(record)
    dumped: dict[str, Any] = adapter(kind).dump_python(record, mode="json")
    return dumped


def found(state: TableState, table: str, row: str) -> Any:
    """The record whose key reads `row`, or None."""
    rows: Any = getattr(state, table, {})
    return next((record for key, record in rows.items() if key_text(key) == row), None)


def key_text(key: Any) -> str:
    """A key as text; the parts of a composite one joined by `/`."""
    return "/".join(str(part) for part in key) if isinstance(key, tuple) else str(key)


def built(state: TableState, change: Change) -> Any:
    """The record after the change; None when it is deleted. Raises `amend.invalid`."""
    if change.deed is Deed.DELETE or state.is_special(change.table):
        return None
    record_type: Any = state.records[change.table]
    present = found(state, change.table, change.row)
    try:
        values = {f.field: parsed(f.value) for f in change.fields}
        base = adapter(record_type).dump_python(present, mode="json") if present is not None else {}
        unknown = set(values) - {f.name for f in fields(record_type)}
        if unknown:
            raise Refused("amend.invalid", f"{change.table} has no field {', '.join(sorted(unknown))}.")
        record = adapter(record_type).validate_json(json.dumps({**base, **values}))
    except ValidationError as wrong:
        raise Refused("amend.invalid", f"The new values of {change.table} {change.row} do not fit: {wrong}") from wrong
    if key_text(state.key_of(change.table, record)) != change.row:
        raise Refused("amend.invalid", f"The key of {change.table} {change.row} cannot be changed; delete and create.")
    return record


def write(state: TableState, change: Change) -> None:
    """Carry one change out."""
    if state.is_special(change.table):
        state.write_special(change.table, change.row, {f.field: json.loads(f.value) for f in change.fields})
        return
    rows: Rows[Any, Any] = getattr(state, change.table)
    if change.deed is Deed.DELETE:
        del rows[state.key_of(change.table, found(state, change.table, change.row))]
    else:
        record = built(state, change)
        rows[state.key_of(change.table, record)] = record
