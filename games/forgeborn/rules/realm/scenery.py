"""Mountains and woods: which dice they are, and what joins them (FB-MAP-8, 9, 13)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from games.forgeborn.rules.realm.drop import DICE
from games.forgeborn.rules.realm.geometry import (
    Segment,
    is_crossed,
    is_passed,
    points_beside,
    squared_distance,
    way_along,
)
from games.forgeborn.rules.realm.network import Networks, spanning_pairs
from games.forgeborn.rules.realm.realm import Patch, Ridge, lines_of, range_of
from games.forgeborn.rules.state.constants import BEND, CLEARANCE, MOST_BENDS
from games.forgeborn.rules.state.options import ForgebornOptions
from games.forgeborn.rules.state.sheet import MapDie, Point

SCENERY_SIDES = 6


@dataclass(frozen=True, slots=True)
class Scenery:
    """The mountains and woods of a drop."""

    mountains: tuple[MapDie, ...]
    ridges: tuple[Ridge, ...]
    range: tuple[Segment, ...]
    patches: tuple[Patch, ...]


def centre_distance(point: Point, options: ForgebornOptions) -> int:
    """Four times the squared distance of a point from the centre of the sheet, whole for every sheet (FB-MAP-6)."""
    return (2 * point.x - options.width) ** 2 + (2 * point.y - options.height) ** 2


def scenery_of(drop: Sequence[MapDie], options: ForgebornOptions, *, winds: bool) -> Scenery:
    """The mountains and woods of a drop (FB-MAP-8, 9). winds: whether the range winds around the places of the drop."""
    dice = [die for die in drop if die.sides == SCENERY_SIDES]
    woods = [die for die in dice if die.face % 2]
    if not woods:
        # max takes the first of equals: the earlier dropped.
        woods = [max(dice, key=lambda die: centre_distance(die.point, options))]
    mountains = tuple(die for die in dice if die not in woods)
    ridges, _ = ridges_between(mountains, ())
    if winds:
        places = [die.point for die in drop if die.name in DICE and die.sides != SCENERY_SIDES]
        points = {die.name: die.point for die in mountains}
        ridges = tuple(winding(ridge, points, places, options) for ridge in ridges)
    mountain_range = range_of({die.name: die.point for die in mountains}, ridges)
    return Scenery(mountains, ridges, mountain_range, patches_of(woods, mountain_range))


def winding(ridge: Ridge, points: Mapping[str, Point], places: Sequence[Point], options: ForgebornOptions) -> Ridge:
    """A ridge that turns around the places which it would pass nearer than 6 units (FB-MAP-9)."""
    (line,) = lines_of(ridge, points)
    return replace(ridge, bends=tuple(_bends(line, places, options, MOST_BENDS)))


def _bends(line: Segment, places: Sequence[Point], options: ForgebornOptions, most: int) -> Iterator[Point]:
    """Where a part of the range turns: around the first place that it passes, then on both sides of that bend."""
    passed = [place for place in places if is_passed(place, line, CLEARANCE)]
    if not passed or not most:
        return
    first = min(passed, key=lambda place: way_along(line, place))
    for bend in points_beside(line, first, BEND):
        if _is_open(bend, places, options):
            yield from _bends(Segment(line.a, bend), places, options, most - 1)
            yield bend
            yield from _bends(Segment(bend, line.b), places, options, most - 1)
            return


def _is_open(point: Point, places: Sequence[Point], options: ForgebornOptions) -> bool:
    """Whether the range may turn at a point: on the sheet, 6 units from every place."""
    on_sheet = 0 <= point.x < options.width and 0 <= point.y < options.height
    return on_sheet and all(squared_distance(point, place) >= CLEARANCE**2 for place in places)


def patches_of(woods: Sequence[MapDie], mountain_range: Sequence[Segment]) -> tuple[Patch, ...]:
    """The patches of forest: what free links join, the cheapest first (FB-MAP-9)."""
    ridges, networks = ridges_between(woods, mountain_range)
    parts = [tuple(woods[number].name for number in numbers) for numbers in networks.parts()]
    return tuple(Patch(part, tuple(ridge for ridge in ridges if ridge.a in part)) for part in parts)


def ridges_between(dice: Sequence[MapDie], mountain_range: Sequence[Segment]) -> tuple[tuple[Ridge, ...], Networks]:
    """What joins these dice: the minimum spanning tree over the pairs whose links do not cross the range."""

    def cost(one: int, other: int) -> int:
        return squared_distance(dice[one].point, dice[other].point)

    def is_free(one: int, other: int) -> bool:
        return not is_crossed(Segment(dice[one].point, dice[other].point), mountain_range)

    pairs, networks = spanning_pairs(len(dice), cost, is_free)
    return tuple(Ridge(dice[one].name, dice[other].name) for one, other in pairs), networks


def largest_patch(patches: Sequence[Patch], points: dict[str, Point], options: ForgebornOptions) -> Patch:
    """The patch that is the Forest: most points, then nearest to the centre, then of the first die (FB-MAP-13)."""
    return min(
        patches,
        key=lambda patch: (-len(patch.dice), min(centre_distance(points[die], options) for die in patch.dice)),
    )
