"""The numbers of Albraxas with their rules; nothing is computed here."""

from datetime import timedelta

REBEL_SUM, ALBRAXAS_SUM = 13, 20  # AX-SET-2
MOST_REBELS = 8  # AX-SET-1
LEAST_PHASES, MOST_PHASES, PHASES = 4, 400, 100  # AX-SET-5
LEAST_SIDES, MOST_SIDES, SIDES = 4, 100, 10  # AX-SET-4
FEW_REBELS = 2  # below it the service warns (section 7)
MANY_REBELS = 2  # from here an early CHECK is warned of, and `check_from` = phases - 1 advised (AX-END-6)
MOST_COUNT, MOST_MARK = 1_000, 10_000  # beyond what play leads to: the bounds of a correction by a game-master
EARLY = 4  # a CHECK before a quarter of the phases is early (AX-END-6)

BOT_WAIT = timedelta(seconds=2)
