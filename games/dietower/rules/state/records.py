"""The records of the Die Tower game: the rows of its state.

What is secret is a record of its own: a mystery, what the world master has written of people and Monsters, health,
what an attack aims at, a story Wish before it is decided, what a hidden actor waits for. The row of an actor who was
never shown is the world master's alone (DT-CHR-8).
Long for one reason: each record of the game is a few lines.
"""

from dataclasses import dataclass
from typing import Annotated
from uuid import UUID

from pydantic import Field

from games.dietower.rules.state.constants import (
    CHARACTERS,
    HALF_WIDTH,
    IDLE_ROUNDS,
    LEAST_HALF_WIDTH,
    MIRACLE_HEIGHT,
    MOST_CUSTOM_CD,
    MOST_HALF_WIDTH,
    MOST_HEALTH,
    MOST_LEVEL,
    SEATS,
)
from games.dietower.rules.state.schema_types import (
    ActionKind,
    ActorKind,
    Adv,
    Axis,
    Band,
    CheckStatus,
    Condition,
    Harm,
    Hidden,
    Hindrance,
    HindranceAs,
    Line,
    Means,
    MiracleKind,
    Mode,
    PlacementStatus,
    Point,
    Reason,
    SheetField,
    Step,
    Target,
    Text,
    Until,
    Uses,
    WishKind,
    WishStatus,
)
from games.engine.audience import GM, PUBLIC, Audience, seat_and_gm
from games.engine.lifecycle.seating import StoredName

Count = Annotated[int, Field(ge=0, le=1_000_000)]
"""A small whole number; the bound holds for what a game-master corrects."""
Level = Annotated[int, Field(ge=1, le=MOST_LEVEL)]
TowerLevel = Annotated[int, Field(ge=1, le=MIRACLE_HEIGHT)]
"""A die of the tower, counted from the bottom."""
HalfWidth = Annotated[int, Field(ge=LEAST_HALF_WIDTH, le=MOST_HALF_WIDTH)]


@dataclass(frozen=True, slots=True)
class Course:
    """The course of the game: one record."""

    id: UUID
    step: Step = Step.LOBBY
    session: Count = 0
    seats: Count = SEATS
    characters: Count = CHARACTERS
    idle_rounds: Count = IDLE_ROUNDS


@dataclass(frozen=True, slots=True)
class Session:
    """A session of play (DT-TBL-2)."""

    number: Count
    mode: Mode
    half_width: HalfWidth
    closed: bool = False


@dataclass(frozen=True, slots=True)
class Place:
    """The place of a seat in the circle: 1 for the one that was taken first (DT-CMB-2)."""

    seat: UUID
    number: Count


@dataclass(frozen=True, slots=True)
class Actor:
    """A PC, an NPC or a Monster: name and kind, which everybody learns once it is shown (DT-CHR-8)."""

    id: UUID
    kind: ActorKind
    name: StoredName
    seat: UUID | None = None
    """The seat whose character it is; null for the world master's."""
    number: Count = 0
    """Which of its seat's characters it is, from 1; 0 for the world master's."""
    condition: Condition = Condition.ACTIVE
    condition_text: Text = ""
    """How it fell: dead, hurt, ..."""
    shown: bool = True

    @staticmethod
    def audience(record: "Actor") -> Audience:
        """Everybody once it is shown."""
        return PUBLIC if record.shown else GM


@dataclass(frozen=True, slots=True)
class Sheet:
    """The sheet of a player's character, which lies on the table; its mystery is a record of its own."""

    actor: UUID
    weapon: Text = ""
    weapon_defensive: bool = False
    power: Text = ""
    power_drawback: Text = ""
    deviation: Text = ""
    notes: Text = ""
    good_at: tuple[Line, ...] = ()
    level: Level = 1
    wishes: Count = 1


@dataclass(frozen=True, slots=True)
class Mystery:
    """The mystery of a player's character."""

    actor: UUID
    seat: UUID
    text: Text
    secret: bool

    @staticmethod
    def audience(record: "Mystery") -> Audience:
        """The own seat and the world master while it is secret."""
        return seat_and_gm(record.seat) if record.secret else PUBLIC


@dataclass(frozen=True, slots=True)
class Brief:
    """What the world master has written of an NPC or a Monster; for nobody else."""

    actor: UUID
    weapon: Text = ""
    weapon_defensive: bool = False
    power: Text = ""
    notes: Text = ""
    weakness: Text = ""

    @staticmethod
    def audience(_: "Brief") -> Audience:
        """The world master."""
        return GM


@dataclass(frozen=True, slots=True)
class Vitality:
    """The Health of a Monster; the world master's secret (DT-CHR-5)."""

    actor: UUID
    health: Annotated[int, Field(ge=0, le=MOST_HEALTH)]

    @staticmethod
    def audience(_: "Vitality") -> Audience:
        """The world master."""
        return GM


@dataclass(frozen=True, slots=True)
class Revelation:
    """What was revealed of somebody, as it was then."""

    actor: UUID
    field: Hidden
    text: Text


@dataclass(frozen=True, slots=True)
class Chart:
    """A random chart for a field of a sheet (DT-CHR-6)."""

    field: SheetField
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Check:
    """A check, from the asking to its end (DT-CHK-1)."""

    id: UUID
    actor: UUID
    intent: Text
    trait: Text
    by: UUID | None
    """The seat that asked for it; null for the world master."""
    status: CheckStatus = CheckStatus.ASKED
    own_turn: bool = False
    """Whether its player asked for it in the character's turn, so that it uses the attack action (DT-AMB-37)."""
    uses: Means = Means.NONE
    """What it is done with, as was asked (DT-CHK-1)."""
    cd: Annotated[int, Field(ge=0, le=MOST_CUSTOM_CD)] = 0
    cd_name: str = ""
    good: bool = False
    adv: Adv = Adv.NONE
    edge: Annotated[int, Field(ge=0, le=3)] = 0
    edge_die: bool = False
    hindrance: Hindrance = Hindrance.NONE
    hindrance_as: HindranceAs | None = None
    free: bool = False
    success: bool | None = None
    session: Count = 0
    """The session in which it was asked for; 0 in a log that does not say."""
    told: bool = False
    """Whether the world master has given a Wish for it as a deed (DT-WSH-2)."""


@dataclass(frozen=True, slots=True)
class Roll:
    """The dice of one actor, thrown and still open to Wishes, or closed (DT-CHK-6)."""

    id: UUID
    actor: UUID
    check: UUID | None
    attack: UUID | None
    dice: tuple[int, ...]
    """All that were thrown, in the order of DT-CHK-13, the discarded one included."""
    discarded: int | None
    """The place of the discarded die among them, from 0; null for none."""
    pool: tuple[int, ...]
    """The dice that count: without the discarded one, with those that Wishes bought."""
    flat: Annotated[int, Field(ge=0, le=3)] = 0
    waiting: bool = True
    """Whether its owner may still buy dice."""
    closed: bool = False
    net: Annotated[int, Field(ge=-1000, le=1000)] = 0
    extra: tuple[int, ...] = ()
    total: Count = 0

    @property
    def bought(self) -> int:
        """How many of its dice Wishes bought."""
        return len(self.pool) - len(self.dice) + (self.discarded is not None)


@dataclass(frozen=True, slots=True)
class Tower:
    """The tower: one record. Its dice are rows of their own."""

    id: UUID
    mode: Mode = Mode.SIMULATED
    half_width: HalfWidth = HALF_WIDTH
    height: Annotated[int, Field(ge=0, le=MIRACLE_HEIGHT)] = 0
    last_placer: UUID | None = None
    """The seat whose die stood last; it survives falls and new towers (DT-TWR-3). Null before, and for the WM's."""
    master_last: bool = False
    """Whether the world master's die stood last."""
    placements: Count = 0
    """How many dice have been due so far."""


@dataclass(frozen=True, slots=True)
class TowerDie:
    """A die that stands; centres are there on a simulated tower alone (DT-SIM-1)."""

    level: TowerLevel
    placement: UUID
    actor: UUID
    x: Annotated[int, Field(ge=-100, le=100)] | None
    y: Annotated[int, Field(ge=-100, le=100)] | None


@dataclass(frozen=True, slots=True)
class Placement:
    """A die that somebody owes the tower, in the queue until it is placed or dropped (DT-TWR-8)."""

    id: UUID
    number: Count
    """Its place in the order of all placements."""
    roll: UUID
    actor: UUID
    reason: Reason
    status: PlacementStatus = PlacementStatus.DUE
    height: Count = 0
    """The height it left, or brought down."""
    dice: tuple[int, ...] = ()
    unasked: bool = False
    """Whether the service places it when its turn comes: its seat was left (DT-AMB-53)."""
    half_width: HalfWidth | None = None
    """H of the simulated tower that it was placed on; null before, and on a real one."""
    centres: tuple[Point, ...] = ()
    """Those of all dice of a simulated tower with this one, the lowest first: what stood, or fell (DT-SIM-5)."""
    level: TowerLevel | None = None
    """The level at which a simulated tower fell by it; null for none."""
    axis: Axis | None = None
    """The direction in which it fell."""


@dataclass(frozen=True, slots=True)
class Consequence:
    """A terrible thing: what the fall of the tower has cost (DT-TWR-4)."""

    id: UUID
    placement: UUID
    actor: UUID
    written: bool = False
    kind: Harm = Harm.OTHER
    text: Text = ""
    targets: tuple[Target, ...] = ()


@dataclass(frozen=True, slots=True)
class Miracle:
    """The thirteenth die, and what its placer chose (DT-TWR-5)."""

    id: UUID
    placement: UUID
    actor: UUID
    kind: MiracleKind | None = None
    target: UUID | None = None


@dataclass(frozen=True, slots=True)
class Bonus:
    """The die that a miracle adds to all rolls of somebody."""

    miracle: UUID
    actor: UUID
    until: Until


@dataclass(frozen=True, slots=True)
class StoryWish:
    """A Wish for the story; its player's and the world master's until it is decided (DT-AMB-39)."""

    id: UUID
    actor: UUID
    seat: UUID
    kind: WishKind
    price: Count
    asked: Text
    status: WishStatus = WishStatus.PENDING
    text: Text = ""

    @staticmethod
    def audience(record: "StoryWish") -> Audience:
        """Everybody once it is decided; a withdrawn one stays a secret."""
        return PUBLIC if record.status in (WishStatus.ACCEPTED, WishStatus.REFUSED) else seat_and_gm(record.seat)


@dataclass(frozen=True, slots=True)
class Encounter:
    """An encounter: whose turn it is, and what was done in it (DT-CMB-1, 2, 3)."""

    id: UUID
    number: Count
    session: Count
    order: tuple[UUID, ...]
    """The actors as they act in a round."""
    round: Count = 0
    turn: UUID | None = None
    """The actor whose turn it is."""
    moved: bool = False
    attacked: bool = False
    done: bool = False
    """Whether anything was done in this turn."""
    last_turn: UUID | None = None
    """Whose turn was the last; the next in order follows."""
    round_silent: bool = True
    """Whether the clock has ended every turn of this round, and nothing was done in any."""
    silent_rounds: Count = 0
    """Rounds in a row right before this one that went by in silence (DT-CMB-17)."""
    closing: bool = False
    closed: bool = False
    closing_text: Text = ""


@dataclass(frozen=True, slots=True)
class Member:
    """Somebody who takes part in the encounter."""

    actor: UUID
    encounter: UUID


@dataclass(frozen=True, slots=True)
class Distance:
    """How far two opponents are from each other; `a` is a player's character (DT-CMB-12)."""

    a: UUID
    b: UUID
    band: Band


@dataclass(frozen=True, slots=True)
class Hold:
    """An action that is held until something happens (DT-CMB-4)."""

    id: UUID
    actor: UUID
    action: ActionKind
    trigger: Text
    hidden: bool
    triggered: Count = 0
    """Which trigger it was, counted through the encounter; 0 for none yet."""
    offered: bool = False
    """Whether its holder was asked and kept it."""

    @staticmethod
    def audience(record: "Hold") -> Audience:
        """What a PC holds is public; what an NPC or a Monster holds is the world master's."""
        return GM if record.hidden else PUBLIC


@dataclass(frozen=True, slots=True)
class Attack:
    """An attack, from its declaration to its end (DT-CMB-5)."""

    id: UUID
    actor: UUID
    target: UUID
    uses: Uses
    defence: Uses | None = None
    hold: UUID | None = None
    """The held action that it is; null for the attack of a turn (DT-CMB-4)."""
    trigger: Text = ""
    """What that waited for."""
    is_set: bool = False
    over: bool = False
    hit: bool | None = None


@dataclass(frozen=True, slots=True)
class Aim:
    """Whether an attack is aimed at a weakness; the world master's secret until it hits (DT-CMB-8)."""

    attack: UUID
    weakness: bool

    @staticmethod
    def audience(_: "Aim") -> Audience:
        """The world master."""
        return GM
