"""The rows of Forgeborn, as both APIs show them."""

from api.representations.resources.state_tables import StateTables, by
from games.forgeborn.store import STORE

TABLES = StateTables(STORE, "Forgeborn", seat="seat_of")
OF_SEAT = {"seat_of": "seat"}
RESOURCES = TABLES.with_rest(
    TABLES.of("courses", filters=by("step", "round", "active")),
    TABLES.of("chairs"),
    TABLES.of("dice", name="dropped-dice", filters=by("name", "sides", "is_entered")),
    TABLES.of("places", filters={"name": "place__name"} | by("kind", "number", "power_min", "power_max", "is_spent")),
    TABLES.of("drafts", filters=OF_SEAT),
    TABLES.of("nameplates", filters=OF_SEAT),
    TABLES.of("characters", filters=OF_SEAT | {"name": "person__name"} | by("kind", "place", "number")),
    TABLES.of(
        "artifacts",
        filters={"name": "artifact__name"}
        | by("form", "function", "power", "power_min", "maker", "holder", "came_by", "round"),
    ),
    TABLES.of("purses", filters=OF_SEAT | by("vp_min", "is_swayed", "claim")),
    TABLES.of("actions", filters=OF_SEAT | by("kind", "stage", "character", "place", "artifact", "is_won")),
    TABLES.of("pools", filters=by("is_over")),
    TABLES.of("sent_pools", filters=OF_SEAT),
    TABLES.of("offers", name="help-offers", filters=OF_SEAT | by("action", "is_declined", "is_over")),
    TABLES.of("votes", filters=OF_SEAT | by("artifact", "is_agreed")),
    TABLES.of("ballots", filters=OF_SEAT | by("vote", "is_open")),
    TABLES.of("seals", filters=OF_SEAT | by("vote")),
    TABLES.of("notes", filters=by("place")),
    TABLES.of("lines", filters=by("list", "place", "is_public")),
    TABLES.of("advance_answers", name="advance-answers", filters=OF_SEAT | by("kind")),
)
