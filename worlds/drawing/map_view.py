"""The plan of a map: everything that `worlds.drawing.map_svg` draws, as plain frozen values (pure, no database).

`worlds.map_survey.plan_of` makes one from rows; a game makes one from a state of any century.
"""

from dataclasses import dataclass
from uuid import UUID

NOBODY = -1


@dataclass(frozen=True, slots=True)
class PlanRace:
    """A race in the legend. colour: "#rrggbb". units: all its units. cities: great ones included."""

    id: UUID
    name: str
    colour: str
    units: int
    cities: int = 0
    extinct: bool = False


@dataclass(frozen=True, slots=True)
class PlanCity:
    """A city on square (x, y); name "" for none."""

    x: int
    y: int
    name: str = ""
    great: bool = False
    id: UUID | None = None


@dataclass(frozen=True, slots=True)
class PlanMark:
    """Something that stands on square (x, y): a feature, an army, an avatar. kind: a key; name "" for none.

    ids: by which commands name it; several where one mark stands for all of them.
    """

    x: int
    y: int
    kind: str
    name: str = ""
    ids: tuple[UUID, ...] = ()


@dataclass(frozen=True, slots=True)
class PlanLand:
    """A named land: its name is written across its squares (x, y)."""

    name: str
    squares: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class PlanShade:
    """What squares (x, y) have beside their terrain, such as a climate; drawn over it. name: the legend's word."""

    key: str
    name: str
    squares: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class MapPlan:
    """One map at one moment.

    terrain, owner, units: one entry a square, row by row, width * height each. terrain: keys. owner: index into
    `races`, NOBODY for none. units: whole units of the owner on the square, 0 for none.
    shared: (x, y, index) of further races whose land a square is. counted: what the legend's numbers of races count.
    terrain_names: words for keys that are not words. water: keys that are drawn as water.
    """

    width: int
    height: int
    terrain: tuple[str, ...]
    owner: tuple[int, ...]
    units: tuple[int, ...]
    races: tuple[PlanRace, ...] = ()
    cities: tuple[PlanCity, ...] = ()
    marks: tuple[PlanMark, ...] = ()
    lands: tuple[PlanLand, ...] = ()
    shades: tuple[PlanShade, ...] = ()
    shared: tuple[tuple[int, int, int], ...] = ()
    counted: str = "units"
    title: str = ""
    subtitle: str = ""
    attribution: str = ""
    terrain_names: tuple[tuple[str, str], ...] = (
        ("P", "plains"),
        ("F", "forest"),
        ("D", "desert"),
        ("M", "mountains"),
        ("I", "ice"),
        ("W", "water"),
    )
    water: frozenset[str] = frozenset({"W", "water", "ocean", "sea", "lake", "shallows", "deep"})

    def __post_init__(self) -> None:
        size = self.width * self.height
        if not len(self.terrain) == len(self.owner) == len(self.units) == size:
            raise ValueError(
                f"A plan of {self.width} by {self.height} needs {size} entries of terrain, owner and units."
            )
        if self.owner and not NOBODY <= min(self.owner) <= max(self.owner) < len(self.races):
            raise ValueError("An owner of a square is no race of the plan.")
        if not all(0 <= race < len(self.races) for _, _, race in self.shared):
            raise ValueError("An owner of a shared square is no race of the plan.")
        spots = [(city.x, city.y) for city in self.cities] + [(mark.x, mark.y) for mark in self.marks]
        spots += [square for land in self.lands for square in land.squares]
        spots += [square for shade in self.shades for square in shade.squares]
        spots += [(x, y) for x, y, _ in self.shared]
        if not all(0 <= x < self.width and 0 <= y < self.height for x, y in spots):
            raise ValueError("A city, a mark, a land, a shade or a shared square lies off the map.")
