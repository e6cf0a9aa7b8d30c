"""Constants of The Gods II with their source: terrains, limits, percentages. Everything else is data of the pack."""

from typing import Final

import numpy as np

from games.gods2.rules.state.records import CityKind, Level

TERRAINS: Final = "PFDMIW"
TERRAIN_NAMES: Final = dict(zip(TERRAINS, ("plains", "forest", "desert", "mountains", "ice", "water"), strict=True))
"""Plains, forest, desert, mountains, ice, water (G2-MAP-2); the place in this text is the number on the board."""
LAND: Final = "PFDM"
ROWS, COLUMNS = 30, 20  # G2-MAP-1
WATER = TERRAINS.index("W")

LEVELS: Final = (Level.PRIMITIVE, Level.BARBARIAN, Level.CIVILIZED)
"""Lowest first (G2-LVL-1)."""
LIMITS: Final = {
    Level.PRIMITIVE: np.array([1, 1, 1, 1, 1, 0]),
    Level.BARBARIAN: np.array([3, 3, 2, 1, 1, 0]),
    Level.CIVILIZED: np.array([5, 3, 3, 2, 0, 0]),
}
"""Units a square holds by terrain number (G2-LIM-1)."""

GROWTH_PERCENT: Final = 25  # G2-POP-3
STARVED_AGGRESSION: Final = 2  # G2-AGG-2
BARBARIAN_AGGRESSION: Final = 2  # G2-LVL-3
BARBARIAN_MILITARY: Final = 1  # G2-LVL-3
WEALTH_STEP: Final = 3  # G2-WLTH-2
START_MOVE, START_SEA = 1, 0  # G2-MOVE-1
CITY_STRENGTH: Final = {CityKind.CITY: 3, CityKind.GREAT: 6}  # G2-CITY-1
SQUARES_A_CITY: Final = 6  # G2-CITY-4

WAR_PERCENT: Final = 10  # G2-WAR-2
SETTLERS: Final = 2  # units that move into a vacated square (G2-WAR-12)
DIPLOMACY_SUCCEEDS: Final = 6  # G2-DIP-4
DIPLOMACY_FEARS: Final = 15  # percent of its units that a race is ready to lose (G2-DIP-3)


def letter(terrain: int) -> str:
    """The letter of a terrain number."""
    return TERRAINS[terrain]


def number(terrain: str) -> int:
    """The number of a terrain letter. Raises ValueError."""
    return TERRAINS.index(terrain)
