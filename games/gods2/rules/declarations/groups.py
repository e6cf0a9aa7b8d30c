"""Combined wars (G2-WAR-15, G2-WAR-16): which wars are fought together, who is the common enemy, how they split.

A war that is combined with no other is a group of one, with its whole strength.
"""

from collections.abc import Mapping, Sequence
from uuid import UUID

from games.gods2.rules.declarations.events import waiting
from games.gods2.rules.declarations.rules import fighting_order
from games.gods2.rules.geometry.stats import strength
from games.gods2.rules.state.options import options_of
from games.gods2.rules.state.records import War
from games.gods2.rules.state.state import State

Forces = Mapping[UUID, int]
"""With how much of its strength a race fights, where it does not fight with all."""


def combined_wars(state: State, war: War) -> list[War]:
    """The wars that are fought together with this one, itself among them, in the order of their declaration."""
    together = [w for w in waiting(state) if w.id == war.id or (war.group is not None and w.group == war.group)]
    return sorted(together, key=declaration)


def declaration(war: War) -> tuple[int, int]:
    """The place of a war in the order of declarations."""
    return war.century, war.number


def battle_schedule(state: State) -> list[War]:
    """The wars that wait, in the order in which they would be fought (G2-WAR-1, AMB-9).

    By their times; those that are due together or overdue as `fighting_order` says; combined ones at the place of the
    first of them. A war without a time comes last.
    """
    now = state.now
    by_time = sorted(fighting_order(waiting(state)), key=lambda w: (w.due is None, max(w.due or now, now)))
    return list({war.id: war for first in by_time for war in combined_wars(state, first)}.values())


def common_enemy(wars: Sequence[War]) -> UUID | None:
    """The race that has a different enemy in each of these wars; None when there is no such race."""
    if len(wars) < 2:
        return None
    shared = set.intersection(*({w.attacker, w.defender} for w in wars))
    return next((race for race in sorted(shared) if len({enemy_of(w, race) for w in wars}) == len(wars)), None)


def enemy_of(war: War, race: UUID) -> UUID:
    """The other side of a war."""
    return war.attacker if war.defender == race else war.defender


def forces(state: State, wars: Sequence[War]) -> dict[UUID, Forces]:
    """For each of these wars, which are fought together, the strength of the race that splits it.

    As a GM has set it, in proportion when the whole is another by now; else equal parts, or by a setting parts by the
    strength of its enemies (AMB-15).
    """
    shared = common_enemy(wars)
    if shared is None:
        return {}
    ordered = sorted(wars, key=declaration)
    set_by_gm = [w.split for w in ordered if w.split is not None]
    weights = set_by_gm if len(set_by_gm) == len(ordered) else _usual(state, ordered, shared)
    parts = split_strength(strength(state, shared), weights)
    return {w.id: {shared: part} for w, part in zip(ordered, parts, strict=True)}


def _usual(state: State, wars: Sequence[War], shared: UUID) -> list[int]:
    """The weights of a race's enemies without a GM's word."""
    by_strength = options_of(state).combined_war_split == "strength"
    return [strength(state, enemy_of(w, shared)) if by_strength else 1 for w in wars]


def split_strength(total: int, weights: Sequence[int]) -> list[int]:
    """A strength split among several enemies (G2-WAR-16): in proportion to the weights, what is left over one each.

    The largest remainders come first, then the order of declaration; equal weights make equal parts. The sum is exact.
    """
    whole = sum(weights) or len(weights)
    each = list(weights) if sum(weights) else [1] * len(weights)
    parts = [total * w // whole for w in each]
    first = sorted(range(len(each)), key=lambda k: (-(total * each[k] % whole), k))
    for k in first[: total - sum(parts)]:
        parts[k] += 1
    return parts
