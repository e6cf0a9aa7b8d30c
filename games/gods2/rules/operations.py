"""The 42 operations of effects with their fields (section 4.2 of the rulebook).

An effect is data: `{op, fields..., if: [conditions], on: trigger, duration}`. Here it gets its type; what it
does stands in the chapters. Amounts are whole numbers, percentages are whole percent of the base.
"""

from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from games.gods2.rules.resistance import parse
from games.gods2.rules.vocabulary import (
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
    op: Literal["stat_add"]
    stat: StatName
    amount: Int
    role: Literal["attacker", "defender"] | None = None
    stack: Literal["once", "per_square", "per_city"] = "once"


class StatClamp(Operation):
    op: Literal["stat_clamp"]
    stat: StatName
    min: Int | None = None
    max: Int | None = None


class Resist(Operation):
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
    op: Literal["limit_add"]


class LimitSet(LimitChange):
    op: Literal["limit_set"]


class LimitCut(Operation):
    op: Literal["limit_cut"]
    amount: Int = Field(ge=1)
    terrain: AnyTerrain | None = None
    scope: Literal["target+adjacent", "target", "race", "all_races"]


class Kill(Operation):
    op: Literal["kill"]
    scope: Literal["target", "adjacent", "target+adjacent", "chosen", "here", "coastal_plains", "race", "all_races"]
    mode: Literal["count", "percent", "all", "over"]
    amount: Int | None = None

    @model_validator(mode="after")
    def _counted(self) -> Self:
        if (self.amount is None) == (self.mode in ("count", "percent")):
            raise ValueError("count and percent have an amount, all and over have none")
        return self


class DestroyCity(Operation):
    op: Literal["destroy_city"]
    scope: Literal["target", "race"]
    count: Int = Field(ge=1)


class LevelSet(Operation):
    op: Literal["level_set"]
    level: LevelName


class Learn(Operation):
    op: Literal["learn"]
    knowledge: Key | None = None
    random: Filter | None = None
    free: Yes = False


class Forget(Operation):
    op: Literal["forget"]
    knowledge: Key | None = None
    random: str | None = None
    category: str | None = None


class FoundCity(Operation):
    op: Literal["found_city"]
    kind: Literal["city", "great"]
    free: Yes = False


class FeatureAdd(Operation):
    op: Literal["feature_add"]
    feature: Key
    scope: Literal["target", "chosen", "here"]


class FeatureRemove(Operation):
    op: Literal["feature_remove"]
    feature: Key
    scope: Literal["target", "chosen", "here"]


class TerrainSet(Operation):
    op: Literal["terrain_set"]
    to: Terrain
    from_: AnyTerrain | None = Field(default=None, alias="from")
    scope: Literal["target", "chosen", "here", "empty_plains_beside_forest", "land_beside_ice", "ice_beside_land"]
    max: Int | None = Field(default=None, ge=1)


class TerrainSpread(Operation):
    op: Literal["terrain_spread"]
    what: Terrain
    into: AnyTerrain
    odds: Int = Field(ge=1, le=6)
    max: Int = Field(default=1, ge=1)


class Passable(Operation):
    op: Literal["passable"]
    what: Key
    for_: Annotated[str, Field(pattern=r"^(all|race|not:[a-z][a-z0-9_]*)$")] = Field(alias="for")
    allow: Yes


class Cult(Operation):
    op: Literal["cult"]
    deity: str
    points: Int


class Kick(Operation):
    op: Literal["kick"]
    who: str


class Turmoil(Operation):
    op: Literal["turmoil"]
    state: Literal["start", "end"]


class WarDeclare(Operation):
    op: Literal["war_declare"]
    attacker: Literal["target1", "target2", "each_race", "random_contact"]
    defender: Literal["target1", "target2", "each_race", "random_contact"]


class WarCancel(Operation):
    op: Literal["war_cancel"]
    scope: Literal["all_pending", "declared_by_target"]


class WarForbid(Operation):
    op: Literal["war_forbid"]
    kind: Literal["aggressive", "all", "against_caster"]


class DiplomacyChoice(Operation):
    op: Literal["diplomacy_policy"]
    policy: Literal["always", "never", "auto"]


class Migrate(Operation):
    op: Literal["migrate"]
    mode: Literal["direction", "target", "direction_or_target"]


class UnitsAdd(Operation):
    op: Literal["units_add"]
    amount: Int = Field(ge=1)
    scope: Literal["target", "race"]


class UnitsMove(Operation):
    op: Literal["units_move"]
    amount: Int = Field(ge=1)


class Grow(Operation):
    op: Literal["grow"]
    pct: Int


class Grant(Operation):
    op: Literal["grant"]
    mod: Key


class Strip(Operation):
    op: Literal["strip"]
    filter: Filter
    max: Int | None = Field(default=None, ge=1)


class Protect(Operation):
    op: Literal["protect"]
    against: Annotated[str, Field(pattern=r"^(turmoil_by_power|kill_here|forget:[A-Z][a-z]*|[A-Z][a-z]*\+?)$")]


class CostMult(Operation):
    op: Literal["cost_mult"]
    filter: Filter
    factor: Int = Field(ge=0)


class Mana(Operation):
    op: Literal["mana"]
    to: str
    amount: Int
    per: Literal["once", "unit", "square", "city"] = "once"


class RollTable(Operation):
    op: Literal["roll"]
    die: Int = Field(ge=2)
    table: Key
    scope: Literal["random_land"] | None = None
    count: Int | None = Field(default=None, ge=1)
    per: Literal["square"] | None = None


class Reroll(Operation):
    op: Literal["reroll"]
    keep: Literal["best", "worst", "last"]


class Repeat(Operation):
    op: Literal["repeat"]
    scope: Literal["random_contact"]
    max: Int = Field(default=1, ge=1)


class CenturyTime(Operation):
    op: Literal["century_time"]
    minutes: Int


class Choose(Operation):
    op: Literal["choose"]
    from_: Key = Field(alias="from")
    by: Literal["caster", "target", "gm"]


class Sacrifice(Operation):
    op: Literal["sacrifice"]
    pct: Int = Field(ge=1, le=100)


class Convert(Operation):
    op: Literal["convert"]
    points: Int
    scope: Literal["contacts"]


class Manual(Operation):
    op: Literal["manual"]
    text: Annotated[str, Field(min_length=1, max_length=2000)]


class TurnOff(Operation):
    op: Literal["turn_off"]
    filter: Filter


OPERATIONS: tuple[type[Operation], ...] = (
    StatAdd, StatClamp, Resist, LimitAdd, LimitSet, LimitCut, Kill, DestroyCity, LevelSet, Learn, Forget, FoundCity,
    FeatureAdd, FeatureRemove, TerrainSet, TerrainSpread, Passable, Cult, Kick, Turmoil, WarDeclare, WarCancel,
    WarForbid, DiplomacyChoice, Migrate, UnitsAdd, UnitsMove, Grow, Grant, Strip, Protect, CostMult, Mana, RollTable,
    Reroll, Repeat, CenturyTime, Choose, Sacrifice, Convert, Manual, TurnOff,
)  # fmt: skip
BY_NAME: dict[str, type[Operation]] = {c.model_fields["op"].annotation.__args__[0]: c for c in OPERATIONS}  # type: ignore[union-attr]


def read(raw: Any) -> Any:
    """An effect from its data. Raises ValueError for an unknown operation or wrong fields."""
    if isinstance(raw, Operation):
        return raw
    if not isinstance(raw, dict) or raw.get("op") not in BY_NAME:
        raise ValueError(f"there is no operation {raw.get('op') if isinstance(raw, dict) else raw}")
    return BY_NAME[raw["op"]].model_validate(raw)
