"""Tempers of bots: what each likes best among what it could do."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal
from uuid import UUID

from games.gods2.rules.state.state import State

Manner = Literal["teach", "help", "harm", "war"]


@dataclass(frozen=True, slots=True)
class Temper:
    """How much a bot likes each manner of acting, and how it treats others."""

    name: str
    likes: Mapping[Manner, int]
    """The weight of each manner."""
    spite: int
    """Percent of the harm to a large people that counts for the bot although that people threatens none of its own."""
    drafts: int
    """On how many faces of a d6 it thinks about pantheons first."""
    invites: bool = False
    """Whether it gives points of its own to a god who is no member yet."""


WARLORD = Temper("warlord", MappingProxyType({"teach": 5, "help": 3, "harm": 3, "war": 3}), spite=50, drafts=1)
TEACHER = Temper("teacher", MappingProxyType({"teach": 9, "help": 3, "harm": 1, "war": 1}), spite=0, drafts=1)
TRADER = Temper("trader", MappingProxyType({"teach": 6, "help": 4, "harm": 1, "war": 1}), 15, drafts=2, invites=True)
TEMPERS = (WARLORD, TEACHER, TRADER)
BY_SPHERE: Mapping[str, Temper] = MappingProxyType(
    {
        "FE": WARLORD, "SI": WARLORD, "WA": WARLORD, "CH": WARLORD, "DE": WARLORD,
        "NA": TEACHER, "CK": TEACHER, "LB": TEACHER, "LI": TEACHER,
        "SE": TRADER, "CW": TRADER, "FJ": TRADER,
    }
)  # fmt: skip


def temper_of(state: State, seat: UUID) -> Temper:
    """The temper that suits the sphere of which a seat holds most cards; a trader's where none is known."""
    held = [cards for cards in state.cards.values() if cards.seat == seat and cards.sphere in BY_SPHERE]
    main = max(held, key=lambda cards: (cards.count, cards.sphere), default=None)
    return TRADER if main is None else BY_SPHERE[main.sphere]
