"""The kinds of questions and the lanes in which they are asked (section 11.2 of the rulebook).

Who is asked, how long, and what silence means stands in `games.gods2.rules.course`.
"""

from enum import StrEnum


class Asked(StrEnum):
    """The kinds of questions, by their names in the log."""

    ORDER = "GROWTH.order"
    GROWTH = "GROWTH.preview"
    SITE = "CITY.site"
    CALLED = "QUEUE.called"
    JOIN = "CASTING.join"
    CHOOSE = "EFFECT.choose"
    TASK = "TASK.manual"
    DIPLOMACY = "WAR.diplomacy"
    TIME = "WAR.time"
    COMBINE = "WAR.combine"
    BATTLE = "WAR.preview"
    SIGN = "PANTHEON.sign"
    EXPEL = "TURMOIL.expel"
    WORKSHEET = "WORKSHEET"
    CREATION = "CREATION.start"
    NAME = "NAME"


QUEUE, CASTING, GROWTH = "queue", "casting", "growth"
"""Lanes: the called number; what is asked for its casting; what the beginning of a century waits for."""


def queue_key(number: int) -> str:
    """The key of the timer of a called number."""
    return f"queue:{number}"
