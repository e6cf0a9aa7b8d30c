"""When a bot makes war and when it makes peace: by the forecast that every seat may ask for."""

from dataclasses import dataclass
from uuid import UUID

from games.gods2.rules.bots.view import CASES, SMALL, TENTHS, View
from games.gods2.rules.state.records import War

SQUARE, NEEDED_SQUARE = 12, 25  # what a square that the loser vacates is worth, and to a crowded people
MOST_TALKS = CASES // 2  # where diplomacy averts a war in more of them, its price is lost too often
LOST_SHARE = 3  # a people that would lose more than one unit in so many is not attacked


@dataclass(frozen=True, slots=True)
class Battle:
    """A war that a bot could let one of its peoples declare."""

    attacker: UUID
    defender: UUID
    worth: int


def battles(view: View) -> list[Battle]:
    """The wars that pay, the best first: won without great losses, and not against a small people."""
    at_war = {frozenset((war.attacker, war.defender)) for war in view.pending}
    found = [
        Battle(own, other, spoils(view, own, other))
        for own in view.shares
        for other in view.contacts(own)
        if other not in view.shares and frozenset((own, other)) not in at_war
    ]
    return sorted((battle for battle in found if battle.worth > 0), key=lambda battle: -battle.worth)


def is_likely(view: View, battle: Battle) -> bool:
    """Whether the war would probably be fought: diplomacy averts it in no more than half of all cases."""
    return view.averted_cases(battle.attacker, battle.defender) <= MOST_TALKS


def spoils(view: View, own: UUID, other: UUID) -> int:
    """What a war is worth; 0 where it is lost, even, or the end of a people."""
    foreseen = view.forecast(own, other)
    lost, killed = foreseen.attacker.losses, foreseen.defender.losses
    if lost >= killed or view.units(other) < SMALL or killed * LOST_SHARE > view.units(other):
        return 0
    taken = foreseen.squares if foreseen.loser == other else 0
    land = taken * (NEEDED_SQUARE if view.is_crowded(own) else SQUARE)
    paid = (
        view.income("war_fought") + view.income("deaths:war", lost + killed) + view.income("deaths:all", lost + killed)
    )
    return killed * TENTHS * view.enmity(other) // 100 + land + paid - lost * TENTHS


def peace(view: View, race: UUID | None = None) -> int:
    """What it is worth to call the declared wars off: those that a people has declared, or all of them."""
    return sum(_own_losses(view, war) for war in view.pending if race in (None, war.attacker))


def _own_losses(view: View, war: War) -> int:
    """What is expected of a war, worked out once a thought."""
    return view.once(("own losses", war.id), lambda: _expected_own_losses(view, war))


def _expected_own_losses(view: View, war: War) -> int:
    """What the bot's own peoples lose in a war that they do not win, and a small people in any.

    As much less as diplomacy is likely to avert the war unasked.
    """
    foreseen = view.forecast(war.attacker, war.defender)
    sides = ((foreseen.attacker, foreseen.defender), (foreseen.defender, foreseen.attacker))
    worth = 0
    for side, enemy in sides:
        if side.race not in view.shares:
            continue
        if enemy.race in view.shares or side.losses > enemy.losses:
            worth += side.losses * TENTHS
        elif view.units(enemy.race) < SMALL:
            worth += enemy.losses * TENTHS
    return worth and worth * (CASES - view.averted_cases(war.attacker, war.defender)) // CASES
