"""The land: base terrain that changes, features that come and go (G2-TERR-1 to 3, G2-FEAT-1, G2-MAP-7).

No effect changes a square with a resistant feature (Fr); naming one is refused before payment. What a change of
terrain takes with it (features, and cities on water or ice) goes when all effects of the working have run.
"""

from collections.abc import Iterable, Iterator

from games.engine.audience import PUBLIC
from games.engine.board.board import Square
from games.engine.board.grid import Mask, mask_of, squares_in, touching
from games.engine.errors import Refused
from games.engine.kernel import Context, Event
from games.gods2.rules.cities.rules import destroy_city
from games.gods2.rules.effects.events import FeatureRemoved, TerrainChanged
from games.gods2.rules.geometry.adjacency import corners, feature_fits, land
from games.gods2.rules.geometry.conditions import terrain_mask
from games.gods2.rules.mana.worksheet import count_event
from games.gods2.rules.pack.operations import FeatureAdd, FeatureRemove, TerrainSet
from games.gods2.rules.setup.events import FeatureAdded
from games.gods2.rules.state.constants import LAND, letter
from games.gods2.rules.state.records import Feature
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import Place, TerrainLetter, places
from games.gods2.rules.state.wording import TERRAIN
from games.gods2.rules.workings.context import Doing, Working, held_squares

Steps = Iterator[Event]

BARREN = ("I", "W")
"""Where no city outlasts a change of terrain (Fc)."""


def locked_squares(state: State) -> Mask:
    """The squares whose terrain nothing changes: those with a resistant feature (G2-TERR-2)."""
    resistant = {key for key, kind in state.pack.features.items() if kind.code == "Fr"}
    return mask_of(state.board.terrain.shape, (f.square for f in state.features.values() if f.kind in resistant))


def at(square: Square) -> str:
    """A square in words."""
    return f"{square.column}, {square.row}"


def unfit(square: Square, why: str) -> Refused:
    """The refusal of a square on which a power would do nothing."""
    message = f"The square {at(square)} does not fit: {why}."
    return Refused("square.unfit", message, rules=("G2-TERR-1", "G2-FEAT-1"), square=at(square))


def scope(state: State, working: Working, effect: TerrainSet) -> Mask:
    """The squares of a change of terrain, on which its conditions hold, whatever stands there now."""
    board, near = state.board, corners(state)
    if effect.scope == "empty_plains_beside_forest":
        found = terrain_mask(state, "P") & (board.units == 0) & touching(terrain_mask(state, "F"), near)
    elif effect.scope == "land_beside_ice":
        found = land(board) & touching(terrain_mask(state, "I"), near)
    elif effect.scope == "ice_beside_land":
        found = terrain_mask(state, "I") & touching(land(board), near)
    else:
        found = mask_of(board.terrain.shape, working.squares)
    there: Mask = found & held_squares(state, working, effect)
    return there


def check_terrain(state: State, working: Working, effect: TerrainSet) -> None:
    """Refuse (`square.locked`, `square.unfit`) a named square on which the terrain would not change."""
    if not working.squares or effect.scope not in ("target", "chosen"):
        return
    shut = locked_squares(state)
    for square in squares_in(scope(state, working, effect)):
        present = letter(int(state.board.terrain[square]))
        if shut[square]:
            message = f"A feature at {at(square)} keeps the terrain as it is."
            raise Refused("square.locked", message, rules=("G2-TERR-2",), square=at(square))
        if effect.from_ is not None and present != effect.from_ and not (effect.from_ == "L" and present in LAND):
            raise unfit(square, f"it is {TERRAIN[present]}")
        if present == effect.to:
            raise unfit(square, f"it is {TERRAIN[present]} already")


def _set_terrain(state: State, ctx: Context, working: Working, effect: TerrainSet) -> Steps:
    mask = scope(state, working, effect) & ~locked_squares(state) & ~terrain_mask(state, effect.to)
    if effect.from_ is not None:
        mask &= terrain_mask(state, effect.from_)
    if squares := squares_in(mask)[: effect.max]:
        yield terrain_change(squares, effect.to, working)


def terrain_change(squares: Iterable[Square], terrain: TerrainLetter, working: Working) -> TerrainChanged:
    """Squares get another terrain by a working."""
    return TerrainChanged(squares=places(squares), terrain=terrain, cause=working.cause, casting=working.casting)


def ruins(state: State, squares: Iterable[Square], working: Working) -> Steps:
    """What does not outlast the change of these squares: Ft always, Fl without land, cities on water or ice.

    The first half of settling's first step (G2-CITY-10): only a change of terrain destroys, so it is reported here.
    """
    ground = {square: letter(int(state.board.terrain[square])) for square in squares}
    for feature in sorted(state.features.values(), key=lambda f: (f.square, f.kind, f.id)):
        code = state.pack.features[feature.kind].code
        if feature.square in ground and (code == "Ft" or (code == "Fl" and ground[feature.square] not in LAND)):
            yield feature_removal(feature, working)
    for city in sorted(state.cities.values(), key=lambda c: (c.square, c.id)):
        if ground.get(city.square) in BARREN:
            yield from destroy_city(state, city, working.cause)


def feature_removal(feature: Feature, working: Working) -> FeatureRemoved:
    """A feature goes by a working."""
    return FeatureRemoved(
        feature=feature.id,
        kind=feature.kind,
        square=Place.of(feature.square),
        cause=working.cause,
        casting=working.casting,
    )


def _fitting_squares(state: State, working: Working, effect: FeatureAdd | FeatureRemove) -> list[Square]:
    """The squares of the working on which the effect's conditions hold, by row and column."""
    return squares_in(mask_of(state.board.terrain.shape, working.squares) & held_squares(state, working, effect))


def _standing(state: State, kind: str, square: Square) -> list[Feature]:
    """The features of a kind on a square, by id."""
    found = (f for f in state.features.values() if f.kind == kind and f.square == square)
    return sorted(found, key=lambda f: f.id)


def _fits(state: State, kind: str, square: Square) -> bool:
    return feature_fits(state.pack.features[kind].terrains, letter(int(state.board.terrain[square])))


def check_feature(state: State, working: Working, effect: FeatureAdd) -> None:
    """Refuse (`square.unfit`) a named square on which the feature cannot stand, or stands already."""
    name = state.pack.features[effect.feature].name
    for square in _fitting_squares(state, working, effect):
        if not _fits(state, effect.feature, square):
            raise unfit(square, f"{name} does not stand on {TERRAIN[letter(int(state.board.terrain[square]))]}")
        if _standing(state, effect.feature, square):
            raise unfit(square, f"{name} is there already")


def _feature_add(state: State, ctx: Context, working: Working, effect: FeatureAdd) -> Steps:
    kind = effect.feature
    for square in _fitting_squares(state, working, effect):
        if _fits(state, kind, square) and not _standing(state, kind, square):
            yield FeatureAdded(
                feature=ctx.mint(PUBLIC),
                kind=kind,
                square=Place.of(square),
                cause=working.cause,
                casting=working.casting,
            )
            yield from count_event(state, f"feature_created:{kind}")


def check_removal(state: State, working: Working, effect: FeatureRemove) -> None:
    """Refuse (`square.unfit`) a named square without the feature."""
    for square in _fitting_squares(state, working, effect):
        if not _standing(state, effect.feature, square):
            raise unfit(square, f"there is no {state.pack.features[effect.feature].name}")


def _feature_remove(state: State, ctx: Context, working: Working, effect: FeatureRemove) -> Steps:
    for square in _fitting_squares(state, working, effect):
        for feature in _standing(state, effect.feature, square):
            yield feature_removal(feature, working)


TERRAIN_SET = Doing(_set_terrain, check_terrain, on_race=False)
FEATURE_ADD = Doing(_feature_add, check_feature, on_race=False)
FEATURE_REMOVE = Doing(_feature_remove, check_removal, on_race=False)
