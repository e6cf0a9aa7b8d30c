"""`migrate` of a command line, where games are spread over places: it would leave the places as they are."""

from typing import NoReturn

from django.core.management.commands import migrate


class Command(migrate.Command):
    """Refused; `migrate_places` calls what it does for `public` and for each place."""

    def run_from_argv(self, argv: list[str]) -> NoReturn:
        """Raises SystemExit with a sentence that says what would do."""
        self.stderr.write("Games are spread over places (PLACES); run `manage.py migrate_places` instead.")
        raise SystemExit(1)
