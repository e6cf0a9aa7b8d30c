"""Amend: the GM's correction of rows. A tuple of changes with the value before, applied together, then judged.

A correction is an event with a reason; nothing is edited in the log (CF-10).
"""

import json
from collections.abc import Iterator
from dataclasses import fields
from enum import StrEnum
from functools import cache
from typing import Any, ClassVar
from uuid import UUID

from pydantic import Field, TypeAdapter, ValidationError

from core.ids import slot_digits, slot_of
from core.names import name_to_store
from games.engine.audience import Audience
from games.engine.errors import Refused
from games.engine.game_state import GameState, Role
from games.engine.insight.domains import AnyValue, FreeText
from games.engine.insight.legal_commands import LegalCommand, TableCommand
from games.engine.kernel import Actor, Context, Event, Issuer
from games.engine.lifecycle.row_wording import row_name, value_name
from games.engine.model import Model
from games.engine.state import Rows
from games.engine.wording import full_sentence, listing, phrase, quantity

MAX_ROWS_NAMED = 12  # rows that the sentence names
GM_NAME = "Game-master"
"""What the seat of a game-master is called unless it has another name."""


class Deed(StrEnum):
    """What a change does to a row."""

    CREATE = "create"
    ALTER = "alter"
    DELETE = "delete"


class FieldChange(Model):
    """One field of a row: its new value and the value before, as JSON."""

    field: str = Field(min_length=1, max_length=60)
    """The field's name."""
    value: str = Field(default="null", max_length=20_000)
    """The new value, as JSON."""
    before: str = Field(default="", max_length=20_000)
    """The value that is replaced, as JSON; when given and different the change is refused."""


class Change(Model):
    """One row created, altered or deleted."""

    deed: Deed
    """What is done."""
    table: str = Field(min_length=1, max_length=60)
    """The table of the state, for example `races`."""
    row: str = Field(min_length=1, max_length=200)
    """The row's key; parts of a composite key joined by `/`."""
    fields: tuple[FieldChange, ...] = Field(default=(), max_length=60)
    """The fields that change; all of them for a new row."""


class Amended(Event[GameState]):
    """A GM has corrected rows, with a reason."""

    changes: tuple[Change, ...]
    reason: str
    readers: str
    gm: UUID | None = None
    """The seat of the game-master."""
    names: tuple[str, ...] = ()
    """What the rows were called, in the order of the changes; a new row by its first name."""

    def audience(self, state: GameState) -> Audience:
        return Audience(self.readers)

    def apply(self, state: GameState) -> None:
        for change in self.changes:
            write(state, change)

    def sentence(self, state: GameState) -> str:
        seat = state.seats.get(self.gm) if self.gm is not None else None
        who = "The game-master" if seat is None or seat.name == GM_NAME else f"The game-master {seat.name}"
        names = self.names or ("a row",) * len(self.changes)
        texts = [_change_name(state, c, name) for c, name in zip(self.changes, names, strict=True)]
        more = [quantity(len(texts) - MAX_ROWS_NAMED, "further row")] if len(texts) > MAX_ROWS_NAMED else []
        return f"{who} corrects {'; '.join([*texts[:MAX_ROWS_NAMED], *more])}: {full_sentence(self.reason)}"


class Amend(TableCommand):
    """Correct rows of a live game: all changes together, then the ruleset's invariants, or nothing.

    Its legal entry is `partial`: which values rows may have together, the invariants say when they are written.
    """

    issuers: ClassVar[frozenset[Issuer]] = frozenset({Issuer.GM})
    while_paused: ClassVar[bool] = True
    rules: ClassVar[tuple[str, ...]] = ("CF-10",)

    changes: tuple[Change, ...] = Field(min_length=1, max_length=500)
    """The rows that change."""
    reason: str = Field(min_length=1, max_length=2000)
    """Shown to those who may see the rows."""

    def decide(self, state: GameState, ctx: Context) -> Iterator[Event]:
        if len({(c.table, c.row) for c in self.changes}) < len(self.changes):
            raise Refused("amend.invalid", "A row is changed twice; put all of its fields into one change.")
        checked = [self._checked_change(state, ctx, change) for change in self.changes]
        for readers in sorted({r for r, _ in checked}):
            own = tuple(c for r, c in checked if r == readers)
            names = tuple(_name_before(state, change) for change in own)
            yield Amended(changes=own, reason=self.reason, readers=readers, gm=_seat_of(state, ctx), names=names)
        state.invariants()
        yield from state.follow_correction()

    @classmethod
    def legal_commands(cls, state: GameState, actor: Actor) -> Iterator[LegalCommand]:
        """Which values a row may have, its invariants say."""
        yield LegalCommand(cls.slug(), {"changes": AnyValue(), "reason": FreeText()}, partial=True)

    def _checked_change(self, state: GameState, ctx: Context, change: Change) -> tuple[Audience, Change]:
        """The change with the values before, and its readers.

        Raises `amend.invalid`, `row.missing`, `position.stale`, `id.misplaced`.
        """
        if change.table not in state.amendable():
            known = listing(map(phrase, sorted(state.amendable())))
            raise Refused("amend.invalid", f"Rows of {phrase(change.table)} are not amended; these are: {known}.")
        present = plain_row(state, change.table, change.row)
        if change.deed is Deed.CREATE:
            if present is not None:
                raise Refused("amend.invalid", f"There is {_name_before(state, change)} already; alter it.")
        elif present is None:
            raise Refused("row.missing", f"There is no such row among the {phrase(change.table)}.")
        before = present or {}
        changed = []
        for field in change.fields:
            was = canonical(before.get(field.field))
            parse_value(field.value)
            if field.before and canonical(parse_value(field.before)) != was:
                name = row_name(state, change.table, change.row, before)
                raise Refused(
                    "position.stale", f"The {phrase(field.field)} of {name} has changed meanwhile; look again."
                )
            changed.append(FieldChange(field=field.field, value=_value_to_store(field), before=was))
        full = change.model_copy(update={"fields": tuple(changed)})
        after = record_after(state, full)
        if change.deed is Deed.CREATE:
            _check_slot(ctx, getattr(after, "id", None))
        return state.readers_of_row(change.table, change.row, after=after), full


def _value_to_store(field: FieldChange) -> str:
    """The value of a field as JSON: a name as it is stored. Raises `amend.invalid` for what is no name."""
    value = parse_value(field.value)
    if field.field != "name" or not isinstance(value, str) or not value:
        return field.value
    try:
        stored = name_to_store(value)
    except ValueError as wrong:
        raise Refused("amend.invalid", str(wrong)) from wrong
    return field.value if stored == value else canonical(stored)


def _check_slot(ctx: Context, identity: object) -> None:
    """Refuse (`id.misplaced`) an id of a new row that does not carry the game's slot."""
    if isinstance(identity, UUID) and slot_of(identity) != slot_of(ctx.game):
        wanted = slot_digits(ctx.game)
        raise Refused("id.misplaced", f"The id of a new row begins as the game's does, with {wanted}.", slot=wanted)


def _seat_of(state: GameState, ctx: Context) -> UUID | None:
    """The seat of the game-master who corrects: the actor's own, else the one that the user holds."""
    held = (seat.id for seat in state.seats_of(Role.GM) if seat.user is not None and seat.user == ctx.actor.user)
    return ctx.actor.seat or next(held, None)


def _name_before(state: GameState, change: Change) -> str:
    """What a row is called as it is now, or will be called where it is new."""
    new = {f.field: parse_value(f.value) for f in change.fields}
    return row_name(state, change.table, change.row, plain_row(state, change.table, change.row) or new)


def _change_name(state: GameState, change: Change, name: str) -> str:
    """What a change does, in words: `the race Greeks (peak from 3 to 5)`."""
    if change.deed is Deed.DELETE:
        return f"{name} (removed)"
    if change.deed is Deed.CREATE:
        fields = [f"{phrase(f.field)} {value_name(state, f.value)}" for f in change.fields if f.field != "id"]
        return f"{name} (new: {', '.join(fields)})"
    fields = [
        f"{phrase(f.field)} from {value_name(state, f.before)} to {value_name(state, f.value)}" for f in change.fields
    ]
    return f"{name} ({', '.join(fields)})"


def canonical(value: Any) -> str:
    """JSON with sorted keys and no spaces."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), default=str)


def parse_value(value: str) -> Any:
    """A value from its JSON. Raises `amend.invalid`."""
    try:
        return json.loads(value)
    except json.JSONDecodeError as wrong:
        raise Refused("amend.invalid", f"{value[:60]!r} is no JSON; put text in double quotes.") from wrong


@cache
def adapter(record: Any) -> TypeAdapter[Any]:
    """The reader and writer of one record type."""
    return TypeAdapter(record)


def plain_row(state: GameState, table: str, row: str) -> dict[str, Any] | None:
    """A row as JSON values, or None. Tables that are no `Rows` are read by the ruleset."""
    special = state.plain_special(table, row)
    if special is not None:
        return special
    record = find_record(state, table, row)
    if record is None:
        return None
    kind: Any = type(record)
    dumped: dict[str, Any] = adapter(kind).dump_python(record, mode="json")
    return dumped


def find_record(state: GameState, table: str, row: str) -> Any:
    """The record whose key reads `row`, or None."""
    rows: Any = getattr(state, table, {})
    return next((record for key, record in rows.items() if key_text(key) == row), None)


def key_text(key: Any) -> str:
    """A key as text; the parts of a composite one joined by `/`."""
    return "/".join(str(part) for part in key) if isinstance(key, tuple) else str(key)


def record_after(state: GameState, change: Change) -> Any:
    """The record after the change; None when it is deleted. Raises `amend.invalid`."""
    if change.deed is Deed.DELETE or change.table in state.special:
        return None
    record_type: Any = state.tables[change.table].record
    present = find_record(state, change.table, change.row)
    try:
        values = {f.field: parse_value(f.value) for f in change.fields}
        base = adapter(record_type).dump_python(present, mode="json") if present is not None else {}
        unknown = set(values) - {f.name for f in fields(record_type)}
        if unknown:
            raise Refused(
                "amend.invalid",
                f"Rows of {phrase(change.table)} have no {listing(map(phrase, sorted(unknown)), 'or')}.",
            )
        record = adapter(record_type).validate_json(json.dumps({**base, **values}))
    except ValidationError as wrong:
        raise Refused(
            "amend.invalid",
            f"The new values of {row_name(state, change.table, change.row, values)} do not fit: {_misfits(wrong)}.",
        ) from wrong
    if key_text(state.tables[change.table].key_of(record)) != change.row:
        raise Refused(
            "amend.invalid",
            f"What names a row of {phrase(change.table)} cannot be changed; delete it and create another.",
        )
    return record


def _misfits(wrong: ValidationError) -> str:
    """What does not fit, in words: each field and what is wrong with it."""
    return "; ".join(f"{phrase('.'.join(map(str, e['loc'])) or 'row')}: {e['msg'].lower()}" for e in wrong.errors())


def write(state: GameState, change: Change) -> None:
    """Carry one change out."""
    if change.table in state.special:
        state.write_special(change.table, change.row, {f.field: json.loads(f.value) for f in change.fields})
        return
    rows: Rows[Any, Any] = getattr(state, change.table)
    key_of = state.tables[change.table].key_of
    if change.deed is Deed.DELETE:
        del rows[key_of(find_record(state, change.table, change.row))]
    else:
        record = record_after(state, change)
        rows[key_of(record)] = record
