"""What is posted on the board: declarations of war, and when each war is fought (G2-AGG-5, 6; G2-WAR-1).

A god's war is due 300 s after its declaration. The aggressive wars of a century are spread over its Activity Phase.
All times are whole seconds; none is later than the end of the Activity Phase. Among wars due together gods' come first.
"""

import json
from collections.abc import Iterable
from datetime import datetime, timedelta
from uuid import UUID

from games.engine.audience import PUBLIC
from games.engine.timer import TimerSet
from games.gods2.rules.state.records import War, WarKind


def fight_timer(war: UUID, due: datetime) -> TimerSet:
    """The timer that lets a war be fought by the clock's command `fight-war`."""
    return TimerSet(
        key=war_key(war), due=due, does="fight-war", with_=json.dumps({"war": str(war)}), shown=PUBLIC, subject=war
    )


def war_key(war: UUID) -> str:
    """The key of the timer that fights a war."""
    return f"war:{war}"


def war_due(declared: datetime, activity_end: datetime, delay: int) -> datetime:
    """When a god's war is fought: `delay` seconds later, at activity end at the latest (G2-WAR-1)."""
    return min(declared + timedelta(seconds=delay), activity_end)


def aggressive_dues(posted: datetime, activity_end: datetime, delay: int, wars: int) -> list[datetime]:
    """When the aggressive wars of a century are fought, in their order (G2-WAR-1, AMB-59).

    War k is due at posting + delay + (k-1) x (activity end - posting - delay) / wars, in whole seconds, rounded down;
    a negative spread counts as 0, and nothing is later than activity end.
    """
    room = max(0, int((activity_end - posted).total_seconds()) - delay)
    return [min(posted + timedelta(seconds=delay + k * room // wars), activity_end) for k in range(wars)]


def fighting_order(wars: Iterable[War]) -> list[War]:
    """Wars that wait together: gods' first by their times, then the aggressive ones in their drawn order (AMB-39)."""
    return sorted(wars, key=lambda w: (w.kind is WarKind.AGGRESSIVE, w.order, w.due or w.declared_at, w.number, w.id))
