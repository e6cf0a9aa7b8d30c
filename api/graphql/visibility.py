"""Whose eyes look, said once: a root field sets a visibility, and everything below it is seen with that one.

The fields of one operation may look with different eyes (`a: game(id:, seat:)`, `b: game(id:, seat:)`), so a visibility
belongs to the key of its root field in the answer, which every path below begins with.
"""

from typing import Any

from api.common.permissions import require_reading
from api.graphql.context import context_of
from api.representations.resources.visibility import visibility_of
from worlds.visibility import Visibility


def root_key(info: Any) -> str | int:
    """The key of the root field that a field stands below."""
    path = info.path
    while path.prev is not None:
        path = path.prev
    key: str | int = path.key
    return key


def look_with(info: Any, visibility: Visibility) -> None:
    """Let everything below this root field be seen with a visibility."""
    context_of(info).looks[root_key(info)] = visibility


def visibility_at(info: Any) -> Visibility:
    """The visibility that holds at a field: what its root field has set, else that of the user's lone seats.

    Raises Fault unless the token may look.
    """
    context = context_of(info)
    key = root_key(info)
    if key not in context.looks:
        require_reading(context.principal)
        context.looks[key] = visibility_of(context.user)
    return context.looks[key]


def visibility_of_worlds_at(info: Any) -> Visibility:
    """The visibility of rows of worlds at a field: those look at the user alone, so no seat is asked for."""
    context = context_of(info)
    known = context.looks.get(root_key(info))
    if known is not None:
        return known
    require_reading(context.principal)
    return Visibility(user=context.user)
