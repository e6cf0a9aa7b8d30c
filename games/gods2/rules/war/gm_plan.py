"""A war's losses as a GM places them: the same numbers as by the rules, on other squares (G2-WAR-3, 6, 10 and 12)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from uuid import UUID

from games.engine.board.board import Square
from games.engine.board.grid import Mask
from games.engine.errors import Refused
from games.engine.wording import quantity
from games.gods2.rules.geometry.adjacency import units_by_square
from games.gods2.rules.geometry.limits import limits
from games.gods2.rules.geometry.placement import Units
from games.gods2.rules.geometry.reach import free_border, reach
from games.gods2.rules.state.constants import SETTLERS
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import Held, Move, Place
from games.gods2.rules.war.battle import Forecast, Ways
from games.gods2.rules.war.forecast import Plan, bury, leave, on_own_map, plan_of


def plan_by_hand(
    state: State, expected: Forecast, losses: Sequence[Held], squares: Sequence[Place], moves: Sequence[Move]
) -> Plan:
    """The plan of a war as a GM wants it. Raises `placement.invalid` where its numbers are not those of the rules."""
    before = {side.race: units_by_square(state, side.race) for side in (expected.attacker, expected.defender)}
    dead = _deaths(expected, losses, before)
    gone = [place.square for place in squares]
    by_rule = plan_of(state, expected, dead=dead)
    if len(set(gone)) != len(gone) or len(gone) != len(by_rule.gone):
        raise _invalid(
            f"The loser vacates {quantity(len(by_rule.gone), 'different square')}, not {len(gone)}.", "G2-WAR-6"
        )
    if expected.loser is None or by_rule.winner is None or not gone:
        if moves:
            raise _invalid("Nobody moves in this war.", "G2-WAR-12")
        return by_rule
    if not set(gone) <= set(before[expected.loser]):
        raise _invalid("Only squares of the loser are vacated.", "G2-WAR-6")
    wanted = plan_of(state, expected, dead=dead, gone=gone)
    ways: Ways = {}
    for move in moves:
        way = (move.from_square.square, move.to_square.square)
        ways[way] = ways.get(way, 0) + move.units
    retreating = {way: units for way, units in ways.items() if way[0] in gone}
    taking = {way: units for way, units in ways.items() if way[0] not in gone}
    left = {s: before[expected.loser][s] - dead[expected.loser].get(s, 0) for s in gone}
    starved = _retreat(state, wanted, expected.loser, retreating, left, before[expected.loser])
    after = on_own_map(state)
    bury(after, dead)
    leave(after, expected.loser, gone, retreating)
    _taking(after, wanted, by_rule.winner, reach(state, by_rule.winner), taking)
    return replace(wanted, ways=retreating, starved=starved, taking=taking)


def _deaths(expected: Forecast, losses: Sequence[Held], before: Mapping[UUID, Units]) -> dict[UUID, Units]:
    """Who dies where, by race: as many of each side as by the rules (G2-WAR-3)."""
    dead: dict[UUID, Units] = {race: {} for race in before}
    for loss in losses:
        race = next((r for r, units in before.items() if loss.square.square in units), None)
        if race is None:
            raise _invalid(f"No side of this war stands on {loss.square.x}, {loss.square.y}.", "G2-WAR-3")
        dead[race][loss.square.square] = dead[race].get(loss.square.square, 0) + loss.units
    for race, units in dead.items():
        count, due = sum(units.values()), expected.side(race).losses
        if count != due or any(n > before[race][square] for square, n in units.items()):
            raise _invalid(f"This side loses {quantity(due, 'unit')}, not {count}, and none twice.", "G2-WAR-3")
    return dead


def _retreat(
    state: State, wanted: Plan, loser: UUID, ways: Ways, left: Mapping[Square, int], before: Mapping[Square, int]
) -> Units:
    """Check the retreat: all who find room by the rules do, on squares with room (G2-WAR-10); those who starve."""
    bounds, free = limits(state, loser), free_border(state, loser)
    arriving: Units = {}
    starved = dict(left)
    for (source, refuge), units in ways.items():
        starved[source] -= units
        arriving[refuge] = arriving.get(refuge, 0) + units
    after = {s: n - wanted.dead[loser].get(s, 0) for s, n in before.items()}
    for refuge, units in arriving.items():
        is_refuge = refuge not in left and state.board.holds(refuge) and (refuge in before or bool(free[refuge]))
        if not is_refuge or after.get(refuge, 0) + units > int(bounds[refuge]):
            raise _invalid("Units retreat to own or free bordering squares with room.", "G2-WAR-10")
    count, due = sum(ways.values()), sum(wanted.ways.values())
    if count != due or any(n < 0 for n in starved.values()):
        raise _invalid(f"{quantity(due, 'unit')} must retreat, not {count}.", "G2-WAR-10")
    return {s: n for s, n in starved.items() if n}


def _taking(after: State, wanted: Plan, winner: UUID, border: Mask, ways: Ways) -> None:
    """Check the moving in: as many as by the rules, two a square at most, no square left empty (G2-WAR-12).

    border: what bordered the winner before the war.
    """
    home, bounds = units_by_square(after, winner), limits(after, winner)
    leaving: Units = {}
    arriving: Units = {}
    for (source, to), units in ways.items():
        leaving[source] = leaving.get(source, 0) + units
        arriving[to] = arriving.get(to, 0) + units
    for source, units in leaving.items():
        if home.get(source, 0) - units < 1:
            raise _invalid("The winner's units come from its squares and leave none of them empty.", "G2-WAR-12")
    for to, units in arriving.items():
        if to not in wanted.gone or not border[to] or units > min(SETTLERS, int(bounds[to])):
            raise _invalid(f"Into a vacated square within reach go {quantity(SETTLERS, 'unit')} at most.", "G2-WAR-12")
    count, due = sum(ways.values()), sum(wanted.taking.values())
    if count != due:
        raise _invalid(f"{quantity(due, 'unit')} must move in, not {count}.", "G2-WAR-12")


def _invalid(message: str, rule: str) -> Refused:
    return Refused("placement.invalid", message, rules=(rule,))
