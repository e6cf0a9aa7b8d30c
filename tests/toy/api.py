"""The rows of Cairns, as both APIs show them."""

from api.representations.resource import Resource
from tests.toy import models

RESOURCES = (
    Resource(
        "piles",
        models.Pile,
        ("seat", "game", "stones"),
        "ToyPile",
        {"game": "game", "seat_of": "seat", "stones_min": "stones__gte"},
        ("seat",),
        key="seat",
    ),
    Resource(
        "hoards",
        models.Hoard,
        ("seat", "game", "coins"),
        "ToyHoard",
        {"game": "game", "coins_min": "coins__gte"},
        ("seat",),
        key="seat",
    ),
    Resource("tides", models.Tide, ("game", "count"), "ToyTide", {"game": "game"}, ("game",), key="game"),
)
