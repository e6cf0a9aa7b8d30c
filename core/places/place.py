"""A place: the schema in which the rows of some games lie, and how a statement finds it. Pure."""

from dataclasses import dataclass, replace

PUBLIC = "public"
"""The search path without a place: people, tokens, packs and the tables of places, and no game."""


@dataclass(frozen=True, slots=True)
class Place:
    """One bucket of games, or the cards of all."""

    number: int
    """1 to 64; 0 for the cards."""
    schema: str
    path: str
    """The search path of a statement in it."""
    is_aside: bool = False
    """Whether it may be read in a transaction of another place."""
    server: str = ""
    """Where it lies, by a name of PLACE_SERVERS (ADR 134); empty: with `public`, at home."""
    is_moving: bool = False
    """Whether it is being moved to another server: then it is read, not written."""

    @classmethod
    def of(cls, number: int, schema: str, server: str = "", is_moving: bool = False) -> "Place":
        """The bucket of a number: its tables, behind them those of `public`."""
        return cls(number, schema, f'"{schema}", {PUBLIC}', server=server, is_moving=is_moving)

    def alone(self) -> "Place":
        """The same without `public`: for what makes and changes its tables, which must not take others for them."""
        return replace(self, path=f'"{self.schema}"')

    def aside(self) -> "Place":
        """The same to be read, and nothing but read, in a transaction of another place."""
        return replace(self, is_aside=True)


class MixedPlaces(Exception):
    """One transaction was to work in two places. server: where the second lies, if it is not the first one's."""

    def __init__(self, first: str, second: str, server: str | None = None) -> None:
        words = f"This transaction works in {first} and was led to {second}; "
        if server is not None:
            words += f"that lies {f'on {server}' if server else 'at home'}: enter it before the first statement, else "
        super().__init__(f"{words}what concerns games of two places takes two transactions.")


class BeingMoved(Exception):
    """What was to be written lies in a place that is being moved to another server."""

    def __init__(self) -> None:
        super().__init__("This game is being moved within the service; nothing was changed. Send it again shortly.")


CARDS = Place(0, "cards", f'"cards", {PUBLIC}', is_aside=True)
"""No bucket: the copies that lists across games read (ADR 116)."""


def schema_name(number: int) -> str:
    """What the schema of a bucket is called."""
    return f"place_{number:02}"


def even_share(slot: int, slots: int, buckets: int) -> int:
    """The bucket, 1 to `buckets`, of a slot (0 to `slots` - 1) where all have equally many, next to each other."""
    return slot * buckets // slots + 1
