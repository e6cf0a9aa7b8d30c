"""The 45 operations of effects with their fields (section 4.2 of the rulebook).

An effect is data: `{op, fields..., if: [conditions], on: trigger, duration}`. Here it gets its type; what it does
stands in the chapters. Amounts are whole numbers, percentages are whole percent of the base. The reason for the length
of this file: all operations stand in one list.
"""

from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from games.gods2.rules.pack.resistance import parse
from games.gods2.rules.pack.schema_types import (
    LABEL,
    AnyTerrain,
    Filter,
    Int,
    Key,
    LevelName,
    Operation,
    StatName,
    Terrain,
    Where,
    Yes,
)


class StatAdd(Operation):
    """Adds to a number of a race. stack: once a race, on each occupied square that fits, or for each city."""

    op: Literal["stat_add"]
    stat: StatName
    amount: Int
    role: Literal["attacker", "defender"] | None = None
    stack: Literal["once", "per_square", "per_city"] = "once"


class StatClamp(Operation):
    """Bounds a number of a race."""

    op: Literal["stat_clamp"]
    stat: StatName
    min: Int | None = None
    max: Int | None = None


class Resist(Operation):
    """One resistance code."""

    op: Literal["resist"]
    code: str

    @model_validator(mode="after")
    def _readable(self) -> Self:
        parse(self.code)
        return self


class LimitChange(Operation):
    """What `limit_add` and `limit_set` have in common."""

    terrain: AnyTerrain | None = None
    where: Where | None = None
    amount: Int
    levels: Literal["all"] | tuple[LevelName, ...] = "all"

    @model_validator(mode="after")
    def _somewhere(self) -> Self:
        if self.terrain is None and self.where is None:
            raise ValueError("a limit needs a terrain or a place")
        return self


class LimitAdd(LimitChange):
    """Adds to limits by terrain or place, where they are above 0."""

    op: Literal["limit_add"]


class LimitSet(LimitChange):
    """Sets limits, also where the base is 0; order: G2-LIM-2."""

    op: Literal["limit_set"]


class LimitCut(Operation):
    """A cut of limits by a disaster, changed by G2-RES-9 and 10."""

    op: Literal["limit_cut"]
    amount: Int = Field(ge=1)
    terrain: AnyTerrain | None = None
    scope: Literal["target+adjacent", "target", "race", "all_races"]


class Kill(Operation):
    """Kills units; counting: G2-DIS-5. over: only those above the limit."""

    op: Literal["kill"]
    scope: Literal["target", "adjacent", "target+adjacent", "chosen", "here", "coastal_plains", "race", "all_races"]
    mode: Literal["count", "percent", "all", "over"]
    amount: Int | None = None

    @model_validator(mode="after")
    def _check_amount(self) -> Self:
        if (self.amount is None) == (self.mode in ("count", "percent")):
            raise ValueError("count and percent have an amount, all and over have none")
        return self


class DestroyCity(Operation):
    """Named city losses (G2-RES-8)."""

    op: Literal["destroy_city"]
    scope: Literal["target", "race"]
    count: Int = Field(ge=1)


class LevelSet(Operation):
    """The cultural level is at least this one."""

    op: Literal["level_set"]
    level: LevelName


class Learn(Operation):
    """A knowledge, or a random one of a code whose prerequisites are met. free: without prerequisites."""

    op: Literal["learn"]
    knowledge: Key | None = None
    random: Annotated[str, Field(pattern=r"^K[cems]?$")] | None = None
    free: Yes = False


class Forget(Operation):
    """A knowledge is lost, or a random one; never Civilization while a city stands."""

    op: Literal["forget"]
    knowledge: Key | None = None
    random: str | None = None
    category: str | None = None


class FoundCity(Operation):
    """A city, or a great one in the place of a city. free: without the rule of six squares."""

    op: Literal["found_city"]
    kind: Literal["city", "great"]
    free: Yes = False


class FeatureAdd(Operation):
    """Puts a feature."""

    op: Literal["feature_add"]
    feature: Key
    scope: Literal["target", "chosen", "here"]


class FeatureRemove(Operation):
    """Removes a feature."""

    op: Literal["feature_remove"]
    feature: Key
    scope: Literal["target", "chosen", "here"]


class TerrainSet(Operation):
    """Changes base terrain, of squares of the type `from` only, if that is given."""

    op: Literal["terrain_set"]
    to: Terrain
    from_: AnyTerrain | None = Field(default=None, alias="from")
    scope: Literal["target", "chosen", "here", "empty_plains_beside_forest", "land_beside_ice", "ice_beside_land"]
    max: Int | None = Field(default=None, ge=1)


class TerrainSpread(Operation):
    """Makes `what` out of `into` by a d6 for each source (G2-TERR-4)."""

    op: Literal["terrain_spread"]
    what: Terrain
    into: AnyTerrain
    odds: Int = Field(ge=1, le=6)
    max: Int = Field(default=1, ge=1)


class Passable(Operation):
    """Who may enter or cross squares with a feature (G2-MOVE-4); a yes beats a no."""

    op: Literal["passable"]
    what: Key
    for_: Annotated[str, Field(pattern=r"^(all|race|not:[a-z][a-z0-9_]*)$")] = Field(alias="for")
    allow: Yes


class Cult(Operation):
    """Points for caster, a named god, diabolism or atheism; all of one casting together (G2-PAN-8)."""

    op: Literal["cult"]
    deity: str
    points: Int


class Kick(Operation):
    """Throws a member out: random, a named god, diabolism, atheism."""

    op: Literal["kick"]
    who: str


class Turmoil(Operation):
    """Starts or ends a religious turmoil."""

    op: Literal["turmoil"]
    state: Literal["start", "end"]


class WarDeclare(Operation):
    """Declares wars between the selected races."""

    op: Literal["war_declare"]
    attacker: Literal["target1", "target2", "each_race", "random_contact"]
    defender: Literal["target1", "target2", "each_race", "random_contact"]


class WarCancel(Operation):
    """Ends pending declarations."""

    op: Literal["war_cancel"]
    scope: Literal["all_pending", "declared_by_target"]


class WarForbid(Operation):
    """Forbids wars, both ways (AMB-55)."""

    op: Literal["war_forbid"]
    kind: Literal["aggressive", "all", "against_caster"]


class DiplomacyChoice(Operation):
    """Forces diplomacy or forbids it."""

    op: Literal["diplomacy_policy"]
    policy: Literal["always", "never", "auto"]


class Migrate(Operation):
    """An order of migration (G2-GROW-11)."""

    op: Literal["migrate"]
    mode: Literal["direction", "target", "direction_or_target"]


class UnitsAdd(Operation):
    """New units; limits apply."""

    op: Literal["units_add"]
    amount: Int = Field(ge=1)
    scope: Literal["target", "race"]


class UnitsMove(Operation):
    """Moves units by the rules of movement (G2-MOVE-7)."""

    op: Literal["units_move"]
    amount: Int = Field(ge=1)


class Grow(Operation):
    """Percent points for one growth step."""

    op: Literal["grow"]
    pct: Int


class Grant(Operation):
    """Puts another power's modification on the race."""

    op: Literal["grant"]
    mod: Key


class Strip(Operation):
    """Removes running modifications that match the filter."""

    op: Literal["strip"]
    filter: Filter
    max: Int | None = Field(default=None, ge=1)


class Protect(Operation):
    """Ignores effects: a filter, forget:code, turmoil_by_power, kill_here."""

    op: Literal["protect"]
    against: Annotated[str, Field(pattern=rf"^(turmoil_by_power|kill_here|forget:K[cems]?|{LABEL})$")]


class CostMult(Operation):
    """A percent factor on the price of matching powers (G2-FILT-2)."""

    op: Literal["cost_mult"]
    filter: Filter
    factor: Int = Field(ge=0)


class Mana(Operation):
    """Gives or takes mana."""

    op: Literal["mana"]
    to: str
    amount: Int
    per: Literal["once", "unit", "square", "city"] = "once"


class RollTable(Operation):
    """A recorded die and a roll table; per square: one die for each of `count` squares drawn."""

    op: Literal["roll"]
    die: Int = Field(ge=2)
    table: Key
    scope: Literal["random_land"] | None = None
    count: Int | None = Field(default=None, ge=1)
    per: Literal["square"] | None = None


class Reroll(Operation):
    """Rolls again and keeps the higher, the lower or the last."""

    op: Literal["reroll"]
    keep: Literal["best", "worst", "last"]


class Repeat(Operation):
    """The power whose table this is works again, unpaid, on another target."""

    op: Literal["repeat"]
    scope: Literal["random_contact"]
    max: Int = Field(default=1, ge=1)


class CenturyTime(Operation):
    """Lengthens or shortens this century."""

    op: Literal["century_time"]
    minutes: Int


class Choose(Operation):
    """One row of a roll table is chosen by caster, target or GM."""

    op: Literal["choose"]
    from_: Key = Field(alias="from")
    by: Literal["caster", "target", "gm"]


class Sacrifice(Operation):
    """Kills a percentage of the race's units into the box sacrifice."""

    op: Literal["sacrifice"]
    pct: Int = Field(ge=1, le=100)


class Convert(Operation):
    """The god with the largest share gains points in races in contact."""

    op: Literal["convert"]
    points: Int
    scope: Literal["contacts"]


class RaceAdd(Operation):
    """A new people on the target squares and beside them, worshipping the caster (G2-CREA-3); in a Creation alone.

    units: so many at most, as far as the squares hold them. share: whole percent of the caster; the rest is atheism.
    """

    op: Literal["race_add"]
    name: Annotated[str, Field(min_length=1, max_length=60)]
    units: Int = Field(ge=1)
    share: Int = Field(ge=1, le=100)
    attribute: Key | None = None
    knowledge: Key | None = None


class AttributeAdd(Operation):
    """An attribute more for a people (G2-CREA-4); in a Creation alone."""

    op: Literal["attribute_add"]
    attribute: Key


class ArtifactMake(Operation):
    """An artifact of the caster, or of the people or city that is aimed at, in which a power lies (G2-ART-7)."""

    op: Literal["artifact_make"]
    name: Annotated[str, Field(min_length=1, max_length=60)]
    power: Key
    uses: Int = Field(ge=1, le=100)
    holder: Literal["caster", "target"]


class Manual(Operation):
    """A task for the GM."""

    op: Literal["manual"]
    text: Annotated[str, Field(min_length=1, max_length=2000)]


class TurnOff(Operation):
    """Ends running modifications: itself, or a filter."""

    op: Literal["turn_off"]
    filter: Filter


OPERATIONS: tuple[type[Operation], ...] = (
    StatAdd, StatClamp, Resist, LimitAdd, LimitSet, LimitCut, Kill, DestroyCity, LevelSet, Learn, Forget, FoundCity,
    FeatureAdd, FeatureRemove, TerrainSet, TerrainSpread, Passable, Cult, Kick, Turmoil, WarDeclare, WarCancel,
    WarForbid, DiplomacyChoice, Migrate, UnitsAdd, UnitsMove, Grow, Grant, Strip, Protect, CostMult, Mana, RollTable,
    Reroll, Repeat, CenturyTime, Choose, Sacrifice, Convert, Manual, TurnOff, RaceAdd, AttributeAdd,
    ArtifactMake,
)  # fmt: skip
BY_NAME: dict[str, type[Operation]] = {c.model_fields["op"].annotation.__args__[0]: c for c in OPERATIONS}  # type: ignore[union-attr]


def read_operation(raw: Any) -> Any:
    """An effect from its data. Raises ValueError for an unknown operation or wrong fields."""
    if isinstance(raw, Operation):
        return raw
    if not isinstance(raw, dict) or raw.get("op") not in BY_NAME:
        raise ValueError(f"there is no operation {raw.get('op') if isinstance(raw, dict) else raw}")
    return BY_NAME[raw["op"]].model_validate(raw)
