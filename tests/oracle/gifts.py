"""What attributes, knowledges and features give (sections 4.3 to 4.5 of the rulebook), copied out by hand.

What works at a century's start or end is left out, and so are the natures that do nothing else.
"""

from typing import NamedTuple

LAND = "PFDM"
LIMITS = {  # G2-LIM-1
    "primitive": {"P": 1, "F": 1, "D": 1, "M": 1, "I": 1, "W": 0},
    "barbarian": {"P": 3, "F": 3, "D": 2, "M": 1, "I": 1, "W": 0},
    "civilized": {"P": 5, "F": 3, "D": 3, "M": 2, "I": 0, "W": 0},
}


class Points(NamedTuple):
    """`stat_add`. of: once a race, `city` for each of its cities, else for each of its squares with that feature."""

    stat: str
    amount: int
    role: str = ""
    of: str = ""


class More(NamedTuple):
    """`limit_add` on a terrain, or at a place: `coastal`, `city`, a feature."""

    amount: int
    terrain: str = ""
    place: str = ""


class Level(NamedTuple):
    """`limit_set` on a terrain."""

    amount: int
    terrain: str


ATTRIBUTES: dict[str, tuple[object, ...]] = {
    "desert_race": (More(1, "D"),),
    "prolific": (Points("growth", 10),),
    "long_lived": (Points("growth", -5),),
    "warlike": (Points("aggression", 2), Points("military", 1)),
    "peaceful": (Points("aggression", -3), Points("diplomacy", 1)),
    "mountain_folk": (More(1, "M"),),
    "forest_folk": (More(1, "F"), Points("military", 1, "defender")),
    "snow_folk": (Level(2, "I"),),
    "sea_folk": (Level(2, "W"), Points("sea", 2)),
    "winged": (Points("move", 1),),
    "giants": (Points("military", 2), Points("growth", -5)),
    "small_folk": (Points("military", -1), Points("growth", 5)),
    "silver_tongued": (Points("diplomacy", 2),),
    "wanderers": (Points("move", 1),),
    "greedy": (Points("wealth", 2), Points("aggression", 1)),
}
KNOWLEDGES: dict[str, tuple[object, ...]] = {
    "toolmaking": (Points("wealth", 1),),
    "hunting_lore": (More(1, place="game_animals"),),
    "fishing": (More(1, place="coastal"),),
    "desert_survival": (More(1, "D"),),
    "tribal_law": (),
    "archery": (Points("military", 1),),
    "pottery": (Points("wealth", 1),),
    "agriculture": (More(1, "P"),),
    "animal_husbandry": (Points("growth", 5),),
    "horsemanship": (Points("move", 1), Points("military", 1, "attacker")),
    "boat_building": (Points("sea", 1),),
    "metalworking": (Points("military", 1), Points("wealth", 1, of="mineral_resource")),
    "civilization": (),
    "writing": (Points("diplomacy", 1),),
    "commerce": (Points("wealth", 2),),
    "law": (Points("aggression", -1),),
    "artisanry": (Points("wealth", 2),),
    "coinage": (Points("wealth", 1, of="city"),),
    "irrigation": (More(1, place="river"),),
    "bridge_building": (),
    "aqueducts": (More(2, place="city"),),
    "iron_weapons": (Points("military", 2),),
    "fortification": (Points("military", 2, "defender"),),
    "tactics": (Points("military", 2),),
    "navigation": (Points("sea", 2),),
}
LOST_WITH_CIVILIZATION = frozenset(
    {
        "aqueducts", "artisanry", "astronomy", "bridge_building", "civilization", "coinage", "commerce", "engineering",
        "explosives", "fortification", "law", "medicine", "navigation", "philosophy", "printing", "proselytism",
        "tactics", "writing",
    }
)  # fmt: skip
"""What needs Civilization directly or through others (section 4.4)."""
HERE = {"fertile_land": 2, "game_animals": 2, "game_birds": 2, "river": 1}
"""Features that raise the limit of their square."""
DEFENCE = {"defensible_location": 3, "earthworks": 2}
"""Military of a defender who holds such a square, once a kind."""
DEAD = "dead_zone"
BARS = {  # feature -> the attribute or knowledge that lets through (G2-MOVE-4)
    "chasm": "bridge_building",
    "impenetrable_forest": "forest_folk",
    "impenetrable_mountains": "winged",
    "great_erg": "desert_race",
    "doldrums": "",
}
FEATURES = (*HERE, *DEFENCE, DEAD, *BARS, "mineral_resource", "landmark")
