"""A schema carried from one PostgreSQL server to another by pg_dump and psql, in one transaction there.

What arrived is compared with what lay there before anything holds: each table's count of rows and a sum over all that
stands in them, and each sequence. The caller keeps writers out.
"""

import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from typing import Any

from django.db.backends.postgresql.client import DatabaseClient

PROGRAMS = ("pg_dump", "psql")
SAME_TEXT = (
    "SET LOCAL timezone TO 'UTC'", "SET LOCAL datestyle TO 'ISO'", "SET LOCAL intervalstyle TO 'postgres'",
    "SET LOCAL extra_float_digits TO 1", "SET LOCAL bytea_output TO 'hex'",
)  # fmt: skip
"""What rows look like as text, the same in each session that sums over them."""


class Uncarried(Exception):
    """Nothing was carried; the message says why."""


def missing_programs() -> list[str]:
    """Which of the programs that carry are not installed here."""
    return [name for name in PROGRAMS if shutil.which(name) is None]


def fingerprint(schema: str, tables: Sequence[str]) -> str:
    """An expression of SQL: a line of text for each table and sequence of a schema, that says what stands in it."""
    parts = [
        f"SELECT '{name}' AS name, count(*)::text AS rows, "
        f'sum(hashtextextended(row_::text, 0)::numeric)::text AS digest FROM "{schema}"."{name}" row_'
        for name in tables
    ]
    parts.append(
        f"SELECT sequencename, last_value::text, '' FROM pg_catalog.pg_sequences WHERE schemaname = '{schema}'"
    )
    lines = """string_agg(concat_ws(' ', name, rows, digest), E'\\n' ORDER BY name COLLATE "C")"""
    return f"(SELECT {lines} FROM ({' UNION ALL '.join(parts)}) parts)"


def take_fingerprint(session: Any, schema: str, tables: Sequence[str]) -> str:
    """What stands in a schema, as a text. session: a cursor or a connection of psycopg, in a transaction."""
    for setting in SAME_TEXT:
        session.execute(setting)
    return str(session.execute(f"SELECT {fingerprint(schema, tables)}").fetchone()[0])


def carry(
    schema: str,
    source: Mapping[str, Any],
    target: Mapping[str, Any],
    tables: Sequence[str],
    expected: str,
    *,
    before: Sequence[str],
    after: Sequence[str] = (),
) -> None:
    """Make a schema on the target as it is on the source. Raises Uncarried; then nothing has changed there.

    source, target: Django's settings of each. before, after: statements that belong to the same transaction, after
    those once all is compared with what is expected.
    """
    check = (
        f"DO $check$ BEGIN IF {fingerprint(schema, tables)} IS DISTINCT FROM '{expected}' "
        f"THEN RAISE EXCEPTION '{schema} differs from what was sent'; END IF; END $check$"
    )
    dump = ["pg_dump", "--schema", schema, "--no-owner", "--no-privileges"]
    load = ["psql", "--no-psqlrc", "--quiet", "--single-transaction", "--set", "ON_ERROR_STOP=1"]
    for statement in before:
        load += ["--command", statement]
    load += ["--file", "-"]
    for statement in (*SAME_TEXT, check, *after):
        load += ["--command", statement]
    with subprocess.Popen(
        [*dump, *_address(source)], env=_environment(source), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as sending:
        taken = subprocess.run(
            [*load, *_address(target)],
            env=_environment(target),
            stdin=sending.stdout,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            check=False,
        )
        if sending.stdout is not None:
            sending.stdout.close()  # a pg_dump whose reader has ended ends, too
        said = sending.stderr.read() if sending.stderr is not None else b""
    for status, words in ((taken.returncode, taken.stderr), (sending.returncode, said)):
        if status:
            raise Uncarried(
                words.decode(errors="replace").strip() or f"{schema} was not carried: exit status {status}."
            )


def _address(settings: Mapping[str, Any]) -> list[str]:
    """The arguments by which a program of PostgreSQL connects, without the password."""
    arguments, _ = DatabaseClient.settings_to_cmd_args_env(dict(settings), [])
    return list(arguments[1:])


def _environment(settings: Mapping[str, Any]) -> dict[str, str]:
    _, more = DatabaseClient.settings_to_cmd_args_env(dict(settings), [])
    return {**os.environ, **(more or {})}
