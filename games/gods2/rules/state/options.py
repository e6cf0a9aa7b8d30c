"""The choices made when a game of The Gods II is opened, and how its windows follow the century's length.

Windows are given for a century of 30 minutes; a century of another length scales them (section 11.2 of the rulebook).
"""

from collections.abc import Callable
from typing import Literal, Self

from pydantic import Field, model_validator

from games.engine.errors import Refused
from games.engine.insight.domains import AnyValue, Choices, Domain, Fields
from games.engine.post_options import POST_CASES
from games.engine.ruleset import Options
from games.gods2.rules.state.state import State

CENTURIES = 16  # G2-TIME-1
STANDARD_SECONDS = 1800  # G2-TIME-2
SHORTEST_MINUTES, LONGEST_MINUTES = 15, 45
LONGEST_CENTURY = 7 * 86_400  # seconds; by post


def _is_ruling(ruling: object) -> Callable[[object], bool]:
    """Whether a choice is the decided answer: the log leaves it out, so a game without the option reads the same."""
    return lambda choice: choice == ruling


class Gods2Options(Options):
    """The settings of one Era Centrum."""

    session_count: int = Field(default=3, ge=1, le=CENTURIES)
    """Over how many sessions the 16 centuries are spread, as evenly as possible (G2-TIME-2)."""
    plan: tuple[int, ...] = Field(default=(), max_length=CENTURIES)
    """Centuries of each session, 16 in all; the even spread when empty."""
    century_minutes: int = Field(default=30, ge=SHORTEST_MINUTES, le=LONGEST_MINUTES)
    """Length of a century."""
    century_seconds: int | None = Field(default=None, ge=10, le=LONGEST_CENTURY)
    """Length of a century in a rehearsal, a demo, or by post; goes before `century_minutes`.

    With `deadline_at` a century ends at the first such time after so long: 64,800 (18 hours) makes one a day.
    """
    war_delay_seconds: int = Field(default=300, ge=0, le=900)
    """From the declaration of a war to the war (G2-WAR-1)."""
    activity_margin_seconds: int = Field(default=300, ge=300, le=600)
    """How long before the century's end the Activity Phase ends (G2-TIME-3)."""
    number_seconds: int = Field(default=60, ge=10, le=300)
    """How long a called caster has (G2-QUEUE-1)."""
    cold_pole: Literal["north", "south"] = "north"
    """The edge that is the cold pole (G2-MAP-3)."""
    adjacency: Literal[4, 8] = 8
    """Whether squares that touch at a corner are adjacent (G2-MAP-4, AMB-1)."""
    starting_mana: int = Field(default=20, ge=0, le=1000)
    """Mana of a god who is defined without an amount."""
    demon_pool: Literal["common", "equal"] = "common"
    """One account on which every demon may draw, or equal shares of what diabolism earns (G2-MANA-4, AMB-70)."""
    great_city_price_percent: int | None = Field(default=None, ge=100, le=1000, exclude_if=_is_ruling(None))
    """Percent that disasters which touch a great city cost; the pack's factor if absent, 150 (G2-CITY-11, AMB-42)."""
    great_city_counts: int = Field(default=1, ge=1, le=2, exclude_if=_is_ruling(1))
    """As how many cities a great city counts when a further city is founded (G2-CITY-4, G2-CITY-12, AMB-16)."""
    starvation_aggression: Literal["growth", "always"] = Field(default="growth", exclude_if=_is_ruling("growth"))
    """When a race that starves has +2 Aggression: at its `growth` alone, or `always` (G2-AGG-2, AMB-21)."""
    combined_war_split: Literal["equal", "strength"] = Field(default="equal", exclude_if=_is_ruling("equal"))
    """How strength is split among several enemies: in `equal` parts, or by their `strength` (G2-WAR-16, AMB-15)."""
    several_spheres: Literal["sum", "average"] = Field(default="sum", exclude_if=_is_ruling("sum"))
    """What counts of factors that several spheres have for a source: their `sum` or `average` (G2-MANA-1, AMB-41)."""
    aggressive_wars: Literal["spread", "together"] = Field(default="spread", exclude_if=_is_ruling("spread"))
    """When aggressive wars are due: `spread` over the Activity Phase, or all `together` (G2-WAR-1, AMB-59)."""
    surplus_card_rebate: int = Field(default=0, ge=0, le=50, exclude_if=_is_ruling(0))
    """Percent that a god's price falls for each card above the power's level, 100 in all at most (AMB-57).

    It is the caster's own: the price that everybody sees has no rebate, for cards are a secret. A casting with
    others, by a grant, or out of the demons' pool has none.
    """
    era_end_paid: Literal["century", "game"] = Field(default="century", exclude_if=_is_ruling("century"))
    """When the sources of the era's end are paid: with `century` 16, or when the `game` ends (G2-MANA-7, AMB-63)."""
    impassable_held: bool = Field(default=False, exclude_if=_is_ruling(False))
    """Whether every race may enter and hold impassable squares, though not cross them (G2-MOVE-4, AMB-69)."""
    message_partners: Literal["anybody", "shared_race"] = Field(default="anybody", exclude_if=_is_ruling("anybody"))
    """To whom alone a god may write: `anybody`, or those who are in a race's pantheon with them (G2-PAN-12)."""
    dice_by_hand: bool = False
    """Whether a GM enters the dice of a real table (G2-DICE-2)."""
    previews: bool = False
    """Whether the GMs see what a war or a growth would do, and may change it, before it happens (section 11.2).

    For live events: they are also asked for the site of a city, the order of growth, and about each war that waits.
    """
    pack_version: int | None = Field(default=None, ge=1, exclude_if=lambda version: version is None)
    """The data pack to play with; the newest one when the game is configured, if none is named.

    Pack 1: printed numbers. Later packs are balanced, and two of them are felt in every war (section 4.8): tribal law
    takes one of a barbarian's +2 Aggression, and a civilized defender beats an equal barbarian.
    """
    auto_sessions: bool = False
    """Whether the next session opens by itself when one has ended: for rehearsals and demos."""

    @model_validator(mode="after")
    def _sixteen_centuries(self) -> Self:
        if self.plan and (sum(self.plan) != CENTURIES or min(self.plan) < 1):
            raise ValueError(f"a plan has {CENTURIES} centuries in all and at least one in each session")
        return self

    def sentences(self) -> tuple[str, ...]:
        """What holds for messages in this game, who may write to whom by G2-PAN-12 included."""
        usual = super().sentences()
        if self.message_partners == "anybody":
            return usual
        return (*usual, "A god writes alone only to gods who are in a pantheon together with them.")

    def check(self, state: State) -> None:
        """Refuse (`pack.missing`) a pack that is not published."""
        super().check(state)
        if self.pack_version is not None and self.pack_version not in state.packs:
            raise no_pack(state, self.pack_version)

    @property
    def sessions(self) -> tuple[int, ...]:
        """Centuries of each session."""
        return self.plan or even_plan(self.session_count)

    @property
    def seconds(self) -> int:
        """Length of a century in seconds."""
        return self.century_seconds or self.century_minutes * 60


def no_pack(state: State, version: int) -> Refused:
    """The refusal of a pack that is not published."""
    known = sorted(state.packs)
    message = f"There is no published pack {version}; there are {', '.join(map(str, known))}."
    return Refused("pack.missing", message, rules=("G2-PACK-1",), version=version, versions=known)


def even_plan(sessions: int) -> tuple[int, ...]:
    """16 centuries over some sessions, the earlier ones get the larger share (G2-TIME-2)."""
    each, more = divmod(CENTURIES, sessions)
    return tuple(each + (1 if session < more else 0) for session in range(sessions))


def options_domain(versions: Choices) -> Fields:
    """The settings as a domain: plans are the even ones, packs those of the service; some need each other."""
    plans = Choices(((), *(even_plan(sessions) for sessions in range(1, CENTURIES + 1))))
    every: dict[str, Domain] = dict.fromkeys(Gods2Options.model_fields, AnyValue())
    return Fields({**every, "plan": plans, "pack_version": versions}, cases=POST_CASES)


options_of = Gods2Options.of
"""The settings of this game."""


def activity_margin(state: State) -> int:
    """Seconds from the end of the Activity Phase to that of the century: the setting's, 5 to 10 minutes (G2-TIME-3).

    It is no window, so it follows the century's length only in rehearsals, whose centuries are too short for it.
    """
    margin = options_of(state).activity_margin_seconds
    return margin if state.era.century_seconds >= SHORTEST_MINUTES * 60 else scaled_window(state, margin)


def scaled_window(state: State, seconds: int) -> int:
    """A window of a 30-minute century in this game's centuries: whole seconds, rounded down, at least 1."""
    return max(1, seconds * state.era.century_seconds // STANDARD_SECONDS) if seconds else 0
