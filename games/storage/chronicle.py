"""The chronicle of a world: rows that retell what happens in it, as it happens."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from core.column_sql import chunks
from core.columns import RowWriter, Writes
from core.ids import derived_id
from games.engine.audience import PUBLIC
from games.engine.insight.chronicle import ChronicleLine
from games.engine.kernel import Event
from worlds.models import Chronicle, World

CHUNK = 500  # keys in one statement of the ORM: SQLite takes 32,766 variables, PostgreSQL plans short lists better
ENTRIES = RowWriter(
    Chronicle,
    ("id", "world_id", "position", "chapter", "heading", "text", "square_id", "entry", "written_at"),
    computed={
        "position": f"(SELECT COALESCE(MAX(c.position), 0) FROM {Chronicle._meta.db_table} c"
        " WHERE c.world_id = {world_id}) + {position}"
    },
)
"""Positions are given as numbers behind the last one of their world; SQLite leaves a gap at each hundred of a go."""


class Entry(NamedTuple):
    """What a game retells of one event."""

    id: UUID
    at: datetime
    chapter: int
    """The chapter it happened in: century, Age."""
    heading: str
    text: str
    square: tuple[int, int] | None = None
    """Where: x, y."""


def entry_of(game: UUID, ordinal: int) -> UUID:
    """The chronicle's id of a public event: from its place in the public stream, which reveals no secret one."""
    return derived_id(game, f"{PUBLIC}/{ordinal}")


def entries_of(
    game: UUID,
    head: int,
    lines: Iterable[ChronicleLine],
    heading: Callable[[int], str],
    square: Callable[[Event], tuple[int, int] | None] = lambda event: None,
) -> Iterator[Entry]:
    """The entries of sentences. head: that of the public stream before them. heading: what stands over a chapter.

    square: where an event happened.
    """
    for line in lines:
        identity = entry_of(game, head + line.position + 1)
        yield Entry(identity, line.at, line.chapter, heading(line.chapter), line.text, square(line.event))


def write_entries(world: World, entries: Sequence[Entry], writes: Writes) -> None:
    """A row for each entry, after those that stand there."""
    writes.write(
        ENTRIES,
        [
            [
                entry.id, world.pk, number, entry.chapter, entry.heading, entry.text,
                world.square_id(*entry.square) if entry.square else None, entry.id, entry.at,
            ]
            for number, entry in enumerate(entries, start=1)
        ],
    )  # fmt: skip


def delete_entries(world: World, entries: Iterable[UUID]) -> None:
    """Take entries out of a world's chronicle."""
    for some in chunks(list(entries), CHUNK):
        Chronicle.objects.filter(world=world, entry__in=some).delete()
