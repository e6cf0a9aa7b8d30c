"""The rows of The Gods II, as both APIs show them. Common entities (races, cities, deities ...) are those of worlds."""

from api.representations.resources.resource import Resource
from api.representations.resources.state_tables import OF_GAME, StateTables, by
from games.gods2 import models
from games.gods2.packs import models as packs
from games.gods2.store import STORE

TABLES = StateTables(STORE, "Gods2")
RESOURCES = TABLES.with_rest(
    TABLES.of("eras", without=("pack_digest", "growing", "next_number", "castings"), more=by("century")),
    TABLES.of("gods", more={"name": "deity__name"}),
    TABLES.of("absences"),
    TABLES.of("races", filters=by("level", "turmoil") | {"name": "race__name", "knowledge": "knowledge_rows__key"}),
    *(
        Resource(
            name,
            model,
            ("race", "game", "key"),
            f"Gods2{kind}",
            OF_GAME | by("race", "key"),
            ("race", "id"),
            key=None,
        )
        for name, model, kind in (
            ("knowledges", models.RaceKnowledge, "Knowledge"),
            ("attributes", models.RaceAttribute, "Attribute"),
        )
    ),
    TABLES.of(
        "wars",
        filters=by("century", "status", "kind", "attacker", "defender", "loser") | {"due_before": "due__lte"},
        ordering=("century", "number", "id"),
    ),
    TABLES.of("policies", name="war-policies", filters=by("war"), ordering=("war", "id")),
    TABLES.of("orders", name="pantheon-orders"),
    TABLES.of("purses"),
    TABLES.of("pools"),
    TABLES.of("cards", more=by("sphere")),
    TABLES.of("factors", more=by("source")),
    TABLES.of(
        "lines",
        more=by("kind", "key"),
        ordering=("game", "kind", "key", "id"),
        description="A line of the running century's worksheet: deaths by box, counted sources, worshippers by race.",
    ),
    TABLES.of("numbers", type_name="Gods2Number", ordering=("game", "place", "id")),
    TABLES.of("holders", type_name="Gods2Holder", ordering=("game", "number", "id")),
    TABLES.of("modifications", filters=by("race", "power", "status")),
    TABLES.of("cuts", name="limit-cuts"),
    TABLES.of("migrations", filters=by("race")),
    TABLES.of("authorships"),
    TABLES.of("deeds", type_name="Gods2EntryAuthor"),
    TABLES.of("signatures"),
    TABLES.of("proposals", without=("wish", "left")),
    TABLES.of("tasks", without=("payers",)),
    TABLES.of("grants", filters=by("seat", "power")),
    TABLES.of("artifact_powers", name="artifact-powers", filters=by("artifact", "seat", "power")),
    TABLES.of("laws"),
    TABLES.of("lands"),
    TABLES.of("later_turmoils"),
    TABLES.of("growth_plans"),
    TABLES.of("previews", parsed=frozenset({"plan"})),
    Resource(
        "packs",
        packs.PackVersion,
        ("id", "name", "number", "parent", "state", "digest", "note", "created_at", "published_at"),
        "Gods2Pack",
        {"number": "number", "state": "state", "name": "name", "digest": "digest"},
        ("created_at", "id"),
    ),
    *(
        Resource(
            f"pack-{model.part.replace('_', '-')}",
            model,
            ("pack", "position", *("key" if name == "id" else name for name in model.shape)),
            f"Gods2Pack{kind}",
            {"pack": "pack", "version": "pack__number", "key": "key", **{name: name for name in filters}},
            ("pack", "position", "id"),
            key=None,
            parsed=model.parsed,
        )
        for model, kind, filters in (
            (packs.PackSphere, "Sphere", ("group", "elemental")),
            (packs.PackAttribute, "Attribute", ("name",)),
            (packs.PackKnowledge, "Knowledge", ("code", "tier")),
            (packs.PackFeature, "Feature", ("code",)),
            (packs.PackPower, "Power", ("sphere", "level", "kind", "target")),
            (packs.PackSource, "ManaSource", ("sphere", "when")),
            (packs.PackTable, "Table", ("die",)),
        )
    ),
)
