"""Help and votes as bargains: a bot helps who has helped it or is far behind, and else trades a die for a point.

A helper has one victory point whatever it rolls (FB-ART-7), so a fair offer brings the maker about one, too.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from uuid import UUID

from games.forgeborn.rules.state.constants import FREE_DICE, LEAST_SUM
from games.forgeborn.rules.state.dice import dice_of
from games.forgeborn.rules.state.records import Artifact, Character
from games.forgeborn.rules.state.schema_types import PlaceKind, Size
from games.forgeborn.rules.state.state import State

GIFT = 2
"""The dice that a seat has from each helper that is too far behind to win."""
AHEAD = 5
"""Victory points by which slaying the Dragon must put a seat ahead to win: the others have a turn more."""


def help_for(state: State, helper: Character, maker: UUID) -> tuple[Size, ...]:
    """The dice that a Smith offers to a maker's seat; none where it declines."""
    own = sorted(dice_of(helper), reverse=True)
    if is_lost(state, maker):
        return tuple(own[:GIFT])
    return fair_offer(own) if is_even(state, helper.seat, maker) and not is_ahead(state, maker) else ()


def fair_offer(dice: Sequence[Size]) -> tuple[Size, ...]:
    """The least of these dice that bring the maker a point on average; none where three do not."""
    enough = [
        chosen
        for number in range(1, FREE_DICE + 1)
        for chosen in combinations(sorted(dice), number)
        if mean_of(chosen) >= LEAST_SUM
    ]
    return min(enough, key=lambda chosen: (sum(chosen) + len(chosen), len(chosen)), default=())


def is_worth_a_point(dice: Sequence[Size]) -> bool:
    """Whether a maker accepts an offer: it brings as much as the helper has for it."""
    return mean_of(dice) >= LEAST_SUM


def is_in_favour(state: State, seat: UUID, asker: UUID, artifact: Artifact) -> bool:
    """Whether a seat votes for giving an artifact of the Vault to another.

    It does where the other has helped it more often than it has helped the other, or is not ahead of it; unless the
    artifact makes the other strong enough to win by the Dragon.
    """
    if would_win(state, asker) and is_strong_enough(state, asker, artifact):
        return False
    return is_owed(state, seat, asker) or state.purses[asker].vp <= state.purses[seat].vp


def is_strong_enough(state: State, seat: UUID, *more: Artifact) -> bool:
    """Whether the Smith of a seat has even odds against the Dragon. more: artifacts beside those that they hold."""
    smith = state.smith_of(seat)
    if smith is None:
        return False
    held = (*state.artifacts_of(smith.id), *more)
    dice = [*dice_of(smith), *(die for artifact in held for die in dice_of(artifact))]
    return mean_of(dice) >= mean_of([Size.D12] * state.place_of_kind(PlaceKind.LAIR).power)


def would_win(state: State, seat: UUID) -> bool:
    """Whether slaying the Dragon now would win the game."""
    if state.course.slayer is not None:
        return False
    others = [purse.vp for purse in state.purses.values() if purse.seat != seat]
    power = state.place_of_kind(PlaceKind.LAIR).power
    return state.purses[seat].vp + power >= max(others, default=0) + AHEAD


def is_even(state: State, helper: UUID, maker: UUID) -> bool:
    """Whether a seat has helped another one no more often than the other has helped it."""
    return times_helped(state, maker, helper) <= times_helped(state, helper, maker)


def is_owed(state: State, debtor: UUID, seat: UUID) -> bool:
    """Whether a seat has helped another one to make more artifacts than the other has helped it with."""
    return times_helped(state, debtor, seat) > times_helped(state, seat, debtor)


def times_helped(state: State, maker: UUID, helper: UUID) -> int:
    """With how many artifacts of a maker's seat another seat has helped."""
    made, helping = state.smith_of(maker), state.smith_of(helper)
    if made is None or helping is None:
        return 0
    return sum(made.id == artifact.maker and helping.id in artifact.helpers for artifact in state.artifacts.values())


def is_lost(state: State, seat: UUID) -> bool:
    """Whether nobody has fewer victory points than a seat, and somebody more than the Dragon would give it."""
    points = {purse.seat: purse.vp for purse in state.purses.values()}
    dragon = state.place_of_kind(PlaceKind.LAIR).power
    return points[seat] == min(points.values()) and points[seat] + dragon < max(points.values())


def is_ahead(state: State, seat: UUID) -> bool:
    """Whether a seat has more victory points than every other."""
    return state.leaders() == (seat,)


def mean_of(dice: Sequence[int]) -> Fraction:
    """The mean of a roll."""
    return Fraction(sum(dice) + len(dice), 2)
