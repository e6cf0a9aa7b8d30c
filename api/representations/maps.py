"""Maps as pictures: the SVG of a world as its rows are now, or of a game at any time, drawn as its store says.

Raises `map.missing` where there is none to draw.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from django.core.cache import caches

from games import registry
from games.engine.errors import Refused
from games.models import Game
from games.reads import history
from games.storage.drawing import Drawing
from worlds.drawing.map_svg import map_svg, wall_map_svg
from worlds.drawing.map_view import MapPlan, PlanLand
from worlds.map_files import AtlasError
from worlds.map_survey import plan_of
from worlds.models import World
from worlds.visibility import Visibility

CACHE_SECONDS = 600


def require_map(world: World | None) -> World:
    """The world, when it has squares to draw. Raises `map.missing`."""
    if world is None or not world.width:
        raise Refused("map.missing", "There is no map yet.")
    return world


def map_of(world: World, *, title: str = "", subtitle: str = "", cache_key: str = "") -> bytes:
    """The map of a world, as SVG in UTF-8. cache_key: changes with every event; empty: not cached."""
    key = f"map:{world.pk}:{cache_key}" if cache_key else ""
    return draw_once(key, lambda: map_svg(plan_of_rows(world, title, subtitle)))


def wall_map_now(game: Game, cache_key: str = "") -> bytes:
    """The map of now from the rows of a game's world, to be read from afar. cache_key: as in `map_of`.

    Raises `map.missing`.
    """
    world, caption = require_map(game.world), registry.store(game.ruleset).caption(game)
    key = f"wall-map:{world.pk}:{cache_key}" if cache_key else ""
    return draw_once(key, lambda: wall_map_svg(plan_of_rows(world, game.name, caption)))


def plan_of_rows(world: World, title: str, subtitle: str) -> MapPlan:
    """What is to be drawn of a world as its rows are now. Raises `map.missing`."""
    try:
        plan = plan_of(world, title=title, subtitle=subtitle)
    except AtlasError as incomplete:
        raise Refused("map.missing", incomplete.message) from incomplete
    return replace(plan, lands=(*plan.lands, *lands_of(world)))


def draw_once(key: str, draw: Callable[[], str]) -> bytes:
    """A picture in UTF-8, drawn once while it is cached under this key; "": not cached."""
    drawn: bytes | None = caches["responses"].get(key) if key else None
    if drawn is None:
        drawn = draw().encode()
        if key:
            caches["responses"].set(key, drawn, CACHE_SECONDS)
    return drawn


def lands_of(world: World) -> Iterator[PlanLand]:
    """The lands that were named in games on a world, where a ruleset keeps them in rows of its own."""
    for game in world.games.order_by("created_at", "id"):
        yield from registry.store(game.ruleset).lands(game)


def drawing_of(game: Game) -> Drawing:
    """What a game is drawn as. Raises `map.missing` where there is nothing to draw yet."""
    drawing: Drawing = registry.store(game.ruleset).drawing
    if not drawing.is_drawable(game):
        raise Refused("map.missing", "There is no map yet.")
    return drawing


def map_now(game: Game, visibility: Visibility, cache_key: str = "") -> bytes:
    """The map of now, as SVG in UTF-8: from the rows of its world where these suffice. cache_key: as in `map_of`.

    Raises `map.missing`.
    """
    if not drawing_of(game).from_rows:
        return map_at(game, visibility, None)
    caption = registry.store(game.ruleset).caption(game)
    return map_of(require_map(game.world), title=game.name, subtitle=caption, cache_key=cache_key)


def wall_map_for(game: Game, visibility: Visibility) -> bytes:
    """The map of now as somebody may see it, without heading and legend and in larger letters, as SVG in UTF-8.

    Raises `map.missing`.
    """
    drawing = drawing_of(game)
    if drawing.from_rows:
        return wall_map_now(game)
    state = history.current_state_for(game, visibility)
    svg = drawing.wall_svg(state, game, registry.store(game.ruleset).caption(game))
    if svg is None:
        raise Refused("map.missing", "There is no map yet.")
    return svg.encode()


def map_at(game: Game, visibility: Visibility, chapter: int | None) -> bytes:
    """The map at the end of a chapter as a viewer could know it then, as SVG in UTF-8; of now in the running one.

    0: the map right before the first. None: of now. Past chapters are cached.
    Raises `chapter.none`, `chapter.ahead`, `map.missing`.
    """
    return _picture_at(game, visibility, chapter, "map", drawing_of(game).svg)


def wall_map_at(game: Game, visibility: Visibility, chapter: int) -> bytes:
    """As `map_at`, to be read from afar."""
    return _picture_at(game, visibility, chapter, "wall map", drawing_of(game).wall_svg)


def _picture_at(
    game: Game, visibility: Visibility, chapter: int | None, name: str, draw: Callable[[Any, Game, str], str | None]
) -> bytes:
    def picture(state: Any, caption: str) -> bytes:
        svg = draw(state, game, caption)
        if svg is None:
            raise Refused("map.missing", "There is no map yet.")
        return svg.encode()

    return history.at_end_of(game, visibility, chapter, f"{name} of {game.name}", picture)
