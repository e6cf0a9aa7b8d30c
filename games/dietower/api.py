"""The rows of the Die Tower, as both APIs show them."""

from api.representations.resources.state_tables import StateTables, by
from games.dietower.store import STORE

TABLES = StateTables(STORE, "Dietower", seat="seat_of")
OF_SEAT = {"seat_of": "seat"}
RESOURCES = TABLES.with_rest(
    TABLES.of("courses", filters=by("step", "session")),
    TABLES.of("sessions", filters=by("number", "mode", "closed")),
    TABLES.of("places"),
    TABLES.of("actors", filters=OF_SEAT | by("kind", "name", "name_contains", "condition", "shown", "person")),
    TABLES.of(
        "sheets", filters={"seat_of": "actor__seat", "name": "actor__name"} | by("level", "level_min", "wishes_min")
    ),
    TABLES.of("mysteries", filters=OF_SEAT | {"hidden": "secret"}),
    TABLES.of("briefs", filters={"kind": "actor__kind"}),
    TABLES.of("vitalities", filters=by("health_min", "health_max")),
    TABLES.of("revelations", filters=by("actor", "field")),
    TABLES.of("charts", name="random-charts", filters=by("field")),
    TABLES.of("checks", filters=by("actor", "status", "success", "by", "cd_min", "cd_max")),
    TABLES.of("rolls", filters=by("actor", "of_check", "attack", "closed", "total_min")),
    TABLES.of("towers", filters=by("mode", "height_min")),
    TABLES.of("dice", name="tower-dice", filters=by("actor", "placement")),
    TABLES.of("placements", filters=by("actor", "roll", "reason", "status", "height_min")),
    TABLES.of("consequences", filters=by("actor", "placement", "kind", "written")),
    TABLES.of("miracles", filters=by("actor", "placement", "kind", "target")),
    TABLES.of("bonuses", filters=by("actor", "until")),
    TABLES.of("wishes", filters=OF_SEAT | by("actor", "kind", "status")),
    TABLES.of("encounters", filters=by("number", "session", "closed")),
    TABLES.of("members", filters=by("encounter")),
    TABLES.of("distances", filters=by("a", "b", "band")),
    TABLES.of("holds", filters=by("actor", "action", "hidden")),
    TABLES.of("attacks", filters=by("actor", "target", "over", "hit", "uses")),
    TABLES.of("aims", filters=by("weakness")),
)
