"""Rows <-> state of Albraxas: a record is a row, a character is known by the seat."""

from games.albraxas import models as own
from games.albraxas.drawing import line_svg, line_wall_svg
from games.albraxas.rules import RULESET
from games.albraxas.rules.line_view import river
from games.albraxas.rules.state.schema_types import Step
from games.albraxas.rules.state.state import State
from games.albraxas.rules.state.wording import STANDS
from games.models import Game
from games.storage.drawing import Drawing, colours_of
from games.storage.store import Store


class River(Drawing):
    """The line of phases, which each viewer sees as they may."""

    def svg(self, state: State, game: Game, subtitle: str) -> str | None:
        line, colours = river(state), self._inks(state, game)
        return line_svg(line, f"{game.name}: {subtitle}", colours) if line else None

    def wall_svg(self, state: State, game: Game, subtitle: str) -> str | None:
        line, colours = river(state), self._inks(state, game)
        return line_wall_svg(line, f"{game.name}: {subtitle}", colours) if line else None

    def _inks(self, state: State, game: Game) -> dict[str, str]:
        return {str(key): colour for key, colour in colours_of(game, state).items()}


class StormStore(Store[State]):
    """The store of Albraxas; it knows the words for where a game is."""

    drawing = River()

    def caption(self, game: Game) -> str:
        """The turn and the step, or that it has not begun."""
        storm = own.Storm.objects.filter(game=game).first()
        return f"Turn {storm.turn}: {STANDS[Step(storm.step)]}" if storm and storm.turn else "Before the first turn"


STORE = StormStore(RULESET, own)
