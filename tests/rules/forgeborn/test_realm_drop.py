"""The drop of the dice (FB-MAP-1 to 3): draws, points that are tried again, and drops of a real table."""

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest

from games.forgeborn.rules.realm.drop import DICE, Roll, drop_dice, drop_die, is_crowded, require_drop
from games.forgeborn.rules.realm.geometry import squared_distance
from games.forgeborn.rules.state.options import ForgebornOptions
from games.forgeborn.rules.state.sheet import MapDie, Point
from tests.playbook import refused
from tests.rules.forgeborn.maps import MAP_A, STANDARD, changed, dice_from, faces

LINE = [(1 + 20 * n, 1) for n in range(15)]
"""Points far enough from each other."""


def script(points: dict[str, list[tuple[int, int]]], seen: list[tuple[str, int]]) -> Roll:
    """Draws that show the points of each die one after the other, and the face 1."""
    left: dict[str, Iterator[int]] = {
        f"map/{name}/{number}": iter((x + 1, y + 1))
        for name, tries in points.items()
        for number, (x, y) in enumerate(tries, start=1)
    }

    def roll(label: str, sides: int, rule: str) -> int:
        assert rule in ("FB-MAP-1", "FB-MAP-2")
        seen.append((label, sides))
        return 1 if label.endswith("/face") else next(left[label])

    return roll


@pytest.mark.rule("FB-MAP-1")
def test_fifteen_dice_are_dropped_in_order() -> None:
    assert list(DICE) == [
        "d12", "d10", "d8a", "d8b", "d8c", "d4a", "d4b", "d4c", "d4d", "d6a", "d6b", "d6c", "d6d", "d6e", "d6f",
    ]  # fmt: skip
    falls = list(drop_dice(dice_from(Random(3)), STANDARD))
    assert [(fall.die.name, fall.die.sides) for fall in falls] == list(DICE.items())
    assert all(1 <= fall.die.face <= fall.die.sides for fall in falls)


@pytest.mark.rule("FB-EX-74", "FB-MAP-1", "FB-MAP-2")
def test_a_die_that_falls_three_times_takes_four_draws_more() -> None:
    seen: list[tuple[str, int]] = []
    points = {name: [point] for name, point in zip(DICE, LINE, strict=True)}
    points["d4a"] = [(2, 2), (3, 3), *points["d4a"]]
    falls = list(drop_dice(script(points, seen), STANDARD))
    assert len(seen) == 49 == 3 * 15 + 2 * 2
    assert Counter(sides for label, sides in seen if not label.endswith("/face")) == {297: 17, 210: 17}
    assert falls[5].tries == (Point(2, 2), Point(3, 3), Point(*LINE[5]))
    assert falls[5].die == MapDie("d4a", 4, 1, Point(*LINE[5]))
    assert [len(fall.tries) for fall in falls if fall.die.name != "d4a"] == [1] * 14


@pytest.mark.rule("FB-EX-74", "FB-MAP-1")
def test_points_are_drawn_from_0_to_one_less_than_the_sheet() -> None:
    low = list(drop_dice(lambda _label, _sides, _rule: 1, STANDARD))
    high = list(drop_dice(lambda _label, sides, _rule: sides, STANDARD))
    assert low[0].die.point == Point(0, 0) and high[0].die.point == Point(296, 209)
    small = ForgebornOptions(width=100, height=2000)
    assert next(drop_dice(lambda _label, sides, _rule: sides, small)).die.point == Point(99, 1999)


@pytest.mark.rule("FB-EX-38", "FB-MAP-2", "FB-AMB-2")
def test_a_point_nearer_than_fifteen_units_is_dropped_again_and_one_of_fifteen_stays() -> None:
    earlier = [MapDie("d12", 12, 1, Point(20, 20))]
    assert squared_distance(Point(20, 20), Point(30, 31)) == 221 and is_crowded(Point(30, 31), earlier)
    assert squared_distance(Point(20, 20), Point(29, 32)) == 225 and not is_crowded(Point(29, 32), earlier)
    fall = drop_die(script({"d10": [(30, 31), (29, 32)]}, []), "d10", earlier, STANDARD)
    assert fall.tries == (Point(30, 31), Point(29, 32)) and fall.die.point == Point(29, 32)


@pytest.mark.rule("FB-MAP-2")
def test_the_fiftieth_point_stays_in_any_case() -> None:
    earlier = [MapDie("d12", 12, 1, Point(20, 20))]
    seen: list[tuple[str, int]] = []
    fall = drop_die(script({"d10": [(20, 20)] * 49 + [(21, 20)]}, seen), "d10", earlier, STANDARD)
    assert len(fall.tries) == 50 and fall.die.point == Point(21, 20)
    assert len(seen) == 1 + 2 * 50 and len(set(seen)) == 1 + 2 * 50, "each label is used once for each of its dice"


@pytest.mark.rule("FB-RUI-2", "FB-MAP-1")
def test_the_die_of_new_ruins_is_a_d8_that_keeps_its_distance_from_all() -> None:
    seen: list[tuple[str, int]] = []
    fall = drop_die(script({"ruins-3": [(185, 100), (180, 175)]}, seen), "ruins-3", MAP_A, STANDARD)
    assert fall.die == MapDie("ruins-3", 8, 1, Point(180, 175)) and len(fall.tries) == 2
    assert ("map/ruins-3/face", 8) in seen
    again = drop_die(script({"ruins-4": [(180, 175), (150, 20)]}, []), "ruins-4", (*MAP_A, fall.die), STANDARD)
    assert again.die.point == Point(150, 20), "Ruins that are spent lie there still"


@pytest.mark.rule("FB-MAP-2")
def test_dropped_dice_lie_apart() -> None:
    for seed in range(20):
        points = [fall.die.point for fall in drop_dice(dice_from(Random(seed)), STANDARD)]
        assert all(squared_distance(a, b) >= 225 for n, a in enumerate(points) for b in points[:n])


@pytest.mark.rule("FB-MAP-3")
def test_a_real_drop_may_lie_close_together() -> None:
    close = changed(MAP_A, d10=(22, 21))
    assert require_drop(close, STANDARD) == close


@pytest.mark.rule("FB-MAP-3")
@pytest.mark.parametrize(
    ("code", "drop"),
    [
        ("map.incomplete", MAP_A[:-1]),
        ("map.incomplete", (*MAP_A, MAP_A[-1])),
        ("map.incomplete", (MAP_A[1], MAP_A[0], *MAP_A[2:])),
        ("map.incomplete", (MapDie("d12", 20, 5, Point(20, 20)), *MAP_A[1:])),
        ("die.range", faces(MAP_A, d4c=5)),
        ("die.range", faces(MAP_A, d12=0)),
        ("point.off_sheet", changed(MAP_A, d6a=(297, 0))),
        ("point.off_sheet", changed(MAP_A, d6a=(0, 210))),
        ("point.off_sheet", changed(MAP_A, d6a=(-1, 0))),
    ],
)
def test_a_drop_of_other_dice_faces_or_points_is_refused(code: str, drop: tuple[MapDie, ...]) -> None:
    with refused(code):
        require_drop(drop, STANDARD)
