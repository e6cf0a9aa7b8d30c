"""What bots call peoples, places, orders, avatars and artifacts, and their deeds: no dice, for nothing hangs on it."""

from collections.abc import Sequence
from itertools import count, product
from uuid import UUID

from core.names import comparable
from games.dawn.rules.state.state import State

BEGINNINGS = (
    "Ash", "Bram", "Cor", "Dun", "Elder", "Fen", "Gal", "Hollow", "Iron", "Jor", "Kel",
    "Lor", "Mor", "Nor", "Oak", "Quill", "Raven", "Sil", "Thorn", "Umber", "Vale", "Wyn",
)  # fmt: skip
PEOPLES = ("folk", "kin", "born")
PLACES = ("ford", "gate", "haven", "hold", "mere", "stead", "wick", "watch", "barrow")
ORDERS = ("guard", "hand", "lore", "oath", "song", "sworn", "veil")
THINGS = ("blade", "bow", "crown", "cup", "harp", "helm", "horn", "ring", "torch")
WALKERS = ("ar", "en", "ir", "is", "or", "une", "wyn")
EPITHETS = ("the Younger", "in the North", "beyond the River", "by the Sea", "under the Hill", "of the Dawn")
"""What tells a name from one that is borne already; two of them from one with the first."""
DEEDS = (
    "They light a fire that is seen from far away.",
    "They raise a stone to those who came before.",
    "They sing of the first morning.",
    "They plant a grove and leave it alone.",
    "They learn the ways of the stars.",
    "They dig a well in dry ground.",
)
LEGENDS = (
    "It shines when all other lights are out.",
    "It is heard from one end of the land to the other.",
    "Who bears it is afraid of nothing.",
    "It is warm like a hand.",
    "It was there before the first word.",
)


def fresh_name(state: State, seat: UUID, ends: Sequence[str]) -> str:
    """A name that nothing bears yet, with one of these ends; other ones for other gods and at other times."""
    every = [f"{beginning}{end}" for end, beginning in product(ends, BEGINNINGS)]
    tables = (state.gods, state.races, state.cities, state.orders, state.avatars, state.regions, state.artifacts)
    taken = {comparable(row.name) for rows in tables for row in rows.values()}
    start = (seat.int + 7 * state.info.timers_set) % len(every)
    ordered = [*every[start:], *every[:start]]
    further = (f" {' '.join(words)}" for length in count(1) for words in product(EPITHETS, repeat=length))
    more = (f"{name}{words}" for words in further for name in ordered)
    return next(name for names in (ordered, more) for name in names if comparable(name) not in taken)


def fresh_deed(state: State, seat: UUID) -> str:
    """A deed, in words."""
    return DEEDS[(seat.int + state.info.timers_set) % len(DEEDS)]


def fresh_legend(state: State, seat: UUID) -> str:
    """What is known of an artifact."""
    return LEGENDS[(seat.int + state.info.timers_set) % len(LEGENDS)]
