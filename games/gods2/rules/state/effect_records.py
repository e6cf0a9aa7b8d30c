"""The records of what outlasts the moment it was cast or ordered: modifications, cuts of limits, migrations, tasks.

Who cast a power is a secret of its own (`Authorship`), so the public rows name the casting alone.
"""

from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from games.engine.audience import GM, Audience, seat_and_gm
from games.engine.board.board import Square
from games.gods2.rules.state.audiences import SecretOfGm, SecretOfReaders, SecretOfSeat


class ModStatus(StrEnum):
    """The life of a modification (G2-MOD-1 to 4): dormant until its trigger, waiting for the next century, active."""

    DORMANT = "dormant"
    WAITING = "waiting"
    ACTIVE = "active"


class GrantSource(StrEnum):
    """Where a power comes from that a seat holds without cards."""

    BORROWED = "borrowed"
    ARTIFACT = "artifact"
    PERSONAL = "personal"


@dataclass(frozen=True, slots=True)
class Modification:
    """A power that goes on working on a race (section 4.1 of the rulebook)."""

    id: UUID
    race: UUID
    power: str
    status: ModStatus
    place: int
    """Counts the castings of the game, lowest first: the order in which modifications fire (G2-MOD-5)."""
    century: int
    """In which it was cast."""
    until: int | None = None
    """The century at whose end it ends; None: it ends by its trigger, or never."""
    fired: str | None = None
    """The trigger that woke it, for as long as that event lasts."""
    event: UUID | None = None
    """The war whose end ends its effect."""
    casting: UUID | None = None


@dataclass(frozen=True, slots=True)
class Cut:
    """A cut of population limits for one race (G2-LIM-3)."""

    id: UUID
    race: UUID
    amount: int
    squares: tuple[Square, ...] = ()
    """The squares it concerns; all when empty."""
    terrain: str | None = None
    casting: UUID | None = None
    until: int | None = None
    """The century at whose end it is over; none: it stays."""


@dataclass(frozen=True, slots=True)
class Migration:
    """An order of migration for a race's next growth step (G2-GROW-11): a direction, or a target square."""

    id: UUID
    """The race."""
    direction: str | None
    square: Square | None
    casting: UUID | None = None
    until: int | None = None
    """The last century in whose growth it counts; none: in the next growth alone."""


@dataclass(frozen=True, slots=True)
class Authorship(SecretOfReaders):
    """Who cast: secret of the casters and the GMs. The primary caster is the "you" of the power (G2-HIST-4)."""

    id: UUID
    """The casting."""
    primary: UUID
    seats: tuple[UUID, ...]
    readers: Audience


@dataclass(frozen=True, slots=True)
class Deed(SecretOfSeat):
    """Who caused an entry of the history: secret of the seat and the GMs (G2-HREC-1)."""

    id: UUID
    """The entry."""
    seat: UUID


@dataclass(frozen=True, slots=True)
class Proposal(SecretOfReaders):
    """A combined casting that waits for its partners (G2-HIST-2 to 4); secret of the casters and the GMs."""

    id: UUID
    """The casting."""
    power: str
    primary: UUID
    price: int
    parts: tuple[tuple[UUID, int], ...]
    agreed: tuple[UUID, ...]
    wish: str
    """The command that is carried out when all have agreed, as JSON."""
    left: float
    """Seconds that the called caster had left when the question was put."""
    readers: Audience


@dataclass(frozen=True, slots=True)
class Task(SecretOfReaders):
    """What a GM has to do by hand for a casting; void and refunded when the Activity Phase ends (MISC-1).

    Secret of the casters and the GMs, as it says who paid.
    """

    id: UUID
    casting: UUID | None
    words: str
    payers: tuple[tuple[UUID, int], ...]
    """Seats and what each paid; for demons out of their pool."""
    readers: Audience


@dataclass(frozen=True, slots=True)
class Grant(SecretOfSeat):
    """A power that a seat may use without cards: borrowed, personal, or an artifact's; secret of seat and GMs."""

    seat: UUID
    power: str
    source: GrantSource
    uses: int


@dataclass(frozen=True, slots=True)
class ArtifactPower:
    """A power that lies in an artifact (G2-ART-2); whose user has a grant of it. For that seat and the GMs."""

    artifact: UUID
    power: str
    uses: int
    """How many are left, as they were last set."""
    seat: UUID | None = None
    """The seat that may use it now; null where nobody can."""

    @staticmethod
    def audience(record: "ArtifactPower") -> Audience:
        """The seat that may use it, and the GMs."""
        return GM if record.seat is None else seat_and_gm(record.seat)


@dataclass(frozen=True, slots=True)
class Law:
    """A law of the council, recorded by a GM for the sources that count it."""

    name: str
    words: str
    century: int


@dataclass(frozen=True, slots=True)
class Land:
    """A named part of the map (G2-HREC-3)."""

    id: UUID
    name: str
    squares: tuple[Square, ...]


@dataclass(frozen=True, slots=True)
class Signature:
    """The author of an entry of the history, named at their own wish (G2-HREC-1)."""

    id: UUID
    """The entry."""
    seat: UUID


@dataclass(frozen=True, slots=True)
class LaterTurmoil(SecretOfSeat):
    """A turmoil that begins with the next century (AMB-32); secret of the seat and the GMs until then."""

    race: UUID
    seat: UUID


@dataclass(frozen=True, slots=True)
class GrowthPlan(SecretOfGm):
    """The order in which a GM lets the races grow in a century (G2-GROW-1); the GMs' secret until then."""

    id: UUID
    """The game."""
    century: int
    races: tuple[UUID, ...]


@dataclass(frozen=True, slots=True)
class Preview(SecretOfGm):
    """What the rules would do in a growth or a war, while a GM may still change it; the GMs' secret."""

    id: UUID
    """The prompt."""
    kind: str
    """`growth` or `war`."""
    subject: UUID
    """The race or the war."""
    plan: str
    """As JSON."""
