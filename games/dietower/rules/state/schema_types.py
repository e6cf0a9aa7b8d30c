"""The words of the rulebook: steps, kinds, modes, bands, and the values that commands and events are made of."""

from enum import StrEnum
from typing import Annotated
from uuid import UUID

from pydantic import Field

from games.dietower.rules.state.constants import MOST_LINE, MOST_TEXT
from games.engine.model import Model

Text = Annotated[str, Field(max_length=MOST_TEXT)]
Line = Annotated[str, Field(min_length=1, max_length=MOST_LINE)]


class Step(StrEnum):
    """Where the game is (section 8 of the rulebook)."""

    LOBBY = "lobby"
    SETUP = "setup"
    FREE = "free"
    TURN = "turn"
    CLOSED = "closed"
    FINISHED = "finished"


class Asked(StrEnum):
    """What is asked (section 8)."""

    CHECK_SET = "CHECK.SET"
    CHECK_WISH = "CHECK.WISH"
    PLACE = "PLACE"
    TERRIBLE = "TERRIBLE"
    MIRACLE = "MIRACLE"
    TURN = "TURN"
    ATTACK_DEFEND = "ATTACK.DEFEND"
    ATTACK_SET = "ATTACK.SET"
    ATTACK_WISH = "ATTACK.WISH"
    HELD = "HELD"
    WISH_STORY = "WISH.STORY"


class ActorKind(StrEnum):
    """Who somebody is: a player's character, a person of the world master's, or a Monster."""

    PC = "pc"
    NPC = "npc"
    MONSTER = "monster"


class Condition(StrEnum):
    """How an actor is: a PC or NPC is struck down, a Monster is beaten (DT-CHR-4, DT-CMB-8)."""

    ACTIVE = "active"
    FALLEN = "fallen"
    BEATEN = "beaten"


class SheetField(StrEnum):
    """A field of a sheet that holds text, which a chart may have lines for (DT-CHR-6)."""

    NAME = "name"
    WEAPON = "weapon"
    POWER = "power"
    POWER_DRAWBACK = "power_drawback"
    DEVIATION = "deviation"
    MYSTERY = "mystery"
    NOTES = "notes"


class Hidden(StrEnum):
    """What may be revealed of somebody (DT-CHR-5)."""

    HEALTH = "health"
    WEAKNESS = "weakness"
    WEAPON = "weapon"
    POWER = "power"
    NOTES = "notes"
    MYSTERY = "mystery"


class Mode(StrEnum):
    """How dice are placed: on a real tower, or on the one of chapter 4."""

    PHYSICAL = "physical"
    SIMULATED = "simulated"


class Axis(StrEnum):
    """A direction in which a simulated tower may fall."""

    X = "x"
    Y = "y"


class Reason(StrEnum):
    """Why a die is due (DT-CHK-9, 11, DT-CMB-9)."""

    NET_FAIL = "net_fail"
    FAILURE = "failure"
    HIT = "hit"


class Adv(StrEnum):
    """Advantage, disadvantage, or neither."""

    NONE = "none"
    ADV = "adv"
    DIS = "dis"


class Hindrance(StrEnum):
    """What of a character the world master invokes (DT-CHR-7)."""

    NONE = "none"
    DRAWBACK = "drawback"
    DEVIATION = "deviation"


class HindranceAs(StrEnum):
    """What it does to the roll."""

    DIS = "dis"
    NO_POWER = "no_power"


class CheckStatus(StrEnum):
    """How far a check has come."""

    ASKED = "asked"
    THROWN = "thrown"
    DONE = "done"
    WITHDRAWN = "withdrawn"


class PlacementStatus(StrEnum):
    """What has become of a die for the tower."""

    DUE = "due"
    STOOD = "stood"
    FELL = "fell"
    DROPPED = "dropped"


class Harm(StrEnum):
    """What a terrible thing is (DT-TWR-4)."""

    DEATH = "death"
    INJURY = "injury"
    LOSS = "loss"
    OTHER = "other"


class MiracleKind(StrEnum):
    """What a miracle does (DT-TWR-5)."""

    REVIVE = "revive"
    EXTRA_DIE = "extra_die"


class Until(StrEnum):
    """How long the die of a miracle lasts."""

    ENCOUNTER = "encounter"
    SCENE = "scene"


class WishKind(StrEnum):
    """What a story Wish is for (DT-WSH-3)."""

    ELEMENT = "element"
    SOMEONE = "someone"
    GROUP = "group"


class WishStatus(StrEnum):
    """What has become of a story Wish."""

    PENDING = "pending"
    ACCEPTED = "accepted"
    REFUSED = "refused"
    WITHDRAWN = "withdrawn"


class WishReason(StrEnum):
    """What a Wish is earned by (DT-WSH-2)."""

    PLACEMENT = "placement"
    ROLE_PLAY = "role_play"
    STORY = "story"


class Band(StrEnum):
    """How far two are from each other, the nearest first (DT-CMB-11)."""

    SHORT = "short"
    MEDIUM = "medium"
    LONG = "long"
    DISTANT = "distant"


class Uses(StrEnum):
    """What somebody attacks or defends with."""

    WEAPON = "weapon"
    POWER = "power"
    NONE = "none"


class Means(StrEnum):
    """What somebody uses in a check, as its player says; the world master says what it is worth."""

    TRAIT = "trait"
    WEAPON = "weapon"
    POWER = "power"
    NONE = "none"


class ActionKind(StrEnum):
    """The two actions of a turn (DT-CMB-3)."""

    MOVE = "move"
    ATTACK = "attack"


class Value(Model):
    """A value inside commands and events: frozen, exact fields."""


class Point(Value):
    """The centre of a die, in whole units."""

    x: int
    y: int


class Target(Value):
    """Whom a terrible thing strikes."""

    actor: UUID
    fallen: bool
    """Whether they fall by it."""


class Terms(Value):
    """What the world master sets for one side of a roll (DT-CHK-1, DT-CMB-13, DT-CHR-7)."""

    adv: Adv = Adv.NONE
    edge: int = Field(default=0, ge=0, le=3)
    """+1 minor, +2 normal, +3 big; 0 for none."""
    edge_die: bool = False
    """+1d6 for exploiting a weakness."""
    hindrance: Hindrance = Hindrance.NONE
    hindrance_as: HindranceAs | None = None


class BandBetween(Value):
    """The distance between two opponents."""

    a: UUID
    b: UUID
    band: Band
