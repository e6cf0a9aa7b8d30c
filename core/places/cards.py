"""Cards: copies of the rows that lists across games read, in a schema of their own (ADR 116).

A row that changes is noted in its bucket by a trigger, in the same transaction (`core.places.card_tables`). `follow`
copies what is noted and takes the notes away, in one transaction: killed at any point, it is done again. One follower
copies at a time, others wait, so that who reads after it finds all that was committed before.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import cache, wraps
from typing import Any, NamedTuple, TypeVar
from uuid import UUID

from django.apps import apps
from django.conf import settings
from django.db import connection, transaction

from core.places.place import CARDS, Place
from core.places.routing import NOTHING, at_hand, at_place, every_place

Answer = TypeVar("Answer")
NOTES = "places_note"
"""The table of each bucket in which the homes of changed rows are noted."""
AT_ONCE = 1000
"""Notes that are followed in one transaction."""
WHERE_IT_LIES = (
    "JOIN places_slot ON slot = ('x' || left(home::text, 3))::bit(12)::int JOIN places_bucket ON number = bucket_id"
)
"""Joins the bucket of a row's `home`."""
FOLLOWER = 116_000_116
"""The key of the lock that a follower holds until its transaction ends."""


class Card(NamedTuple):
    """A table of which cards are kept."""

    table: str
    home: str
    """The column with the id of the game or world that a row belongs to."""
    columns: str
    """All, as they stand in a statement."""

    @property
    def name(self) -> str:
        """Its name in the schema of cards."""
        return f'"{CARDS.schema}"."{self.table}"'

    def rows(self) -> str:
        """The rows of all buckets, as a query."""
        return " UNION ALL ".join(f'SELECT {self.columns} FROM "{schema}"."{self.table}"' for schema in schemas())


@cache
def kept() -> tuple[Card, ...]:
    """The tables of which cards are kept, those first that others refer to."""
    return tuple(_card(label, home) for label, home in settings.CARDS.items())


def _card(label: str, home: str) -> Card:
    meta = apps.get_model(label)._meta
    columns = ", ".join(f'"{field.column}"' for field in meta.concrete_fields)
    return Card(meta.db_table, str(meta.get_field(home).column), columns)


def schemas() -> list[str]:
    """The schemas of all buckets."""
    return [place.schema for place in every_place() if place is not None]


def first_at_home() -> str:
    """The schema of the first bucket that lies at home; one always does."""
    return next(place.schema for place in every_place() if place is not None and not place.server)


def across() -> AbstractContextManager[None]:
    """Let the block's statements read the cards of all games and worlds; what is noted anywhere is copied first.

    Writing cards there fails, and so does what has none (ProgrammingError). With PLACES=0 nothing happens. Call it
    outside of a transaction: within one, other followers wait until it ends.
    """
    if not settings.PLACES:
        return NOTHING
    follow_all()
    return at_place(CARDS)


def read_across(view: Callable[..., Answer]) -> Callable[..., Answer]:
    """A view that reads cards: what it lists names no game and no world. With PLACES=0 the view itself."""
    if not settings.PLACES:
        return view

    @wraps(view)
    def read(*arguments: Any, **more: Any) -> Answer:
        with across():
            return view(*arguments, **more)

    return read


def follow_all() -> None:
    """Copy what is noted in any bucket: one query where nothing is, and one on each other server that has a bucket.

    What lies on a server that is away stays noted there, and its cards stay as they are.
    """
    places = [place for place in every_place() if place is not None and not place.is_moving]
    for place in _places_with_notes([each for each in places if not each.server]):
        follow(place)
    if connection.in_atomic_block:  # what is committed there would not be taken back with it
        return
    for place in (each for each in places if each.server):
        with at_hand(place):
            follow_elsewhere(place)


def _places_with_notes(at_home: list[Place]) -> list[Place]:
    """Those of some places at home in which something is noted."""
    places = {place.number: place for place in at_home}
    asked = (f'SELECT {number} WHERE EXISTS (TABLE "{place.schema}".{NOTES})' for number, place in places.items())
    with at_place(None), connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(asked))
        return [places[number] for (number,) in cursor.fetchall()]


def follow(place: Place) -> int:
    """Copy what is noted in a bucket, from where it lies by now; how many notes there were."""
    count = 0
    while True:
        with at_place(None), transaction.atomic(), connection.cursor() as cursor:
            hold(cursor)
            taken = _take_notes(cursor, place.schema)
        count += taken
        if taken < AT_ONCE:
            return count


def follow_elsewhere(place: Place) -> int:
    """Copy what is noted in a bucket on another server; how many notes there were.

    The notes go in a transaction there after that of the copies: killed in between, they are followed once more.
    """
    count = 0
    while True:
        with at_place(place), connection.cursor() as cursor:
            cursor.execute(f"SELECT number, name, home FROM {NOTES} ORDER BY number LIMIT {AT_ONCE}")
            noted = cursor.fetchall()
        if noted:
            with at_place(None), transaction.atomic(), connection.cursor() as cursor:
                hold(cursor)
                for card in kept():
                    homes = [home for _, name, home in noted if name == card.table]
                    for schema, theirs in _by_schema(cursor, homes):
                        _copy(cursor, card, schema, theirs)
            with at_place(place), connection.cursor() as cursor:
                cursor.execute(f"DELETE FROM {NOTES} WHERE number = ANY(%s)", [[number for number, *_ in noted]])
        count += len(noted)
        if len(noted) < AT_ONCE:
            return count


def _by_schema(cursor: Any, homes: list[UUID]) -> list[tuple[str, list[UUID]]]:
    """Some games or worlds by the schemas of the buckets in which they lie by now."""
    cursor.execute(
        "SELECT places_bucket.schema, array_agg(DISTINCT home) FROM unnest(%s::uuid[]) home "
        f"{WHERE_IT_LIES} GROUP BY 1",
        [homes],
    )
    found: list[tuple[str, list[UUID]]] = cursor.fetchall()
    return found


def hold(cursor: Any) -> None:
    """Be the only follower until the transaction ends."""
    cursor.execute("SELECT pg_advisory_xact_lock(%s)", [FOLLOWER])


def _take_notes(cursor: Any, schema: str) -> int:
    """Follow the first notes of a bucket; how many they are.

    They are taken before the rows are read: what changes in between is copied now and, by its own note, once more.
    """
    cursor.execute(
        f'WITH taken AS (DELETE FROM "{schema}".{NOTES} WHERE number IN '
        f'(SELECT number FROM "{schema}".{NOTES} ORDER BY number LIMIT {AT_ONCE}) RETURNING name, home) '
        "SELECT name, places_bucket.schema, array_agg(DISTINCT home), count(*) FROM taken "
        f"{WHERE_IT_LIES} GROUP BY 1, 2"
    )
    found = cursor.fetchall()
    for card in kept():
        for name, here, homes, _ in found:
            if name == card.table:
                _copy(cursor, card, here, homes)
    return sum(count for *_, count in found)


def _copy(cursor: Any, card: Card, schema: str, homes: list[UUID]) -> None:
    """Let the cards of these games or worlds be the rows that they have in a bucket."""
    cursor.execute(f'DELETE FROM {card.name} WHERE "{card.home}" = ANY(%s)', [homes])
    cursor.execute(
        f"INSERT INTO {card.name} ({card.columns}) "
        f'SELECT {card.columns} FROM "{schema}"."{card.table}" WHERE "{card.home}" = ANY(%s)',
        [homes],
    )
