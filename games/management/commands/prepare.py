"""Everything that must be true before the service starts: the tables, and the demo where one is asked for."""

from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from core import new_database
from games.workers import demo

WAY_OUT = "bring it up to date with revision 0458c846 first, or begin with a new one."
"""The last revision with the migrations that the first ones of today replace (ADR 113)."""

PLACES = ("places", "0001_tables")
"""Recorded where games are spread over places (ADR 115)."""


class Command(BaseCommand):
    """Bring the database up to date and prepare the demo with DEMO=1; `serve` runs it first. Safe to run again."""

    help = "Bring the database up to date, and prepare the demo with DEMO=1."
    requires_migrations_checks = False

    def handle(self, *args: Any, **options: Any) -> None:
        """Prints a line before each longer step; each finds out what is done already."""
        executor = MigrationExecutor(connection)
        between = sorted({app for app, _ in executor.loader.replacements if self.stands_between(executor, app)})
        if between:
            raise CommandError(f"This database was begun by an older revision ({', '.join(between)}): {WAY_OUT}")
        plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
        if settings.PLACES:
            call_command("migrate_places", stdout=self.stdout)
        elif PLACES in executor.loader.applied_migrations:
            raise CommandError("The games of this database are spread over places; set PLACES (docs/scaling.md).")
        elif new_database.is_empty(connection):
            self.say("Making the tables of a new database ...")
            new_database.create(connection)
        elif plan:  # `migrate` with nothing to do takes a second
            self.say(f"Bringing the database up to date: {len(plan)} migrations ...")
            call_command("migrate", interactive=False, verbosity=0)
        if settings.DEMO:
            demo.prepare(say=self.say)

    @staticmethod
    def stands_between(executor: MigrationExecutor, app: str) -> bool:
        """Whether a database has some of the migrations that those of an app replace, and not all of them."""
        found = [m.replaces for (label, _), m in executor.loader.replacements.items() if label == app]
        applied = {key in executor.loader.applied_migrations for keys in found for key in keys}
        return len(applied) > 1

    def say(self, line: str) -> None:
        """Print a line at once, also where the output is a pipe."""
        self.stdout.write(line)
        self.stdout.flush()
