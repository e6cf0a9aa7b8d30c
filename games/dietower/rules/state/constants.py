"""The numbers of the rulebook."""

from datetime import timedelta

MOST_SEATS, SEATS = 12, 6
MOST_CHARACTERS, CHARACTERS = 4, 1
MOST_LEVEL = 20
MIRACLE_HEIGHT = 13
"""The height at which the tower is a miracle (DT-TWR-5)."""
LEAST_HALF_WIDTH, MOST_HALF_WIDTH, HALF_WIDTH = 5, 8, 6
IDLE_ROUNDS, MOST_IDLE_ROUNDS = 2, 10
MOST_CUSTOM_CD = 40
MOST_TEXT = 2000
MOST_LINES, MOST_LINE = 100, 200
MOST_DICE_BOUGHT = 20
MOST_HEALTH = 1_000

PRICES = {"element": 2, "someone": 3, "group": 4}
"""What a story Wish costs (DT-WSH-3)."""

BOT_WAIT = timedelta(seconds=2)
"""How long a bot thinks before it answers."""

DICE_OF_PLACEMENT = 4
"""d6 for each die but the first (DT-SIM-2)."""
OUTCOMES: int = 6**DICE_OF_PLACEMENT
"""Ways in which the dice of one placement may fall."""
