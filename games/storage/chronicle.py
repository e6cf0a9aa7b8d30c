"""The chronicle of a world: rows that retell what happens in it, as it happens."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from django.db.models import Max

from games import models
from games.engine.audience import PUBLIC
from games.engine.ids import derived_id
from games.storage.tables import chunks
from worlds.models import Chronicle, World


class Entry(NamedTuple):
    """What a game retells of one event."""

    id: UUID
    at: datetime
    age: int
    """The chapter it happened in: century, Age."""
    heading: str
    text: str
    square: tuple[int, int] | None = None
    """Where: x, y."""


def entry_of(game: UUID, ordinal: int) -> UUID:
    """The chronicle's id of a public event: from its place in the public stream, which reveals no secret one."""
    return derived_id(game, f"{PUBLIC}/{ordinal}")


def last_public(game: models.Game) -> int:
    """The place of the last event in the public stream of a game; 0 for none."""
    return models.Stream.objects.filter(game=game, audience=PUBLIC).values_list("head", flat=True).first() or 0


def write_entries(world: World, entries: Sequence[Entry]) -> None:
    """A row for each entry, after those that stand there."""
    if not entries:
        return
    last = Chronicle.objects.filter(world=world).aggregate(last=Max("position"))["last"] or 0
    Chronicle.objects.bulk_create(
        Chronicle(
            id=entry.id,
            world=world,
            position=position,
            age=entry.age,
            heading=entry.heading,
            text=entry.text,
            square_id=world.square_id(*entry.square) if entry.square else None,
            entry=entry.id,
            written_at=entry.at,
        )
        for position, entry in enumerate(entries, start=last + 1)
    )


def delete_entries(world: World, entries: Iterable[UUID]) -> None:
    """Take entries out of a world's chronicle."""
    for some in chunks(list(entries)):
        Chronicle.objects.filter(world=world, entry__in=some).delete()
