"""The places of this service: `places list`."""

from argparse import ArgumentParser
from collections import Counter
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from core.places import routing
from games.models import Game

SIZE = """
SELECT coalesce(sum(pg_total_relation_size(oid)), 0) FROM pg_class
WHERE relkind = 'r' AND relnamespace = %s::regnamespace
"""


class Command(BaseCommand):
    """`places list`: each place with its slots, its games, and its size on disk in MB."""

    help = "List the places over which games are spread, with slots, games and size of each."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """What to do."""
        parser.add_argument("action", choices=["list"])

    def handle(self, *args: Any, **options: Any) -> None:
        """Raises CommandError where games are not spread."""
        if not settings.PLACES:
            raise CommandError("Games are not spread over places; PLACES is 0.")
        table = routing.read_table()
        slots = Counter(place.schema for place in table.by_slot)
        for place in table.places:
            with routing.at_place(place), connection.cursor() as cursor:
                cursor.execute(SIZE, [place.schema])
                megabytes = float(cursor.fetchone()[0]) / 1e6
                games = Game.objects.count()
            self.stdout.write(f"{place.schema}: {slots[place.schema]} slots, {games} games, {megabytes:.1f} MB")
