"""Units that a power brings, and units that it sends elsewhere (operations `units_add` and `units_move`)."""

import pytest

from games.gods2.rules.effects.events import UnitsAdded
from games.gods2.rules.mana.events import RaceReached
from games.gods2.rules.units.events import UnitsMoved, UnitsStarved
from tests.playbook import event_like, of_kind, refused
from tests.rules.gods2.strikes import able, cast, pack_of
from tests.rules.gods2.worlds import earth_of, id_of, movements, race, row_major, units_of

NORSE, ELVES = id_of("Norse"), id_of("Elves")


def bringing(amount: int, scope: str, target: str) -> dict:
    """A pack with a power that brings units."""
    effects = [{"op": "units_add", "amount": amount, "scope": scope}]
    return pack_of(bring={"codes": ["X"], "target": target, "effects": effects})


@pytest.mark.rule("G2-LIM-4", "G2-GROW-4", "G2-GROW-5")
def test_new_units_of_a_race_are_placed_as_its_level_places_them() -> None:
    for level, expected in (("barbarian", {(0, 0): 1, (0, 1): 3}), ("civilized", {(0, 1): 4})):
        norse = race("Norse", {(0, 1): 2}, level)
        state = earth_of(["PPW"], norse, packs=bringing(2, "race", "race"))
        events = cast(state, "bring", norse)
        assert of_kind(events, UnitsAdded) == [event_like(UnitsAdded, race=NORSE, cause="bring")]
        assert units_of(state, NORSE) == expected


@pytest.mark.rule("G2-LIM-4")
def test_new_units_without_room_starve_at_once() -> None:
    norse = race("Norse", {(0, 0): 2}, "barbarian")
    state = earth_of(["PW"], norse, packs=bringing(4, "race", "race"))
    events = cast(state, "bring", norse)
    assert [sum(h.units for h in e.placed) for e in of_kind(events, UnitsAdded)] == [4]
    assert of_kind(events, UnitsStarved) == [event_like(UnitsStarved, units=3, aggression=0)]
    assert units_of(state, NORSE) == {(0, 0): 3}


@pytest.mark.rule("G2-LIM-4")
def test_new_units_of_a_square_come_there_and_those_above_the_limit_move_on() -> None:
    norse = race("Norse", {(0, 0): 3}, "barbarian")
    state = earth_of(["PPP"], norse, packs=bringing(2, "target", "square"))
    events = cast(state, "bring", at=[(0, 0)])
    assert units_of(state, NORSE) == {(0, 0): 3, (0, 1): 2}
    assert movements(events) == [((0, 0), (0, 1), 2)]
    able(state, "bring")
    with refused("target.unfit", state):
        cast(state, "bring", at=[(0, 2)])


@pytest.mark.rule("G2-MANA-7")
def test_a_race_that_reaches_a_number_of_units_by_a_power_is_counted() -> None:
    norse = race("Norse", row_major(12, 0, 99))
    state = earth_of(["P" * 12] * 10, norse, packs=bringing(1, "race", "race"))
    assert of_kind(cast(state, "bring", norse), RaceReached) == [event_like(RaceReached, race=NORSE, units=100)]


def sending(amount: int, target: str) -> dict:
    """A pack with a power that sends units."""
    return pack_of(send={"codes": ["X"], "target": target, "effects": [{"op": "units_move", "amount": amount}]})


@pytest.mark.rule("G2-MOVE-7", "G2-MOVE-8")
def test_units_go_from_their_fullest_squares_to_free_squares_that_border_the_race() -> None:
    norse, elves = race("Norse", {(0, 1): 3, (0, 2): 2}, "barbarian"), race("Elves", {(0, 3): 1})
    state = earth_of(["PPPPP"], norse, elves, packs=sending(3, "race"))
    events = cast(state, "send", norse)
    assert of_kind(events, UnitsMoved) == [event_like(UnitsMoved, race=NORSE, cause="send")]
    assert units_of(state, NORSE) == {(0, 0): 3, (0, 1): 1, (0, 2): 1}


@pytest.mark.rule("G2-MOVE-7")
def test_the_caster_names_origin_and_destination_of_moved_units() -> None:
    norse, elves = race("Norse", {(0, 1): 3, (1, 1): 3}, "barbarian"), race("Elves", {(1, 3): 1})
    state = earth_of(["PPPPP", "PPPPP"], norse, elves, packs=sending(2, "squares:3"))
    cast(state, "send", at=[(0, 1), (0, 2)])
    assert units_of(state, NORSE) == {(0, 1): 1, (0, 2): 2, (1, 1): 3}
    able(state, "send")
    with refused("square.unfit", state):
        cast(state, "send", at=[(0, 1), (0, 4)])
    with refused("target.unfit", state):
        cast(state, "send", at=[(0, 1), (1, 3)])
    with refused("target.unfit", state):
        cast(state, "send", at=[(0, 4)])
