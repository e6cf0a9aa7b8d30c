"""Maps as pictures: the SVG of a world as its rows are now, or of a game as it was at the end of a century.

Raises `map.missing` where there is none to draw.
"""

from typing import Any

from django.core.cache import caches

from api.kit.viewer import Viewer
from games import past, registry
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


def map_at(viewer: Viewer, century: int) -> bytes:
    """The map at the end of a century as this viewer could know it then, as SVG in UTF-8; of now in the running one.

    0: the map right before the first. What is over is kept. Raises `century.none`, `century.ahead`, `map.missing`.
    """

    def drawn(state: Any, words: str) -> bytes:
        plan = registry.store(viewer.game.ruleset).plan(state, viewer.game, words)
        if plan is None:
            raise Refused("map.missing", "There is no map yet.")
        return map_svg(plan).encode()

    return past.at_end_of(viewer.game, viewer.sight, century, f"map of {viewer.game.name}", drawn)
