"""Examples worked by hand, beside the oracle, for rules whose mechanics are ours: to be followed with a pencil."""

import pytest

from games.gods2.rules.declarations.events import WarDeclared
from games.gods2.rules.growth.events import RaceGrew
from games.gods2.rules.growth.rules import grow
from games.gods2.rules.state.effect_records import Migration
from games.gods2.rules.state.records import Phase
from games.gods2.rules.units.events import UnitsDied
from games.gods2.rules.war.aggression import roll_aggression
from games.gods2.rules.war.events import WarFought
from tests.dice import d
from tests.playbook import DAWN, event_like, of_kind
from tests.rules.gods2.wars import WARRIORS, fight_war
from tests.rules.gods2.worlds import People, earth_of, happen, race, units_of

Spots = dict[tuple[int, int], int]


def deaths(events: list, people: People) -> Spots:
    """Where units of a race died, by (row, column)."""
    (died,) = [e for e in of_kind(events, UnitsDied) if e.race == people.id]
    return {(h.square.y, h.square.x): h.units for h in died.losses}


@pytest.mark.rule("G2-WAR-8", "G2-AMB-11")
@pytest.mark.parametrize(
    ("romans", "dead"),
    [
        (5, {(1, 4): 1}),
        (11, {(1, 4): 1, (2, 4): 1}),
        (16, {(1, 4): 1, (2, 4): 1, (0, 4): 1}),
        (22, {(1, 4): 2, (2, 4): 1, (0, 4): 1}),
        (27, {(1, 4): 2, (2, 4): 2, (0, 4): 1}),
        (33, {(1, 4): 3, (2, 4): 2, (0, 4): 1}),
        (36, {(1, 4): 3, (2, 4): 2, (0, 4): 1, (0, 5): 1}),
    ],
)
def test_the_dead_are_counted_along_the_border_round_by_round(romans: int, dead: Spots) -> None:
    """Greeks stand in ring 1 with 1, 3, 2 units (rows 0, 1, 2 of column 4) and in ring 2 with 3 and 3 (column 5).

    Ring 1 goes first, each square once a round, the fullest first: row 1 (3 units), row 2 (2), row 0 (1). In the
    second round row 0 is empty: row 1, row 2. In the third row 1 alone is left. The seventh dies in ring 2, where both
    squares have 3: the lower row, 0. Romans have Military +8 more: 10 + 8 = 18% of their number, rounded up, die of the
    Greeks: of 5 are 0.9, of 11 1.98, of 16 2.88, of 22 3.96, of 27 4.86, of 33 5.94, of 36 6.48.
    """
    places = [(row, column) for column in (3, 2, 1, 0) for row in range(3)]
    held = {spot: min(3, romans - 3 * n) for n, spot in enumerate(places) if romans > 3 * n}
    strong = race("Romans", held, "barbarian", knowledges=WARRIORS)
    weak = race("Greeks", {(0, 4): 1, (1, 4): 3, (2, 4): 2, (0, 5): 3, (2, 5): 3}, "barbarian")
    state = earth_of(["PPPPPPP"] * 3, strong, weak)
    lost = sum(dead.values())
    dice = [d(6, "diplomacy/defender", 1)] if lost > 1 else []  # of 12 units one is 8%, two are more than 15%
    if romans == 5:
        dice = [d(6, "diplomacy/attacker", 1)]  # 2% of 12 is one Roman, 20% of these
    events = fight_war(state, strong, weak, dice)
    (event,) = of_kind(events, WarFought)
    assert {side.race: (side.percent, side.losses) for side in event.sides} == {strong.id: (18, 1), weak.id: (2, lost)}
    assert deaths(events, weak) == dead
    assert deaths(events, strong) == {(0, 3): 1}


@pytest.mark.rule("G2-GROW-7", "G2-AMB-7")
def test_a_primitive_race_that_migrates_fills_its_foremost_squares_to_their_limits_and_leaves_the_rest() -> None:
    """Three on columns 0 to 2 of row 1 go east; a quarter of 3 is one new unit, so four have to stand somewhere.

    The front is column 3. There row 1 is nearest to the centre (1, 1), at 4 squared; rows 0 and 2 are at 5, so row 0
    goes first. Plains hold one: (1, 3) and (0, 3) take one each. (2, 3) is fertile and holds three: it takes the last
    two. Column 2 and all that was their home is left.
    """
    norse = race("Norse", {(1, 0): 1, (1, 1): 1, (1, 2): 1})
    state = earth_of(["PPPPPP"] * 3, norse, features=[("fertile_land", (2, 3))])
    state.migrations[norse.id] = Migration(norse.id, "e", None)
    events = happen(state, lambda s, ctx: grow(s, ctx, norse.id))
    assert of_kind(events, RaceGrew) == [event_like(RaceGrew, before=3, rate=25, gained=1)]
    assert units_of(state, norse) == {(1, 3): 1, (0, 3): 1, (2, 3): 2}


@pytest.mark.rule("G2-GROW-9", "G2-AMB-7")
@pytest.mark.parametrize(
    ("last", "new", "after"),
    [
        ({(0, 3): 1}, 3, {(0, 0): 2, (1, 1): 1, (0, 3): 1}),
        ({(0, 3): 5, (0, 4): 2}, 5, {(0, 0): 2, (1, 1): 2, (0, 3): 5, (0, 4): 3}),
    ],
)
def test_new_civilized_units_go_ahead_of_the_centre_first_and_the_rest_as_without_an_order(
    last: Spots, new: int, after: Spots
) -> None:
    """Norse on row 0 go west, where mountains at (0, 0) and (1, 1) hold two each; old units stay where they are.

    With 5, 5, 1 on columns 1 to 3 the centre is column 2. A quarter of 11 is 2.75: three are new. Column 0 is the
    front and takes two; the third goes to column 1. The plains behind, column 4, are not ahead.
    With 5, 5, 5, 2 on columns 1 to 4 the centre is column 2.5. A quarter of 17 is 4.25: five are new. Both mountains
    are filled; the fifth is placed as ever, on the occupied square with room: (0, 4). Column 5 stays empty.
    """
    norse = race("Norse", {(0, 1): 5, (0, 2): 5, **last}, "civilized")
    state = earth_of(["MPPPPP", "WMWWWW"], norse)
    state.migrations[norse.id] = Migration(norse.id, "w", None)
    events = happen(state, lambda s, ctx: grow(s, ctx, norse.id))
    assert of_kind(events, RaceGrew) == [event_like(RaceGrew, rate=25, gained=new)]
    assert units_of(state, norse) == {(0, 1): 5, (0, 2): 5, **after}


@pytest.mark.rule("G2-AGG-4")
def test_targets_are_drawn_one_by_one_among_the_neighbours_by_id_and_may_come_twice() -> None:
    """The Orcs (id 9) reach the races 3, 5 and 7, who stand around them in another order; race 1 is too far away.

    6 and +2 for warlike make 8: two wars. Each target has a d3 of its own, 1 for race 3, 2 for race 5, 3 for race 7.
    """
    orcs = race("Orcs", {(1, 1): 1}, attributes=("warlike",), number=9)
    others = [
        race("Seven", {(0, 0): 1}, number=7),
        race("Three", {(2, 2): 1}, number=3),
        race("Five", {(0, 2): 1}, number=5),
        race("One", {(2, 5): 1}, number=1),
    ]
    state = earth_of(["PPPPPP"] * 3, orcs, *others, phase=Phase.STARTING)
    state.set_era(activity_ends_at=DAWN)
    tempers = [d(6, f"aggression {race.id}", 6 if race.id == orcs.id else 1) for race in state.living()]
    targets = [d(3, f"target {orcs.id}/1", 3), d(3, f"target {orcs.id}/2", 3)]
    events = happen(state, roll_aggression, [*tempers, *targets, d(2, "wars", 1)])
    assert [(e.attacker.int, e.defender.int) for e in of_kind(events, WarDeclared)] == [(9, 7), (9, 7)]


@pytest.mark.rule("G2-AGG-4", "G2-DICE-3")
@pytest.mark.parametrize(("neighbours", "wars"), [(1, 1), (0, 0)])
def test_one_neighbour_is_attacked_without_a_die_and_nobody_where_nobody_is_reached(neighbours: int, wars: int) -> None:
    """4 and +2 make 6: one war. With one race in contact no die chooses it; with none nothing is declared."""
    orcs = race("Orcs", {(0, 0): 1}, attributes=("warlike",), number=9)
    other = race("Elves", {(0, 2 - neighbours): 1}, number=2)
    state = earth_of(["PPP"], orcs, other, phase=Phase.STARTING)
    state.set_era(activity_ends_at=DAWN)
    events = happen(state, roll_aggression, [d(6, f"aggression {other.id}", 1), d(6, f"aggression {orcs.id}", 4)])
    assert [(e.attacker, e.defender) for e in of_kind(events, WarDeclared)] == [(orcs.id, other.id)] * wars
