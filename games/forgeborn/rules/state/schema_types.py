"""The words of the rulebook: steps, kinds, sizes of dice, and the values that commands and events are made of."""

from enum import IntEnum, StrEnum
from typing import Annotated
from uuid import UUID

from pydantic import Field

from games.engine.model import Model
from games.forgeborn.rules.state.constants import MOST_HOW, MOST_TEXT

Text = Annotated[str, Field(max_length=MOST_TEXT)]
How = Annotated[str, Field(max_length=MOST_HOW)]
"""How an artifact helps (FB-CON-2)."""


class Size(IntEnum):
    """The faces of a die that a character or an artifact has; dice of one size are alike (FB-CON-9)."""

    D4 = 4
    D6 = 6
    D8 = 8
    D10 = 10
    D12 = 12


class Step(StrEnum):
    """Where the game is (section 11 of the rulebook)."""

    LOBBY = "lobby"
    MAP = "map"
    SMITHS = "smiths"
    TURN = "turn"
    LAST_TURNS = "last_turns"
    FINISHED = "finished"


class Asked(StrEnum):
    """What is asked (section 11)."""

    MAP = "MAP"
    SMITHS = "SMITHS"
    TURN = "TURN"
    DESCRIBE = "DESCRIBE"
    POOL = "POOL"
    RULING = "RULING"
    REPOOL = "REPOOL"
    HELP = "HELP"
    FORGE = "FORGE"
    SPEND = "SPEND"
    GAIN = "GAIN"
    VAULT = "VAULT"
    DENIED = "DENIED"
    RUINS = "RUINS"
    FOREST = "FOREST"


class DropBy(StrEnum):
    """Who drops the dice of the map (FB-MAP-2, FB-MAP-3)."""

    SERVICE = "service"
    TABLE = "table"


class Referee(StrEnum):
    """Whether a game-master is asked for descriptions and rulings (FB-GM-5)."""

    PERSON = "person"
    NONE = "none"


class Pace(StrEnum):
    """Which deadlines hold."""

    LIVE = "live"
    BY_POST = "by_post"


class PlaceKind(StrEnum):
    """What a place is (FB-MAP-4 to 7, 13)."""

    LAIR = "lair"
    CITADEL = "citadel"
    CITY = "city"
    VILLAGE = "village"
    RUINS = "ruins"
    FOREST = "forest"


class WayKind(StrEnum):
    """A Road takes a move of two, a Trail the whole turn (FB-TRN-2)."""

    ROAD = "road"
    TRAIL = "trail"


class CharacterKind(StrEnum):
    """Who a character is; there is one kind of Heroine (FB-AMB-25)."""

    SMITH = "smith"
    HEROINE = "heroine"


class Form(StrEnum):
    """What an artifact is; each is paid by a die of one size, or by a Resource token (FB-ART-2)."""

    CLOTHING = "clothing"
    JEWELRY = "jewelry"
    BLUNT = "blunt"
    RANGED = "ranged"
    BLADED = "bladed"


class Function(StrEnum):
    """What an artifact is for; each is paid by a die of one size, or by a Secret token (FB-ART-3)."""

    KNOWLEDGE = "knowledge"
    PERSUASION = "persuasion"
    FORTUNE = "fortune"
    CHANGE = "change"
    COMBAT = "combat"


class CameBy(StrEnum):
    """How the holder of an artifact came by it (FB-ROW-1)."""

    VOTE = "vote"
    CONFLICT = "conflict"
    TEST = "test"
    CLAIM = "claim"
    GIFT = "gift"


class Token(StrEnum):
    """What a player collects: Secret tokens in Ruins, Resource tokens in Villages."""

    SECRET = "secret"
    RESOURCE = "resource"


class Deed(StrEnum):
    """What an action is: the conflicts, and the rolls without opposition."""

    BEGIN_ARTIFACT = "begin_artifact"
    RECRUIT_HEROINE = "recruit_heroine"
    CONTEST_ARTIFACT = "contest_artifact"
    TAKE_TEST = "take_test"
    FACE_DRAGON = "face_dragon"
    EXPLORE_RUINS = "explore_ruins"
    ASSIST_VILLAGE = "assist_village"
    BESEECH_PRINCE = "beseech_prince"


class Stage(StrEnum):
    """How far an action has come (FB-CON-7, FB-ART-8)."""

    DECLARED = "declared"
    POOLED = "pooled"
    REFUSED = "refused"
    """Artifacts were refused; a new pool is due."""
    ROLLED = "rolled"
    """The sum of a creation or a recruiting is to be spent."""
    FAILED = "failed"
    """What the failure brings is to be chosen."""
    OVER = "over"


class ListName(StrEnum):
    """The lists of the appendix (FB-TXT-1)."""

    THREATS = "threats"
    GUARDIANS = "guardians"
    NAMES = "names"


class StandingKind(StrEnum):
    """What a seat may answer in advance (FB-AMB-53)."""

    HELP = "help"
    VAULT = "vault"
    GAIN = "gain"


class StandingAnswer(StrEnum):
    """What may be answered in advance: `decline` to help, `yes` or `no` to a vote, `d4` to a gain."""

    DECLINE = "decline"
    YES = "yes"
    NO = "no"
    D4 = "d4"


class EndReason(StrEnum):
    """Why the game is over (FB-DRG-2, FB-END-1 to 3)."""

    DRAGON = "dragon"
    ROUNDS = "rounds"
    CALLED = "called"
    LEFT = "left"


class Value(Model):
    """A value inside commands and events: frozen, exact fields."""


class Helping(Value):
    """An artifact in a pool, and how it helps (FB-CON-2)."""

    artifact: UUID
    how: How = ""


class Bought(StrEnum):
    """What a sum is spent on."""

    ARTIFACT = "artifact"
    HEROINE = "heroine"
