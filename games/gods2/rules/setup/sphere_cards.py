"""Sphere cards as a command names them (G2-MANA-1): each sphere of the pack once."""

from games.engine.errors import Refused
from games.engine.insight.domains import Choices, Domain, Fields, ListOf, Range
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import CardOf

MOST_CARDS = 100


def check_cards(state: State, cards: tuple[CardOf, ...]) -> None:
    """Refuse (`cards.invalid`) cards of no sphere of the pack, or a sphere twice."""
    spheres = [c.sphere for c in cards]
    unknown = [s for s in spheres if s not in state.pack.spheres]
    if unknown or len(set(spheres)) < len(spheres):
        known = ", ".join(state.pack.spheres)
        raise Refused(
            "cards.invalid",
            f"Cards are of these spheres, each named once: {known}.",
            rules=("G2-MANA-1",),
            unknown=unknown,
        )


def cards_domain(state: State) -> Domain:
    """Cards of the spheres of the pack in its order, of as many of them as one likes, each named once."""
    each = tuple(Fields({"sphere": Choices((s,)), "count": Range(low=0, high=MOST_CARDS)}) for s in state.pack.spheres)
    return ListOf(each[-1], high=len(each), first=each)
