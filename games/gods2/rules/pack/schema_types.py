"""The words that effects are made of (section 4.2 of the rulebook): keys, triggers, durations, conditions.

A condition is data: `{terrain: [P, F]}`, `{not_knows: law}`. All conditions of an effect must hold; of a list
one is enough.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, Strict, model_validator

Int = Annotated[int, Strict()]
Yes = Annotated[bool, Strict()]
Key = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$", max_length=60)]
LABEL = r"(B[feawin]*|K[cems]?|G[feawin]*|M([cpuin]|v\+?)?|F[plrtc]?|Rc?|T|X)"
"""A code of powers: a capital, and those small letters that the capital knows (section 4.1)."""
Label = Annotated[str, Field(pattern=rf"^{LABEL}$", max_length=10)]
Filter = Annotated[str, Field(pattern=rf"^(self|{LABEL})$", max_length=10)]
Terrain = Literal["P", "F", "D", "M", "I", "W"]
AnyTerrain = Literal["P", "F", "D", "M", "I", "W", "L"]
LevelName = Literal["primitive", "barbarian", "civilized"]
StatName = Literal["aggression", "military", "diplomacy", "wealth", "move", "sea", "growth_pct", "growth_flat"]
Where = Annotated[str, Field(pattern=r"^(here|coastal|city|feature:[a-z][a-z0-9_]*)$")]
Trigger = Annotated[
    str,
    Field(
        pattern=r"^(century_start|growth|starvation|century_end|war_declared_on|war_declares|war_fought|war_won|war_lost"
        r"|disaster_hit(:(fire|earth|nature|water|air|ice))?|city_founded|city_lost"
        rf"|power_priced(:{LABEL})?|knowledge_taught(:K[cems]?)?"
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
COUNTED = frozenset(
    {
        "worshippers", "deaths", "squares", "empty_land", "cities", "great_cities", "wealth", "knowledges_known",
        "civilized_units", "races_military_gte", "races_in_turmoil", "races_not_in_turmoil", "races_without",
        "features", "unnamed_squares", "knowledges_taught", "wars_averted", "orders_accepted", "city_founded",
        "city_destroyed", "coastal_city_founded", "diabolism_leaves", "feature_created", "first_to_learn",
        "glacier_spread", "law_passed", "race_destroyed", "race_reaches", "turmoil_agreed", "war_fought",
    }
)  # fmt: skip
"""What mana sources may count (G2-MANA-7, section 4.7)."""
OF_A_RACE = frozenset({"orders_accepted", "turmoil_agreed", "diabolism_leaves"})
"""What happens to one race, so that a source may count it once a race and century (G2-MANA-8)."""
WORDS: Mapping[str, frozenset[str | int | bool]] = MappingProxyType(
    {
        "terrain": frozenset("PFDMIWL"),
        "level": frozenset({"primitive", "barbarian", "civilized"}),
        "role": frozenset({"attacker", "defender"}),
    }
)
"""The values that a condition knows, where they do not depend on the pack."""


class Data(BaseModel):
    """What all data of a pack have in common: frozen, exact fields."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True, defer_build=True)


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
        values = tuple(value) if isinstance(value, (list, tuple)) else (value,)
        _check_values(plain, values)
        return {"name": plain, "negated": negated, "values": values}

    @property
    def on_squares(self) -> bool:
        """Whether it is tested on squares."""
        return self.name in SQUARE_CONDITIONS


def _check_values(name: str, values: tuple[Any, ...]) -> None:
    """Raises ValueError for a value that this condition can never meet."""
    if not values:
        raise ValueError(f"{name} needs a value")
    for value in values:
        if name.endswith("_gte") and type(value) is not int:
            raise ValueError(f"{name} is compared with a whole number, not with {value}")
        if name in WORDS and value not in WORDS[name]:
            raise ValueError(f"{name} knows {', '.join(sorted(map(str, WORDS[name])))}, not {value}")


class Operation(Data):
    """What every effect may have: conditions, a trigger, a duration of its own."""

    conditions: tuple[Condition, ...] = Field(default=(), alias="if")
    on: Trigger | None = None
    duration: Duration | None = None

    @property
    def passive(self) -> bool:
        """Whether it works all the time and waits for nothing."""
        return self.on is None
