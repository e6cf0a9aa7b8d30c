"""The numbers of Albraxas with their rules; nothing is computed here."""

from datetime import timedelta

REBEL_SUM, ALBRAXAS_SUM = 13, 20  # AX-SET-2
MOST_REBELS = 8  # AX-SET-1
LEAST_PHASES, MOST_PHASES, PHASES = 4, 400, 100  # AX-SET-5
LEAST_SIDES, MOST_SIDES, SIDES = 4, 100, 10  # AX-SET-4
FEW_REBELS = 2  # below it the service warns (section 7)
MANY_REBELS = 3  # from here an early CHECK is warned of (AX-END-6)
ADVISED_REBELS = 4  # from here `check_from` = phases - 1 is advised (section 7)
MOST_COUNT, MOST_MARK = 1_000, 10_000  # beyond what play leads to: the bounds of a correction by a game-master
EARLY = 4  # a CHECK before a quarter of the phases is early (AX-END-6)

LIVE = {"characters": 30 * 60, "locate": 5 * 60, "order": 5 * 60, "opening": 60}
"""Seconds of each window in live play (section 9)."""
BY_POST = {"characters": 7 * 86_400, "locate": 86_400, "order": 86_400, "opening": 12 * 3600}
"""Seconds of each window in play by post (section 9)."""

BOT_WAIT = timedelta(seconds=2)
