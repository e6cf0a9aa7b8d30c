"""The cards that lists across games read: compared with the rows of all places, and mended."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from core.places.card_check import differing, mend


class Command(BaseCommand):
    """Copy again what differs, while games go on; with `--check` only say so, exit status 1 where something does."""

    help = "Rebuild the cards that lists across games read, or check them."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """`--check`."""
        parser.add_argument("--check", action="store_true", help="change nothing; exit status 1 where cards differ")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print a line for each table. Raises SystemExit(1) where `--check` finds a difference."""
        found = differing()
        for table, homes in found.items():
            self.stdout.write(f"{table}: {len(homes)} of its games or worlds differ" if homes else f"{table}: as it is")
        if any(found.values()):
            if options["check"]:
                raise SystemExit(1)
            mend(found)
