"""The records of Forgeborn: the rows of its state.

What is secret is a record of its own: the dice of a Smith until all are defined (`Draft`; the name is a public
`Nameplate`), a ballot until the vote closes (that it is in is a public `Seal`), a pool that was sent along with its
action (`SentPool`), notes, drawn lines, and what a seat answers in advance.
Long for one reason: each record of the game is a few lines.
"""

from dataclasses import dataclass
from typing import Annotated
from uuid import UUID

from pydantic import Field

from games.engine.audience import GM, PUBLIC, Audience, seat_and_gm, seats
from games.engine.lifecycle.seating import StoredName
from games.forgeborn.rules.state.constants import MOST_COUNT, MOST_POWER, MOST_SIDE
from games.forgeborn.rules.state.schema_types import (
    CameBy,
    CharacterKind,
    Deed,
    EndReason,
    Form,
    Function,
    Helping,
    ListName,
    PlaceKind,
    Size,
    Stage,
    StandingAnswer,
    StandingKind,
    Step,
    Text,
    WayKind,
)

Count = Annotated[int, Field(ge=0, le=MOST_COUNT)]
"""A number of tokens, dice or points; the bound holds for what a game-master corrects."""
Power = Annotated[int, Field(ge=0, le=MOST_POWER)]
"""The number of d12 that something rolls against those who try it."""
Coordinate = Annotated[int, Field(ge=0, lt=MOST_SIDE)]
"""Whole units of the sheet."""


@dataclass(frozen=True, slots=True)
class Course:
    """The course of the game: one record."""

    id: UUID
    step: Step = Step.LOBBY
    round: Count = 0
    """Counted from 1 (FB-TRN-6)."""
    winds: bool = False
    """Whether the range of the map winds around places (FB-MAP-9)."""
    first_seat: UUID | None = None
    """The seat that the host has named to begin; null where dice say it (FB-SET-2)."""
    order: tuple[UUID, ...] = ()
    """The seats in the order of their turns."""
    to_come: tuple[UUID, ...] = ()
    """The seats that have a turn in this round after the one that runs."""
    active: UUID | None = None
    """The seat whose turn it is."""
    character: UUID | None = None
    """The character whom the active seat uses in this turn (FB-TRN-3)."""
    roads: Annotated[int, Field(ge=0, le=2)] = 0
    """Road moves of this turn (FB-TRN-2)."""
    slayer: UUID | None = None
    """The seat that has slain the Dragon (FB-DRG-2)."""
    called: bool = False
    """Whether this round is the last, for host or game-master has called time (FB-END-2)."""
    reason: EndReason | None = None
    """Why the game is over."""
    winners: tuple[UUID, ...] = ()
    """The seats that have won; several share the victory."""


@dataclass(frozen=True, slots=True)
class Chair:
    """The place of a seat among the players: 1 for the one that was taken first."""

    seat: UUID
    number: Count


@dataclass(frozen=True, slots=True)
class DroppedDie:
    """A die that lies on the sheet: of the first drop, or of new Ruins (FB-MAP-1, FB-ROW-3)."""

    name: str
    sides: int
    face: int
    x: Coordinate
    y: Coordinate
    is_entered: bool = False
    """Whether the table has entered or moved it; else the service dropped it."""


@dataclass(frozen=True, slots=True)
class Place:
    """A place of the map (FB-ROW-3)."""

    id: UUID
    kind: PlaceKind
    number: Count
    """Which of its kind it is, from 1; 0 where there is one alone."""
    name: StoredName
    die: str
    """The die that it stands for; for the Forest the forest point where its Trail begins."""
    power: Power
    """Of the Dragon, the Citadel, the Prince, a problem or a guardian; 0 for the Forest."""
    x: Coordinate
    y: Coordinate
    is_spent: bool = False
    """Whether Ruins are explored: a mere place from then on (FB-RUI-1)."""
    threat: Text = ""
    """What threatens a Village, or guards Ruins; empty when it is solved (FB-AMB-59)."""


@dataclass(frozen=True, slots=True)
class Way:
    """A Road or a Trail between two places; `a` is the earlier one in the order of places (FB-MAP-14)."""

    a: UUID
    b: UUID
    kind: WayKind


@dataclass(frozen=True, slots=True)
class Draft:
    """The dice of a Smith before all are defined; a secret of its seat and the game-masters (FB-SET-3)."""

    seat: UUID
    d4: Count = 0
    d6: Count = 0
    d8: Count = 0
    d10: Count = 0
    d12: Count = 0

    @staticmethod
    def audience(record: "Draft") -> Audience:
        """The own seat and the game-masters."""
        return seat_and_gm(record.seat)


@dataclass(frozen=True, slots=True)
class Nameplate:
    """Name and description of a Smith before all are defined: public at once (FB-SET-3)."""

    seat: UUID
    name: StoredName
    text: Text = ""


@dataclass(frozen=True, slots=True)
class Character:
    """A Smith or a Heroine, with dice by size (FB-ROW-2). What they hold follows from the artifacts."""

    id: UUID
    seat: UUID
    kind: CharacterKind
    number: Count
    """The order of recruiting, from 1; 0 for the Smith."""
    name: StoredName
    text: Text
    place: UUID
    d4: Count = 0
    d6: Count = 0
    d8: Count = 0
    d10: Count = 0
    d12: Count = 0
    is_plain: bool = False
    """Whether the service has made this Smith, for the player was silent (FB-SET-7)."""


@dataclass(frozen=True, slots=True)
class Artifact:
    """A thing that was forged (FB-ROW-1); never lost."""

    id: UUID
    name: StoredName
    text: Text
    form: Form
    function: Function
    power: Power
    """The number of its dice."""
    maker: UUID
    """The Smith who has made it."""
    helpers: tuple[UUID, ...]
    """The Smiths who have rolled with the maker."""
    round: Count
    holder: UUID
    """The Citadel, where it lies in the Vault, or a character."""
    came_by: CameBy | None = None
    """How its holder came by it; null in the Vault."""
    d4: Count = 0
    d6: Count = 0
    d8: Count = 0
    d10: Count = 0
    d12: Count = 0


@dataclass(frozen=True, slots=True)
class Purse:
    """What a player has: victory points, tokens, the Prince's ear, a claim (FB-ROW-4)."""

    seat: UUID
    vp: Count = 0
    resource: Count = 0
    secret: Count = 0
    is_swayed: bool = False
    """Whether the player has swayed the Prince (FB-PRI-1)."""
    claim: UUID | None = None
    """The artifact in the Vault that the player has claimed (FB-PRI-3)."""


@dataclass(frozen=True, slots=True)
class Action:
    """A conflict, a creation or a recruiting, from its declaration to its end (FB-CON-7, FB-ART-8)."""

    id: UUID
    kind: Deed
    seat: UUID
    character: UUID
    place: UUID
    stage: Stage = Stage.DECLARED
    artifact: UUID | None = None
    """The artifact of the Vault that it is about."""
    power: Power | None = None
    """What it rolls against; null for a creation and a recruiting."""
    danger: Text = ""
    """What the game-master has described."""
    name: str = ""
    """What the artifact or the Heroine is called that comes of it."""
    text: Text = ""
    form: Form | None = None
    function: Function | None = None
    total: Count | None = None
    """The sum of the dice, once they have fallen."""
    against: Count | None = None
    """The sum of the opposing d12."""
    is_won: bool | None = None
    """Null before the dice fall, and for an action that its player has stepped back from."""


@dataclass(frozen=True, slots=True)
class Pool:
    """The dice of the one who acts, as they lie on the table (FB-CON-1, 2, 7)."""

    action: UUID
    free: tuple[Size, ...]
    sacrifice: tuple[Size, ...]
    artifacts: tuple[Helping, ...]
    """In the order in which they are stated."""
    text: Text = ""
    """How the character faces it."""
    refused: tuple[UUID, ...] = ()
    """Artifacts that the game-master has refused."""
    is_over: bool = False


@dataclass(frozen=True, slots=True)
class SentPool:
    """A pool that was sent along with its action, and what a failure shall bring (FB-CON-8); its seat's until used."""

    action: UUID
    seat: UUID
    has_pool: bool
    free: tuple[Size, ...] = ()
    sacrifice: tuple[Size, ...] = ()
    artifacts: tuple[Helping, ...] = ()
    text: Text = ""
    has_gain: bool = False
    """Whether it says what a failure brings."""
    raised: Size | None = None
    """The size of the die that a failure raises; null for a d4."""

    @staticmethod
    def audience(record: "SentPool") -> Audience:
        """The own seat alone."""
        return seats(record.seat)


@dataclass(frozen=True, slots=True)
class HelpOffer:
    """What a Smith at the Citadel answers to a maker: dice, or none (FB-ART-8)."""

    action: UUID
    seat: UUID
    free: tuple[Size, ...] = ()
    sacrifice: tuple[Size, ...] = ()
    is_declined: bool = False
    is_accepted: bool = False
    """Whether the maker has rolled them."""
    is_over: bool = False


@dataclass(frozen=True, slots=True)
class Vote:
    """Whether a Smith is given an artifact of the Vault (FB-VLT-1)."""

    id: UUID
    artifact: UUID
    seat: UUID
    """The seat that asks."""
    electorate: tuple[UUID, ...]
    """The seats that vote; one that is left falls away (FB-AMB-62)."""
    is_agreed: bool | None = None
    """Null while it runs."""
    yes: Count = 0
    no: Count = 0
    missing: Count = 0


@dataclass(frozen=True, slots=True)
class Ballot:
    """What a seat has voted: its own secret, from the game-master too, until the vote closes (FB-VLT-2)."""

    vote: UUID
    seat: UUID
    is_yes: bool
    is_open: bool = False
    """Whether the vote is closed, and everybody reads it (FB-AMB-35)."""

    @staticmethod
    def audience(record: "Ballot") -> Audience:
        """The own seat, then everybody."""
        return PUBLIC if record.is_open else seats(record.seat)


@dataclass(frozen=True, slots=True)
class Seal:
    """That the ballot of a seat is in, which everybody may know; not what it says, nor that it was changed."""

    vote: UUID
    seat: UUID


@dataclass(frozen=True, slots=True)
class Note:
    """What a game-master has written for later (FB-GM-3)."""

    id: UUID
    text: Text
    place: UUID | None = None

    @staticmethod
    def audience(_: "Note") -> Audience:
        """The game-masters."""
        return GM


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a list that was drawn or chosen (FB-TXT-1, 2)."""

    id: UUID
    list: ListName
    line: Count
    """Its number in the list, from 1."""
    text: Text
    place: UUID | None = None
    drawer: UUID | None = None
    """The player's seat that drew it; null for the service or a game-master."""
    is_public: bool = False
    """Whether the service drew it, for all to read."""

    @staticmethod
    def audience(record: "Line") -> Audience:
        """Everybody for one that the service drew; else its drawer and the game-masters."""
        if record.is_public:
            return PUBLIC
        return seat_and_gm(record.drawer) if record.drawer is not None else GM


@dataclass(frozen=True, slots=True)
class AdvanceAnswer:
    """What a seat answers in advance; its own secret, from the game-master too: it may be a ballot (FB-AMB-53)."""

    seat: UUID
    kind: StandingKind
    answer: StandingAnswer

    @staticmethod
    def audience(record: "AdvanceAnswer") -> Audience:
        """The own seat alone."""
        return seats(record.seat)
