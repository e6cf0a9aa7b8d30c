"""The map in the rows of a game (FB-ROW-3): nothing of it is lost, and play goes on from there."""

from dataclasses import replace

import pytest

from games.forgeborn.rules.realm.build import build
from games.forgeborn.rules.realm.edits import add_ruins, edit
from games.forgeborn.rules.realm.realm import Realm
from games.forgeborn.rules.realm.rows import realm_of
from games.forgeborn.rules.state.invariants import violations
from games.forgeborn.rules.state.options import ForgebornOptions
from games.forgeborn.rules.state.schema_types import PlaceKind, WayKind
from games.forgeborn.rules.state.sheet import Point
from games.forgeborn.rules.state.state import State
from tests.rules.forgeborn.maps import MAP_A, STANDARD, all_d6, changed, faces
from tests.rules.forgeborn.stage import lay_map, new_state

DOZEN = ForgebornOptions(width=300, dragon_fixed=12)
A = build(MAP_A, STANDARD)


def in_rows(realm: Realm) -> State:
    state = new_state()
    state.info = replace(state.info, options=realm.options.model_dump_json())
    lay_map(state, realm)
    return state


@pytest.mark.rule("FB-ROW-3")
@pytest.mark.parametrize(
    ("_case", "realm"),
    [
        ("MAP-A", A),
        ("no mountains", build(faces(MAP_A, **all_d6(1)), DOZEN)),
        ("edited", edit(A, {}, [("citadel", "city")], [("village-3", "city", WayKind.ROAD)])),
        ("walled in", build(changed(MAP_A, d6a=(2, 50, 10), d6b=(4, 10, 60), d6f=(6, 50, 50)), STANDARD)),
        ("with new Ruins", add_ruins(add_ruins(A, 1, Point(180, 175)), 2, Point(165, 190))),
    ],
)
def test_a_map_follows_from_its_rows(_case: str, realm: Realm) -> None:
    state = in_rows(realm)
    assert realm_of(state) == realm
    assert violations(state) == []


@pytest.mark.rule("FB-RUI-2")
def test_new_ruins_in_play_know_the_powers_and_ruins_of_the_day() -> None:
    state = in_rows(add_ruins(A, 1, Point(180, 175)))
    state.set_place(state.place_of_kind(PlaceKind.RUINS, 3).id, is_spent=True)
    state.set_place(state.place_of_kind(PlaceKind.VILLAGE, 2).id, power=1)
    realm = add_ruins(realm_of(state), 2, Point(165, 190))
    assert realm.by_key()["village-2"].power == 1
    assert [link.ends for link in realm.links if "ruins-4" in link.ends] == [("ruins-3", "ruins-4")], "spent ones too"


def test_dice_of_ruins_stand_behind_the_fifteen_by_number() -> None:
    realm = A
    for number in range(10):
        realm = add_ruins(realm, 1, Point(100 + number, 5))
    state = in_rows(realm)
    for name in ("ruins-12", "ruins-3", "d12"):
        row = state.dice[name]
        del state.dice[name]
        state.dice[name] = row
    assert [die.name for die in realm_of(state).dice][-10:] == [f"ruins-{n}" for n in range(3, 13)]
    assert realm_of(state) == realm
