"""Names of seats: as `core.names` says, in commands; what is logged already is not judged again."""

import pytest
from pydantic import ValidationError

from games.engine.game_state import Role
from games.engine.lifecycle.seating import AddSeat, Join, SeatTaken
from tests.engine.cairns import CYD, HOST_ACTOR, USER, table
from tests.playbook import refused

HIDDEN, TURNED = "An\u200bn", "\u202eAnn"


def test_a_seat_is_called_as_names_are_stored() -> None:
    assert Join(name="Zoe\u0308").name == "Zo\u00eb"
    for name in ("A\x07", TURNED, "\u200b", " Ann", "Ann ", "", "\ufb2c" * 80):
        with pytest.raises(ValidationError):
            Join(name=name)


def test_a_seat_that_looks_like_another_is_taken() -> None:
    cairns = table()
    for name in ("ANN", HIDDEN, "\uff21nn"):
        with refused("name.taken"):
            cairns.when(AddSeat(name=name), HOST_ACTOR)


def test_a_name_in_an_old_log_is_not_judged_again() -> None:
    cairns = table()
    cairns.happens(lambda s, c: iter([SeatTaken(seat=CYD, role=Role.PLAYER, name=TURNED, user=USER)]))
    assert cairns.state.seats[CYD].name == TURNED
    assert cairns.log_folds_to_state()
