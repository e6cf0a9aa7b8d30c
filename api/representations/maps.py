"""Maps as pictures: the SVG of a world as its rows are now, or of a game as it was at the end of a century.

Raises `map.missing` where there is none to draw.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from django.core.cache import caches

from api.common.viewer import Viewer
from games import registry
from games.drawing.lines import line_svg
from games.engine.errors import Refused
from games.models import Game
from games.reads import history
from worlds.drawing.map_svg import map_svg
from worlds.drawing.map_view import PlanLand
from worlds.map_files import AtlasError
from worlds.map_survey import plan_of
from worlds.models import World
from worlds.visibility import Visibility

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
    drawn = map_svg(replace(plan, lands=(*plan.lands, *lands_of(world)))).encode()
    if kept_as:
        caches["responses"].set(key, drawn, KEPT_SECONDS)
    return drawn


def lands_of(world: World) -> Iterator[PlanLand]:
    """The lands that were named in games on a world, where a ruleset keeps them in rows of its own."""
    for game in world.games.order_by("created_at", "id"):
        yield from registry.store(game.ruleset).lands(game)


def draws_itself(game: Game) -> bool:
    """Whether a game's own rules or store draw its map of now: a line of places, or more than the world's rows tell."""
    return registry.ruleset(game.ruleset).line is not None or registry.store(game.ruleset).draws


def map_at(viewer: Viewer, century: int | None) -> bytes:
    """The map at the end of a century as this viewer could know it then, as SVG in UTF-8; of now in the running one.

    0: the map right before the first. None: of now. What is over is kept. A line is drawn as this viewer may see it.
    Raises `century.none`, `century.ahead`, `map.missing`.
    """
    return draw_for(viewer.game, viewer.sight, century)


def draw_for(game: Game, sight: Visibility, century: int | None = None) -> bytes:
    """The same for the eyes that a sight is of."""
    line_of = registry.ruleset(game.ruleset).line
    if line_of is None:
        require_map(game.world)

    def drawn(state: Any, words: str) -> bytes:
        if line_of is not None:
            line = line_of(state)
            if line is None:
                raise Refused("map.missing", "There is no map yet.")
            return line_svg(line, f"{game.name}: {words}", history.colours_of(game, state)).encode()
        plan = registry.store(game.ruleset).plan(state, game, words)
        if plan is None:
            raise Refused("map.missing", "There is no map yet.")
        return map_svg(plan).encode()

    return history.at_end_of(game, sight, century, f"map of {game.name}", drawn)
