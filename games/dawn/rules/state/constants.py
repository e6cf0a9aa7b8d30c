"""The numbers of Dawn of Worlds: prices by Age (section 4), limits, deadlines (section 9)."""

from datetime import timedelta

from games.dawn.rules.state.schema_types import Price, Terrain, Tier

PRICES: dict[Price, tuple[int, int, int]] = {  # Ages 1, 2, 3
    Price.SHAPE_MUNDANE: (1, 3, 5),
    Price.SHAPE_FANTASTIC: (3, 5, 8),
    Price.CREATE_RACE: (22, 6, 15),
    Price.CREATE_SUBRACE: (12, 4, 10),
    Price.COMMAND_RACE: (8, 4, 3),
    Price.COMMAND_CITY: (6, 3, 2),
    Price.COMBAT_EDGE_RACE: (10, 5, 6),
    Price.COMBAT_EDGE_CITY: (8, 4, 5),
    Price.OTHER_EDGE_RACE: (8, 4, 5),
    Price.OTHER_EDGE_CITY: (6, 3, 4),
    Price.PURIFY_RACE: (5, 3, 4),
    Price.CORRUPT_RACE: (4, 3, 3),
    Price.PURIFY_CITY: (4, 3, 3),
    Price.CORRUPT_CITY: (3, 2, 2),
    Price.CREATE_ORDER: (8, 6, 4),
    Price.COMMAND_ORDER: (4, 3, 2),
    Price.CREATE_AVATAR: (10, 7, 8),
    Price.COMMAND_AVATAR: (2, 1, 1),
    Price.MIRACLE: (10, 10, 10),
    Price.CATASTROPHE: (10, 10, 10),
}
"""Points of each power by Age; for shaping a square each (section 4)."""

PAID = ("DW-PTS-1",)  # what refuses a command that costs more than the balance
FURTHER_SQUARE = 5  # DW-MIR-1
FOREIGN_ORDER, FOREIGN_RELIGIOUS_ORDER = 5, 10  # DW-ORDR-2
MARKED_ONCE = frozenset({Price.PURIFY_RACE, Price.CORRUPT_RACE, Price.PURIFY_CITY, Price.CORRUPT_CITY})  # DW-PRC-1
LEAST_GODS, MOST_GODS = 2, 10  # DW-AMB-1
LEAST_SIDE, WIDTH, HEIGHT = 4, 24, 18  # DW-SET-3; the most is vocabulary.MAX_SIDE
MOST_ASPECTS, ADVISED_ASPECTS = 5, (2, 3)  # DW-SET-2
ROUNDS, MOST_ROUNDS, LAST_AGE = 5, 10, 3  # DW-AGE-1, 2
INCOME_DICE, INCOME_MORE = 2, 2  # DW-INC-1
MOST_SHAPED, MOST_PARENTS = 50, 6  # DW-AMB-50
RAISED_BY_CITY, RAISED_BY_AVATAR = 1, 2  # armies of a city and round: DW-CMDC-2, DW-AMB-15
MOST_ACTIONS = 3  # DW-AMB-18
LOWEST_ALIGNMENT, HIGHEST_ALIGNMENT = -2, 2  # DW-ALN-1
ALIGNMENTS = {2: "angelic", 1: "kind", 0: "indifferent", -1: "shady", -2: "cruel"}
"""Display texts of the scale; +2 fights only for a good reason (DW-ALN-3)."""
WATER = frozenset({Terrain.OCEAN, Terrain.LAKE})
TIERS = (Tier.MORTAL, Tier.MONSTROUS, Tier.MAJESTIC)
TIER_ATTACK = {Tier.MORTAL: 0, Tier.MONSTROUS: 1, Tier.MAJESTIC: 2}  # DW-RACE-3: totals
TIER_DEFENCE = {Tier.MORTAL: 0, Tier.MONSTROUS: 0, Tier.MAJESTIC: 1}

BOT_WAIT = timedelta(seconds=1)
