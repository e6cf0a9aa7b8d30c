"""Rows <-> state of Cairns."""

from games.storage.store import Mapped, Part, Store
from tests.toy import models
from tests.toy.rules import RULESET
from tests.toy.rules.state import Hoard, Pile, Tide

STORE = Store(
    RULESET,
    Mapped("piles", Pile, (Part(models.Pile, {"id": "seat_id", "stones": "stones", "rolled": "rolled"}, ("id",)),)),
    Mapped("hoards", Hoard, (Part(models.Hoard, {"id": "seat_id", "coins": "coins"}, ("id",)),)),
    Mapped(
        "tides",
        Tide,
        (Part(models.Tide, {"id": "game_id", "count": "count", "poisoned": "poisoned"}, ("id",), scope=""),),
    ),
)
