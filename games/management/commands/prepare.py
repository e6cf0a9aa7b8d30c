"""Everything that must be true before the service starts: the tables, and the demo where one is asked for."""

from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from games.workers import demo


class Command(BaseCommand):
    """Bring the database up to date and prepare the demo with DEMO=1; `serve` runs it first. Safe to run again."""

    help = "Bring the database up to date, and prepare the demo with DEMO=1."
    requires_migrations_checks = False

    def handle(self, *args: Any, **options: Any) -> None:
        """Prints nothing; both steps find out what is done already."""
        executor = MigrationExecutor(connection)
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):  # `migrate` with nothing to do takes a second
            call_command("migrate", interactive=False, verbosity=0)
        if settings.DEMO:
            demo.prepare()
