"""What a game is drawn as: a store names one `Drawing`, and its picture stands at the address of the map, now and past.

The kind of a drawing is its class: `Squares` for a map, and what else a game brings along.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from core.prepared_queries import Statement
from games.drawing.highlights import Spots
from games.engine.game_state import Role, Status
from games.models import Game
from worlds.drawing.map_svg import map_svg, wall_map_svg, wall_size
from worlds.drawing.map_view import MapPlan
from worlds.ids import colours_apart
from worlds.models import Race


class Drawing(ABC):
    """How the states of a game are drawn."""

    from_rows: bool = False
    """Whether the picture of now is the map of the game's world as its rows are, the same for everybody."""

    def is_drawable(self, game: Game) -> bool:
        """Whether a game has come far enough to be drawn: out of the lobby."""
        return game.status != Status.LOBBY

    @abstractmethod
    def shows(self, state: Any) -> bool:
        """Whether there is something to draw of a state as somebody may see it; nothing is drawn to find out."""

    @abstractmethod
    def svg(self, state: Any, game: Game, subtitle: str) -> str | None:
        """The picture of a state as somebody may see it; None while there is none. subtitle: when it was so."""

    def wall_svg(self, state: Any, game: Game, subtitle: str) -> str | None:
        """As `svg`, to be read from afar, beside words that say what it is; by default the same picture."""
        return self.svg(state, game, subtitle)

    def spots(self, state: Any, game: Game) -> Spots | None:
        """Where the places of `wall_svg` lie; None where there is no such picture, or nothing is marked on it."""
        return None


@dataclass(frozen=True)
class Squares(Drawing):
    """A map of the squares of the game's world; there is none before the world has squares."""

    plan: Callable[[Any, Mapping[UUID, str]], MapPlan | None] = lambda state, colours: None
    """The plan of a state, from the colours of its races ("#rrggbb"); None or of width 0 where there is none."""
    from_rows: bool = True

    def is_drawable(self, game: Game) -> bool:
        return game.world is not None and game.world.width > 0

    def shows(self, state: Any) -> bool:
        plan = self.plan(state, {})
        return plan is not None and plan.width > 0

    def svg(self, state: Any, game: Game, subtitle: str) -> str | None:
        plan = self._plan_with_title(state, game, subtitle)
        return map_svg(plan) if plan is not None else None

    def wall_svg(self, state: Any, game: Game, subtitle: str) -> str | None:
        plan = self._plan_with_title(state, game, subtitle)
        return wall_map_svg(plan) if plan is not None else None

    def spots(self, state: Any, game: Game) -> Spots | None:
        plan = self._plan_with_title(state, game, "")
        if plan is None:
            return None
        cell, wide, high = wall_size(plan)

        def at(square: str) -> tuple[float, float]:
            column, _, row = square.partition(",")
            return (int(column) + 0.5) * cell, (int(row) + 0.5) * cell

        return Spots(wide, high, cell / 2, at)

    def _plan_with_title(self, state: Any, game: Game, subtitle: str) -> MapPlan | None:
        plan = self.plan(state, colours_of(game, state))
        if game.world is None or plan is None or not plan.width:
            return None
        return replace(plan, title=game.name, subtitle=subtitle, attribution=game.world.attribution)


@dataclass(frozen=True)
class Picture(Drawing):
    """What a ruleset shows of a state, drawn in the colours of its players; there is none where it shows nothing.

    draw, draw_for_wall: from the view, a title, and colours by id.
    """

    view: Callable[[Any], Any]
    draw: Callable[[Any, str, Mapping[str, str]], str]
    draw_for_wall: Callable[[Any, str, Mapping[str, str]], str]
    places: Callable[[Any], Spots | None] = lambda view: None
    """Where the places of the picture for a wall lie."""

    def spots(self, state: Any, game: Game) -> Spots | None:
        view = self.view(state)
        return self.places(view) if view else None

    def shows(self, state: Any) -> bool:
        return bool(self.view(state))

    def svg(self, state: Any, game: Game, subtitle: str) -> str | None:
        return self._picture(self.draw, state, game, subtitle)

    def wall_svg(self, state: Any, game: Game, subtitle: str) -> str | None:
        return self._picture(self.draw_for_wall, state, game, subtitle)

    def _picture(
        self, draw: Callable[[Any, str, Mapping[str, str]], str], state: Any, game: Game, subtitle: str
    ) -> str | None:
        view = self.view(state)
        colours = {str(key): colour for key, colour in colours_of(game, state).items()}
        return draw(view, f"{game.name}: {subtitle}", colours) if view else None


COLOURS = Statement(lambda world: Race.objects.filter(world=world).values_list("pk", "colour"), UUID)
"""The colours of the races of a world."""


def colours_of(game: Game, state: Any) -> dict[UUID, str]:
    """The colour of every race and every player of a game, by id: the same in all its pictures.

    A race has that of its row; a god or a character, whose id is that of the seat, one that follows from all seats.
    """
    races = dict(COLOURS.rows(game.world_id)) if game.world_id else {}
    players = {seat.id: "" for seat in state.seats_of(Role.PLAYER)}
    return colours_apart(players) | colours_apart(races)
