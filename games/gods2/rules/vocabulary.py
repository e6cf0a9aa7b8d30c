"""The words that effects are made of (section 4.2 of the rulebook): keys, triggers, durations, conditions.

A condition is data: `{terrain: [P, F]}`, `{not_knows: law}`. All conditions of an effect must hold; of a list
one is enough.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, Strict, model_validator

Int = Annotated[int, Strict()]
Yes = Annotated[bool, Strict()]
Key = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$", max_length=60)]
Filter = Annotated[str, Field(pattern=r"^(self|[A-Z][a-z]*\+?)$", max_length=10)]
Terrain = Literal["P", "F", "D", "M", "I", "W"]
AnyTerrain = Literal["P", "F", "D", "M", "I", "W", "L"]
LevelName = Literal["primitive", "barbarian", "civilized"]
StatName = Literal["aggression", "military", "diplomacy", "wealth", "move", "sea", "growth_pct", "growth_flat"]
Where = Annotated[str, Field(pattern=r"^(here|coastal|city|feature:[a-z][a-z0-9_]*)$")]
Trigger = Annotated[
    str,
    Field(
        pattern=r"^(century_start|growth|starvation|century_end|war_declared_on|war_declares|war_fought|war_won|war_lost"
        r"|disaster_hit(:[a-z]+)?|city_founded|city_lost|power_priced(:[A-Z][a-z]*)?|knowledge_taught(:[A-Z][a-z]*)?"
        r"|knowledge_lost|level_changed|turmoil_started|pantheon_changed|diplomacy_used|die_rolled|contact_made)$"
    ),
]
Duration = Annotated[
    str,
    Field(pattern=r"^(instant|event|century|next_century|centuries:[1-9][0-9]*|until_trigger|era|permanent)$"),
]
SQUARE_CONDITIONS = frozenset({"terrain", "feature", "coastal", "beside", "near", "populated"})
"""Conditions that are tested on squares; all others on the race."""
RACE_CONDITIONS = frozenset(
    {
        "knows", "lacks", "attr", "level", "wealth_gte", "squares_gte", "cities_gte", "has_city", "in_turmoil",
        "worships", "member", "caster_in_pantheon", "aggression_gte", "contact", "century_gte", "units_gte", "role",
    }
)  # fmt: skip
"""Conditions that are tested on the race."""


class Data(BaseModel):
    """What all data of a pack have in common: frozen, exact fields."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


class Condition(Data):
    """One condition: its name, whether it is turned round (`not_`), and the values of which one must hold."""

    name: str
    negated: bool = False
    values: tuple[str | int | bool, ...]

    @model_validator(mode="before")
    @classmethod
    def _read(cls, raw: Any) -> Any:
        """`{not_terrain: [P, F]}` as name, negation and values."""
        if not isinstance(raw, dict) or len(raw) != 1:
            raise ValueError("a condition is one name with its value")
        ((name, value),) = raw.items()
        negated = str(name).startswith("not_")
        plain = str(name).removeprefix("not_")
        if plain not in SQUARE_CONDITIONS | RACE_CONDITIONS:
            raise ValueError(f"there is no condition {name}")
        return {
            "name": plain,
            "negated": negated,
            "values": tuple(value) if isinstance(value, (list, tuple)) else (value,),
        }

    @property
    def on_squares(self) -> bool:
        """Whether it is tested on squares."""
        return self.name in SQUARE_CONDITIONS


class Operation(Data):
    """What every effect may have: conditions, a trigger, a duration of its own."""

    conditions: tuple[Condition, ...] = Field(default=(), alias="if")
    on: Trigger | None = None
    duration: Duration | None = None

    @property
    def passive(self) -> bool:
        """Whether it works all the time and waits for nothing."""
        return self.on is None
