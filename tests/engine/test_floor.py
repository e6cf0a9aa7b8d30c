"""The floor: who may act unasked."""

from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.errors import Refused
from games.engine.floor import OPEN, SHUT, Floor, clockwise
from games.engine.lifecycle.gm_commands import Start
from tests.engine.cairns import ANN, BOB, GM_ACTOR, table
from tests.playbook import refused
from tests.toy.rules.commands import AddStones

SEATS = st.lists(st.uuids(version=4), max_size=5, unique=True)


def said(floor, seat):
    """The code with which a floor refuses a seat, or None."""
    try:
        floor.require(seat)
    except Refused as why:
        return why.code
    return None


@given(st.uuids(version=4), SEATS)
def test_a_shut_floor_admits_nobody_an_open_one_all_a_held_one_its_holders(seat, holders):
    held = Floor.held_by(*holders)
    assert said(SHUT, seat) == "phase.closed"
    assert said(OPEN, seat) is None
    assert said(held, seat) == (None if seat in holders else "floor.other")
    for floor in (SHUT, OPEN, held):
        assert floor.admits(seat) is (said(floor, seat) is None)


def test_holders_count_only_where_the_floor_is_held():
    seat = UUID(int=1)
    assert not Floor(SHUT.kind, (seat,)).admits(seat)
    assert not Floor.held_by(seat).admits(None)


@given(SEATS.filter(bool))
def test_once_round_the_ring_everybody_has_been_once(ring):
    ring, seen = tuple(ring), []
    seat = ring[0]
    for _ in ring:
        seen.append(seat)
        seat = clockwise(ring, seat)
    assert (tuple(seen), seat) == (ring, ring[0])


@pytest.mark.rule("CF-5")
def test_before_the_start_nobody_adds_a_stone_and_then_each_does():
    cairns = table()
    with refused("phase.closed", cairns.state):
        cairns.when(AddStones(stones=1), ANN)
    cairns.when(Start(), GM_ACTOR)
    for seat in (ANN, BOB):
        cairns.when(AddStones(stones=1), seat)
    assert {p.id: p.stones for p in cairns.state.piles.values()} == {ANN: 1, BOB: 1}
    cairns.state.floor = Floor.held_by(BOB)
    with refused("floor.other", cairns.state):
        cairns.when(AddStones(stones=1), ANN)
