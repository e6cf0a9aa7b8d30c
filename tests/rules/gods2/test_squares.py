"""Squares as rows that a GM may amend, and the invariants that judge the whole (G2-LOG-1)."""

import json
from typing import Any

import pytest

from games.engine.board.board import Square
from games.engine.lifecycle.amend import Amend, Change, Deed, FieldChange
from games.gods2.rules.state.state import State
from tests.playbook import refused
from tests.rules.gods2.worlds import earth_of, happen, race, twin_of

NORSE = race("Norse", {(0, 0): 1})


def amend(state: State, deed: Deed, row: str, **values: Any) -> None:
    fields = tuple(FieldChange(field=name, value=json.dumps(value)) for name, value in values.items())
    change = Change(deed=deed, table="squares", row=row, fields=fields)
    happen(state, lambda s, ctx: Amend(changes=(change,), reason="a slip").decide(s, ctx))


@pytest.fixture
def state() -> State:
    return earth_of(["PPW", "PPI"], NORSE)


@pytest.mark.rule("G2-LOG-1")
def test_a_gm_sets_terrain_and_units_of_a_square(state: State) -> None:
    amend(state, Deed.ALTER, "1,0", race=str(NORSE.id), units=1, terrain="M")
    assert state.plain_special("squares", "1,0") == {"terrain": "M", "race": str(NORSE.id), "units": 1}
    amend(state, Deed.ALTER, "1,0", race=None, units=0)
    assert state.board.people_at(Square(0, 1)) is None


@pytest.mark.rule("G2-LOG-1", "G2-LIM-1")
@pytest.mark.parametrize(
    ("values", "code"),
    [
        ({"race": str(NORSE.id), "units": 2}, "amend.invalid"),
        ({"race": str(NORSE.id), "units": -1}, "amend.invalid"),
        ({"race": str(NORSE.id), "units": True}, "amend.invalid"),
        ({"race": None, "units": 1}, "amend.invalid"),
        ({"race": "nobody", "units": 1}, "race.missing"),
        ({"terrain": "Q"}, "amend.invalid"),
        ({"terrain": ""}, "amend.invalid"),
        ({"colour": "red"}, "amend.invalid"),
        ({}, "amend.invalid"),
    ],
)
def test_impossible_values_are_refused(state: State, values: dict[str, Any], code: str) -> None:
    with refused(code):
        amend(twin_of(state), Deed.ALTER, "1,0", **values)


def test_squares_are_neither_made_nor_deleted(state: State) -> None:
    with refused("square.off_map"):
        amend(twin_of(state), Deed.CREATE, "9,9", terrain="P")
    with refused("row.missing"):
        amend(twin_of(state), Deed.ALTER, "01,0", terrain="P")
    with refused("amend.invalid"):
        amend(twin_of(state), Deed.DELETE, "1,0")


def test_other_tables_are_not_among_the_square_rows(state: State) -> None:
    assert "races" not in state.special
    assert state.plain_special("races", "1,0") is None
