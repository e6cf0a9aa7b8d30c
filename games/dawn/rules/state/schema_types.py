"""The words of the rulebook: steps, alignments, tiers, kinds, prices, questions; and the values inside commands."""

from enum import IntEnum, StrEnum
from typing import Annotated
from uuid import UUID

from pydantic import Field

from games.engine.model import Model

Text = Annotated[str, Field(max_length=2000)]
MAX_SIDE = 64  # squares of a map's side (DW-SET-3)


class Step(StrEnum):
    """Where the game is (section 9 of the rulebook)."""

    LOBBY = "lobby"
    SETUP = "setup"
    TURN = "turn"
    ROUND_END = "round_end"
    """The last planned round has ended and waits for an open motion (DW-AGE-4)."""
    FINISHED = "finished"


class Age(IntEnum):
    """The three Ages (DW-AGE-1)."""

    LAND = 1
    RACES = 2
    RELATIONS = 3


class Moral(StrEnum):
    """The moral half of a god's alignment (DW-SET-2)."""

    GOOD = "good"
    NEUTRAL = "neutral"
    EVIL = "evil"


class Ethical(StrEnum):
    """The ethical half; optional."""

    LAWFUL = "lawful"
    NEUTRAL = "neutral"
    CHAOTIC = "chaotic"


class Terrain(StrEnum):
    """What a square is made of. `ocean` and `lake` are water."""

    OCEAN = "ocean"
    LAKE = "lake"
    PLAINS = "plains"
    FOREST = "forest"
    JUNGLE = "jungle"
    HILLS = "hills"
    MOUNTAINS = "mountains"
    SWAMP = "swamp"
    DESERT = "desert"
    TUNDRA = "tundra"
    ICE = "ice"
    WASTE = "waste"


class Climate(StrEnum):
    """The climate of a square."""

    TEMPERATE = "temperate"
    TROPICAL = "tropical"
    ARID = "arid"
    COLD = "cold"
    POLAR = "polar"


class ShapeKind(StrEnum):
    """How land is shaped (DW-LAND-2)."""

    MUNDANE = "mundane"
    FANTASTIC = "fantastic"


class Tier(StrEnum):
    """The tier of a race; each step costs as much as a new race (DW-RACE-2)."""

    MORTAL = "mortal"
    MONSTROUS = "monstrous"
    MAJESTIC = "majestic"


class Life(StrEnum):
    """Whether a race lives (DW-MIR-3..5)."""

    ALIVE = "alive"
    NEAR_EXTINCT = "near_extinct"
    EXTINCT = "extinct"


class EdgeKind(StrEnum):
    """What an edge is good for (DW-EDGE-1, 2)."""

    OFFENSIVE = "offensive"
    DEFENSIVE = "defensive"
    OTHER = "other"


class EdgeTag(StrEnum):
    """What an edge of the kind `other` may open on a march (DW-WAR-3)."""

    CROSSES_WATER = "crosses_water"
    FLIES = "flies"


class OrderKind(StrEnum):
    """What an order is (DW-ORDR-1)."""

    GUILD = "guild"
    KNIGHTLY = "knightly"
    RELIGIOUS = "religious"
    OTHER = "other"


class AvatarKind(StrEnum):
    """What an avatar looks like (DW-AVA-1)."""

    BEAST = "beast"
    MORTAL = "mortal"


class Price(StrEnum):
    """The rows of the price table (section 4)."""

    SHAPE_MUNDANE = "shape_mundane"
    SHAPE_FANTASTIC = "shape_fantastic"
    CREATE_RACE = "create_race"
    CREATE_SUBRACE = "create_subrace"
    COMMAND_RACE = "command_race"
    COMMAND_CITY = "command_city"
    COMBAT_EDGE_RACE = "combat_edge_race"
    COMBAT_EDGE_CITY = "combat_edge_city"
    OTHER_EDGE_RACE = "other_edge_race"
    OTHER_EDGE_CITY = "other_edge_city"
    PURIFY_RACE = "purify_race"
    CORRUPT_RACE = "corrupt_race"
    PURIFY_CITY = "purify_city"
    CORRUPT_CITY = "corrupt_city"
    CREATE_ORDER = "create_order"
    COMMAND_ORDER = "command_order"
    CREATE_AVATAR = "create_avatar"
    COMMAND_AVATAR = "command_avatar"
    MIRACLE = "miracle"
    CATASTROPHE = "catastrophe"


class Asked(StrEnum):
    """The kinds of questions (section 9)."""

    SETUP = "setup"
    TURN = "turn"
    CONSENT = "ask.consent"
    LEAVE = "ask.leave"
    DECIDE = "ask.decide"
    OBJECT = "ask.object"
    CHALLENGE = "ask.challenge"
    AUCTION = "auction"
    PICK = "pick.edges"
    STAND_IN = "war.avatar"
    COMMIT = "war.commit"
    CONTINUE = "war.continue"
    REVENGE = "avatar.revenge"
    MOTION = "motion"


class Cause(StrEnum):
    """What a Divine Conflict is about (DW-DC-1)."""

    LEAVE = "leave"
    OBJECTION = "objection"
    CHALLENGE = "challenge"
    REVENGE = "revenge"
    DISPUTE = "dispute"


class Bidder(StrEnum):
    """The two sides of a conflict: who issued it, and the other god."""

    INVOKER = "invoker"
    CHALLENGER = "challenger"


class WarSide(StrEnum):
    """The two sides of a war."""

    ATTACKER = "attacker"
    DEFENDER = "defender"


class BonusSource(StrEnum):
    """Where a side's bonus comes from; each counts once in a battle (DW-WAR-6)."""

    TIER = "tier"
    RACE_EDGES = "race_edges"
    CITY_EDGES = "city_edges"
    LEADER = "leader"
    """An avatar leads an army that is committed."""
    FANTASTIC = "fantastic"
    """The city stands on a fantastic square."""
    RESIDENT = "resident"
    """An avatar resides in the city."""


class WarEnd(StrEnum):
    """Why a war ended."""

    RETREAT = "retreat"
    """The attacker committed nothing."""
    STOPPED = "stopped"
    """The attacker stopped between battles, or has left the game."""
    BEATEN = "beaten"
    """Nobody is left on the march."""
    CAPTURED = "captured"
    """The city fell."""
    SLAIN = "slain"
    """The avatar who was attacked in the open is dead."""
    VOID = "void"
    """What was attacked is no more, by a correction."""


class Works(StrEnum):
    """What a wonder does (DW-MIR-2): a deed in words, or what its kind of wonder can."""

    DEED = "deed"
    SAVE_CITY = "save_city"
    """A miracle: cities cannot be razed, ravaged or taken until the caster's next turn begins (DW-MIR-7)."""
    BREAKTHROUGH = "breakthrough"
    """A miracle: a race or a city gains an edge of the kind `other` (DW-MIR-8)."""
    RESTORE = "restore"
    """A miracle: a race is near extinct no longer, or a fallen avatar returns (DW-MIR-9)."""
    ARTIFACT = "artifact"
    """A miracle: an artifact comes into the world, which a race or a city has, or nobody (DW-MIR-10)."""
    KILL_AVATAR = "kill_avatar"
    RAZE_CITY = "raze_city"
    RAVAGE = "ravage"
    EXTINGUISH_RACE = "extinguish_race"


class WonderKind(StrEnum):
    """The two wonders (DW-MIR-1)."""

    MIRACLE = "miracle"
    CATASTROPHE = "catastrophe"


class OfferKind(StrEnum):
    """Points against points, or points against a place (DW-PTS-5, DW-ORD-3)."""

    POINTS = "points"
    PLACE = "place"


class AdvanceKind(StrEnum):
    """What a seat may say in advance: leave and objections, and how far it bids (section 9)."""

    LEAVE = "leave"
    OBJECT = "object"
    MAX_BID = "max_bid"


class AdvanceWord(StrEnum):
    """The answer said in advance."""

    ALWAYS = "always"
    NEVER = "never"
    ASK = "ask"


class Pace(StrEnum):
    """Which deadlines hold (section 9)."""

    LIVE = "live"
    POST = "post"


class Preset(StrEnum):
    """Starting maps (DW-SET-4)."""

    ALL_OCEAN = "all_ocean"


class Value(Model):
    """A value inside commands and events: frozen, exact fields."""


class Place(Value):
    """A square of the map."""

    x: int
    """Column, counted from the west."""
    y: int
    """Row, counted from the north."""

    @property
    def at(self) -> tuple[int, int]:
        """The key of the square in the state."""
        return (self.x, self.y)


class Cell(Value):
    """One square of a starting map."""

    terrain: Terrain
    climate: Climate = Climate.TEMPERATE
    fantastic: bool = False


class Share(Value):
    """What a god pays of a joint creation, or of any power."""

    seat: UUID
    amount: int


class TieRoll(Value):
    """The dice with which a god's place among equals was settled (DW-ORD-2)."""

    seat: UUID
    dice: tuple[int, ...]
