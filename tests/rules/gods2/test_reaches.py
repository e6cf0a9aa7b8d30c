"""What a race borders, for clients that draw a map: squares to settle, and those of races that it could attack."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from games.engine.board.board import Square
from games.engine.board.grid import squares_in
from games.gods2.rules.geometry.border_squares import reaches
from games.gods2.rules.geometry.reach import free_border, reach
from games.gods2.rules.geometry.stats import contacts
from games.gods2.rules.state.state import State
from tests.playbook import refused
from tests.rules.gods2.test_worlds_at_random import worlds
from tests.rules.gods2.worlds import earth_of, id_of, race


def squares(*spots: tuple[int, int]) -> tuple[Square, ...]:
    return tuple(Square(*spot) for spot in spots)


@pytest.mark.rule("G2-MOVE-2", "G2-MOVE-3", "G2-MOVE-6", "G2-GROW-2")
def test_a_race_borders_squares_to_settle_squares_to_shun_and_squares_of_others() -> None:
    norse = race("Norse", {(1, 1): 2})
    picts, south = race("Picts", {(0, 2): 1, (1, 2): 1}), race("South", {(2, 0): 1})
    state = earth_of(["PPPP", "PPPP", "PWDP", "PPPP"], norse, picts, south, features=[("chasm", (0, 1))])
    (found,) = reaches(state, norse.id)
    assert found.subject == norse.id
    # the water is out of range, the chasm not entered, the desert bordered
    assert found.free == squares((0, 0), (1, 0), (2, 2))
    assert found.barren == ()
    assert [(h.holder, h.squares) for h in found.held] == sorted(
        [(picts.id, squares((0, 2), (1, 2))), (south.id, squares((2, 0)))]
    )
    icy = earth_of(["PI"], norse_in := race("Norse", {(0, 0): 1}, "civilized"))
    (found,) = reaches(icy, norse_in.id)
    assert (found.free, found.barren, found.held) == ((), squares((0, 1)), ())


@pytest.mark.rule("G2-MOVE-2", "G2-MOVE-6", "G2-GROW-2")
@settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
@given(worlds())
def test_what_is_shown_of_a_border_is_what_the_rules_go_by(state: State) -> None:
    found = list(reaches(state))
    assert [each.subject for each in found] == [r.id for r in state.living()]
    for each in found:
        assert list(each.free) == squares_in(free_border(state, each.subject))
        assert [h.holder for h in each.held] == contacts(state, each.subject)
        shown = np.zeros_like(reach(state, each.subject))
        for square in (*each.free, *each.barren, *(s for h in each.held for s in h.squares)):
            assert not shown[square]
            shown[square] = True
        assert (shown == reach(state, each.subject)).all()


def test_a_race_that_is_no_more_borders_nothing_and_is_left_out_of_the_list() -> None:
    norse, picts = race("Norse", {(0, 0): 1}), race("Picts", {(0, 1): 1})
    state = earth_of(["PP"], norse, picts)
    state.board.put(Square(0, 1), None, 0)
    state.races[picts.id] = replace(state.races[picts.id], extinct=True)
    assert [each.subject for each in reaches(state)] == [norse.id]
    (gone,) = reaches(state, picts.id)
    assert (gone.free, gone.barren, gone.held) == ((), (), ())
    with refused("race.missing", state):
        list(reaches(state, id_of("nobody")))
