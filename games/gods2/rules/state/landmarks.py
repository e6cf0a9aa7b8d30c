"""Where features and cities stand, looked up once for as long as none of them changes."""

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from games.engine.board.board import Board, Square
from games.engine.board.grid import Mask, mask_of
from games.engine.state import Rows
from games.gods2.rules.state.records import City, CityKind, Feature

CITY_FEATURE = {CityKind.CITY: "city", CityKind.GREAT: "great_city"}


@dataclass(frozen=True, slots=True)
class Landmarks:
    """Where features and cities stand, and which writing of which tables says so."""

    features: Rows[UUID, Feature]
    cities: Rows[UUID, City]
    writes: tuple[int, int]
    shape: tuple[int, int]
    masks: Mapping[str, Mask]
    owned: Mapping[UUID, tuple[City, ...]]
    """The cities of each race that has some, by row and column."""

    @classmethod
    def of(cls, features: Rows[UUID, Feature], cities: Rows[UUID, City], board: Board) -> "Landmarks":
        """What stands on the map now, kind by kind in their order."""
        squares: dict[str, list[Square]] = {}
        for feature in features.values():
            squares.setdefault(feature.kind, []).append(feature.square)
        owned: dict[UUID, tuple[City, ...]] = {}
        for city in sorted(cities.values(), key=lambda c: (c.square, c.id)):
            squares.setdefault(CITY_FEATURE[city.kind], []).append(city.square)
            owned[city.race] = (*owned.get(city.race, ()), city)
        shape = (board.height, board.width)
        masks = {kind: mask_of(shape, squares[kind]) for kind in sorted(squares)}
        for mask in masks.values():
            mask.flags.writeable = False  # they are shared by all who ask
        return cls(features, cities, (features.writes, cities.writes), shape, masks, owned)

    def true_of(self, features: Rows[UUID, Feature], cities: Rows[UUID, City], board: Board) -> bool:
        """Whether nothing was written since."""
        return (
            self.features is features
            and self.cities is cities
            and self.writes == (features.writes, cities.writes)
            and self.shape == (board.height, board.width)
        )
