"""What the data of a pack say, in words: conditions, and the effects of rows that are rolled or chosen (pure).

An operation without a sentence here is rendered as its own words with its fields, so that a pack may use all 45.
"""

from collections.abc import Mapping
from typing import Any, Final

from games.engine.wording import listing, phrase, quantity
from games.gods2.rules.pack.pack import Pack
from games.gods2.rules.pack.schema_types import Condition, Operation
from games.gods2.rules.state.wording import TERRAIN

ENTRIES: Final = ("knowledges", "features", "attributes", "powers")
"""The parts of a pack whose entries data name by their keys."""
WORDS: Final[Mapping[str, str]] = {**TERRAIN, "L": "land", "pole": "the cold pole", "caster": "the caster"}
CONDITIONS: Final[Mapping[str, str]] = {
    "terrain": "{}",
    "feature": "{}",
    "beside": "{} beside it",
    "near": "{} on it or beside it",
    "knows": "the knowledge of {}",
    "lacks": "no knowledge of {}",
    "attr": "the attribute {}",
    "level": "the cultural level {}",
    "role": "the role of {}",
    "member": "{} in its pantheon",
    "worships": "{} in its pantheon",
    "squares_gte": "{} squares or more",
    "cities_gte": "{} cities or more",
    "units_gte": "{} units or more",
    "wealth_gte": "Wealth {} or more",
    "aggression_gte": "Aggression {} or more",
}
"""What a condition asks for, after `with`."""
FLAGS: Final[Mapping[str, str]] = {
    "coastal": "a coast",
    "populated": "units on it",
    "in_turmoil": "a turmoil",
    "caster_in_pantheon": "the caster in its pantheon",
    "has_city": "a city",
    "contact": "contact to another race",
}
"""Conditions that hold or not."""
SCOPES: Final[Mapping[str, str]] = {
    "target": "there",
    "here": "there",
    "chosen": "there",
    "adjacent": "on each square beside it",
    "target+adjacent": "there and on each square beside it",
    "race": "of the race",
    "all_races": "of every race",
    "coastal_plains": "on coastal plains",
}
"""Where an effect works."""


def pack_name(pack: Pack, key: object) -> str:
    """What a value of the data is called: an entry by its name, a terrain by its word, anything else as a phrase."""
    for part in ENTRIES:
        entry = getattr(pack, part).get(key)
        if entry is not None:
            return str(entry.name)
    return WORDS.get(str(key), phrase(str(key)))


def condition_name(pack: Pack, condition: Condition) -> str:
    """What a condition asks for: `with forest or plains`, `without units on it`, `from century 5 on`."""
    name, negated = condition.name, condition.negated
    if name in FLAGS:
        return f"{'with' if bool(condition.values[0]) is not negated else 'without'} {FLAGS[name]}"
    values = listing((pack_name(pack, value) for value in condition.values), "or")
    if name == "century_gte":
        return f"before century {values}" if negated else f"from century {values} on"
    return f"{'without' if negated else 'with'} {CONDITIONS.get(name, phrase(name) + ' {}').format(values)}"


def effect_name(pack: Pack, effect: Operation) -> str:
    """What an effect does, in words."""
    fields: dict[str, Any] = effect.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    where = SCOPES.get(str(fields.get("scope")), "")
    match fields.get("op"):
        case "terrain_set":
            return f"the land becomes {pack_name(pack, fields['to'])}"
        case "kill":
            amount = fields.get("amount")
            killed = {
                "count": quantity(amount or 0, "unit"),
                "percent": f"{amount}% of the units",
                "all": "all units",
                "over": "the units above the limit",
            }[fields["mode"]]
            return f"{killed} {where} die".replace("  ", " ")
        case "turmoil":
            return "a turmoil begins" if fields["state"] == "start" else "the turmoil ends"
        case "repeat":
            return "it goes on to a race in contact"
        case "feature_add" | "feature_remove":
            verb = "appears" if fields["op"] == "feature_add" else "is removed"
            return f"{pack_name(pack, fields['feature'])} {verb}"
        case "learn" | "forget" if "knowledge" in fields:
            verb = "learns" if fields["op"] == "learn" else "forgets"
            return f"the race {verb} {pack_name(pack, fields['knowledge'])}"
        case "mana":
            return f"{fields['amount']} mana for {pack_name(pack, fields['to'])}"
        case "race_add":
            return f"the {fields['name']} are born, {quantity(fields['units'], 'unit')} at most"
        case "artifact_make":
            return f"the {fields['name']} is made, in which {pack_name(pack, fields['power'])} lies"
        case "attribute_add":
            return f"the people become {pack_name(pack, fields['attribute'])}"
        case "units_add":
            return f"{quantity(fields['amount'], 'new unit')}"
        case "manual":
            return str(fields["text"]).rstrip(".")
    rest = [
        f"{phrase(key)} {pack_name(pack, value)}" for key, value in fields.items() if key not in ("op", "if", "text")
    ]
    return " ".join([phrase(str(fields.get("op", "nothing"))), *rest])


def effects_name(pack: Pack, effects: tuple[Operation, ...]) -> str:
    """What the effects of a row do; `nothing happens` for none."""
    return "; ".join(effect_name(pack, effect) for effect in effects) or "nothing happens"
