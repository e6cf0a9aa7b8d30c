"""The mana sources of the pack: what they count, and when they are paid (G2-MANA-1, G2-MANA-3, G2-MANA-7)."""

from games.gods2.rules.pack.pack import ManaSource
from games.gods2.rules.state.options import CENTURIES, options_of
from games.gods2.rules.state.state import State

WORSHIP, DEATHS = "worshippers", "deaths"
COUNTED_AS_EVENTS = frozenset({"knowledges_taught", "wars_averted", "orders_accepted"})
"""Century-end counters of what happened in the century; all counters of event sources are of this kind too."""


def sources(state: State) -> list[ManaSource]:
    """The mana sources of the pack, by id."""
    return sorted(state.pack.mana_sources.values(), key=lambda s: s.id)


def happens(source: ManaSource) -> bool:
    """Whether a source counts what happens, and not what is."""
    return source.when == "event" or source.counter in COUNTED_AS_EVENTS


def split_counter(counter: str) -> tuple[str, str]:
    """A counter's name and argument: `deaths:fire,earth` is `deaths` and `fire,earth`."""
    name, _, argument = counter.partition(":")
    return name, argument


def is_counted(state: State, source: ManaSource) -> bool:
    """Whether a source is counted in this century: those of the era's end in century 16 alone (G2-MANA-7)."""
    return source.when != "era_end" or state.era.century == CENTURIES


def century_sources(state: State) -> list[ManaSource]:
    """The sources that are paid in step 17 of this century, by id (G2-MANA-7, AMB-63)."""
    later = end_sources(state)
    return [source for source in sources(state) if is_counted(state, source) and source not in later]


def end_sources(state: State) -> list[ManaSource]:
    """The sources that are counted in century 16 and paid when the game ends, by id: none unless a setting says so."""
    if options_of(state).era_end_paid == "century" or state.era.century < CENTURIES:
        return []
    return [source for source in sources(state) if source.when == "era_end"]
