"""Migration (G2-GROW-7, 8, 9, 11): who goes, where to, and when the order is over."""

from datetime import timedelta
from uuid import UUID

import numpy as np
import pytest

from games.engine.board.board import Square
from games.gods2.rules.casting.migration_commands import OrderMigration
from games.gods2.rules.effects.migration import Way, migrate_and_grow
from games.gods2.rules.geometry.placement import ground_of
from games.gods2.rules.growth.events import MigrationEnded, MigrationOrdered, RaceGrew
from games.gods2.rules.growth.rules import grow
from games.gods2.rules.state.effect_records import Migration
from games.gods2.rules.state.records import Purse
from games.gods2.rules.state.value_types import Place
from tests.playbook import event_like, of_kind, refused
from tests.rules.gods2.era import ANA, BEN, two_peoples
from tests.rules.gods2.worlds import earth_of, happen, race, units_of


def order(people, direction: str | None = None, goal: tuple[int, int] | None = None) -> Migration:
    return Migration(people.id, direction, Square(*goal) if goal else None)


def positions_after(
    rows: list[str], people, gained: int, direction: str | None = None, goal: tuple[int, int] | None = None
):
    """Where a race stands after it has migrated with so many new units, by (row, column)."""
    state = earth_of(rows, people)
    ground = ground_of(state, people.id)
    stand, sequence = migrate_and_grow(order(people, direction, goal), state.races[people.id].level, ground, gained)
    assert sorted(sequence.tolist()) == list(range(len(stand)))
    found = zip(ground.rows.tolist(), ground.columns.tolist(), stand.tolist(), strict=True)
    return {(row, column): n for row, column, n in found if n}


@pytest.mark.rule("G2-W75", "G2-GROW-9", "G2-AMB-7")
def test_new_civilized_units_go_ahead_of_the_centre_nearest_to_the_target_first() -> None:
    people = race("Norse", {(1, 2): 5}, "civilized")
    assert positions_after(["MMMMM", "MMPMM", "MMMMM"], people, 3, goal=(0, 4)) == {(0, 3): 2, (1, 2): 5, (1, 3): 1}


@pytest.mark.rule("G2-GROW-9")
def test_civilized_units_that_find_no_room_ahead_are_placed_as_without_an_order() -> None:
    people = race("Norse", {(0, 1): 3}, "civilized")
    assert positions_after(["PPM"], people, 5, direction="e") == {(0, 1): 5, (0, 2): 2, (0, 0): 1}


@pytest.mark.rule("G2-GROW-7", "G2-MOVE-8", "G2-MOVE-7")
def test_a_primitive_race_moves_as_a_whole_to_its_foremost_squares() -> None:
    people = race("Norse", {(0, 0): 1, (0, 1): 1, (0, 2): 1})
    assert positions_after(["PPPPPP"], people, 1, direction="e") == {(0, 0): 1, (0, 1): 1, (0, 2): 1, (0, 3): 1}
    assert positions_after(["PPPPPP"], people, 0, direction="e") == {(0, 1): 1, (0, 2): 1, (0, 3): 1}


@pytest.mark.rule("G2-GROW-8")
def test_barbarians_leave_one_unit_on_each_old_square() -> None:
    people = race("Norse", {(0, 0): 3, (0, 1): 3}, "barbarian")
    assert positions_after(["PPPPPP"], people, 2, direction="e") == {(0, 0): 2, (0, 1): 3, (0, 2): 3}
    assert positions_after(["PPPPPP"], people, 0, direction="e") == {(0, 0): 1, (0, 1): 2, (0, 2): 3}


@pytest.mark.rule("G2-AMB-7")
def test_ties_on_the_front_go_to_the_square_nearer_to_the_centre() -> None:
    people = race("Norse", {(1, 0): 1, (1, 1): 1})
    state = earth_of(["PPPP", "PPPP", "PPPP"], people)
    centre = ground_of(state, people.id).centre
    way, north, corner = (Way(order(people, direction), centre) for direction in ("e", "n", "ne"))
    assert way.sequence(np.array([0, 1, 2]), np.array([2, 2, 2])).tolist() == [1, 0, 2]
    assert way.ahead(np.array([0, 0]), np.array([0, 1])).tolist() == [False, True]
    assert north.ahead(np.array([0, 1]), np.array([3, 3])).tolist() == [True, False]
    assert corner.sequence(np.array([2, 0, 0]), np.array([1, 1, 2])).tolist() == [2, 1, 0]


@pytest.mark.rule("G2-GROW-7")
def test_a_target_is_reached_by_rings_then_by_the_straight_way() -> None:
    people = race("Norse", {(2, 2): 4}, "barbarian")
    assert positions_after(["PPPPP"] * 5, people, 0, goal=(0, 2)) == {(1, 2): 3, (2, 2): 1}


@pytest.mark.rule("G2-GROW-11")
def test_an_order_counts_for_one_growth_and_then_it_is_over() -> None:
    people = race("Norse", {(0, 0): 1, (0, 1): 1})
    state = earth_of(["PPPPP"], people)

    def order_and_grow(s, ctx):
        yield MigrationOrdered(race=people.id, direction="e")
        yield from grow(s, ctx, people.id)

    events = happen(state, order_and_grow)
    assert of_kind(events, MigrationEnded) == [event_like(MigrationEnded, race=people.id)]
    assert units_of(state, people) == {(0, 0): 1, (0, 1): 1, (0, 2): 1}
    assert not state.migrations
    assert of_kind(events, RaceGrew)[0].gained == 1


@pytest.mark.rule("G2-GROW-11", "G2-AMB-56")
def test_a_god_orders_a_race_that_worships_them_by_a_direction_or_a_square() -> None:
    book, dwarves, elves = two_peoples()
    book.state.purses[ANA] = Purse(ANA, 30)
    for bad in (OrderMigration(race=dwarves), OrderMigration(race=dwarves, direction="n", square=Place(x=1, y=1))):
        with refused("target.invalid", book.state):
            book.when(bad, by=ANA)
    with refused("square.off_map", book.state):
        book.when(OrderMigration(race=dwarves, square=Place(x=900, y=1)), by=ANA)
    with refused("target.unfit", book.state):
        book.when(OrderMigration(race=elves, direction="n"), by=ANA)
    with refused("race.missing", book.state):
        book.when(OrderMigration(race=UUID(int=3), direction="n"), by=BEN)
    events = book.when(OrderMigration(race=dwarves, direction="n"), by=ANA)
    assert of_kind(events, MigrationOrdered) == [event_like(MigrationOrdered, race=dwarves, direction="n", square=None)]
    assert book.state.purses[ANA].balance == 20
    ended = book.wait(timedelta(minutes=31))
    assert of_kind(ended, MigrationEnded) == [event_like(MigrationEnded, race=dwarves)]
