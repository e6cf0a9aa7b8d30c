"""The chronicle of a world: rows that tell what happens in it, as it happens."""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from core.column_sql import chunks
from core.columns import RowWriter, Writes
from core.ids import derived_id
from games.engine.audience import PUBLIC
from games.engine.game_state import S
from games.engine.insight.chronicle import tell_chapters
from games.engine.kernel import Event, EventRecord
from games.engine.ruleset import Ruleset
from worlds.models import Chronicle, World

CHUNK = 500  # keys in one statement of the ORM: SQLite takes 32,766 variables, PostgreSQL plans short lists better
ENTRIES = RowWriter(
    Chronicle,
    ("id", "world_id", "position", "chapter", "heading", "text", "figures", "square_id", "entry", "written_at"),
    computed={
        "position": f"(SELECT COALESCE(MAX(c.position), 0) FROM {Chronicle._meta.db_table} c"
        " WHERE c.world_id = {world_id}) + {position}"
    },
)
"""Positions are given as numbers behind the last one of their world; SQLite leaves a gap after each batch of a go."""


class Entry(NamedTuple):
    """What a game tells of one event, or of several of one command."""

    id: UUID
    at: datetime
    chapter: int
    """The chapter it happened in: century, Age."""
    heading: str
    text: str
    figures: str = ""
    """The numbers beside it."""
    square: tuple[int, int] | None = None
    """Where: x, y."""


def entry_of(game: UUID, ordinal: int) -> UUID:
    """The chronicle's id of a public event: from its place in the public stream, which reveals no secret one."""
    return derived_id(game, f"{PUBLIC}/{ordinal}")


def entries_of(
    ruleset: Ruleset[S],
    state: S,
    happened: Sequence[EventRecord],
    head: int,
    square: Callable[[Event], tuple[int, int] | None],
) -> list[Entry]:
    """The entries that tell of these events. head: that of the public stream before them. square: where an event was.

    An entry has the id of the first of the events that it tells of: a rewind takes back whole commands. Sentences that
    begin with one event stand in one entry.
    """
    public, chapters = [record for record in happened if record.audience == PUBLIC], ruleset.chapters
    if not any(isinstance(record.event, ruleset.pages.story.kinds) for record in public):
        return []
    entries = dict[UUID, Entry]()
    for chapter, told in tell_chapters(ruleset.pages.story, state, public, chapters, state.chapter):
        first, game = told.events[0], state.info.id
        spots = (square(public[place].event) for place in told.events)
        entry = Entry(
            entry_of(game, head + first + 1),
            public[first].at,
            chapter,
            chapters.title(chapter) if chapters is not None else "",
            told.text,
            told.figures,
            next((spot for spot in spots if spot is not None), None),
        )
        former = entries.get(entry.id)
        entries[entry.id] = entry if former is None else _join_entries(former, entry)
    return list(entries.values())


def _join_entries(one: Entry, other: Entry) -> Entry:
    """Two sentences that begin with the same event, as one entry."""
    figures = "; ".join(filter(None, (one.figures, other.figures)))
    return one._replace(text=f"{one.text} {other.text}", figures=figures, square=one.square or other.square)


def write_entries(world: World, entries: Sequence[Entry], writes: Writes) -> None:
    """A row for each entry, after those that stand there."""
    writes.write(
        ENTRIES,
        [
            [
                entry.id, world.pk, number, entry.chapter, entry.heading, entry.text, entry.figures,
                world.square_id(*entry.square) if entry.square else None, entry.id, entry.at,
            ]
            for number, entry in enumerate(entries, start=1)
        ],
    )  # fmt: skip


def delete_entries(world: World, entries: Iterable[UUID]) -> None:
    """Take entries out of a world's chronicle."""
    for some in chunks(list(entries), CHUNK):
        Chronicle.objects.filter(world=world, entry__in=some).delete()
