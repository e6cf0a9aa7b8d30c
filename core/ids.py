"""Ids say where they live: the first 12 bits of every id of a row are the slot of its game or world.

A game, or a world without one, is made with a random id; everything in it copies its slot, so that who holds the id
of any row knows which game's database to ask. 110 bits stay secret (HMAC) or random. Pure functions on version 4 and 5
UUIDs, whose version and variant stand behind the slot.
"""

from uuid import UUID, uuid5

SLOT_BITS = 12
"""A slot is 0 to 4095, and the first three hexadecimal digits of an id."""
REST_BITS = 128 - SLOT_BITS


def slot_of(identity: UUID) -> int:
    """The slot of an id, 0 to 4095."""
    return identity.int >> REST_BITS


def slot_digits(identity: UUID) -> str:
    """The slot of an id as the id is written: its first three hexadecimal digits."""
    return identity.hex[: SLOT_BITS // 4]


def in_slot_of(home: UUID, identity: UUID) -> UUID:
    """The id with the slot of its game or world; all other bits stay."""
    return UUID(int=slot_of(home) << REST_BITS | identity.int & (1 << REST_BITS) - 1)


def derived_id(home: UUID, name: str) -> UUID:
    """The id that follows from a game's or world's id and a name in it: version 5, in the same slot."""
    return in_slot_of(home, uuid5(home, name))
