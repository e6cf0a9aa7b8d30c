"""The records and enumerations of The Gods II: the rows of its state.

Secrets are records of their own: purses, cards, factors, who holds a number, drafts of pantheons, who did a deed.
A god is known by the id of the seat; a member of a pantheon is such an id as text, `diabolism` or `atheism`.
"""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from uuid import UUID

from games.engine.audience import Audience, seat_and_gm, seats
from games.engine.board.board import Square
from games.gods2.rules.state.audiences import SecretOfGm, SecretOfReaders, SecretOfSeat

DIABOLISM, ATHEISM = "diabolism", "atheism"
WHOLE = 10_000  # hundredths of a percent (G2-PAN-1)


class Phase(StrEnum):
    """Where the game is (section 11.1 of the rulebook)."""

    SETUP = "setup"
    TRANSITION = "transition"
    OPENING = "opening"
    GROWTH = "growth"
    STARTING = "starting"
    AGGRESSION = "aggression"
    OPEN = "open"
    CLOSING = "closing"
    RECKONING = "reckoning"
    PAYING = "paying"
    CLOSED = "closed"
    CREATION = "creation"
    FINISHED = "finished"


ACTIVE = (Phase.OPEN, Phase.CREATION)
"""When the gods act at the Window on the World."""


class Level(StrEnum):
    """Cultural levels (G2-LVL-1)."""

    PRIMITIVE = "primitive"
    BARBARIAN = "barbarian"
    CIVILIZED = "civilized"


class GodKind(StrEnum):
    """Who can cast."""

    GOD = "god"
    DEMON = "demon"
    SPIRIT = "spirit"


class GodStatus(StrEnum):
    """Whether a god lives; a killed one keeps their shares, an obliterated one loses them (AMB-48)."""

    ALIVE = "alive"
    KILLED = "killed"
    OBLITERATED = "obliterated"


class CityKind(StrEnum):
    """A city counts 3, a great city 6 (G2-CITY-1)."""

    CITY = "city"
    GREAT = "great"


class WarKind(StrEnum):
    """Begun by a god, or by a race's own aggression."""

    GOD = "god"
    AGGRESSIVE = "aggressive"


class WarStatus(StrEnum):
    """The life of a war."""

    DECLARED = "declared"
    FOUGHT = "fought"
    AVERTED = "averted"
    LAPSED = "lapsed"
    CANCELLED = "cancelled"


ENDED = (WarStatus.FOUGHT, WarStatus.AVERTED, WarStatus.LAPSED, WarStatus.CANCELLED)
"""How a war is over."""


class DiplomacyPolicy(StrEnum):
    """What a side does about diplomacy: the GM's word, or the rule's own judgement (G2-DIP-3)."""

    TRY = "try"
    REFRAIN = "refrain"
    AUTO = "auto"


@dataclass(frozen=True, slots=True)
class Era:
    """The clock of Era Centrum: one record. Times are those of the running century."""

    id: UUID
    phase: Phase = Phase.SETUP
    plan: tuple[int, ...] = (6, 5, 5)
    """Centuries of each session (G2-TIME-2)."""
    century_seconds: int = 1800
    session: int = 0
    century: int = 0
    pack_version: int = 0
    pack_digest: str = ""
    starts_at: datetime | None = None
    activity_ends_at: datetime | None = None
    ends_at: datetime | None = None
    growing: tuple[UUID, ...] = ()
    """Races that still have to grow in this century, in their order."""
    next_number: int = 1
    called: int | None = None
    """The number that is being served at the Window (G2-QUEUE-1)."""
    castings: int = 0
    """How many modifications were ever cast: the order in which they fire (G2-MOD-5)."""
    learned: tuple[str, ...] = ()
    """Every knowledge that any race has ever known, for sources that count `first_to_learn`; sorted."""
    creation: bool = False
    """Whether this century is a second Creation, or the next one will be (G2-CREA-1)."""


@dataclass(frozen=True, slots=True)
class God:
    """A god, demon or spirit; `id` is the seat."""

    id: UUID
    name: str
    kind: GodKind = GodKind.GOD
    status: GodStatus = GodStatus.ALIVE


@dataclass(frozen=True, slots=True)
class Absence(SecretOfSeat):
    """A player whom a GM has marked as away (G2-HIST-2). Secret of the seat and the GMs."""

    seat: UUID


@dataclass(frozen=True, slots=True)
class Purse:
    """A god's mana: whole part and carried fraction (G2-MANA-5). Secret of the seat and the GMs."""

    id: UUID
    balance: int = 0
    carried: Decimal = Decimal(0)

    @staticmethod
    def audience(record: "Purse") -> Audience:
        return seat_and_gm(record.id)


@dataclass(frozen=True, slots=True)
class Pool:
    """The demons' common account (G2-MANA-4): one record, id of the game."""

    id: UUID
    balance: int = 0
    carried: Decimal = Decimal(0)
    demons: tuple[UUID, ...] = ()

    @staticmethod
    def audience(record: "Pool") -> Audience:
        return seats(*record.demons, gm=True)


@dataclass(frozen=True, slots=True)
class Cards(SecretOfSeat):
    """How many cards of a sphere a god holds; secret of the seat and the GMs."""

    seat: UUID
    sphere: str
    count: int


@dataclass(frozen=True, slots=True)
class Factor(SecretOfSeat):
    """A god's factor for a mana source in this session (G2-MANA-1); secret of the seat and the GMs."""

    seat: UUID
    source: str
    factor: Decimal


@dataclass(frozen=True, slots=True)
class Race:
    """A people: its culture, and what this century has done to it."""

    id: UUID
    name: str
    attributes: tuple[str, ...] = ()
    knowledges: tuple[str, ...] = ()
    """Sorted keys of the pack."""
    level: Level = Level.PRIMITIVE
    floor: Level = Level.PRIMITIVE
    """The level it cannot fall below, whatever it forgets (G2-CITY-9)."""
    starved: bool = False
    """Starved at its growth in this century (G2-AGG-2)."""
    turmoil: bool = False
    troubled: bool = False
    """Was in turmoil at some moment of this century (G2-TURM-2)."""
    turmoil_at_will: bool = False
    """Its last turmoil was begun by a member god at will, and by no power or feature (G2-TURM-1)."""
    extinct: bool = False
    peak: int = 0
    """The most units it is known to have had, for sources that count `race_reaches:n`."""
    counted: tuple[str, ...] = ()
    """Sorted keys of the mana sources with `once: race` that have counted it in this century (G2-MANA-8)."""


@dataclass(frozen=True, slots=True)
class Share:
    """What a member holds in the pantheon of a race, in hundredths of a percent."""

    race: UUID
    member: str
    share: int


@dataclass(frozen=True, slots=True)
class City:
    """A city of a race on a square."""

    id: UUID
    race: UUID
    square: Square
    kind: CityKind = CityKind.CITY
    name: str = ""


@dataclass(frozen=True, slots=True)
class Feature:
    """A terrain feature; `kind` is a key of the pack. Cities are no features here."""

    id: UUID
    square: Square
    kind: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class War:
    """A declared war and how it ended."""

    id: UUID
    century: int
    number: int
    """Counts the wars of a century from 1, in the order of their declaration."""
    attacker: UUID
    defender: UUID
    kind: WarKind
    declared_at: datetime
    due: datetime | None = None
    order: int = 0
    """Place among the aggressive wars of its century (G2-AGG-6); 0 for a god's war."""
    held: int = 0
    """Seconds a GM has held it back."""
    status: WarStatus = WarStatus.DECLARED
    attacker_percent: int = 0
    defender_percent: int = 0
    attacker_lost: int = 0
    defender_lost: int = 0
    loser: UUID | None = None
    vacated: tuple[Square, ...] = ()
    ended_at: datetime | None = None
    name: str = ""
    group: UUID | None = None
    """The combined war it belongs to (G2-WAR-15)."""
    split: int | None = None
    """With how much of its strength the race with several enemies fights this one (G2-WAR-16)."""


@dataclass(frozen=True, slots=True)
class WarPolicy(SecretOfGm):
    """What a GM wants of a side's diplomacy; the GMs' secret until it is used."""

    war: UUID
    race: UUID
    policy: DiplomacyPolicy


@dataclass(frozen=True, slots=True)
class PantheonOrder(SecretOfReaders):
    """A draft of new shares, its signatures, and whether it waits for the next century (AMB-32)."""

    id: UUID
    race: UUID
    drafter: UUID
    pantheon: tuple[tuple[str, int], ...]
    readers: Audience
    signed: tuple[UUID, ...] = ()
    deferred: bool = False


@dataclass(frozen=True, slots=True)
class QueueNumber:
    """A waiting or called number at the Window; whose it is stands elsewhere."""

    number: int
    place: int
    """Order in the queue, lowest first."""
    misses: int = 0


@dataclass(frozen=True, slots=True)
class NumberHolder(SecretOfSeat):
    """Whose number it is: secret of the seat and the GMs."""

    number: int
    seat: UUID


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the century's worksheet: deaths by box, sources by key, worshippers by race (G2-CALC-1, 2).

    kind: `box`, `source` or `race`; key: box name, source id, race id. count: units or things counted.
    """

    kind: str
    key: str
    count: int


RECKONING = (Phase.CLOSING, Phase.RECKONING, Phase.PAYING, Phase.CLOSED)
ACTING = (Phase.TRANSITION, Phase.OPENING, Phase.GROWTH, Phase.STARTING, Phase.AGGRESSION, *ACTIVE, *RECKONING)
