"""Names of Smiths, Heroines and artifacts: each is used once in its kind (FB-ROW-5)."""

from collections.abc import Iterable

from core.names import is_among
from games.engine.errors import Refused
from games.forgeborn.rules.state.constants import MOST_NAME


def is_taken(name: str, others: Iterable[str]) -> bool:
    """Whether a name is the same as one of others."""
    return is_among(name, others)


def require_free_name(name: str, others: Iterable[str], kind: str) -> None:
    """Refuse (`name.taken`) a name that another of its kind has. kind: in words, `Smith`."""
    if is_taken(name, others):
        raise Refused(
            "name.taken",
            f"There is a {kind} of the name {name} already; choose another name.",
            rules=("FB-ROW-5", "FB-AMB-51"),
            name=name,
        )


def free_name(name: str, others: Iterable[str]) -> str:
    """A name, followed by the first free number from 2 where it is taken (FB-SET-7)."""
    taken, number, found = list(others), 1, name
    while is_taken(found, taken):
        number += 1
        found = f"{name[: MOST_NAME - len(str(number)) - 1].rstrip()} {number}"
    return found
