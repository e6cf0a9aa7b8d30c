"""What a race or a city may be commanded to do: acts, their arguments, and the order to march (section 10, `args`).

A war order is judged and opened by `check_order` and `open_war` of `war.march`: the first by the command's check, the
second by its effect, before the power is resolved (DW-WAR-1).
"""

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar
from uuid import UUID

from pydantic import BaseModel, Field

from games.dawn.rules.state.schema_types import Place, Text, Value
from games.engine.errors import Refused
from games.engine.lifecycle.seating import Name
from games.engine.wording import capital, listing, phrase

Wanted = TypeVar("Wanted")
MOST_ARMIES = 1000


class Act(StrEnum):
    """What a race or a city can be commanded to do (DW-CMDR-1, DW-CMDC-1)."""

    FOUND_CITY = "found_city"
    SETTLE = "settle"
    RAISE_ARMY = "raise_army"
    WAR = "war"
    ALLIANCE = "alliance"
    DEED = "deed"


class Target(Value):
    """Whom a war is made upon: the city on a square or, where none is, another god's avatar (DW-WAR-2)."""

    square: Place
    avatar: UUID | None = None
    """Which avatar, where no city stands."""


@dataclass(frozen=True, slots=True)
class WarOrder:
    """An order to march."""

    target: Target
    armies: tuple[UUID, ...]
    """The armies that march; none where an avatar goes alone."""
    avatar: UUID | None = None
    """The attacking avatar (DW-AVA-6), who leads the one army named, or goes alone. None by command of race or city."""


class Args(Value):
    """The arguments of an act: those it takes, and no others."""

    square: Place | None = None
    """found_city, settle: which square."""
    name: Name | None = None
    """found_city: what the city is called."""
    target: Target | None = None
    """war: who is attacked."""
    armies: tuple[UUID, ...] = Field(default=(), max_length=MOST_ARMIES)
    """war: which armies march."""
    race: UUID | None = None
    """alliance: with which race. A free found_city: whose city."""
    text: Text | None = None
    """deed: what is done."""
    count: int | None = None
    """raise_army: 1, which is also meant when it is absent, or 2 through an avatar."""


TAKES: dict[Act, frozenset[str]] = {
    Act.FOUND_CITY: frozenset({"square", "name"}),
    Act.SETTLE: frozenset({"square"}),
    Act.RAISE_ARMY: frozenset({"count"}),
    Act.WAR: frozenset({"target", "armies"}),
    Act.ALLIANCE: frozenset({"race"}),
    Act.DEED: frozenset({"text"}),
}
"""The arguments of each act."""


def act_invalid(message: str, *rules: str) -> Refused:
    """The refusal of an act that is not among those of the command, or of arguments that do not fit it."""
    return Refused("act.invalid", message, rules=rules)


def require_only(what: str, given: BaseModel, takes: Collection[str]) -> None:
    """Refuse (`act.invalid`) arguments that something does not take."""
    other = [n for n in type(given).model_fields if n not in takes and getattr(given, n) not in (None, ())]
    if other:
        taken, left = listing(map(phrase, sorted(takes))) or "nothing", listing(map(phrase, other))
        raise act_invalid(f"{capital(phrase(what))} takes {taken}; leave out {left}.")


def require_argument(value: Wanted | None, what: str, name: str) -> Wanted:
    """An argument that something needs. Raises `act.invalid`."""
    if value is None or value == "":
        raise act_invalid(f"{capital(phrase(what))} needs {phrase(name)}.")
    return value
