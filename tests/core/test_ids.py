"""Ids say where they live: the first 12 bits are the slot of the game or world, all others are as they were."""

from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from core.ids import derived_id, in_slot_of, slot_digits, slot_of

GAME = UUID("a5c01234-5678-4abc-8def-0123456789ab")


def test_the_slot_is_the_first_three_digits_of_an_id() -> None:
    assert slot_of(GAME) == 0xA5C
    assert slot_digits(GAME) == "a5c" == str(GAME)[:3]
    assert slot_digits(UUID(int=1)) == "000"
    assert slot_of(UUID("ffffffff-ffff-4fff-bfff-ffffffffffff")) == 4095


@given(st.uuids(version=4), st.uuids(version=4))
def test_an_id_moves_into_a_slot_and_keeps_all_other_bits(home: UUID, identity: UUID) -> None:
    placed = in_slot_of(home, identity)
    assert slot_of(placed) == slot_of(home)
    assert str(placed)[3:] == str(identity)[3:]
    assert placed.version == 4 and placed.variant == identity.variant


def test_a_derived_id_has_the_slot_of_its_home_and_follows_from_the_name() -> None:
    world, other = derived_id(GAME, "world"), derived_id(GAME, "public/1")
    assert slot_of(world) == slot_of(other) == slot_of(GAME)
    assert world != other and world == derived_id(GAME, "world")
    assert world.version == 5
