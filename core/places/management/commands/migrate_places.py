"""Bring `public` and every place up to date."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from core.places import making


class Command(BaseCommand):
    """Migrate `public` first, then bucket by bucket; safe to run again, also where a run was killed."""

    help = "Make or migrate the tables of `public`, then those of each place."
    requires_migrations_checks = False

    def handle(self, *args: Any, **options: Any) -> None:
        """Prints a line before each longer step. Raises CommandError for a database that cannot have these places."""
        try:
            making.bring_up_to_date(self.say)
        except making.Unfit as fault:
            raise CommandError(str(fault)) from fault

    def say(self, line: str) -> None:
        """Print a line at once, also where the output is a pipe."""
        self.stdout.write(line)
        self.stdout.flush()
