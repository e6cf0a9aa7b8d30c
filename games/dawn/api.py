"""The rows of Dawn, as both APIs show them. Names, squares and kinds of common entities are those of worlds."""

from api.representations.resources.state_tables import AT_SQUARE, StateTables, by
from games.dawn.store import STORE

OF_SEAT = {"seat_of": "seat"}
ALIGNED = by("alignment", "alignment_min", "alignment_max")
TABLES = StateTables(STORE, "Dawn", seat="seat_of")
RESOURCES = TABLES.with_rest(
    TABLES.of("courses", filters=by("step", "age", "round", "active", "deadlines")),
    TABLES.of("gods", filters=OF_SEAT | {"name": "deity__name"} | by("moral", "ethical")),
    TABLES.of("purses", more=by("balance_min")),
    TABLES.of("holds", filters=by("undertaking") | OF_SEAT),
    TABLES.of("regions", filters=by("name", "name_contains", "fantastic", "by")),
    TABLES.of(
        "squares",
        filters=AT_SQUARE
        | {
            "x_min": "square__x__gte",
            "x_max": "square__x__lte",
            "y_min": "square__y__gte",
            "y_max": "square__y__lte",
            "terrain": "square__terrain",
        }
        | by("climate", "fantastic", "floating", "shaped_by", "region"),
        largest=1000,
    ),
    TABLES.of("territory", name="territories", filters=by("race") | AT_SQUARE, largest=1000),
    TABLES.of(
        "races",
        filters={"name": "race__name"}
        | by("tier")
        | ALIGNED
        | by("life")
        | {"creator": "creators__contains", "parent": "parents__contains", "edge": "race__dawn_edges__name"},
    ),
    TABLES.of(
        "cities",
        filters={"name": "city__name", "race": "city__race"}
        | by("controller")
        | ALIGNED
        | {"edge": "city__dawn_edges__name", "saved_by": "saved_by__contains"},
    ),
    TABLES.of("edges", filters=by("target", "race", "city", "name", "kind") | {"tag": "tags__contains"}),
    TABLES.of(
        "orders",
        filters={"name": "order__name", "race": "order__race", "kind": "order__kind", "dissolved": "order__dissolved"}
        | {"owner": "owners__contains"}
        | by("age"),
    ),
    TABLES.of(
        "avatars", filters=AT_SQUARE | {"name": "avatar__name", "owner": "avatar__deity"} | by("alive", "defending")
    ),
    TABLES.of("alliances", filters=by("one", "other", "ended")),
    TABLES.of("marks", filters=by("price", "target")),
    TABLES.of("powers", filters=by("does", "caster", "price_row"), parsed=frozenset({"arguments"})),
    TABLES.of("conflicts"),
    TABLES.of("wars", filters=AT_SQUARE | by("attacker", "city", "avatar")),
    TABLES.of("motions"),
    TABLES.of("offers"),
    TABLES.of("advances"),
)
