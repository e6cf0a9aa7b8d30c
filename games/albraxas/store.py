"""Rows <-> state of Albraxas: a record is a row, a character is known by the seat."""

from games.albraxas import models as own
from games.albraxas.rules import RULESET
from games.albraxas.rules.state import records as rec
from games.albraxas.rules.state.schema_types import Step
from games.albraxas.rules.state.wording import STANDS
from games.models import Game
from games.storage.store import Mapped, Store, same


class StormStore(Store):
    """The store of Albraxas; it knows the words for where a game is."""

    def caption(self, game: Game) -> str:
        """The turn and the step, or that it has not begun."""
        storm = own.Storm.objects.filter(game=game).first()
        return f"Turn {storm.turn}: {STANDS[Step(storm.step)]}" if storm and storm.turn else "Before the first turn"


STORE = StormStore(
    RULESET,
    Mapped("storms", rec.Course, (same(rec.Course, own.Storm, scope="", id="game_id"),)),
    Mapped("phases", rec.Phase, (same(rec.Phase, own.Phase, ("number",)),)),
    Mapped("sheets", rec.Sheet, (same(rec.Sheet, own.Sheet, ("seat",)),)),
    Mapped("characters", rec.Character, (same(rec.Character, own.Character, id="seat_id"),)),
    Mapped("choices", rec.Choice, (same(rec.Choice, own.Choice, ("seat",), readers="audience"),)),
    Mapped("visits", rec.Visit, (same(rec.Visit, own.Visit, ("seat", "phase")),)),
    Mapped("written", rec.Written, (same(rec.Written, own.Written, ("seat", "juncture")),)),
)
