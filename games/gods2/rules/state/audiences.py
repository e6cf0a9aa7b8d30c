"""Who may read what is secret: records and events that a seat shares with the GMs, or that are the GMs' alone.

A secret is a record of its own and an event of its own; these are what such records and events have in common.
"""

from typing import Protocol
from uuid import UUID

from games.engine.audience import GM, Audience, seat_and_gm
from games.engine.game_state import GameState, S_contra
from games.engine.kernel import Event


class Seated(Protocol):
    """What names the seat that it belongs to."""

    @property
    def seat(self) -> UUID: ...


class Read(Protocol):
    """What names its readers."""

    @property
    def readers(self) -> Audience: ...


class SecretOfSeat:
    """A record that its seat and the GMs may read."""

    __slots__ = ()

    @staticmethod
    def audience(record: Seated) -> Audience:
        return seat_and_gm(record.seat)


class SecretOfReaders:
    """A record that lists who may read it."""

    __slots__ = ()

    @staticmethod
    def audience(record: Read) -> Audience:
        return record.readers


class SecretOfGm:
    """A record that the GMs alone may read."""

    __slots__ = ()

    @staticmethod
    def audience(_: object) -> Audience:
        return GM


class ForSeat(Event[S_contra], abstract=True):
    """A fact that its seat and the GMs may read."""

    def audience(self: Seated, state: GameState) -> Audience:
        return seat_and_gm(self.seat)


class ForGm(Event[S_contra], abstract=True):
    """A fact that the GMs alone may read."""

    def audience(self, state: GameState) -> Audience:
        return GM
