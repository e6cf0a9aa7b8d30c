"""The world as a setting: which events its chronicle retells, and in which Age (DW-AGE-1). Reads alone.

Land, peoples, cities, orders, avatars, wonders and wars are retold; turns, points, bids and votes are the game's own.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from games.dawn.rules.avatars.events import ArmyLed, AvatarCreated, CityDefended
from games.dawn.rules.command.events import ArmyRaised, CityFounded, DeedRecorded, TerritorySettled
from games.dawn.rules.land.events import LandShaped
from games.dawn.rules.orders.events import OrderCommanded, OrderCreated
from games.dawn.rules.races.events import (
    AlignmentShifted,
    AllianceMade,
    EdgeGifted,
    EdgePicked,
    RaceCreated,
    RaceUpgraded,
    SubraceCreated,
)
from games.dawn.rules.revenge.events import AvatarDestroyed, AvatarRespawned
from games.dawn.rules.state.schema_types import Place
from games.dawn.rules.state.state import At
from games.dawn.rules.turn.events import AgeChanged
from games.dawn.rules.war.battle_events import CityFell
from games.dawn.rules.war.events import WarDeclared, WarEnded
from games.dawn.rules.wonders.events import CityRazed, RaceExtinct, RaceNearlyExtinct, WonderWorked
from games.engine.insight.chronicle import ChronicleLine, chronicle_lines
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


def setting_lines(happened: Sequence[EventRecord], age: int) -> Iterator[ChronicleLine]:
    """What the chronicle reports of these events, in order. age: the Age after the last of them."""
    return chronicle_lines(happened, SETTING, age_of, age)


def age_of(event: Event) -> int | None:
    """The Age that an event begins."""
    return event.age if isinstance(event, AgeChanged) else None


def square_of(event: Event) -> At | None:
    """The square of an event, if it has one; of several the first."""
    named: Any = next((getattr(event, name) for name in PLACES if hasattr(event, name)), None)
    first = named[0] if isinstance(named, tuple) and named else named
    return first.at if isinstance(first, Place) else None
