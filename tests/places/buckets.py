"""The two buckets of these tests, and rows in them that are told apart: the pulse of a part that stands for a place."""

from datetime import UTC, datetime
from uuid import UUID, uuid4

from django.db import connection

from core.ids import in_slot_of
from core.places import routing
from core.places.place import Place, schema_name
from games.models import Pulse

ONE, TWO = (Place.of(number, schema_name(number)) for number in (1, 2))
BOTH = (ONE, TWO)
NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


def id_in(place: Place) -> UUID:
    """A random id whose slot lies in a bucket."""
    return in_slot_of(UUID(int=(0x123 if place.number == 1 else 0xABC) << 116), uuid4())


def fill() -> None:
    """A row in each place that names it."""
    for place in BOTH:
        with routing.at_place(place):
            Pulse.objects.create(part=place.schema, at=NOON)


def here() -> list[str]:
    """The rows that a query finds."""
    return list(Pulse.objects.order_by("part").values_list("part", flat=True))


def path() -> str:
    """The search path as the server knows it; the question has the place in force, as every statement."""
    with connection.cursor() as cursor:
        cursor.execute("SHOW search_path")
        return str(cursor.fetchone()[0])
