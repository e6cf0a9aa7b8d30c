"""Terrain that spreads (G2-TERR-4, AMB-66): glaciers, deserts, forests that are cut.

Each square with the feature (a race once) rolls a d6; at the odds or more one candidate is drawn, in the order of row
and column. A glacier grows on from the whole ice that is joined to it.
"""

from collections.abc import Iterator

from games.engine.board.board import Square
from games.engine.board.grid import Mask, connected_part, mask_of, touching
from games.engine.kernel import Context, Event
from games.gods2.rules.effects.events import SPREADING_RULE, TerrainSpreadRolled
from games.gods2.rules.effects.roll_tables import draw_squares
from games.gods2.rules.effects.terraforming import locked_squares, terrain_change
from games.gods2.rules.geometry.adjacency import corners
from games.gods2.rules.geometry.conditions import terrain_mask
from games.gods2.rules.mana.worksheet import count_event
from games.gods2.rules.pack.operations import TerrainSpread
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import Place
from games.gods2.rules.workings.context import Doing, Working, works_there

Steps = Iterator[Event]

SIDES = 6


def candidates(state: State, working: Working, effect: TerrainSpread, source: Square | None) -> Mask:
    """Where terrain may spread from a square; without one, the squares of the working's race."""
    what, into = terrain_mask(state, effect.what), terrain_mask(state, effect.into)
    if source is None:
        field = state.board.own(working.race)
    else:
        near, start = corners(state), mask_of(state.board.terrain.shape, (source,))
        field = touching(start | connected_part(start, what, near), near)
    found: Mask = field & into & ~what & ~locked_squares(state)
    return found


def _spread_units(state: State, ctx: Context, working: Working, effect: TerrainSpread) -> Steps:
    if not works_there(state, working, effect):
        return
    for source in working.squares or (None,):
        race = working.race if source is None else None
        place = race if source is None else f"{source.row},{source.column}"
        use = working.label(f"c{state.era.century}/spread/{effect.what}/{place}")
        most = effect.max if ctx.tray.roll(use, SIDES, SPREADING_RULE) >= effect.odds else 0
        count = 0
        while count < most and (field := candidates(state, working, effect, source)).any():
            (square,) = draw_squares(ctx, f"{use}/where", field, 1, SPREADING_RULE)
            yield TerrainSpreadRolled(feature=working.feature, race=race, square=Place.of(square), result="spread")
            yield terrain_change((square,), effect.what, working)
            if effect.what == "I":
                yield from count_event(state, "glacier_spread")
            count += 1
        if not count:
            yield TerrainSpreadRolled(feature=working.feature, race=race, result="nothing")


TERRAIN_SPREAD = Doing(_spread_units, on_race=False)
