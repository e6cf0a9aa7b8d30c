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

    @classmethod
    def of(cls, number: int, schema: str) -> "Place":
        """The bucket of a number: its tables, behind them those of `public`."""
        return cls(number, schema, f'"{schema}", {PUBLIC}')

    def alone(self) -> "Place":
        """The same without `public`: for what makes and changes its tables, which must not take others for them."""
        return replace(self, path=f'"{self.schema}"')

    def aside(self) -> "Place":
        """The same to be read, and nothing but read, in a transaction of another place."""
        return replace(self, is_aside=True)


class MixedPlaces(Exception):
    """One transaction was to work in two places."""

    def __init__(self, first: str, second: str) -> None:
        super().__init__(
            f"This transaction works in {first} and was led to {second}; what concerns games of two places takes "
            "two transactions."
        )


CARDS = Place(0, "cards", f'"cards", {PUBLIC}', is_aside=True)
"""No bucket: the copies that lists across games read (ADR 116)."""


def schema_name(number: int) -> str:
    """What the schema of a bucket is called."""
    return f"place_{number:02}"


def even_share(slot: int, slots: int, buckets: int) -> int:
    """The bucket, 1 to `buckets`, of a slot (0 to `slots` - 1) where all have equally many, next to each other."""
    return slot * buckets // slots + 1
