"""The data pack: entries that agree with each other. `build` makes one of plain data; `findings` says what is wrong.

Nothing is read from files or rows here. A game pins its pack by version and digest (section 4 of the rulebook).
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from types import MappingProxyType
from typing import Any

from pydantic import ValidationError

from games.engine.errors import Refused
from games.gods2.rules.pack.entries import (
    PARTS,
    Attribute,
    Entry,
    FeatureKind,
    Knowledge,
    ManaSource,
    Pack,
    Power,
    RollRows,
    Row,
    Sphere,
    effects_of,
)
from games.gods2.rules.pack.filters import has, is_lasting
from games.gods2.rules.pack.operations import Choose, LevelSet, Passable, RaceAdd
from games.gods2.rules.pack.schema_types import Condition, Operation

__all__ = [
    "PARTS", "Attribute", "Entry", "FeatureKind", "Finding", "Knowledge", "ManaSource", "Pack", "Power", "RollRows",
    "Row", "Sphere", "build", "digest_of", "effects_of", "entry_findings", "findings", "invalid",
    "reference_findings",
]  # fmt: skip

LONGEST_CHAIN = 6  # section 4.4: tiers
NEEDED: Mapping[str, tuple[str, ...]] = MappingProxyType({"features": ("city", "great_city")})
"""Entries that the rules call by their names: no game can be played without them."""
LEVELLED = frozenset({"level", "wealth_gte", "aggression_gte", "contact", "has_city", "cities_gte"})
"""What follows from the cultural level, so that the level cannot follow from it."""
Raw = Mapping[str, Sequence[Mapping[str, Any]]]
KNOW = "G2-KNOW-7"


@dataclass(frozen=True, slots=True)
class Finding:
    """What is wrong with an entry.

    entry: `powers/flood`. path: where in it, as (`effects`, 0, `op`). rule: the rule that says so.
    """

    entry: str
    path: tuple[str | int, ...]
    why: str
    rule: str = ""

    @property
    def field(self) -> str:
        """The entry's own field, for example `effects`; "" for the entry as a whole."""
        return str(self.path[0]) if self.path else ""

    @property
    def place(self) -> str:
        """The path with dots: `effects.0.op`."""
        return ".".join(str(step) for step in self.path)

    def __str__(self) -> str:
        return f"{self.entry}{' at ' + self.place if self.path else ''}: {self.why}"


def build(version: int, raw: Raw) -> Pack:
    """A checked pack from plain data: for each part a list of entries. Raises `pack.invalid` with every finding."""
    if wrong := findings(raw):
        raise invalid(*wrong)
    return _pack_from_data(version, raw, digest_of(version, raw))


def findings(raw: Raw) -> list[Finding]:
    """What is wrong with a pack's plain data, entry by entry; what entries must agree on only when each one fits."""
    found = [f for part in PARTS for given in raw.get(part, ()) for f in entry_findings(part, given)]
    found += [
        Finding(f"{part}/{key}", ("id",), "this id stands twice; give one of the two another")
        for part in PARTS
        for key in _twice([str(given.get("id", "?")) for given in raw.get(part, ())])
    ]
    return found or list(_disagreements(_pack_from_data(0, raw, "")))


def entry_findings(part: str, given: Mapping[str, Any]) -> list[Finding]:
    """What is wrong with one entry by itself: unknown fields and operations, unreadable codes, missing values."""
    try:
        PARTS[part].model_validate(given)
    except ValidationError as wrong:
        entry = f"{part}/{given.get('id', '?')}"
        # Names that nobody knows come first: what is missing is often there under a wrong name.
        errors = sorted(wrong.errors(), key=lambda error: error["type"] != "extra_forbidden")
        return [Finding(entry, tuple(error["loc"]), *_message_and_rule(error)) for error in errors]
    return []


def reference_findings(part: str, given: Mapping[str, Any], raw: Raw) -> list[Finding]:
    """What is wrong with one fitting entry beside the others: what it names and is not there, circles of numbers."""
    entry = f"{part}/{given['id']}"
    beside = {p: [e for e in raw.get(p, ()) if not (p == part and e.get("id") == given["id"])] for p in PARTS}
    fitting = {p: [e for e in es if not entry_findings(p, e)] for p, es in beside.items()}
    pack = _pack_from_data(0, {**fitting, part: [*fitting[part], given]}, "")
    return [f for f in (*_references(pack), *_circles(pack)) if f.entry == entry]


def digest_of(version: int, raw: Mapping[str, Any]) -> str:
    """The SHA-256 of the pack's data, in hexadecimal: what a game pins."""
    plain = {"version": version, **{part: list(raw.get(part, ())) for part in PARTS}}
    return sha256(json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()).hexdigest()


def invalid(first: Finding, *more: Finding) -> Refused:
    """The refusal of a pack: the first finding in words, all of them in the facts."""
    also = f" {len(more)} more entries or fields do not fit." if more else ""
    return Refused(
        "pack.invalid",
        f"The pack's entry {first.entry} does not fit: {first.place + ': ' if first.path else ''}{first.why}.{also}",
        rules=(first.rule or KNOW,),
        entry=first.entry,
        path=first.path,
        findings=[str(f) for f in (first, *more)],
    )


def _pack_from_data(version: int, raw: Raw, digest: str) -> Pack:
    parts: dict[str, Any] = {}
    for part, model in PARTS.items():
        read: list[Any] = [model.model_validate(given) for given in raw.get(part, ())]
        parts[part] = MappingProxyType({entry.id: entry for entry in read})
    return Pack(version=version, digest=digest, **parts)


def _twice(keys: Sequence[str]) -> list[str]:
    return sorted({key for key in keys if keys.count(key) > 1})


def _message_and_rule(error: Any) -> tuple[str, str]:
    """An error of the data model in our words, and the rule behind it."""
    cause, kind = error.get("ctx", {}).get("error"), error["type"]
    if isinstance(cause, Refused):
        return cause.message.rstrip("."), next(iter(cause.rules), "")
    if cause is not None:
        return str(cause), ""
    if kind == "extra_forbidden":
        return "there is no such field here; take it out or mend its name", ""
    if kind == "missing":
        return "this field is missing", ""
    return f"{error['msg']}, not {error.get('input')!r}"[:300], ""


def _disagreements(pack: Pack) -> Iterator[Finding]:
    """What single entries cannot show.

    References exist; knowledges have no circle, their tiers are right, and each can be taught from nothing (G2-KNOW-7);
    every greater sphere has powers of the levels 1 to 5; numbers do not depend on themselves.
    """
    for part, keys in NEEDED.items():
        for key in keys:
            if key not in getattr(pack, part):
                yield Finding(f"{part}/{key}", (), "the rules name this entry; every pack has it")
    yield from _tree(pack)
    yield from _references(pack)
    yield from _circles(pack)
    for sphere in pack.spheres.values():
        powers = (p for p in pack.powers.values() if p.sphere == sphere.id and p.kind != "creation")
        missing = {1, 2, 3, 4, 5} - {p.level for p in powers}
        if sphere.group == "greater" and missing:
            levels = ", ".join(map(str, sorted(missing)))
            why = f"a greater sphere has powers of the levels 1 to 5; give it a power of level {levels}"
            yield Finding(f"spheres/{sphere.id}", (), why)


def _tree(pack: Pack) -> Iterator[Finding]:
    """Unknown and circling prerequisites, knowledges that nobody teaches, wrong tiers (G2-KNOW-7)."""
    tiers: dict[str, int] = {}
    for key, knowledge in pack.knowledges.items():
        entry = f"knowledges/{key}"
        for at, needed in enumerate(knowledge.prereqs):
            if needed not in pack.knowledges:
                why = f"there is no knowledge {needed}; add it or take it out of the prerequisites"
                yield Finding(entry, ("prereqs", at), why, KNOW)
        if not pack.teachers[key]:
            yield Finding(entry, (), "no power teaches it; add one with the operation learn", KNOW)
    while more := {
        k: 1 + max((tiers[p] for p in v.prereqs if p in tiers), default=0)
        for k, v in pack.knowledges.items()
        if k not in tiers and all(p in tiers or p not in pack.knowledges for p in v.prereqs)
    }:
        tiers |= more
    for key in pack.knowledges:
        if key not in tiers and key in _prerequisites(pack, key):
            why = "its prerequisites go in a circle, so nobody can ever learn it; take one of them out"
            yield Finding(f"knowledges/{key}", ("prereqs",), why, KNOW)
    for key, tier in tiers.items():
        if tier != pack.knowledges[key].tier or tier > LONGEST_CHAIN:
            yield Finding(f"knowledges/{key}", ("tier",), f"its tier is {tier}, at most {LONGEST_CHAIN}", KNOW)


def _prerequisites(pack: Pack, key: str) -> set[str]:
    """All that must be known before a knowledge."""
    found: set[str] = set()
    new = set(pack.knowledges[key].prereqs) & set(pack.knowledges)
    while new:
        found |= new
        new = {p for k in new for p in pack.knowledges[k].prereqs if p in pack.knowledges} - found
    return found


def _references(pack: Pack) -> Iterator[Finding]:
    """Names of entries that are not there."""
    kinds: Mapping[str, Mapping[str, Any]] = {
        "knowledge": pack.knowledges,
        "feature": pack.features,
        "table": pack.tables,
        "mod": pack.powers,
        "power": pack.powers,
        "attribute": pack.attributes,
    }
    for entry, path, effect in _placed_effects(pack):
        for field, known in kinds.items():
            value = getattr(effect, field, None)
            if value is not None and value not in known:
                yield Finding(entry, (*path, field), f"there is no {field} {value}")
        where = str(getattr(effect, "where", None) or "").partition(":")[2]
        if where and where not in pack.features:
            yield Finding(entry, (*path, "where"), f"there is no feature {where}")
        if isinstance(effect, Choose) and effect.from_ not in pack.tables:
            yield Finding(entry, (*path, "from"), f"there is no table {effect.from_}")
        if isinstance(effect, Passable):
            attribute = effect.for_.partition(":")[2]
            if effect.what not in pack.features:
                yield Finding(entry, (*path, "what"), "what is impassable is a feature")
            if attribute and attribute not in pack.attributes:
                yield Finding(entry, (*path, "for"), f"there is no attribute {attribute}")
        if isinstance(effect, RaceAdd):
            yield from _untaught(pack, entry, path, effect.knowledge)
        for condition in effect.conditions:
            yield from _unmet(pack, entry, (*path, "if"), condition)
    for knowledge in pack.knowledges.values():
        for condition in knowledge.requires:
            yield from _unmet(pack, f"knowledges/{knowledge.id}", ("requires",), condition)
    for power in pack.powers.values():
        if power.sphere not in pack.spheres:
            yield Finding(f"powers/{power.id}", ("sphere",), f"there is no sphere {power.sphere}")
        if has(power.codes, "Mv", "Mv+") and all(effect.on is None for effect in power.effects):
            why = "a power that sleeps waits for something; give one of its effects a trigger (`on`)"
            yield Finding(f"powers/{power.id}", ("effects",), why, "G2-MOD-3")
        if is_lasting(power.codes) and power.target.partition(":")[0] not in ("race", "race+contact", "city"):
            why = "a modification is cast on one race; aim it at a race or a city"
            yield Finding(f"powers/{power.id}", ("target",), why, "G2-MOD-1")
        for condition in power.requires:
            yield from _unmet(pack, f"powers/{power.id}", ("requires",), condition)
    for source in pack.mana_sources.values():
        if source.sphere not in pack.spheres:
            yield Finding(f"mana_sources/{source.id}", ("sphere",), f"there is no sphere {source.sphere}")


def _untaught(pack: Pack, entry: str, path: tuple[str | int, ...], key: str | None) -> Iterator[Finding]:
    """A knowledge with which no people can begin: it needs another one, or gives a level that owns cities."""
    if key is None or key not in pack.knowledges:
        return
    if pack.knowledges[key].prereqs:
        yield Finding(entry, (*path, "knowledge"), f"{key} needs other knowledges first", "G2-CREA-3")
    if key in pack.giving("civilized"):
        yield Finding(entry, (*path, "knowledge"), f"{key} asks for a city, which no new people has", "G2-CREA-3")


def _unmet(pack: Pack, entry: str, path: tuple[str | int, ...], condition: Condition) -> Iterator[Finding]:
    """The values of a condition that nothing in the pack is called."""
    places = {*pack.features, *"PFDMIWL", "pole"}
    known: Mapping[str, Any] = {
        "knows": pack.knowledges,
        "lacks": pack.knowledges,
        "attr": pack.attributes,
        "feature": pack.features,
        "beside": places,
        "near": places,
    }
    for value in condition.values:
        if condition.name in known and value not in known[condition.name]:
            yield Finding(entry, path, f"there is no {value} for {condition.name}")


def _circles(pack: Pack) -> Iterator[Finding]:
    """No number may ask for itself: wealth comes before aggression, both before everything else."""
    barred = {
        "wealth": {"wealth_gte", "aggression_gte", "contact"},
        "aggression": {"aggression_gte", "contact"},
        "move": {"contact"},
        "sea": {"contact"},
    }
    for entry, path, effect in _placed_effects(pack):
        names = {c.name for c in effect.conditions}
        stat = getattr(effect, "stat", "")
        if effect.passive and names & barred.get(stat, set()):
            yield Finding(entry, (*path, "if"), f"{stat} cannot depend on {', '.join(sorted(names))}")
        if isinstance(effect, LevelSet) and (by := names & LEVELLED):
            yield Finding(entry, (*path, "if"), f"the level cannot depend on {', '.join(sorted(by))}")
        if isinstance(effect, Passable) and "contact" in names:
            yield Finding(entry, (*path, "if"), "who may pass cannot depend on contact")


def _placed_effects(pack: Pack) -> Iterator[tuple[str, tuple[str | int, ...], Operation]]:
    """Every effect of the pack with its entry and where it stands there."""
    for part in ("attributes", "knowledges", "features", "powers"):
        for entry in getattr(pack, part).values():
            for at, effect in enumerate(entry.effects):
                yield f"{part}/{entry.id}", ("effects", at), effect
    for table in pack.tables.values():
        for at, row in enumerate(table.rows):
            for n, effect in enumerate(row.effects):
                yield f"tables/{table.id}", ("rows", at, "effects", n), effect
