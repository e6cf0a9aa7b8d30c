"""How likely a march is to reach its end, as a god without a player reckons: battle by battle, with all who march.

Bonuses and dice lie open (DW-WAR-5, DW-WAR-6). The defender is taken to commit all armies at once, and every avatar who
resides in the city to stand in for it.
"""

from fractions import Fraction
from math import prod
from uuid import UUID

from games.dawn.rules.command.arguments import Target
from games.dawn.rules.state.records import War
from games.dawn.rules.state.state import State
from games.dawn.rules.war.battles import (
    attack_bonuses,
    defence_bonuses,
    defenders_of,
    remaining_defenders,
    sum_of_bonuses,
)
from games.dawn.rules.war.odds import MOST_DICE, Force, chance

WORTHWHILE = Fraction(2, 5)
"""From these odds on a god without a player attacks."""
NOWHERE = UUID(int=0)


def odds_of_march(state: State, seat: UUID, target: Target, armies: tuple[UUID, ...], leader: bool = False) -> Fraction:
    """The odds that armies, or an avatar alone where there are none, take a city or slay an avatar in the open.

    leader: an avatar will lead them who does not yet.
    """
    city = state.city_at(target.square.at)
    x, y = target.square.at
    war = War(NOWHERE, seat, x, y, city.id if city else None, None if city else target.avatar, armies)
    attack = Force(min(MOST_DICE, len(armies)) or 1, sum_of_bonuses(attack_bonuses(state, armies)) + int(leader))
    defence = sum_of_bonuses(defence_bonuses(state, war))
    garrison = len(remaining_defenders(state, war))
    stages = [min(MOST_DICE, garrison)] if garrison else []
    stages += [1] * (len(defenders_of(state, war)) + 1)
    return prod((chance(attack, Force(dice, defence)) for dice in stages), start=Fraction(1))
