"""What people call the things of a game (pure): by the id of a row or the key of an entry, never the id itself.

`GameState.name_of` is the one that asks; a ruleset adds what it calls its own in `GameState.proper_name`.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any, Protocol
from uuid import UUID

from games.engine.state import Table
from games.engine.wording import listing, phrase


class Things(Protocol):
    """What a state knows of the things of its game."""

    @property
    def info(self) -> Any: ...

    @property
    def tables(self) -> Mapping[str, Table]: ...

    @property
    def is_view(self) -> bool: ...

    def proper_name(self, thing: str) -> str | None: ...


def proper_name(state: Things, thing: str) -> str | None:
    """The name of a row by its id as text, of a question its words; None for what has none and for no such row."""
    sought = id_in(thing)
    if sought is None:
        return None
    if sought == state.info.id:
        return state.info.name or "the game"
    for _, record in records_of(state, sought):
        if name := getattr(record, "name", "") or getattr(record, "question", ""):
            return str(name)
    return None


def description(state: Things, thing: str) -> str | None:
    """What a row is that has no name: `army of the Elves at 3, 4`, `check of Gron`; None for no such row."""
    sought = id_in(thing)
    found = next(iter(records_of(state, sought)), None) if sought is not None and sought != state.info.id else None
    if found is None:
        return None
    table, record = found
    number, place = getattr(record, "number", None), place_of(record)
    held = [getattr(record, field.name) for field in fields(record) if field.name != "id"]
    others = (each for each in held if isinstance(each, UUID) and each not in (sought, state.info.id))
    named = dict.fromkeys(name for each in others if (name := state.proper_name(str(each))))
    return " ".join(
        filter(
            None,
            (
                noun_of(state, table),
                str(number) if isinstance(number, int) else "",
                f"of {listing(named)}" if named else "",
                f"at {place[0]}, {place[1]}" if place is not None else "",
            ),
        )
    )


def records_of(state: Things, sought: UUID) -> Iterator[tuple[str, Any]]:
    """The rows of this id that may be spoken of, each with its table; those of the ruleset before those of the engine.

    A god stands before the seat of the same id.
    """
    for name in reversed(list(state.tables)):
        declared = state.tables[name]
        if declared.key == ("id",) and (name == "seats" or declared.judge is None or state.is_view):
            record = getattr(state, name).get(sought)
            if record is not None:
                yield name, record


def noun_of(state: Things, table: str) -> str:
    """What one row of a table is called: `race`, `city`."""
    declared = state.tables[table].noun if table in state.tables else ""
    return declared or phrase(re.sub("s$", "", re.sub("ies$", "y", table)))


def place_of(record: Any) -> tuple[int, int] | None:
    """The column and row of a thing that stands on one square."""
    square = getattr(record, "square", record)
    column, row = (
        getattr(square, "column", getattr(square, "x", None)),
        getattr(square, "row", getattr(square, "y", None)),
    )
    return (column, row) if isinstance(column, int) and isinstance(row, int) else None


def id_in(text: str) -> UUID | None:
    """The id that a text is, None for any other."""
    if len(text) not in (32, 36):
        return None
    try:
        return UUID(text)
    except ValueError:
        return None
