"""The tower as it is drawn: dice and placers, margins, the risk of the next die, the last fall, the miracle."""

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

import pytest

from games.dietower.rules.checks.pool import Cd
from games.dietower.rules.state.constants import OUTCOMES
from games.dietower.rules.state.records import Placement
from games.dietower.rules.state.schema_types import Axis, MiracleKind, Mode, PlacementStatus, Point
from games.dietower.rules.tower.balance import Centre, risk
from games.dietower.rules.tower.commands import ChooseMiracle, ReportDie, ResetTower
from games.dietower.rules.tower.events import DiePlaced, TowerFell
from games.dietower.rules.tower.tower_view import FallView, Landing, Shape, TowerView, risk_in_words, tower_view
from tests.playbook import Playbook
from tests.rules.dietower.stage import (
    GM,
    S1,
    S2,
    check,
    fail,
    npc,
    pc,
    place,
    playing,
    require_sound,
    straight,
)


def raise_tower(book: Playbook, points: Sequence[tuple[int, int]], *actors: UUID) -> None:
    """Let a tower stand whose dice these actors have placed in turn, as the service records it."""
    simulated = book.state.tower.mode is Mode.SIMULATED
    actors = actors or (pc(book, S1),)
    for level in range(1, len(points) + 1):
        placement, actor = UUID(int=0xE00 + level), actors[(level - 1) % len(actors)]
        fail(book, actor, placement)
        centres = tuple(Point(x=x, y=y) for x, y in points[:level]) if simulated else ()
        centre = centres[-1] if centres else None
        book.plant(DiePlaced(placement=placement, actor=actor, centre=centre, centres=centres, height=level))


def seen(book: Playbook) -> TowerView:
    """The tower as somebody who has no seat sees it."""
    return tower_view(book.state.view_for(frozenset()))


def bring_down(book: Playbook) -> None:
    """A fourth die brings (0, 0), (5, 0), (7, 0) down to the right."""
    check(book, S1, (3, 2), cd=Cd.TOUGH)
    place(book, S1, 6, 1, 3, 3)


def choose(book: Playbook) -> None:
    """The first seat's character rolls a die more by its miracle."""
    miracle = next(m.id for m in book.state.miracles.values() if m.kind is None)
    book.when(ChooseMiracle(miracle=miracle, kind=MiracleKind.EXTRA_DIE, target=pc(book, S1)), by=S1)


@pytest.mark.rule("DT-SIM-1", "DT-SIM-4")
def test_an_empty_tower_has_no_die_and_no_risk() -> None:
    view = seen(playing())
    assert (view.shape, view.mode, view.height, view.dice, view.margins) == (Shape.TOWER, Mode.SIMULATED, 0, (), ())
    assert (view.risk, view.landing, view.fall, view.note) == (0, None, None, "No die stands.")
    assert view.odds == "None: the first die of a tower cannot fall."


@pytest.mark.rule("DT-SIM-3", "DT-SIM-4", "DT-EX-82", "DT-EX-35")
def test_dice_have_placers_and_levels_margins_and_the_next_die_a_risk() -> None:
    book = playing()
    odo = npc(book)
    raise_tower(book, [(0, 0), (5, 0), (7, 0)], pc(book, S1), odo, pc(book, S2))
    view = seen(book)
    assert [(d.level, d.centre, d.name, d.seat) for d in view.dice if d.level != 2] == [
        (1, Centre(0, 0), "Character 11", str(S1)),
        (3, Centre(7, 0), "Character 12", str(S2)),
    ]
    assert view.dice[1].seat == "" and view.dice[1].centre == Centre(5, 0)
    assert [(m.level, m.x, m.y) for m in view.margins] == [(1, 0, 12), (2, 4, 6)]
    assert (view.risk, view.landing) == (756, (Landing(-5, -1), Landing(-5, 5)))
    assert view.odds == "Very high: it falls in 756 of 1,296 ways, about 58 in 100."
    assert view.note == "3 dice stand; 10 more would be a miracle."


@pytest.mark.rule("DT-CHR-8")
def test_an_npc_has_no_seat_and_its_name_when_it_is_shown() -> None:
    book = playing()
    odo = npc(book)
    raise_tower(book, [(0, 0)], odo)
    assert [d.name for d in tower_view(book.state.view_for(frozenset(), gm=True)).dice] == ["Odo"]
    book.state.set_actor(odo, shown=True)
    assert [(d.name, d.seat) for d in seen(book).dice] == [("Odo", "")]
    assert seen(book) == tower_view(book.state.view_for(frozenset({S1}))), "the tower is the same for everybody"


def test_the_shifts_that_stand_are_those_the_risk_counts() -> None:
    for points in ([(0, 0), (5, -4), (9, -7)], [(0, 0), (-5, 5)], [(0, 0), (5, 0), (7, 0), (2, 0)]):
        book = playing()
        raise_tower(book, points)
        landing = seen(book).landing
        assert landing is not None
        ways = [sum(6 - abs(by) for by in range(each.low, each.high + 1)) for each in landing]
        assert OUTCOMES - ways[0] * ways[1] == risk([Centre(*p) for p in points], 6)


@pytest.mark.rule("DT-TWR-4", "DT-SIM-5")
def test_after_a_fall_the_heap_has_its_dice_its_placers_and_where_it_failed() -> None:
    book = playing()
    raise_tower(book, [(0, 0), (5, 0), (7, 0)], pc(book, S2))
    bring_down(book)
    view = seen(book)
    assert (view.shape, view.height, view.risk, view.landing) == (Shape.HEAP, 0, 0, None)
    note = "Last fall: 4 dice at level 1, along x, to the right, by the die of Character 11."
    assert view.fall == FallView("Character 11", view.dice, 1, Axis.X, "right", note)
    assert [d.name for d in view.dice] == ["Character 12"] * 3 + ["Character 11"]
    assert view.dice[3].centre == Centre(12, 0) and view.margins[0].x == -6
    assert view.note == "The tower has fallen; nothing stands."
    require_sound(book)


@pytest.mark.rule("DT-SIM-5")
def test_the_record_of_a_placement_holds_what_is_needed_to_check_it() -> None:
    book = playing(half_width=5)
    check(book, S1, (2, 2))
    place(book, S1)
    check(book, S1, (2, 2))
    place(book, S1, 3, 3, 1, 6)
    check(book, S1, (2, 2))
    place(book, S1, 3, 3, 1, 6)
    first, second, third = sorted(book.state.placements.values(), key=lambda p: p.number)
    assert [(p.half_width, len(p.centres), p.level) for p in (first, second)] == [(5, 1, None), (5, 2, None)]
    assert (third.status, third.level, third.axis) == (PlacementStatus.FELL, 1, Axis.Y)
    assert third.centres == tuple(Point(x=0, y=y) for y in (0, -5, -10))
    require_sound(book)


def test_what_leans_back_left_or_to_the_front_is_named_so() -> None:
    for dice, side in (((1, 6, 3, 3), "left"), ((3, 3, 6, 1), "back"), ((3, 3, 1, 6), "front")):
        book = playing()
        for throw in ((), dice, dice):
            check(book, S1, (2, 2))
            place(book, S1, *throw)
        fall = seen(book).fall
        assert fall is not None and (fall.side, fall.level) == (side, 1)


def test_the_next_die_ends_the_heap_but_the_last_fall_is_still_named() -> None:
    book = playing()
    raise_tower(book, [(0, 0), (5, 0), (7, 0)])
    bring_down(book)
    fail(book, pc(book, S2), UUID(int=0xD01))
    point = Point(x=0, y=0)
    book.plant(DiePlaced(placement=UUID(int=0xD01), actor=pc(book, S2), centre=point, centres=(point,), height=1))
    view = seen(book)
    assert (view.shape, [d.name for d in view.dice]) == (Shape.TOWER, ["Character 12"])
    assert view.fall is not None and [d.name for d in view.fall.dice] == ["Character 11"] * 4
    assert view.note == "1 die stands; 12 more would be a miracle." and view.fall.note.startswith("Last fall: 4 dice")


def test_a_heap_is_drawn_with_the_dice_it_had_when_the_next_tower_has_others() -> None:
    book = playing(half_width=5)
    raise_tower(book, [(0, 0), (5, 0)])
    fail(book, pc(book, S1), UUID(int=0xD01))
    points = tuple(Point(x=x, y=0) for x in (0, 5, 9))
    fallen = TowerFell(placement=UUID(int=0xD01), actor=pc(book, S1), height=2, centres=points, level=1, axis=Axis.X)
    book.plant(fallen)
    book.when(ResetTower(reason="steadier", half_width=8), by=GM)
    view = seen(book)
    assert (view.shape, view.half_width, view.margins[0].x) == (Shape.HEAP, 5, -4)


@pytest.mark.rule("DT-TWR-5", "DT-TWR-6")
def test_the_thirteen_of_a_miracle_are_there_until_the_next_die() -> None:
    book = playing()
    raise_tower(book, straight(12), pc(book, S2))
    check(book, S1, (3, 2), cd=Cd.TOUGH)
    place(book, S1, 3, 3, 3, 3)
    view = seen(book)
    assert (view.shape, view.height, view.risk, view.landing) == (Shape.MIRACLE, 13, None, None)
    assert view.note == "Thirteen dice stand; a miracle is to be chosen, by the die of Character 11."
    choose(book)
    after = seen(book)
    assert (after.shape, after.height, after.risk) == (Shape.MIRACLE, 0, 0)
    assert (after.dice, after.margins) == (view.dice, view.margins)
    fail(book, pc(book, S1), UUID(int=0xD01))
    point = Point(x=0, y=0)
    book.plant(DiePlaced(placement=UUID(int=0xD01), actor=pc(book, S1), centre=point, centres=(point,), height=1))
    assert (seen(book).shape, len(seen(book).dice)) == (Shape.TOWER, 1)


@pytest.mark.rule("DT-TWR-2", "DT-SIM-4")
def test_a_real_tower_has_no_centre_no_margin_and_no_risk() -> None:
    book = playing(mode=Mode.PHYSICAL)
    raise_tower(book, straight(5), pc(book, S1), pc(book, S2))
    view = seen(book)
    assert (view.mode, view.height, view.risk, view.landing, view.margins) == (Mode.PHYSICAL, 5, None, None, ())
    assert [d.centre for d in view.dice] == [None] * 5 and view.odds.startswith("Not known here")
    check(book, S1, (2, 2))
    book.when(ReportDie(placement=book.state.due_placements()[0].id, stands=False), by=GM)
    heap = seen(book)
    assert (heap.shape, heap.mode, len(heap.dice)) == (Shape.HEAP, Mode.PHYSICAL, 6)
    assert heap.fall is not None and heap.fall.note == "Last fall: 6 dice, by the die of Character 11."
    assert (heap.fall.dice, heap.fall.level, heap.fall.axis, heap.fall.side) == (heap.dice, None, None, "")
    assert [d.name for d in heap.dice][:2] == ["Character 11", "Character 12"]


def test_a_reset_tower_shows_nothing_of_the_old_one() -> None:
    book = playing()
    raise_tower(book, straight(4))
    book.when(ResetTower(reason="a new table"), by=GM)
    view = seen(book)
    assert (view.shape, view.dice, view.fall) == (Shape.TOWER, (), None)


def test_a_level_that_a_game_master_has_moved_has_no_name_in_the_heap() -> None:
    book = playing()
    raise_tower(book, [(0, 0), (5, 0), (7, 0)])
    second: Placement = next(p for p in book.state.placements.values() if p.height == 2)
    book.state.placements[second.id] = replace(second, height=9)
    bring_down(book)
    assert [d.name for d in seen(book).dice] == ["", "", "Character 11", "Character 11"]


@pytest.mark.parametrize(
    ("falls", "word"),
    [
        (0, "none"),
        (1, "slight"),
        (129, "slight"),
        (130, "moderate"),
        (324, "high"),
        (648, "very high"),
        (1295, "very high"),
        (1296, "certain"),
    ],
)
def test_the_risk_has_a_word(falls: int, word: str) -> None:
    assert risk_in_words(falls) == word
