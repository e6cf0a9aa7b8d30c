"""The entities of worlds: what every game's map and peoples are made of, as both APIs show them.

A row of a world is visible exactly when its world is. Nothing here names a game.
"""

from api.representations.resources.resource import OneOf, Resource
from worlds import models

OF_WORLD = {"world": "world"}
OF_RACE = {"world": "race__world", "race": "race"}
AT_SQUARE = {"x": "square__x", "y": "square__y"}
BY_NAME = {"name": "name", "name_contains": "name__icontains"}

WORLDS = Resource(
    "worlds",
    models.World,
    ("id", "name", "width", "height", "adjacency", "is_public", "attribution", "created_at"),
    "World",
    {**BY_NAME, "is_public": "is_public"},
    ("-created_at", "id"),
)

RESOURCES: tuple[Resource, ...] = (
    Resource(
        "squares",
        models.Square,
        ("world", "x", "y", "terrain"),
        "Square",
        {
            **OF_WORLD,
            "x": "x",
            "y": "y",
            "x_min": "x__gte",
            "x_max": "x__lte",
            "y_min": "y__gte",
            "y_max": "y__lte",
            "terrain": "terrain",
        },
        description="One square of a world, named by its column `x` and row `y`.",
        key=None,
        largest=1000,
    ),
    Resource(
        "features",
        models.Feature,
        ("id", "world", "square", "kind", "name"),
        "Feature",
        {**OF_WORLD, **AT_SQUARE, "kind": "kind", **BY_NAME},
    ),
    Resource(
        "places",
        models.Place,
        ("id", "world", "kind", "name", "x", "y"),
        "Place",
        {**OF_WORLD, "kind": "kind", **BY_NAME},
    ),
    Resource(
        "place-squares",
        models.PlaceSquare,
        ("place", "square"),
        "PlaceSquare",
        {"world": "place__world", "place": "place", **AT_SQUARE},
        description="A square that belongs to a place; places may overlap.",
        key=None,
        largest=1000,
    ),
    Resource(
        "routes",
        models.Route,
        ("id", "world", "kind", "name", "from_place", "to_place"),
        "Route",
        {**OF_WORLD, "kind": "kind", "from_place": "from_place", "to_place": "to_place"},
    ),
    Resource(
        "races",
        models.Race,
        ("id", "world", "name", "colour", "extinct"),
        "Race",
        {**OF_WORLD, **BY_NAME, "extinct": "extinct"},
        ("name", "id"),
    ),
    Resource(
        "presences",
        models.Presence,
        ("race", "square", "units"),
        "Presence",
        {**OF_RACE, **AT_SQUARE, "units_min": "units__gte"},
        description="Units of one race on one square. A square without units has no row.",
        key=None,
        largest=1000,
    ),
    Resource(
        "cities",
        models.City,
        ("id", "world", "race", "square", "kind", "name"),
        "City",
        {**OF_WORLD, "race": "race", **AT_SQUARE, "kind": "kind", **BY_NAME},
    ),
    Resource(
        "orders",
        models.Order,
        ("id", "race", "kind", "name", "founded", "dissolved"),
        "Order",
        {**OF_RACE, "kind": "kind", **BY_NAME, "dissolved": "dissolved"},
        ("race", "id"),
    ),
    Resource(
        "armies",
        models.Army,
        ("id", "race", "city", "square", "name", "strength", "raised"),
        "Army",
        {**OF_RACE, "city": "city", **AT_SQUARE},
        ("race", "id"),
    ),
    Resource(
        "deities",
        models.Deity,
        ("id", "world", "name", "kind", "status"),
        "Deity",
        {**OF_WORLD, **BY_NAME, "kind": "kind", "status": "status"},
        ("name", "id"),
    ),
    Resource(
        "pantheons",
        models.PantheonShare,
        ("race", "deity", "special", "share"),
        "PantheonShare",
        {**OF_RACE, "deity": "deity", "special": "special"},
        ("race", "special", "deity"),
        description=(
            "The share of one member in the pantheon of one race, in hundredths of a percent: a deity, or `diabolism` "
            "or `atheism`. The shares of a race add up to 10,000."
        ),
        key=None,
    ),
    Resource(
        "avatars",
        models.Avatar,
        ("id", "deity", "square", "kind", "name"),
        "Avatar",
        {"world": "deity__world", "deity": "deity", **AT_SQUARE, "kind": "kind", **BY_NAME},
        ("deity", "id"),
    ),
    Resource(
        "persons",
        models.Person,
        ("id", "world", "name", "kind", "description", "place", "square"),
        "WorldPerson",
        {**OF_WORLD, **BY_NAME, "kind": "kind", "place": "place", **AT_SQUARE},
        ("name", "id"),
    ),
    Resource(
        "artifacts",
        models.Artifact,
        ("id", "world", "name", "description", *models.HOLDERS, "lost"),
        "Artifact",
        {**OF_WORLD, **BY_NAME, **{holder: holder for holder in models.HOLDERS}, "lost": "lost"},
        one_of=(OneOf("holder", models.HOLDERS, "ArtifactHolder", "Who or what has it; null when nobody does."),),
    ),
    Resource(
        "holdings",
        models.Holding,
        ("id", "artifact", "number", *models.HOLDERS, "heading", "since", "until"),
        "Holding",
        {
            "world": "artifact__world",
            "artifact": "artifact",
            **{holder: holder for holder in models.HOLDERS},
        },
        ("artifact", "number"),
        description="A time for which an artifact had one holder, or none: where it has been.",
        one_of=(OneOf("holder", models.HOLDERS, "FormerHolder", "Who or what had it; null when nobody did."),),
    ),
    Resource(
        "chronicle",
        models.Chronicle,
        ("id", "world", "position", "chapter", "heading", "text", "figures", "square", "written_at"),
        "ChronicleEntry",
        {**OF_WORLD, "chapter": "chapter", "position_min": "position__gte"},
        ("position", "id"),
        description="One entry of a world's chronicle, in the order of `position`.",
    ),
)
