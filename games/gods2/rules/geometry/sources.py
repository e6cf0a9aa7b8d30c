"""The names of sources of a number: attributes, knowledges, modifications, features."""

from games.gods2.rules.state.state import State

BASE = "base"
WORDS = {
    "starved": "Starved in this century",
    "cities": "Cities",
    "wealth": "Wealth",
    "start": "Every race",
    "never below 0": "Never below 0",
}


def describe_source(state: State, source: str) -> tuple[str, str, str]:
    """The kind, the key and the name of a source such as `attribute:warlike`."""
    kind, _, key = source.partition(":")
    pack = state.pack
    match kind:
        case "attribute":
            return kind, key, pack.attributes[key].name
        case "knowledge":
            return kind, key, pack.knowledges[key].name
        case "modification":
            return kind, key, pack.powers[key].name
        case "feature":
            return kind, key, pack.features[key].name
        case "level":
            return kind, key, key.title()
        case "cities":
            return "city", key or kind, WORDS[kind]
        case "start":
            return BASE, kind, WORDS[kind]
    return "rule", kind.replace(" ", "_"), WORDS.get(kind, kind)
