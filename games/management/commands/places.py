"""The places of this service: `places list`, `move`, `split`, `relocate`, `check`."""

from argparse import ArgumentParser
from collections import Counter
from typing import Any

import dj_database_url
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import OperationalError, connection

from core.ids import SLOT_BITS
from core.places import moving, relocating, routing
from core.places.carrying import Uncarried
from core.places.foreign import Unreachable
from core.places.models import Slot
from games.models import Game

SIZE = """
SELECT coalesce(sum(pg_total_relation_size(oid)), 0) FROM pg_class
WHERE relkind = 'r' AND relnamespace = %s::regnamespace
"""


class Command(BaseCommand):
    """What lies where, and moving it. Each slot moves in one transaction: what was killed is safe to repeat."""

    help = "List the places over which games are spread, move slots between them, check that all lies where it should."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """What to do, and with which slots and places."""
        actions = parser.add_subparsers(dest="action", required=True)
        actions.add_parser("list", help="each place with its slots, its games, and its size on disk in MB")
        move = actions.add_parser("move", help="move slots, or all of a place, into another place")
        move.add_argument(
            "slots", help="three hexadecimal digits, two of these (100-1ff), or the number of a place (2)"
        )
        move.add_argument("to", type=int, help="the number of the place where they go")
        split = actions.add_parser("split", help="share the slots of a place evenly with others, which may be new")
        split.add_argument("place", type=int, help="its number")
        split.add_argument("others", type=int, nargs="+", help="theirs")
        relocate = actions.add_parser("relocate", help="move a place to another server of PLACE_SERVERS, or back home")
        relocate.add_argument("place", type=int, help="its number")
        relocate.add_argument("server", help="the server's name, or `home`")
        relocate.add_argument(
            "--home-address", default="", help="DATABASE_URL as the other server must write it; the same where left out"
        )
        actions.add_parser(
            "check", help="look whether each row lies where its slot is; exit status 1 where one does not"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Raises CommandError where games are not spread, and where something cannot move or lies astray."""
        if not settings.PLACES:
            raise CommandError("Games are not spread over places; PLACES is 0.")
        match options["action"]:
            case "list":
                self.list_places()
            case "move":
                self.move(slots_in(options["slots"]), options["to"])
            case "split":
                self.split(options["place"], options["others"])
            case "relocate":
                self.relocate(options["place"], options["server"], options["home_address"])
            case "check":
                self.check_rows()

    def list_places(self) -> None:
        """Say what lies where."""
        table = routing.read_table()
        slots = Counter(place.schema for place in table.by_slot)
        for place in table.places:
            where = f", on {place.server}" if place.server else ""
            if place.is_moving:
                where += ", being moved"
            found = "its server is away"
            with routing.at_hand(place), connection.cursor() as cursor:
                cursor.execute(SIZE, [place.schema])
                megabytes = float(cursor.fetchone()[0]) / 1e6
                found = f"{Game.objects.count()} games, {megabytes:.1f} MB"
            self.stdout.write(f"{place.schema}: {slots[place.schema]} slots, {found}{where}")

    def relocate(self, place: int, server: str, home_address: str) -> None:
        """Move a place to another server, and say what is done."""
        home = connection.settings_dict | (dict(dj_database_url.parse(home_address)) if home_address else {})
        try:
            relocating.relocate(place, server, home=home, say=self.say)
        except (relocating.Unmovable, Unreachable, Uncarried, OperationalError) as fault:
            raise CommandError(
                f"{str(fault).strip()}\nIts rows are whole where `places list` says; run this again, or go back: "
                f"`places relocate {place} home`."
            ) from fault

    def say(self, line: str) -> None:
        """Print a line at once, also where the output is a pipe."""
        self.stdout.write(line)
        self.stdout.flush()

    def split(self, place: int, others: list[int]) -> None:
        """Share the slots of a place: it keeps as many as each other gets."""
        if place in others or len({*others}) < len(others):
            raise CommandError("A place is split among others than itself, each named once.")
        shares = [moving.share_of(place, part, len(others) + 1) for part in range(1, len(others) + 1)]
        for share, other in zip(shares, others, strict=True):
            self.move(share, other)

    def move(self, slots: list[int], to: int) -> None:
        """Move slots, and say so of each that had rows."""
        moved = rows = 0
        try:
            for slot, count in moving.move(slots, to):
                moved, rows = moved + 1, rows + count
                if count:
                    self.stdout.write(f"{slot:03x}: {count} rows")
        except moving.Immovable as fault:
            raise CommandError(f"{fault} {moved} slots have moved; repeat it for the others.") from fault
        self.stdout.write(f"{moved} slots with {rows} rows are in place {to} now.")

    def check_rows(self) -> None:
        """Look at every row of every place."""
        try:
            lost = list(moving.strays())
        except OperationalError as fault:
            raise CommandError(f"A server that has a place does not answer: {fault}") from fault
        if lost:
            raise CommandError("\n".join(lost))
        self.stdout.write("Every row lies where its slot is.")


def slots_in(text: str) -> list[int]:
    """The slots that are meant: one, a span of them, or those of a place. Raises CommandError."""
    first, dash, last = text.partition("-")
    try:
        if len(text) < 3:
            return list(Slot.objects.filter(bucket=int(text)).order_by("slot").values_list("slot", flat=True))
        span = range(int(first, 16), int(last if dash else first, 16) + 1)
    except ValueError as fault:
        raise CommandError(f"{text} is no slot, no span of slots and no place, as in 100, 100-1ff and 2.") from fault
    if not span or span[-1] >= 2**SLOT_BITS:
        raise CommandError(f"{text} is no span of slots; they are 000 to fff.")
    return list(span)
