"""The data pack: attributes, knowledges, features, powers, mana sources and roll tables, as typed values.

Nothing is read from files here: `build` takes plain data and refuses what does not fit (`pack.invalid`), naming the
entry. A pack is pinned per game by its version and digest (section 4 of the rulebook).
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from hashlib import sha256
from types import MappingProxyType
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BeforeValidator, Field, SerializeAsAny, ValidationError

from games.engine.errors import Refused
from games.gods2.rules.operations import LevelSet, Passable, read
from games.gods2.rules.vocabulary import Condition, Data, Int, Key, Operation

LONGEST_CHAIN = 6  # G2-4.4: tiers

Effect = Annotated[SerializeAsAny[Operation], BeforeValidator(read)]
Code = Annotated[str, Field(pattern=r"^(B[feawin]*|K[cems]?|G[feawin]*|M[cpuin]?|Mv\+?|F[plrtc]?|T|X)$")]


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


class Attribute(Entry):
    """Fixed before Era Centrum begins (G2-ATTR-1)."""

    cost: Int


class Knowledge(Entry):
    """Something a race knows or not (G2-KNOW-1)."""

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
    codes: tuple[Code, ...]
    cost: int | str
    cost_kind: Literal["fixed", "per_square", "variable"] = "fixed"
    target: Annotated[
        str, Field(pattern=r"^(race|race\+contact|square|squares:[1-9]\d*|connected:[1-9]\d*|city|earth)$")
    ]
    requires: tuple[Condition, ...] = ()
    duration: str | None = None
    stackable: bool = False


class ManaSource(Data):
    """A source of mana: what is counted, and the factor for one card."""

    id: Key
    sphere: str
    when: Literal["era_end", "century_end", "event"]
    counter: str
    factor: Decimal
    origin: str


class Row(Data):
    """A row of a roll table."""

    from_: Int = Field(alias="from")
    to: Int
    effects: tuple[Effect, ...] = ()


class RollRows(Data):
    """A roll table; a result without a row does nothing."""

    id: Key
    die: Int = Field(ge=2)
    codes: tuple[Code, ...] = ()
    rows: tuple[Row, ...]


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
                k: tuple(p.id for p in self.powers.values() if any(getattr(e, "knowledge", "") == k for e in p.effects))
                for k in self.knowledges
            }
        )

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


def build(version: int, raw: Mapping[str, Sequence[Mapping[str, Any]]]) -> Pack:
    """A checked pack from plain data: for each part a list of entries. Raises `pack.invalid` with the entry's id."""
    parts: dict[str, Mapping[str, Any]] = {}
    for part, model in PARTS.items():
        entries: dict[str, Any] = {}
        for given in raw.get(part, ()):
            entry = _entry(part, model, given)
            if entry.id in entries:
                raise invalid(f"{part}/{entry.id}", "this id stands twice")
            entries[entry.id] = entry
        parts[part] = MappingProxyType(entries)
    pack = Pack(version=version, digest=digest_of(version, raw), **parts)
    check(pack)
    return pack


def _entry(part: str, model: type[Data], given: Mapping[str, Any]) -> Any:
    try:
        return model.model_validate(given)
    except ValidationError as wrong:
        first = wrong.errors()[0]
        where = ".".join(str(p) for p in first["loc"])
        raise invalid(f"{part}/{given.get('id', '?')}", f"{where}: {first['msg']}") from wrong


def digest_of(version: int, raw: Mapping[str, Any]) -> str:
    """The SHA-256 of the pack's data, in hexadecimal: what a game pins."""
    plain = {"version": version, **{part: list(raw.get(part, ())) for part in PARTS}}
    return sha256(json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()).hexdigest()


def invalid(entry: str, why: str) -> Refused:
    """The refusal of an entry, for example `powers/flood`."""
    return Refused("pack.invalid", f"The pack's entry {entry} does not fit: {why}.", rules=("G2-KNOW-7",), entry=entry)


def check(pack: Pack) -> None:
    """Refuse (`pack.invalid`) what single entries cannot tell.

    References exist; knowledges have no circle, their tiers are right, and each can be taught from nothing (G2-KNOW-7);
    every greater sphere has powers of the levels 1 to 5; numbers do not depend on themselves.
    """
    _check_tree(pack)
    _check_references(pack)
    _check_circles(pack)
    for sphere in pack.spheres.values():
        levels = {p.level for p in pack.powers.values() if p.sphere == sphere.id}
        if sphere.group == "greater" and not {1, 2, 3, 4, 5} <= levels:
            raise invalid(f"spheres/{sphere.id}", "a greater sphere has powers of the levels 1 to 5")


def _check_tree(pack: Pack) -> None:
    known: dict[str, int] = {}
    for knowledge in pack.knowledges.values():
        for needed in knowledge.prereqs:
            if needed not in pack.knowledges:
                raise invalid(f"knowledges/{knowledge.id}", f"there is no knowledge {needed}")
    while len(known) < len(pack.knowledges):
        reached = {
            k: 1 + max((known[p] for p in v.prereqs), default=0)
            for k, v in pack.knowledges.items()
            if k not in known and pack.teachers[k] and all(p in known for p in v.prereqs)
        }
        if not reached:
            lost = min(k for k in pack.knowledges if k not in known)
            why = (
                "no race that knows nothing can be taught it: no power teaches it, or its prerequisites go in a circle"
            )
            raise invalid(f"knowledges/{lost}", why)
        known.update(reached)
    for key, tier in known.items():
        if tier != pack.knowledges[key].tier or tier > LONGEST_CHAIN:
            raise invalid(f"knowledges/{key}", f"its tier is {tier}, at most {LONGEST_CHAIN}")


def _check_references(pack: Pack) -> None:
    kinds: Mapping[str, Mapping[str, Any]] = {
        "knowledge": pack.knowledges,
        "feature": pack.features,
        "table": pack.tables,
        "mod": pack.powers,
    }
    for entry, effect in effects_of(pack):
        for field, known in kinds.items():
            value = getattr(effect, field, None)
            if value is not None and value not in known:
                raise invalid(entry, f"there is no {field} {value}")
        if isinstance(effect, Passable) and effect.what not in pack.features:
            raise invalid(entry, "what is impassable is a feature")
        for condition in effect.conditions:
            _check_condition(pack, entry, condition)
    for power in pack.powers.values():
        if power.sphere not in pack.spheres:
            raise invalid(f"powers/{power.id}", f"there is no sphere {power.sphere}")
        for condition in power.requires:
            _check_condition(pack, f"powers/{power.id}", condition)
    for source in pack.mana_sources.values():
        if source.sphere not in pack.spheres:
            raise invalid(f"mana_sources/{source.id}", f"there is no sphere {source.sphere}")


def _check_condition(pack: Pack, entry: str, condition: Condition) -> None:
    known = {"knows": pack.knowledges, "lacks": pack.knowledges, "attr": pack.attributes, "feature": pack.features}
    if condition.name in known:
        for value in condition.values:
            if value not in known[condition.name]:
                raise invalid(entry, f"there is no {value} for {condition.name}")


def _check_circles(pack: Pack) -> None:
    """No number may ask for itself: wealth comes before aggression, both before everything else."""
    barred = {
        "wealth": {"wealth_gte", "aggression_gte", "contact"},
        "aggression": {"aggression_gte", "contact"},
        "move": {"contact"},
        "sea": {"contact"},
    }
    for entry, effect in effects_of(pack):
        names = {c.name for c in effect.conditions}
        stat = getattr(effect, "stat", "")
        if effect.passive and names & barred.get(stat, set()):
            raise invalid(entry, f"{stat} cannot depend on {', '.join(sorted(names))}")
        if isinstance(effect, Passable) and "contact" in names:
            raise invalid(entry, "who may pass cannot depend on contact")


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
