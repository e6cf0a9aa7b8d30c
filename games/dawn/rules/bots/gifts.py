"""What bots wish for peoples and cities: an edge for one of them, a step on its scale; anybody's.

A wish names a command that the rules accept, or none. Each is thrown for, so that a turn comes to its end.
"""

from uuid import UUID

from games.dawn.rules.powers.frame import Cast, require_unmarked
from games.dawn.rules.races.alignment_commands import ShiftAlignment
from games.dawn.rules.races.edge_commands import GiftEdge
from games.dawn.rules.state.schema_types import EdgeKind, EdgeTag
from games.dawn.rules.state.state import State
from games.engine.dice import Tray
from games.engine.errors import Refused
from games.engine.kernel import Command

RULE = "bot"
NAMES = {
    EdgeKind.OFFENSIVE: ("archery", "siege engines", "war drums", "long spears"),
    EdgeKind.DEFENSIVE: ("shield walls", "field surgery", "deep cellars", "watch fires"),
    EdgeKind.OTHER: ("music", "seamanship", "long memory", "great kites"),
}
"""Samples of edges (DW-EDGE-1, DW-EDGE-2)."""
TAGS = {"seamanship": (EdgeTag.CROSSES_WATER,), "great kites": (EdgeTag.FLIES,)}


def gift(state: State, seat: UUID, tray: Tray) -> Command | None:
    """One time in three an edge or a step on the scale: every other time for a people of its own, else for anybody."""
    use = f"bot/{seat}/{state.info.timers_set}/gift"
    living = {race.id for race in state.living_races()}
    targets = sorted([*living, *(city.id for city in state.cities.values() if city.race in living)])
    if not targets or tray.roll(use, 3, RULE) > 1:
        return None
    own = sorted(race for race in living if seat in state.races[race].creators)
    favoured = own if own and tray.roll(f"{use}/own", 2, RULE) == 1 else targets
    target = tray.draw(f"{use}/target", favoured, RULE)
    kind = tray.draw(f"{use}/kind", tuple(EdgeKind), RULE)
    name = tray.draw(f"{use}/name", NAMES[kind], RULE)
    direction = tray.roll(f"{use}/direction", 2, RULE)
    edge = GiftEdge(target=target, name=name, kind=kind, tags=TAGS.get(name, ()))
    shift = ShiftAlignment(target=target, dir=1 if direction == 1 else -1)
    fit = [command for command in (edge, shift) if _possible(state, seat, command)]
    return tray.draw(f"{use}/which", fit, RULE) if fit else None


def _possible(state: State, seat: UUID, command: GiftEdge | ShiftAlignment) -> bool:
    cast = Cast(seat)
    try:
        command.check(state, cast)
        require_unmarked(state, command.mark(state))
    except Refused:
        return False
    return command.cost(state, cast) <= state.balance(seat)
