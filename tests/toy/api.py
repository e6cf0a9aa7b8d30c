"""The rows of Cairns, as both APIs show them."""

from api.representations.resources.state_tables import StateTables, by
from tests.toy.store import STORE

TABLES = StateTables(STORE, "Toy", seat="seat_of")
RESOURCES = TABLES.with_rest(
    TABLES.of("piles", without=("rolled",), more=by("stones_min")),
    TABLES.of("hoards", filters=by("coins_min")),
    TABLES.of("tides", without=("poisoned",)),
)
