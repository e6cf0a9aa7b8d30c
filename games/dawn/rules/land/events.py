"""What becomes of the land, as facts (DW-LAND-*)."""

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar
from uuid import UUID

from games.dawn.rules.state.records import Region
from games.dawn.rules.state.schema_types import Climate, Place, ShapeKind, Terrain
from games.dawn.rules.state.state import State
from games.engine.kernel import Event
from games.engine.wording import quantity


class LandShaped(Event[State]):
    """Squares are one region now, of one terrain; those who shaped them are asked before they change again."""

    rules: ClassVar[tuple[str, ...]] = ("DW-LAND-1", "DW-LAND-2")

    region: UUID
    name: str
    kind: ShapeKind
    squares: tuple[Place, ...]
    terrain: Terrain
    climate: Climate | None
    """None: each square keeps its own."""
    floating: bool
    words: str
    """How the caster describes it."""
    by: UUID

    def apply(self, state: State) -> None:
        fantastic = self.kind is ShapeKind.FANTASTIC
        state.regions[self.region] = Region(self.region, self.name, self.words, fantastic, self.by)
        for place in self.squares:
            before = state.squares[place.at]
            state.squares[place.at] = replace(
                before,
                terrain=self.terrain,
                climate=self.climate or before.climate,
                fantastic=fantastic,
                floating=self.floating,
                shaped_by=self.by,
                region=self.region,
            )

    def sentence(self, state: State) -> str:
        floating = ", floating" if self.floating else ""
        suffix = f" {self.words}" if self.words else ""
        squares = count_in_words(self.squares)
        return f"{state.title(self.by)} shapes {self.name}: {squares} of {self.kind} {self.terrain}{floating}.{suffix}"


def count_in_words(squares: Sequence[Place]) -> str:
    return quantity(len(squares), "square")
