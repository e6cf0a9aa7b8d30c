"""What things of a game are called: causes, mana sources, members of pantheons, lines of the worksheet.

Entries of the pack are called by their names; words of the rules, which are no entries, stand in the tables here. A key
that nobody knows any more, of an older pack, is rendered as its own words.
"""

from collections.abc import Mapping
from typing import Final

from games.engine.naming import id_in
from games.engine.wording import listing, phrase
from games.gods2.rules.pack.pack import ManaSource
from games.gods2.rules.state.records import ATHEISM, DIABOLISM
from games.gods2.rules.state.state import State
from games.gods2.rules.state.wording import TERRAIN, box_name

PARTS: Final[Mapping[str, str]] = {"feature": "features", "knowledge": "knowledges", "attribute": "attributes"}
"""Where the entry of a cause such as `feature:void_gate` stands in the pack."""
CAUSES: Final[Mapping[str, str]] = {
    "start": "the start of the game",
    "map": "the map",
    "growth": "growth",
    "war": "war",
    "aggression": "aggression",
    "order": "an order of all members",
    "pantheon": "a change of the pantheon",
    "agreed": "all members have agreed",
    "power": "a power has ended it",
    "sole": "one member is left",
    "extinct": "the race is extinct",
    "obliterated": "a god was obliterated",
    "amend": "a correction",
    "refund": "given back",
}
"""What causes things beside the entries of a pack."""
NAMED: Final = ("powers", "features", "attributes", "knowledges", "spheres")
"""The parts of a pack whose entries have names."""


COUNTERS: Final[Mapping[str, str]] = {
    "worshippers": "worshippers",
    "deaths": "deaths by {}",
    "squares": "squares of {}",
    "empty_land": "squares of empty land",
    "cities": "cities",
    "great_cities": "great cities",
    "wealth": "wealth",
    "knowledges_known": "knowledges known",
    "civilized_units": "civilized units",
    "races_military_gte": "races with Military {} or more",
    "races_in_turmoil": "races in turmoil",
    "races_not_in_turmoil": "races at peace with their gods",
    "races_without": "races without {}",
    "features": "squares with {}",
    "unnamed_squares": "squares without a name",
    "knowledges_taught": "knowledges taught",
    "wars_averted": "wars averted",
    "orders_accepted": "orders of pantheons accepted",
    "city_founded": "cities founded",
    "city_destroyed": "cities destroyed",
    "coastal_city_founded": "cities founded on coasts",
    "diabolism_leaves": "pantheons that diabolism leaves",
    "feature_created": "new squares with {}",
    "first_to_learn": "knowledges learned first of all peoples",
    "glacier_spread": "squares that ice has taken",
    "law_passed": "laws passed",
    "race_destroyed": "races destroyed",
    "race_reaches": "races that reach {} units",
    "turmoil_agreed": "turmoils that ended by agreement",
    "war_fought": "wars fought",
}
"""What mana sources count (G2-MANA-7, section 4.7)."""


def cause_name(state: State, cause: str) -> str:
    """What has caused something: a power, an entry of the pack, or a word of the rules."""
    pack = state.pack
    if cause in pack.powers:
        return pack.powers[cause].name
    kind, _, key = cause.partition(":")
    entry = getattr(pack, PARTS[kind]).get(key) if kind in PARTS else None
    return entry.name if entry is not None else CAUSES.get(cause, phrase(cause))


def source_name(state: State, source: str) -> str:
    """A mana source: its sphere, and what it counts; `Fire & Earth: deaths by fire and earth`."""
    found = state.pack.mana_sources.get(source)
    if found is None:
        return phrase(source)
    return f"{state.pack.spheres[found.sphere].name}: {counted_name(state, found)}"


def counted_name(state: State, source: ManaSource) -> str:
    """What a mana source counts."""
    name, _, about = source.counter.partition(":")
    if name == "worshippers" and about:
        return f"worshippers of {about}"
    template = COUNTERS.get(name, phrase(name))
    if about in TERRAIN:
        about = TERRAIN[about]
    elif about in state.pack.features:
        about = state.pack.features[about].name
    elif name == "deaths":
        about = listing((box_name(box) for box in about.split(",")), "or")
    return template.format(about)


def member_name(state: State, member: str) -> str:
    """A member of a pantheon: a god's name, or what is no god."""
    if member in (ATHEISM, DIABOLISM):
        return member
    return next((god.name for god in state.gods.values() if str(god.id) == member), "a god who is gone")


def thing_name(state: State, thing: str) -> str | None:
    """What an entry of the pack, or a thing that nobody has named, is called; None for no such thing."""
    if state.era.pack_version:
        for part in NAMED:
            if thing in getattr(state.pack, part):
                return str(getattr(state.pack, part)[thing].name)
        if thing in state.pack.mana_sources:
            return source_name(state, thing)
        kind, _, key = thing.partition(":")
        if (kind, key) in state.lines:
            return line_name(state, thing)
        if kind in PARTS and key in getattr(state.pack, PARTS[kind]):
            return cause_name(state, thing)
    sought = id_in(thing)
    if sought is None:
        return None
    if sought in state.modifications:
        found = state.modifications[sought]
        return f"{cause_name(state, found.power)} for {state.races[found.race].name}"
    combined = [war for war in state.wars.values() if sought in (war.id, war.group)]
    if combined:
        return listing(war.name or f"war {war.number} of century {war.century}" for war in combined)
    for city in state.cities.values():
        if city.id == sought:
            return f"the city at {city.square.column}, {city.square.row}"
    for feature in state.features.values():
        if feature.id == sought:
            return f"{state.pack.features[feature.kind].name} at {feature.square.column}, {feature.square.row}"
    return None


def line_name(state: State, line: str) -> str:
    """A line of the worksheet: `deaths by war`, `Cities & Wealth: cities`, `worshippers of the Greeks`."""
    kind, _, key = line.partition(":")
    match kind:
        case "box":
            return f"deaths by {box_name(key)}"
        case "source":
            return source_name(state, key)
        case "race":
            race = next((race.name for race in state.races.values() if str(race.id) == key), "nobody")
            return f"worshippers of {race}"
    return phrase(line)
