"""The tables of a state: one line declares each, and everything else follows from it."""

from dataclasses import replace
from typing import Any, get_args, get_origin, get_type_hints
from uuid import UUID

import pytest

from games.engine.audience import GM, PUBLIC, SERVER, seat_and_gm
from games.engine.game_state import GameInfo, GameState, Prompt, Role, Seat
from games.engine.ruleset import Options
from games.engine.state import Rows, singleton, table
from tests.rulesets import RULESETS
from tests.toy.rules.state import Hoard, Pile, State, Tide

GAME, ANN = UUID(int=9), UUID(int=1)
TABLES = ("seats", "invitations", "timers", "prompts", "answers", "standing", "entered", "bans", "leaves")


class Terraces(State):
    """Cairns with one more table, and one of its own declared anew."""

    piles: Rows[UUID, Pile] = table(Pile, noun="heap")
    steps: Rows[tuple[int, UUID], Pile] = table(Pile, key=("stones", "id"), amendable=True)


def terraces() -> Terraces:
    return Terraces(GameInfo(GAME, "toy"))


def state_of(slug: str) -> GameState:
    state: GameState = RULESETS[slug].new_state(GAME)
    return state


@pytest.mark.parametrize("slug", RULESETS)
def test_the_type_of_each_table_is_that_of_its_record_and_of_its_key(slug):
    state = state_of(slug)
    hints = {name: hint for name, hint in get_type_hints(type(state)).items() if get_origin(hint) is Rows}
    assert list(state.tables)[: len(TABLES)] == list(TABLES) and set(hints) == set(state.tables)
    for name, declared in state.tables.items():
        key, record = get_args(hints[name])
        fields = get_type_hints(record)
        assert declared.record is record, name
        assert (get_args(key) or (key,)) == tuple(fields[part] for part in declared.key), name
        assert declared.hidden <= set(fields), name


@pytest.mark.parametrize("slug", RULESETS)
def test_a_new_state_has_empty_rows_of_its_own_for_each_table(slug):
    state, other = state_of(slug), state_of(slug)
    assert [name for name, _ in state.rows()] == list(state.tables)
    assert all(rows == {} and vars(state)[name] is rows for name, rows in state.rows())
    assert all(rows is not getattr(other, name) for name, rows in state.rows())
    assert not any(hasattr(type(state), name) for name in state.tables)


def test_tables_stand_in_the_order_of_their_declaration_those_of_the_base_class_first():
    assert list(GameState.tables) == list(TABLES)
    assert list(State.tables) == [*TABLES, "piles", "hoards", "tides"]
    assert list(Terraces.tables) == [*TABLES, "piles", "hoards", "tides", "steps"]
    assert (State.tables["piles"].noun, Terraces.tables["piles"].noun) == ("", "heap")


def test_amendable_rows_are_declared_by_the_tables_and_the_arrays():
    assert GameState.amendable() == frozenset()
    assert State.amendable() == {"piles", "hoards", "tides"}
    assert Terraces.amendable() == {"hoards", "tides", "steps"}
    assert "squares" in state_of("gods2").amendable()


def test_a_key_of_several_fields_is_a_tuple():
    assert Terraces.tables["piles"].key_of(Pile(ANN, 3)) == ANN
    assert Terraces.tables["steps"].key_of(Pile(ANN, 3)) == (3, ANN)


def test_a_record_declares_its_readers_by_a_function_or_a_field_or_not_at_all():
    tables = State.tables
    fields: dict[str, Any] = {**dict.fromkeys(Prompt.__dataclass_fields__), "audience": GM}
    assert tables["piles"].judge is None and tables["piles"].readers(Pile(ANN)) == PUBLIC
    assert tables["hoards"].readers(Hoard(ANN)) == seat_and_gm(ANN)
    assert tables["prompts"].readers(Prompt(**fields)) == GM
    assert tables["entered"].readers(None) == SERVER


def test_a_single_record_has_its_defaults_until_it_is_written():
    state = terraces()
    assert state.tide == Tide(GAME) and state.tides == {}
    state.tide = replace(state.tide, count=2)
    assert state.tides == {GAME: Tide(GAME, 2)} and state.tide is state.tides[GAME]
    assert state.tides.dirty == {GAME}


def test_a_single_record_belongs_to_the_table_that_it_is_declared_of():
    class Court(GameState):
        seats: Rows[UUID, Seat] = table(Seat)
        seat_of_power = singleton(seats)

    court = Court(GameInfo(GAME, "toy"))
    court.seat_of_power = Seat(GAME, Role.GM, "Throne")
    assert list(court.seats) == [GAME]


def test_options_are_read_once_for_a_text_and_as_the_type_the_game_declares():
    class Narrow(Options):
        width: int = 3

    class Wide(Narrow):
        width: int = 9

    state, text = terraces(), "{}"
    assert (Narrow.of(state).width, Wide.of(state).width) == (3, 9)
    assert Narrow.of(state) is Narrow.of(terraces())
    state.info = GameInfo(GAME, "toy", options=text.replace("}", '"width":4}'))
    assert Narrow.of(state).width == 4
