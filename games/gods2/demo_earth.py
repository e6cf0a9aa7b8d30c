"""The Earth of the demo event: features, and twelve peoples on all continents.

Each god is the first of one people and has a share in two or three others, most of them on other continents, so that
one lost people ends nobody. No two warlike peoples stand beside each other; one small people lives alone.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

Spot = tuple[int, int]
"""Row and column."""


@dataclass(frozen=True, slots=True)
class Inhabitants:
    """A people of the demo."""

    name: str
    pantheon: Mapping[str, int]
    """Percent by the god's name, or by special member."""
    units: Mapping[Spot, int]
    attributes: Sequence[str] = ()
    knowledges: Sequence[str] = ()
    cities: Mapping[Spot, str] = field(default_factory=dict)
    """Names of its cities."""


FEATURES: Mapping[Spot, tuple[str, ...]] = {
    (3, 12): ("game_animals",),
    (4, 2): ("mineral_resource",),
    (6, 3): ("defensible_location",),
    (6, 4): ("fertile_land", "river"),
    (6, 12): ("landmark",),
    (6, 17): ("fertile_land",),
    (7, 4): ("fertile_land",),
    (7, 10): ("earthworks",),
    (7, 11): ("fertile_land", "river"),
    (9, 4): ("fertile_land",),
    (9, 14): ("mineral_resource",),
    (10, 9): ("spreading_sands",),
    (10, 13): ("volcano",),
    (11, 14): ("defensible_location",),
    (12, 15): ("defensible_location",),
    (13, 11): ("river",),
    (15, 10): ("river",),
    (16, 6): ("game_birds", "river"),
    (18, 11): ("game_animals",),
    (20, 7): ("fertile_land",),
    (21, 6): ("fertile_land",),
    (22, 18): ("hot_spot",),
    (23, 17): ("game_animals",),
    (24, 18): ("landmark",),
}
"""(row, column) -> features that are placed; each fits the terrain of the 30 x 20 Earth."""

LANDS: Mapping[str, tuple[Spot, ...]] = {
    "The Long Sands": ((10, 9), (10, 10), (10, 11), (11, 9), (11, 10), (11, 11), (12, 9), (12, 10), (12, 11)),
    "The Roof": ((9, 14), (9, 15), (10, 14), (11, 14)),
    "Grassmere": ((20, 6), (20, 7), (21, 6), (21, 7), (22, 7)),
}
"""Lands that have a name before a god gives one."""

CIVIL = ("tribal_law", "toolmaking", "agriculture", "civilization")

PEOPLES: tuple[Inhabitants, ...] = (
    Inhabitants(
        "Sandwalkers",
        {"Ashkar": 40, "Gordrun": 20, "Thalune": 20, "Xixx": 20},
        {(10, 9): 3, (10, 10): 3, (11, 9): 2, (11, 10): 3, (11, 11): 3, (12, 10): 2},
        attributes=("desert_race", "warlike"),
        knowledges=("tribal_law", "desert_survival", "fire_keeping", "toolmaking"),
    ),
    Inhabitants(
        "Riverlanders",
        {"Maribelle": 40, "Orrovai": 20, "Solenne": 20, "Tekheth": 20},
        {(7, 10): 4, (7, 11): 6, (8, 11): 4, (6, 11): 4},
        attributes=("born_builders",),
        knowledges=(*CIVIL, "irrigation", "fishing", "writing"),
        cities={(7, 11): "Ninth Bridge"},
    ),
    Inhabitants(
        "Ultra-Dwarves",
        {"Tekheth": 40, "Ashkar": 20, "Gordrun": 20, "Maribelle": 20},
        {(9, 13): 2, (9, 14): 2, (9, 15): 2, (10, 13): 2, (10, 14): 2, (10, 15): 2, (11, 14): 2},
        attributes=("mountain_folk", "greedy"),
        knowledges=("tribal_law", "toolmaking", "fire_keeping", "pottery", "metalworking", "masonry"),
    ),
    Inhabitants(
        "Low Elves",
        {"Ilsoire": 40, "Justinel": 20, "Morvane": 20, "Verdane": 20},
        {(5, 15): 3, (5, 16): 3, (6, 16): 4, (6, 17): 5, (5, 17): 3},
        attributes=("forest_folk", "long_lived"),
        knowledges=(*CIVIL, "writing", "law"),
        cities={(6, 17): "Elmarae"},
    ),
    Inhabitants(
        "Norsemen",
        {"Orrovai": 40, "Gordrun": 20, "Ilsoire": 20, "Thalune": 20},
        {(2, 11): 2, (3, 10): 3, (3, 11): 3, (4, 10): 3, (4, 11): 3},
        attributes=("warlike",),
        knowledges=("tribal_law", "toolmaking", "fishing", "boat_building"),
    ),
    Inhabitants(
        "Ash Cult",
        {"Morvane": 40, "Xixx": 30, "Verdane": 15, "diabolism": 15},
        {(15, 9): 3, (15, 10): 3, (15, 11): 3, (16, 10): 3, (16, 11): 3},
        attributes=("fragile",),
        knowledges=("tribal_law", "sacrificial_rites", "toolmaking", "archery", "desert_survival"),
    ),
    Inhabitants(
        "Plainsmen of the Dawn",
        {"Solenne": 40, "Justinel": 20, "Ashkar": 15, "Orrovai": 15, "atheism": 10},
        {(6, 3): 4, (6, 4): 5, (7, 3): 4, (7, 4): 5},
        attributes=("silver_tongued",),
        knowledges=(*CIVIL, "hunting_lore", "animal_husbandry"),
        cities={(6, 4): "Dawnhold"},
    ),
    Inhabitants(
        "Hill Giants",
        {"Gordrun": 40, "Morvane": 20, "Orrovai": 20, "Tekheth": 20},
        {(2, 1): 2, (2, 2): 3, (3, 1): 2, (3, 2): 3, (3, 3): 2, (4, 3): 2},
        attributes=("giants",),
        knowledges=("tribal_law", "hunting_lore"),
    ),
    Inhabitants(
        "Coast Folk",
        {"Thalune": 40, "Ilsoire": 20, "Maribelle": 20, "Solenne": 20},
        {(15, 6): 3, (16, 6): 3, (17, 5): 3, (17, 6): 3, (18, 6): 3},
        attributes=("prolific",),
        knowledges=(*CIVIL, "fishing"),
        cities={(17, 6): "Saltmouth"},
    ),
    Inhabitants(
        "Pampas Riders",
        {"Verdane": 40, "Ashkar": 20, "Justinel": 20, "Morvane": 20},
        {(20, 6): 3, (20, 7): 3, (21, 6): 3, (21, 7): 3, (22, 7): 3},
        attributes=("wanderers",),
        knowledges=("tribal_law", "hunting_lore"),
    ),
    Inhabitants(
        "Terrace Folk",
        {"Justinel": 40, "Solenne": 20, "Thalune": 20, "Verdane": 20},
        {(9, 4): 4, (9, 5): 3, (10, 4): 4, (10, 5): 3, (11, 4): 2},
        attributes=("peaceful",),
        knowledges=(*CIVIL, "masonry"),
        cities={(10, 4): "Nine Terraces"},
    ),
    Inhabitants(
        "Dreamers",
        {"Xixx": 60, "Ilsoire": 40},
        {(21, 17): 1, (22, 16): 1, (22, 17): 1, (23, 16): 1, (23, 17): 1, (23, 18): 1, (24, 16): 1, (24, 17): 1},
        attributes=("survivor_race",),
        knowledges=("hunting_lore",),
    ),
)
