"""The tables of cards, and what notes in each bucket whose cards are behind (ADR 116).

A table of cards has the columns and indexes of its model's table in the first bucket, and no constraint: what is unique
in a bucket need not be over all, and no order of copying breaks a key. It is made anew, and filled from the buckets,
where that table has changed. Writing it is refused to all but followers, which name its schema.
"""

import re
from collections.abc import Callable
from hashlib import sha256
from typing import Any

from django.db import connection, transaction

from core.places.cards import NOTES, Card, first_at_home, hold, kept
from core.places.place import CARDS
from core.places.routing import at_place

REFUSAL = "These are copies; write where the game or world itself lies."
LIKENESS = """
SELECT column_name, data_type, character_maximum_length, is_nullable, column_default
FROM information_schema.columns WHERE table_schema = %s AND table_name = %s ORDER BY column_name
"""
INDEXES = "SELECT indexdef FROM pg_indexes WHERE schemaname = %s AND tablename = %s ORDER BY indexname"


def make_notes(schema: str) -> None:
    """Let a bucket note which rows with cards change, where it does not yet. Call it in a transaction."""
    with connection.cursor() as cursor:
        cursor.execute(
            f'CREATE TABLE IF NOT EXISTS "{schema}".{NOTES} '
            "(number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL, home uuid NOT NULL)"
        )
        cursor.execute(
            "SELECT relname FROM pg_trigger JOIN pg_class c ON c.oid = tgrelid "
            "WHERE tgname = 'note_home' AND relnamespace = %s::regnamespace",
            [schema],
        )
        noting = {name for (name,) in cursor.fetchall()}
        for card in kept():
            if card.table not in noting:
                _note_changes(cursor, schema, card)


def _note_changes(cursor: Any, schema: str, card: Card) -> None:
    """A trigger on a table: a row that comes, goes or is no longer what it was has its home noted."""
    function = f'"{schema}"."note_{card.table}"()'
    cursor.execute(
        f"CREATE OR REPLACE FUNCTION {function} RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
        "IF NEW IS DISTINCT FROM OLD THEN "
        f'INSERT INTO "{schema}".{NOTES} (name, home) '
        f"""VALUES ('{card.table}', coalesce(NEW."{card.home}", OLD."{card.home}")); """
        "END IF; RETURN NULL; END $$"
    )
    cursor.execute(
        f'CREATE TRIGGER note_home AFTER INSERT OR UPDATE OR DELETE ON "{schema}"."{card.table}" '
        f"FOR EACH ROW EXECUTE FUNCTION {function}"
    )


def make_cards(say: Callable[[str], None]) -> None:
    """Make the tables of cards that are missing or out of date; all buckets have their tables and notes by now."""
    with at_place(None), transaction.atomic(), connection.cursor() as cursor:
        hold(cursor)
        cursor.execute(f'CREATE SCHEMA IF NOT EXISTS "{CARDS.schema}"')
        for card in kept():
            indexes, likeness = _shape(cursor, card)
            cursor.execute("SELECT to_regclass(%s) IS NOT NULL, obj_description(to_regclass(%s))", [card.name] * 2)
            is_there, found = cursor.fetchone()
            if found == likeness:
                continue
            if is_there:
                say(f"Copying {card.table} for lists across games ...")
            _make(cursor, card, indexes)
            cursor.execute(f"COMMENT ON TABLE {card.name} IS '{likeness}'")


def _shape(cursor: Any, card: Card) -> tuple[list[str], str]:
    """The definitions of a table's indexes in the first bucket, and a digest of them and its columns."""
    first = first_at_home()
    cursor.execute(INDEXES, [first, card.table])
    indexes = [text for (text,) in cursor.fetchall()]
    cursor.execute(LIKENESS, [first, card.table])
    return indexes, sha256(repr((indexes, cursor.fetchall())).encode()).hexdigest()


def _make(cursor: Any, card: Card, indexes: list[str]) -> None:
    """Make a table of cards anew, filled; who reads the former one waits at the end alone."""
    new = f'"{CARDS.schema}"."{card.table}_new"'
    cursor.execute(f'CREATE TABLE {new} (LIKE "{first_at_home()}"."{card.table}" INCLUDING DEFAULTS)')
    cursor.execute(f"INSERT INTO {new} ({card.columns}) {card.rows()}")
    for text in indexes:
        cursor.execute(re.sub(r"^CREATE (UNIQUE )?INDEX \S+ ON \S+ ", f"CREATE INDEX ON {new} ", text))
    cursor.execute(
        f'CREATE OR REPLACE FUNCTION "{CARDS.schema}".refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN '
        f"IF current_schema() = '{CARDS.schema}' THEN "
        f"RAISE EXCEPTION '{REFUSAL}' USING ERRCODE = 'insufficient_privilege'; "
        "END IF; RETURN NULL; END $$"
    )
    cursor.execute(
        f"CREATE TRIGGER refuse BEFORE INSERT OR UPDATE OR DELETE ON {new} "
        f'FOR EACH STATEMENT EXECUTE FUNCTION "{CARDS.schema}".refuse()'
    )
    cursor.execute(f"DROP TABLE IF EXISTS {card.name}")
    cursor.execute(f'ALTER TABLE {new} RENAME TO "{card.table}"')
