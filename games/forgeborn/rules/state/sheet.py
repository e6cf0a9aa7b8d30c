"""What lies on the sheet: points, and dice that have fallen."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Point:
    """A point of the sheet, in whole units."""

    x: int
    y: int


@dataclass(frozen=True, slots=True)
class MapDie:
    """A die that lies on the sheet."""

    name: str
    sides: int
    face: int
    point: Point


@dataclass(frozen=True, slots=True)
class Fall:
    """How a die came to lie: every point tried, the last of which stays."""

    die: MapDie
    tries: tuple[Point, ...]
