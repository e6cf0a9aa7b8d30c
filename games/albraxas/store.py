"""Rows <-> state of Albraxas: a record is a row, a character is known by the seat."""

from games.albraxas import models as own
from games.albraxas.drawing import line_spots, line_svg, line_wall_svg
from games.albraxas.rules import RULESET
from games.albraxas.rules.line_view import river
from games.albraxas.rules.state.schema_types import Step
from games.albraxas.rules.state.state import State
from games.albraxas.rules.state.wording import STANDS
from games.models import Game
from games.storage.drawing import Picture
from games.storage.store import Store


class StormStore(Store[State]):
    """The store of Albraxas; it knows the words for where a game is."""

    drawing = Picture(river, line_svg, line_wall_svg, line_spots)

    def caption(self, game: Game) -> str:
        """The turn and the step, or that it has not begun."""
        storm = own.Storm.objects.filter(game=game).first()
        return f"Turn {storm.turn}: {STANDS[Step(storm.step)]}" if storm and storm.turn else "Before the first turn"


STORE = StormStore(RULESET, own)
