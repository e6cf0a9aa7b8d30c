"""Maps as pictures: the SVG of a world as its rows are now. Raises `map.missing` where there is none to draw."""

from django.core.cache import caches

from games.engine.errors import Refused
from worlds.chart import AtlasError
from worlds.models import World
from worlds.survey import plan_of
from worlds.svg import map_svg

KEPT_SECONDS = 600


def require_map(world: World | None) -> World:
    """The world, when it has squares to draw. Raises `map.missing`."""
    if world is None or not world.width:
        raise Refused("map.missing", "There is no map yet.")
    return world


def map_of(world: World, *, title: str = "", subtitle: str = "", kept_as: str = "") -> bytes:
    """The map of a world, as SVG in UTF-8. kept_as: what it may be kept under, when that changes with every event."""
    key = f"map:{world.pk}:{kept_as}"
    kept: bytes | None = caches["responses"].get(key) if kept_as else None
    if kept is not None:
        return kept
    try:
        plan = plan_of(world, title=title, subtitle=subtitle)
    except AtlasError as incomplete:
        raise Refused("map.missing", incomplete.message) from incomplete
    drawn = map_svg(plan).encode()
    if kept_as:
        caches["responses"].set(key, drawn, KEPT_SECONDS)
    return drawn
