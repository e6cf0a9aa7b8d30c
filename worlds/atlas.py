"""The atlas: charts become rows of a world and rows become charts again.

Files are read and written by `worlds.map_files`; its names are offered here too. Squares are written in bulk and read
by one range of the primary key.
"""

from itertools import islice

from django.db import connections, router, transaction

from worlds.map_files import (
    EARTH_ATTRIBUTION,
    AtlasError,
    Chart,
    Mark,
    earth,
    read_json,
    read_letters,
    write_json,
    write_letters,
)
from worlds.models import Feature, Square, World

CHUNK = 20_000


@transaction.atomic
def lay_out(world: World, chart: Chart) -> int:
    """Write the squares and features of a chart into a world that has none yet; returns the number of squares.

    The chart must have the world's size (`map.invalid`) and the world no squares (`map.present`); else nothing is
    written. Squares go in by chunks, features with fresh ids.
    """
    if (chart.width, chart.height) != (world.width, world.height):
        raise AtlasError(
            "map.invalid",
            f"{world} is {world.width} by {world.height} squares; the chart is {chart.width} by {chart.height}.",
            width=chart.width,
            height=chart.height,
        )
    if not chart.terrain:
        return 0
    first, last = world.square_range
    if Square.objects.filter(id__range=(first, last)).exists():
        raise AtlasError("map.present", f"{world} already has squares; a map is laid out once.")
    _insert_squares(world, chart, first)
    Feature.objects.bulk_create(
        [
            Feature(world=world, square_id=world.square_id(mark.x, mark.y), kind=mark.kind, name=mark.name)
            for mark in chart.features
        ],
        batch_size=CHUNK,
    )
    return len(chart.terrain)


def _insert_squares(world: World, chart: Chart, first: int) -> None:
    """Plain `executemany`: one million squares in seconds, where model instances would take minutes."""
    alias = router.db_for_write(Square)
    connection = connections[alias]
    columns = ", ".join(connection.ops.quote_name(column) for column in ("id", "world_id", "x", "y", "terrain"))
    statement = f"INSERT INTO {connection.ops.quote_name(Square._meta.db_table)} ({columns}) VALUES (%s,%s,%s,%s,%s)"
    world_key = World._meta.pk.get_db_prep_value(world.id, connection)
    rows = (
        (first + running, world_key, running % chart.width, running // chart.width, key)
        for running, key in enumerate(chart.terrain)
    )
    with connection.cursor() as cursor:
        while chunk := list(islice(rows, CHUNK)):
            cursor.executemany(statement, chunk)


def chart_of(world: World) -> Chart:
    """The world's map as a chart, for export; two queries. AtlasError `map.incomplete` when squares are missing."""
    terrain = terrain_keys(world)
    features = Feature.objects.filter(world=world).values_list("square__y", "square__x", "kind", "name")
    marks = tuple(sorted(Mark(*feature) for feature in features))
    return Chart(world.width, world.height, tuple(terrain), marks)


def terrain_keys(world: World) -> list[str]:
    """Terrain keys of all squares, row by row; one query. AtlasError `map.incomplete` when squares are missing."""
    expected = world.width * world.height
    if not expected:
        return []
    keys = list(Square.objects.filter(id__range=world.square_range).order_by("id").values_list("terrain", flat=True))
    if len(keys) != expected:
        raise AtlasError(
            "map.incomplete",
            f"{world} needs {expected} squares and has {len(keys)}; lay its map out first.",
            squares=len(keys),
            expected=expected,
        )
    return keys


__all__ = [
    "EARTH_ATTRIBUTION",
    "AtlasError",
    "Chart",
    "Mark",
    "chart_of",
    "earth",
    "lay_out",
    "read_json",
    "read_letters",
    "terrain_keys",
    "write_json",
    "write_letters",
]
