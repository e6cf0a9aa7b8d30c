"""Copy the SQLite database while the service runs: one moment, whole. PostgreSQL has pg_dump."""

import sqlite3
from argparse import ArgumentParser
from contextlib import closing
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import connection


class Command(BaseCommand):
    """`backup FILE` writes a copy that can be served as it is. Exit status 1 when it cannot be had or is not sound."""

    help = "Write a copy of the SQLite database, as it is at one moment, to a new file."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The file to write."""
        parser.add_argument("file", type=Path, help="a file that is not there yet")

    def handle(self, *args: Any, **options: Any) -> None:
        """Raises CommandError on another database, for a file that is there, and for a copy that is not sound."""
        file: Path = options["file"]
        if connection.vendor != "sqlite":
            raise CommandError("This database is not SQLite; use pg_dump (docs/backup.md).")
        if file.exists():
            raise CommandError(f"{file} is there already; name a new file.")
        file.touch(mode=0o600)  # it holds secrets of games and hashes of tokens
        source = sqlite3.connect(f"file:{connection.settings_dict['NAME']}?mode=ro", uri=True, timeout=20)
        with closing(source), closing(sqlite3.connect(file)) as copy:
            source.backup(copy)
            verdict = copy.execute("PRAGMA integrity_check").fetchone()[0]
        if verdict != "ok":
            raise CommandError(f"The copy is not sound: {verdict}")
        self.stdout.write(f"{file}: {file.stat().st_size} bytes")
