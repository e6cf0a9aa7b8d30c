"""The entries of a data pack as typed values: spheres, attributes, knowledges, features, powers, mana sources, tables.

What is wrong with one entry by itself is refused here; what the whole pack must agree on stands in `pack`.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from types import MappingProxyType
from typing import Annotated, Any, Literal, Self, TypeVar

from pydantic import BeforeValidator, Field, SerializeAsAny, field_validator, model_validator

from games.gods2.rules.pack.formulas import NAMES, formula
from games.gods2.rules.pack.operations import AttributeAdd, Convert, Learn, LevelSet, RaceAdd, read_operation
from games.gods2.rules.pack.schema_types import (
    COUNTED,
    OF_A_RACE,
    Condition,
    Data,
    Duration,
    Int,
    Key,
    Label,
    Operation,
)
from games.gods2.rules.state.constants import TERRAINS

Effect = Annotated[SerializeAsAny[Operation], BeforeValidator(read_operation)]


class Sphere(Data):
    """A sphere of the gods."""

    id: Annotated[str, Field(pattern=r"^[A-Z]{2,4}$")]
    name: str
    elemental: bool
    group: Literal["greater", "generic", "sample", "pool"]


class Entry(Data):
    """What attributes, knowledges, features and powers have in common."""

    id: Key
    name: str
    origin: str
    effects: tuple[Effect, ...] = ()

    def of_kind(self, kind: type["Op"]) -> "Iterator[Op]":
        """Its passive effects of one operation, in their order."""
        return (e for e in self.effects if isinstance(e, kind) and e.passive)


Op = TypeVar("Op", bound=Operation)
Part = Literal["attributes", "knowledges", "features"]


class Attribute(Entry):
    """Fixed before Era Centrum begins (G2-ATTR-1)."""

    cost: Int


class Knowledge(Entry):
    """Something a race knows or not (G2-KNOW-1); its code says of what kind, for powers that ask (G2-KNOW-6)."""

    code: Literal["K", "Kc", "Ke", "Km", "Ks"]
    tier: Int
    prereqs: tuple[Key, ...] = ()
    requires: tuple[Condition, ...] = ()


class FeatureKind(Entry):
    """A kind of terrain feature."""

    code: Literal["Fp", "Fl", "Ft", "Fr", "Fc"]
    terrains: tuple[Literal["P", "F", "D", "M", "I", "W", "L", "any"], ...]


class Power(Entry):
    """A history power."""

    sphere: str
    level: Int = Field(ge=0, le=6)
    kind: Literal["personal", "creation", "history"]
    codes: tuple[Label, ...]
    cost: Int | str
    cost_kind: Literal["fixed", "per_square", "variable"] = "fixed"
    target: Annotated[
        str, Field(pattern=r"^(race|race\+contact|square|squares:[1-9]\d*|connected:[1-9]\d*|city|earth)$")
    ]
    requires: tuple[Condition, ...] = ()
    duration: Duration | None = None
    stackable: bool = False

    @field_validator("cost")
    @classmethod
    def _check_cost(cls, cost: int | str) -> int | str:
        """A cost is a whole number from 0 on, or a formula that can be worked out."""
        if isinstance(cost, int):
            if cost < 0:
                raise ValueError("a cost is 0 or more")
        else:
            formula(cost, dict.fromkeys(NAMES, 1))
        return cost

    @model_validator(mode="after")
    def _bears_in_a_creation(self) -> Self:
        """What bears a people or gives it an attribute is a creation power with its code and target (G2-CREA-3, 4)."""
        for operation, code, targets in BEARING:
            if not any(isinstance(effect, operation) for effect in self.effects):
                continue
            if self.kind != "creation" or code not in self.codes:
                raise ValueError(f"peoples are made in a Creation alone: give it the kind creation and the code {code}")
            if self.target.partition(":")[0] not in targets:
                raise ValueError(f"it is aimed at {' or '.join(targets)}")
        return self


BEARING: tuple[tuple[type[Operation], str, tuple[str, ...]], ...] = (
    (RaceAdd, "R", ("square", "connected")),
    (AttributeAdd, "Rc", ("race",)),
)
"""The operations of peoples with their code and the targets that they have."""


class ManaSource(Data):
    """A source of mana: what is counted, and the factor for one card."""

    id: Key
    sphere: str
    when: Literal["era_end", "century_end", "event"]
    counter: str
    once: Literal["race"] | None = None
    """Whether it counts once a race and century what happens to a race (G2-MANA-8)."""
    factor: Decimal = Field(ge=0, decimal_places=4)
    origin: str

    @field_validator("counter")
    @classmethod
    def _check_counter(cls, counter: str) -> str:
        name, _, argument = counter.partition(":")
        if name not in COUNTED:
            raise ValueError(f"nothing counts {counter}; there are {', '.join(sorted(COUNTED))}")
        if name in ("race_reaches", "races_military_gte") and not argument.isdecimal():
            raise ValueError(f"{name} is followed by a colon and a whole number")
        if name == "squares" and argument not in TERRAINS:
            raise ValueError(f"squares is followed by a colon and one of the letters {' '.join(TERRAINS)}")
        if name in ("races_in_turmoil", "turmoil_agreed") and argument not in ("", "power"):
            raise ValueError(f"{name} is followed by nothing, or by a colon and power")
        return counter

    @field_validator("factor", mode="before")
    @classmethod
    def _as_text(cls, factor: Any) -> Any:
        """The factor, which stands as text so that nothing reads it as a float."""
        if isinstance(factor, float):
            raise ValueError('a factor is a decimal in quotation marks, for example "0.05"')
        return factor

    @model_validator(mode="after")
    def _of_a_race(self) -> Self:
        """Only what happens to one race is counted once a race."""
        if self.once and self.counter.partition(":")[0] not in OF_A_RACE:
            raise ValueError(f"once: race goes with {', '.join(sorted(OF_A_RACE))}, not with {self.counter}")
        return self


class Row(Data):
    """A row of a roll table."""

    from_: Int = Field(alias="from", ge=1)
    to: Int
    effects: tuple[Effect, ...] = ()

    @model_validator(mode="after")
    def _upwards(self) -> Self:
        if self.to < self.from_:
            raise ValueError("a row goes from the lower number to the higher")
        return self


class RollRows(Data):
    """A roll table; a result without a row does nothing."""

    id: Key
    die: Int = Field(ge=2)
    codes: tuple[Label, ...] = ()
    rows: tuple[Row, ...]

    @model_validator(mode="after")
    def _on_the_die(self) -> Self:
        numbers = [n for row in self.rows for n in range(row.from_, min(row.to, self.die + 1) + 1)]
        if len(set(numbers)) < len(numbers) or max(numbers, default=1) > self.die:
            raise ValueError(f"each number from 1 to {self.die} stands in one row at most, and no other number")
        return self


@dataclass(frozen=True)
class Pack:
    """A whole pack; each part by its ids, in the order of the data."""

    version: int
    digest: str
    spheres: Mapping[str, Sphere]
    attributes: Mapping[str, Attribute]
    knowledges: Mapping[str, Knowledge]
    features: Mapping[str, FeatureKind]
    powers: Mapping[str, Power]
    mana_sources: Mapping[str, ManaSource]
    tables: Mapping[str, RollRows]

    @cached_property
    def teachers(self) -> Mapping[str, tuple[str, ...]]:
        """The powers that teach each knowledge."""
        return MappingProxyType(
            {
                k: tuple(
                    p.id
                    for p in self.powers.values()
                    if any(isinstance(e, Learn) and e.knowledge == k for e in p.effects)
                )
                for k in self.knowledges
            }
        )

    @cached_property
    def _passive(self) -> dict[tuple[Part, type[Operation]], Mapping[str, tuple[Any, ...]]]:
        return {}

    def passive(self, part: Part, kind: type[Op]) -> Mapping[str, tuple[Op, ...]]:
        """The passive effects of one operation of every entry of a part, in their order; looked up once."""
        if (part, kind) not in self._passive:
            entries: Mapping[str, Entry] = getattr(self, part)
            self._passive[part, kind] = {key: tuple(entry.of_kind(kind)) for key, entry in entries.items()}
        return self._passive[part, kind]

    @cached_property
    def trigger_names(self) -> frozenset[str]:
        """What powers wait for: the triggers without what follows the colon."""
        return frozenset(e.on.partition(":")[0] for p in self.powers.values() for e in p.effects if e.on is not None)

    @cached_property
    def converting(self) -> frozenset[str]:
        """The knowledges by which a people converts its neighbours."""
        return frozenset(k for k, v in self.knowledges.items() if any(isinstance(e, Convert) for e in v.effects))

    def needing(self, keys: Iterable[str]) -> frozenset[str]:
        """These knowledges and all that need one of them, directly or through others (G2-CITY-9)."""
        found = set(keys)
        while more := {k for k, v in self.knowledges.items() if k not in found and found & set(v.prereqs)}:
            found |= more
        return frozenset(found)

    def giving(self, level: str) -> frozenset[str]:
        """The knowledges that give a cultural level (G2-LVL-1)."""
        return frozenset(k for k, v in self.knowledges.items() if any(e.level == level for e in v.of_kind(LevelSet)))


PARTS: Mapping[str, type[Data]] = MappingProxyType(
    {
        "spheres": Sphere,
        "attributes": Attribute,
        "knowledges": Knowledge,
        "features": FeatureKind,
        "powers": Power,
        "mana_sources": ManaSource,
        "tables": RollRows,
    }
)


def effects_of(pack: Pack) -> Iterator[tuple[str, Operation]]:
    """Every effect of the pack with the name of its entry."""
    for part in ("attributes", "knowledges", "features", "powers"):
        for entry in getattr(pack, part).values():
            for effect in entry.effects:
                yield f"{part}/{entry.id}", effect
    for table in pack.tables.values():
        for row in table.rows:
            for effect in row.effects:
                yield f"tables/{table.id}", effect
