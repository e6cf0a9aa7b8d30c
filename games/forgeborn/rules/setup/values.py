"""What the commands and events of the set-up are made of."""

from typing import Annotated
from uuid import UUID

from pydantic import ConfigDict, Field

from games.forgeborn.rules.state.schema_types import PlaceKind, Size, Value, WayKind

Number = Annotated[int, Field(ge=-10_000_000, le=10_000_000)]
"""A number of a real table; whether it fits the sheet or the die is a rule's question."""


class BuiltPlace(Value):
    """A place of the map as it is built."""

    place: UUID
    """Its id, which stays when the map is built anew."""
    kind: PlaceKind
    number: int
    """Which of its kind it is, from 1; 0 where there is one alone."""
    name: str
    die: str
    """The die that it stands for."""
    power: int
    """0 for the Forest."""
    x: int
    y: int


class Route(Value):
    """The two places that a way joins."""

    a: UUID
    b: UUID


class AddedWay(Value):
    """A way that was added by hand."""

    a: UUID
    b: UUID
    kind: WayKind


class Bend(Value):
    """A point of the sheet where a line turns."""

    x: Number
    """Units from the left edge."""
    y: Number
    """Units from the upper edge."""


class Joint(Value):
    """Two dice of a cluster that are joined by a line, by their names."""

    a: str
    b: str
    bends: tuple[Bend, ...] = ()
    """Where the line turns around places, from a to b (FB-MAP-9)."""


class Cluster(Value):
    """The dice of the mountains or of a wood, and what joins them."""

    dice: tuple[str, ...]
    joints: tuple[Joint, ...]


class EnteredDie(Value):
    """A die of a real drop: what it shows and where it lies."""

    sides: Number
    """4, 6, 8, 10 or 12."""
    face: Number
    """What it shows."""
    x: Number
    """Units from the left edge."""
    y: Number
    """Units from the upper edge."""


class MovedDie(Value):
    """A die of the map, and where it lies from now on."""

    die: Annotated[str, Field(min_length=1, max_length=20)]
    """Its name: d12, d10, d8a, ... ."""
    x: Number
    """Units from the left edge."""
    y: Number
    """Units from the upper edge."""


class WayEnds(Value):
    """A way by the places that it joins, in either order."""

    model_config = ConfigDict(populate_by_name=True)

    from_: UUID = Field(alias="from")
    """One place."""
    to: UUID
    """The other."""


class NewWay(WayEnds):
    """A way to be added."""

    kind: WayKind
    """road or trail."""


class RevealedSmith(Value):
    """A Smith at the beginning of the game."""

    seat: UUID
    character: UUID
    name: str
    text: str
    dice: tuple[Size, ...]
    plain: bool
    """Whether the service has made it, for the player was silent."""
