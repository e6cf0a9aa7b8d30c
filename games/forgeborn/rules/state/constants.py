"""The numbers of the rulebook."""

from datetime import timedelta

LEAST_SEATS, MOST_SEATS = 2, 4
WIDTH, HEIGHT, LEAST_SIDE, MOST_SIDE = 297, 210, 100, 2000
"""The sheet, in whole units (FB-MAP-1)."""
SPACING, MOST_TRIES = 15, 50
CLEARANCE = 6
"""So far, in units, the range and the Roads keep off a place that is not theirs (FB-MAP-9, 10)."""
BEND = 9
"""So far from a place the range turns around it (FB-MAP-9)."""
MOST_BENDS = 8
"""A part of the range that has turned so often goes straight on (FB-MAP-9)."""
"""How far dice of the drop lie apart, and the points tried for it at most (FB-MAP-2)."""
LEAST_DRAGON, LEAST_FIXED_DRAGON, MOST_FIXED_DRAGON = 8, 12, 30
"""The Power of the Dragon: 8 at least by the die, 12 to 30 where the group names it (FB-MAP-4)."""
CITY_POWER = 8
"""The Power of the City of the Prince (FB-MAP-6)."""
RUINS_SIDES, VILLAGE_SIDES = 8, 4
"""The dice of new Ruins and of a Village's next problem (FB-RUI-2, FB-VIL-1)."""

MOST_FACES = 72
"""Faces of a Smith's first dice (FB-SET-3)."""
PLAIN_DICE = (12, 12, 12, 8, 8, 8, 4, 4, 4)
"""The dice of a Smith whose player was silent (FB-SET-7)."""
STARTING_DIE = 20
"""The die for the first seat (FB-SET-2)."""
FREE_DICE = 3
"""Own dice that are rolled without being risked (FB-CON-1)."""
OPPOSING_DIE = 12
"""The dice of a Power (FB-CON-3)."""
MOST_GRANTED = 9
"""The largest total that the Spirits grant (FB-FOR-1)."""
MOST_COMMUNED = 20
"""Dice named in one commune (FB-AMB-36)."""
ROAD_MOVES = 2
"""Roads of one turn (FB-TRN-2)."""

MOST_ROUNDS = 200
MOST_TEXT, MOST_HOW, MOST_NAME = 2000, 400, 80
MOST_COUNT = 1_000_000
MOST_POWER = 1_000_000

BOT_WAIT = timedelta(seconds=2)
"""How long a bot thinks."""

LEAST_SUM = 5
"""The price of a d4: a smaller sum is a failure (FB-ART-6, FB-HER-1)."""
