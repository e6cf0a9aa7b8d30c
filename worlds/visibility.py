"""Visibility: a value that says who is looking.

Every reading of a row passes through `visible_to(visibility)` (`worlds.querysets`); a Visibility is made once for a
request (a token, a session, a socket), and handed down. It asks no database and grants nothing by itself.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID


@dataclass(frozen=True, slots=True)
class Visibility:
    """Who looks: a user (or nobody), the seats they look from, the games they lead, and whether they are an admin.

    user: the person's id, None for a stranger without a token.
    seats: ids of the seats whose secrets may be shown; empty for an observer.
    gm_games: ids of the games in which they asked for, and may have, the game-master's view.
    admin: they see every row of every world.
    """

    user: UUID | None = None
    seats: frozenset[UUID] = frozenset()
    gm_games: frozenset[UUID] = frozenset()
    admin: bool = False

    @classmethod
    def nobody(cls) -> "Visibility":
        """The visibility of a stranger: public worlds and public rows only."""
        return cls()

    @classmethod
    def of(
        cls, user: UUID, *, seats: Iterable[UUID] = (), gm_games: Iterable[UUID] = (), admin: bool = False
    ) -> "Visibility":
        """The visibility of a known person."""
        return cls(user=user, seats=frozenset(seats), gm_games=frozenset(gm_games), admin=admin)

    @classmethod
    def everything(cls) -> "Visibility":
        """The visibility of the service itself and of an admin: all rows."""
        return cls(admin=True)
