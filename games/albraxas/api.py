"""The rows of Albraxas, as both APIs show them."""

from api.representations.resources.state_tables import StateTables, by
from games.albraxas.store import STORE

TABLES = StateTables(STORE, "Albraxas", seat="seat_of")
RESOURCES = TABLES.with_rest(
    TABLES.of("storms", filters=by("step", "turn", "winner")),
    TABLES.of(
        "phases",
        filters=by("number", "number_min", "number_max", "tide_min", "ebb_min"),
        ordering=("game", "number", "id"),
        largest=400,
    ),
    TABLES.of("sheets"),
    TABLES.of("characters", more=by("name", "phase", "fallen", "conceded", "dynamism_min")),
    TABLES.of("choices", more=by("phase", "locked")),
    TABLES.of("visits", more=by("phase", "count_min")),
    TABLES.of("written", filters={"seat_of": "seat"} | by("juncture", "action")),
)
