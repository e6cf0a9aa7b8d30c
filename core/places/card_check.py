"""Whether the cards are what they are copies of, and how they become so again: `manage.py cards`."""

from uuid import UUID

from django.db import connection, transaction

from core.places.cards import NOTES, Card, first_at_home, follow_all, kept, schemas
from core.places.routing import at_place


def differing() -> dict[str, list[UUID]]:
    """The homes whose cards differ from their rows, by table; what is noted is copied first, what is noted since is
    left out, so that games may go on."""
    follow_all()
    return {card.table: _differing(card) for card in kept()}


def _differing(card: Card) -> list[UUID]:
    """The same of one table: rows and notes are read in one statement, as of one moment."""
    cards, rows = f"(SELECT {card.columns} FROM {card.name})", f"({card.rows()})"
    noted = " UNION ALL ".join(f'SELECT home FROM "{schema}".{NOTES} WHERE name = %s' for schema in schemas())
    with at_place(None), connection.cursor() as cursor:
        cursor.execute(
            f'SELECT DISTINCT "{card.home}" FROM (({cards} EXCEPT ALL {rows}) UNION ALL ({rows} EXCEPT ALL {cards})) d '
            f'WHERE "{card.home}" NOT IN ({noted}) ORDER BY 1',
            [card.table] * len(schemas()),
        )
        return [home for (home,) in cursor.fetchall()]


def mend(differing: dict[str, list[UUID]]) -> None:
    """Copy the rows of these homes again: they are noted, and followed as what has changed. Safe to be killed."""
    with at_place(None), transaction.atomic(), connection.cursor() as cursor:
        for table, homes in differing.items():
            cursor.execute(
                f'INSERT INTO "{first_at_home()}".{NOTES} (name, home) SELECT %s, unnest(%s::uuid[])', [table, homes]
            )
    follow_all()
