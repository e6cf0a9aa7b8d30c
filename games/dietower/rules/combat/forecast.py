"""What an attack would come to: exact, from what the asker may know of both sides (DT-CMB-5 to 10)."""

from uuid import UUID

from games.dietower.rules.checks.forecast import GRANTED, of_placements
from games.dietower.rules.checks.odds import attack_odds, totals
from games.dietower.rules.checks.pool import base_dice_of_attack
from games.dietower.rules.checks.rules import shape_of
from games.dietower.rules.combat.attacks import Sides
from games.dietower.rules.state.records import Attack
from games.dietower.rules.state.schema_types import Terms, Uses
from games.dietower.rules.state.state import State
from games.engine.insight.forecast import Forecast, either, forecast_of

BOUGHT = "Wish dice that either side buys."


def forecast_attack(state: State, actor: UUID, target: UUID, uses: Uses) -> Forecast:
    """An attack that is not declared yet, against a defence of 1d6 and one of 2d6: what the other uses is not known."""
    ours = totals(shape_of(state, actor, base_dice_of_attack(uses), Terms()))
    found = []
    for base in (1, 2):
        odds = attack_odds(ours, totals(shape_of(state, target, base, Terms())))
        found.append(("hit", actor, f"defence:{base}d6", either(odds.chance)))
    return forecast_of(found, GRANTED, BOUGHT)


def forecast_terms(state: State, attack: Attack, both: Sides) -> Forecast:
    """An attack as the world master would set it: the hit, the dice of both sides for the tower, its fall."""
    ours, theirs = both.base_dice(attack)
    attacker = totals(shape_of(state, attack.actor, ours, both.attacker), flat=both.attacker.edge)
    defender = totals(shape_of(state, attack.target, theirs, both.defender), flat=both.defender.edge)
    odds = attack_odds(
        attacker,
        defender,
        attacker_kind=state.actors[attack.actor].kind,
        defender_kind=state.actors[attack.target].kind,
    )
    hit = ("hit", attack.actor, "", either(odds.chance))
    return forecast_of((hit, *of_placements(state, attack.actor, "", odds.placements)), BOUGHT)
