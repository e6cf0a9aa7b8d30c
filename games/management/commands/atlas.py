"""Maps in and out: write the map of a world as letters or JSON, or make a world from such a file."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from core.places import routing
from worlds.atlas import chart_of, lay_out, write_json, write_letters
from worlds.map_files import AtlasError, read_map
from worlds.models import World


class Command(BaseCommand):
    """`atlas export WORLD [--letters]` prints a map; `atlas import FILE --name NAME` makes a world of one."""

    help = "Export the map of a world (JSON, or letters), or import one as a new world."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Two verbs, each with its own."""
        verbs = parser.add_subparsers(dest="verb", required=True)
        out = verbs.add_parser("export", help="print the map of a world")
        out.add_argument("world", type=UUID, help="the world's id")
        out.add_argument("--letters", action="store_true", help="one letter a square instead of JSON with features")
        taken = verbs.add_parser("import", help="make a new world from a file")
        taken.add_argument("file", type=Path, help="letters or JSON, packed with gzip or not")
        taken.add_argument("--name", required=True, help="the new world's name")
        taken.add_argument("--attribution", default="", help="who must be named where the map is shown")

    def handle(self, *args: Any, **options: Any) -> None:
        """Raises CommandError with the place at fault."""
        try:
            if options["verb"] == "export":
                self._export(options["world"], options["letters"])
            else:
                self._import(options["file"], options["name"], options["attribution"])
        except AtlasError as refused:
            raise CommandError(f"{refused.code}: {refused.message}") from refused

    def _export(self, world_id: UUID, letters: bool) -> None:
        with routing.at(world_id):
            world = World.objects.filter(pk=world_id).first()
            if world is None:
                raise CommandError(f"There is no world {world_id}.")
            chart = chart_of(world)
        self.stdout.write(write_letters(chart) if letters else json.dumps(write_json(chart)))

    def _import(self, file: Path, name: str, attribution: str) -> None:
        try:
            content = file.read_bytes()
        except OSError as error:
            raise CommandError(f"{file.name} cannot be read: {error.strerror}.") from error
        chart = read_map(file.name, content)
        world = World(name=name, width=chart.width, height=chart.height, attribution=attribution)
        with routing.at(world.pk), transaction.atomic():
            world.save(force_insert=True)
            lay_out(world, chart)
        self.stdout.write(f"World {world.pk}: {chart.width} by {chart.height} squares.")
