"""The world as a setting: which events its chronicle retells, and in which Age (DW-AGE-1). Reads alone.

Land, peoples, cities, orders, avatars, wonders and wars are retold; turns, points, bids and votes are the game's own.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from games.dawn.rules.avatars.actions import ArmyLed, CityDefended
from games.dawn.rules.avatars.avatars import AvatarCreated
from games.dawn.rules.avatars.revenge import AvatarDestroyed, AvatarRespawned
from games.dawn.rules.command.events import ArmyRaised, CityFounded, DeedRecorded, TerritorySettled
from games.dawn.rules.land.shaping import LandShaped
from games.dawn.rules.orders import OrderCommanded, OrderCreated
from games.dawn.rules.races.alignment import AlignmentShifted
from games.dawn.rules.races.alliances import AllianceMade
from games.dawn.rules.races.edges import EdgeGifted
from games.dawn.rules.races.races import RaceCreated, RaceUpgraded
from games.dawn.rules.races.subraces import EdgePicked, SubraceCreated
from games.dawn.rules.state.schema_types import Age, Place
from games.dawn.rules.state.state import At
from games.dawn.rules.turn.events import AgeChanged
from games.dawn.rules.war.battles import CityFell
from games.dawn.rules.war.events import WarEnded
from games.dawn.rules.war.march import WarDeclared
from games.dawn.rules.wonders import CityRazed, RaceExtinct, RaceNearlyExtinct, WonderWorked
from games.engine.kernel import Event, EventRecord

SETTING: tuple[type[Event], ...] = (
    AgeChanged,
    LandShaped,
    RaceCreated,
    RaceUpgraded,
    SubraceCreated,
    EdgePicked,
    EdgeGifted,
    AlignmentShifted,
    CityFounded,
    TerritorySettled,
    ArmyRaised,
    AllianceMade,
    DeedRecorded,
    OrderCreated,
    OrderCommanded,
    AvatarCreated,
    ArmyLed,
    CityDefended,
    AvatarDestroyed,
    AvatarRespawned,
    WonderWorked,
    RaceExtinct,
    RaceNearlyExtinct,
    CityRazed,
    WarDeclared,
    CityFell,
    WarEnded,
)
"""What happens in the world; all of it is public."""
PLACES = ("square", "home", "squares", "target")
"""Fields of events that say where."""


@dataclass(frozen=True, slots=True)
class ChronicleLine:
    """One sentence of the chronicle."""

    place: int
    """Which of the events it is, from 0."""
    age: Age
    text: str
    at: datetime
    square: At | None
    """Where, if on a square; of several the first."""


def chronicle_lines(happened: Sequence[EventRecord], age: int) -> Iterator[ChronicleLine]:
    """What the chronicle reports of these events, in order. age: the Age after the last of them."""
    now = age - sum(isinstance(h.event, AgeChanged) for h in happened)
    for place, h in enumerate(happened):
        now = h.event.age if isinstance(h.event, AgeChanged) else now
        if isinstance(h.event, SETTING) and h.text:
            yield ChronicleLine(place, Age(now), h.text, h.at, _where(h.event))


def _where(event: Event) -> At | None:
    """The square of an event."""
    named: Any = next((getattr(event, name) for name in PLACES if hasattr(event, name)), None)
    first = named[0] if isinstance(named, tuple) and named else named
    return first.at if isinstance(first, Place) else None
