"""The words of the rulebook: sides, steps, actions, results, and what an order is made of."""

from enum import StrEnum
from uuid import UUID

from pydantic import Field

from games.engine.model import Model

MOST_WRITTEN = 64  # orders in one paper; nobody has more than 18 junctures


class Side(StrEnum):
    """The side a character fights for; its mark grows when the character battles (rebels Ebb, Albraxas Tide)."""

    REBEL = "rebel"
    ALBRAXAS = "albraxas"


class Step(StrEnum):
    """Where the game is (section 9 of the rulebook)."""

    LOBBY = "lobby"
    CHARACTERS = "characters"
    LOCATE = "locate"
    ORDER = "order"
    RESOLVE = "resolve"
    CHECK = "check"
    FINISHED = "finished"


OPENING = f"{Step.ORDER}.open"
"""The question inside that for orders: what was sealed is opened."""


class Action(StrEnum):
    """What an order says; `convalesce` takes the whole phase and is no order of a juncture."""

    RECOVER = "recover"
    BATTLE = "battle"
    BACKBONE = "backbone"
    BLITZ = "blitz"
    HOLE_UP = "hole_up"
    CONVALESCE = "convalesce"


class Result(StrEnum):
    """How a roll went for the acting character; `none` where nothing is rolled."""

    WIN = "win"
    LOSE = "lose"
    TIE = "tie"
    NONE = "none"


class Mode(StrEnum):
    """When tied pairs are knocked out (AX-DIE-5)."""

    IF_WINS = "if_wins"
    ALWAYS = "always"


class Value(Model):
    """A value inside commands and events: frozen, exact fields."""


class TiePolicy(Value):
    """What to do in a tie: the most Dynamism for one roll, and whether only for a win (AX-DIE-5)."""

    max: int = Field(default=0, le=1_000_000)
    """The most Dynamism for one roll; 0 or more."""
    mode: str = Field(default=Mode.IF_WINS.value, max_length=40)
    """`if_wins` or `always`."""


PROPOSED_TIE = TiePolicy(max=3)
"""What forms and bots begin with: two tied pairs at most, for a win alone (AX-DIE-5)."""


class Order(Value):
    """What is done in one juncture."""

    action: str = Field(max_length=40)
    """`recover`, `battle`, `backbone`, `blitz` or `hole_up`."""
    dice: int | None = Field(default=None, le=1_000_000)
    """For a blitz: how many dice are bought, 1 to Blitz."""
    tie: TiePolicy | None = TiePolicy()
    """What to do in a tie; nothing is spent where there is none."""

    @property
    def policy(self) -> TiePolicy:
        """What to do in a tie."""
        return self.tie or TiePolicy()


class Paper(Value):
    """All orders of one character for one phase: convalesce, or an order for each juncture."""

    convalesce: bool = False
    """Sit the whole phase out."""
    orders: tuple[Order, ...] = Field(default=(), max_length=MOST_WRITTEN)
    """An order for each juncture; a missing tail is hole_up."""


class SeatPaper(Value):
    """The revealed orders of one seat; SHA-256 of `salt:{convalesce, orders}` as canonical JSON is the digest."""

    seat: UUID
    convalesce: bool
    orders: tuple[Order, ...]
    salt: str
    digest: str


class Attributes(Value):
    """A character as it is shown at the start."""

    seat: UUID
    side: Side
    name: str
    backbone: int
    battle: int
    blitz: int
    dynamism: int


class Place(Value):
    """Where a rebel goes, what the Travel costs, whether they are forced to stay, and their clone count there."""

    seat: UUID
    phase: int
    price: int
    forced: bool = False
    clones: int = 0


class Standing(Value):
    """What a character brings into a phase: junctures and clone count."""

    seat: UUID
    junctures: int
    clones: int


class Strength(Value):
    """The effective value that a character rolls against in this juncture."""

    seat: UUID
    phase: int
    effective: int
