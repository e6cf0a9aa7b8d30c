"""What has attacked the players' seats of a game of late, from its log, as each seat may know.

What one command, or one timer, does to a seat at one moment is one attack: the disaster, the deaths and the lost city
of one casting, all wars that are declared as a century begins. It is named by the first event of it that the seat may
read, as cursors name that one: by its place in its stream. The number in the log would tell how much else happens.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import Q

from games.engine.audience import Audience, readable
from games.models import Game, LoggedEvent
from games.models.log import IS_ATTACK

TOLD_FOR = timedelta(days=3)
"""How long an attack is told of."""
MAX_ATTACKS = 20
"""Attacks on one seat that are told of, the last ones."""
PREFIX = "attacked:"
COLUMNS = ("ordinal", "mark", "at", "cause", "audience", "attacked")


@dataclass(frozen=True, slots=True)
class Attack:
    """An attack on a seat."""

    key: str
    """That of its notification."""
    at: datetime


@dataclass(slots=True)
class Attacks:
    """Those on each seat of a game, the last ones first."""

    of_seats: Mapping[UUID, list[Attack]] = field(default_factory=dict)

    @classmethod
    def of(cls, game: Game, now: datetime) -> "Attacks":
        """Those of a game that no rewind has undone: one query."""
        rows = LoggedEvent.objects.filter(IS_ATTACK, game=game, fallen=None, at__gt=now - TOLD_FOR).order_by("-seq")
        found: dict[UUID, dict[tuple[str, datetime], Attack]] = {}
        for ordinal, mark, at, cause, audience, attacked in rows.values_list(*COLUMNS):
            for seat in map(UUID, json.loads(attacked)):
                if readable(Audience(audience), {seat}, False):  # the first event comes last, and stays
                    found.setdefault(seat, {})[cause, at] = Attack(f"{PREFIX}{ordinal}.{mark}", at)
        return cls({seat: list(each.values())[:MAX_ATTACKS] for seat, each in found.items()})

    def on(self, seat: UUID) -> list[str]:
        """The keys of those on a seat."""
        return [each.key for each in self.of_seats.get(seat, ())]

    def next_end(self) -> datetime | None:
        """When the first of them is told of no longer."""
        moments = [each.at for attacks in self.of_seats.values() for each in attacks]
        return min(moments) + TOLD_FOR if moments else None


def events_of_attacks(keys: Iterable[tuple[UUID, str]]) -> dict[tuple[UUID, str], LoggedEvent]:
    """The events that attacks are named by, of those that still stand: one query where there are such.

    keys: of notifications, each with its game; others than those of attacks are left out.
    """
    named = Q()
    for game, key in keys:
        if key.startswith(PREFIX):
            ordinal, _, mark = key.removeprefix(PREFIX).partition(".")
            named |= Q(game=game, ordinal=int(ordinal), mark=mark)
    if not named:
        return {}
    rows = LoggedEvent.objects.filter(IS_ATTACK, named, fallen=None)
    return {(row.game_id, f"{PREFIX}{row.ordinal}.{row.mark}"): row for row in rows}
