"""The records of Dawn: the rows of its state. A god is known by the id of the seat, a square by (x, y).

Secrets are records of their own: offers (`games.engine.economy.trade_offers.Exchange`), what a seat says in advance
(`Advance`). Ballots are answers of their prompt. A power stands here only while it is open.
"""

from dataclasses import dataclass
from uuid import UUID

from games.dawn.rules.state.constants import HEIGHT, MOST_GODS, WIDTH
from games.dawn.rules.state.schema_types import (
    AdvanceKind,
    AdvanceWord,
    AvatarKind,
    Cause,
    Climate,
    EdgeKind,
    EdgeTag,
    Ethical,
    Life,
    Moral,
    OrderKind,
    Pace,
    Price,
    Step,
    Terrain,
    Tier,
)
from games.engine.audience import Audience, seats


@dataclass(frozen=True, slots=True)
class Course:
    """The course of the game: one record."""

    id: UUID
    step: Step = Step.LOBBY
    age: int = 0
    round: int = 0
    length: int = 0
    """Planned rounds of this Age."""
    rounds: int = 0
    """Rounds begun in the whole game: the running number of this one."""
    order: tuple[UUID, ...] = ()
    """The turn order of this round, places sold included."""
    acted: tuple[UUID, ...] = ()
    bought: tuple[UUID, ...] = ()
    """Who has bought a place this round."""
    active: UUID | None = None
    begun: bool = False
    """Whether the active god has used a power this turn."""
    width: int = WIDTH
    height: int = HEIGHT
    seats: int = MOST_GODS
    free_alignment: bool = False
    open_challenge: bool = False
    deadlines: Pace = Pace.LIVE
    edges: int = 0
    """Edges ever given: their age."""


@dataclass(frozen=True, slots=True)
class God:
    """A god; the id is the seat's."""

    id: UUID
    name: str
    portfolio: tuple[str, ...]
    moral: Moral
    ethical: Ethical | None = None
    text: str = ""


@dataclass(frozen=True, slots=True)
class Square:
    """A square of the map."""

    x: int
    y: int
    terrain: Terrain
    climate: Climate
    fantastic: bool = False
    floating: bool = False
    shaped_by: UUID | None = None
    region: UUID | None = None
    """The region it was last shaped with."""


@dataclass(frozen=True, slots=True)
class Region:
    """What one shaping made: named, and described if it is fantastic."""

    id: UUID
    name: str
    text: str
    fantastic: bool
    by: UUID


@dataclass(frozen=True, slots=True)
class Race:
    """A race; a subrace has parents."""

    id: UUID
    name: str
    x: int
    y: int
    tier: Tier
    alignment: int
    life: Life = Life.ALIVE
    creators: tuple[UUID, ...] = ()
    parents: tuple[UUID, ...] = ()
    had_city: bool = False
    """Whether it has ever had a city (DW-MIR-3)."""


@dataclass(frozen=True, slots=True)
class Territory:
    """That a square belongs to a race; squares may belong to several (DW-RACE-5)."""

    race: UUID
    x: int
    y: int


@dataclass(frozen=True, slots=True)
class Edge:
    """What a race or a city is good at; a name occurs once for each (DW-EDGE-2)."""

    target: UUID
    """The race or city."""
    name: str
    kind: EdgeKind
    tags: tuple[EdgeTag, ...]
    given: int
    """Its age: a running number."""


@dataclass(frozen=True, slots=True)
class City:
    """A city; its race changes when it falls (DW-WAR-10)."""

    id: UUID
    race: UUID
    name: str
    x: int
    y: int
    controller: UUID
    alignment: int
    raised: int = 0
    """Armies raised in the round `raised_in` (DW-CMDC-2)."""
    raised_in: int = 0
    most_raised: int = 1
    """How many it may raise in that round: 2 once an avatar has commanded it."""
    saved_by: tuple[UUID, ...] = ()
    """Gods whose miracle saves it from harm, each until the god's next turn begins (DW-MIR-7)."""


@dataclass(frozen=True, slots=True)
class Army:
    """An army: it stands in its city, and its controller is the city's (DW-WAR-12)."""

    id: UUID
    city: UUID
    race: UUID


@dataclass(frozen=True, slots=True)
class Order:
    """An order founded in a race; its owners command it without a surcharge."""

    id: UUID
    race: UUID
    kind: OrderKind
    name: str
    owners: tuple[UUID, ...]
    age: int
    round: int
    dissolved: bool = False


@dataclass(frozen=True, slots=True)
class Avatar:
    """An avatar; a dead one may return (DW-AVA-5)."""

    id: UUID
    owner: UUID
    name: str
    kind: AvatarKind
    x: int
    y: int
    alive: bool = True
    defending: bool = False
    """The avatar used `defend_city` since they came (DW-AVA-7)."""
    leads: UUID | None = None
    fell_in: int = 0
    """The round (running number) in which the avatar died last."""
    returning: bool = False
    """The avatar's god won them back: they stand up at the start of a turn in a later round."""
    killed_by: UUID | None = None
    """The god who caused the avatar's last death."""
    avenging: bool = False
    """The avatar's god is still to be asked whether to take revenge (DW-AVA-5)."""


@dataclass(frozen=True, slots=True)
class Alliance:
    """A promise between two races, or a city and a race; it forbids nothing (DW-CMDR-3)."""

    id: UUID
    one: UUID
    """A race or a city."""
    other: UUID
    """A race."""
    ended: bool = False


@dataclass(frozen=True, slots=True)
class Mark:
    """That a power with the mark `1` has hit its target this turn (DW-PRC-1)."""

    price: Price
    target: UUID


@dataclass(frozen=True, slots=True)
class Power:
    """A power that is declared and not yet settled. What it holds of points stands in `holds` under its id."""

    id: UUID
    does: str
    """The command's kebab name."""
    arguments: str
    """The command's fields as JSON."""
    price_row: Price
    caster: UUID
    price: int
    asking: str = ""
    """The key of the question that was put last."""
    settled: tuple[str, ...] = ()
    """The keys of the questions that are settled in the caster's favour."""
    refusers: tuple[UUID, ...] = ()
    """Who has refused leave."""
    beaten: bool = False
    """A conflict about it was lost."""
    withdrawn: bool = False
    """A consent was denied, or the caster gave it up."""
    worked: bool = False
    """It has taken effect; only what follows the effect is still open."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """An open Divine Conflict: an auction of two gods (DW-DC-*)."""

    id: UUID
    cause: Cause
    invoker: UUID
    challenger: UUID
    about: UUID | None
    """The power or the avatar that it is about; none for a free dispute."""
    key: str
    """Which question of the power it settles."""
    text: str
    paid_invoker: int = 0
    paid_challenger: int = 0
    to_act: int = 0
    """`auction.OPENER` is the Invoker."""


@dataclass(frozen=True, slots=True)
class War:
    """A war that is being fought; what is done in it next follows from this (DW-WAR-*)."""

    id: UUID
    attacker: UUID
    """The god who attacks."""
    x: int
    y: int
    """The square that is attacked."""
    city: UUID | None
    """The city on it, or else `avatar`."""
    avatar: UUID | None
    """The avatar who is attacked in the open."""
    armies: tuple[UUID, ...]
    """The armies on the march that are left; they stand in their cities (DW-AMB-41)."""
    alone: UUID | None = None
    """The avatar who attacks with no army."""
    battle: int = 1
    """The number of the battle."""
    waived: tuple[UUID, ...] = ()
    """Gods who let no avatar stand in this battle."""
    stand_in: UUID | None = None
    """The avatar who fights this battle for a city without army."""
    fought: bool = False
    """Whether this battle is over; the attacker says whether there is another."""


@dataclass(frozen=True, slots=True)
class Motion:
    """An open motion to lengthen the Age; its id is that of its prompt."""

    id: UUID
    by: UUID
    length: int


@dataclass(frozen=True, slots=True)
class Advance:
    """What a seat has said in advance; visible to that seat alone."""

    seat: UUID
    kind: AdvanceKind
    about: str
    """A seat's id, a cause of conflicts, or empty for all."""
    answer: AdvanceWord = AdvanceWord.ASK
    most: int = 0

    @staticmethod
    def audience(record: "Advance") -> Audience:
        """The own seat; a GM may play for others, so not even a GM (section 11)."""
        return seats(record.seat)
