"""Rows <-> state of Albraxas: a record is a row, a character is known by his seat."""

from games.albraxas import models as own
from games.albraxas.rules import RULESET
from games.albraxas.rules import records as rec
from games.store import Mapped, Store, same

STORE = Store(
    RULESET,
    Mapped("storms", rec.Storm, (same(rec.Storm, own.Storm, scope="", id="game_id"),)),
    Mapped("phases", rec.Phase, (same(rec.Phase, own.Phase, ("number",)),)),
    Mapped("sheets", rec.Sheet, (same(rec.Sheet, own.Sheet, ("seat",)),)),
    Mapped("characters", rec.Character, (same(rec.Character, own.Character, id="seat_id"),)),
    Mapped("choices", rec.Choice, (same(rec.Choice, own.Choice, ("seat",), readers="audience"),)),
    Mapped("visits", rec.Visit, (same(rec.Visit, own.Visit, ("seat", "phase")),)),
    Mapped("written", rec.Written, (same(rec.Written, own.Written, ("seat", "juncture")),)),
)
