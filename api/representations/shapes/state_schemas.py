"""The state of a game as typed models, one for each ruleset, made from the declarations of its tables.

A record's fields (without what is hidden) say what a row holds, a codec or `Store.more` says what does not follow from
them. REST documents these models, GraphQL makes its types from them, tests validate every state against them.
"""

from collections.abc import Collection, Mapping
from enum import Enum
from functools import cache, reduce
from operator import or_
from types import MappingProxyType, NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel, Field, create_model

from api.common.exceptions import Fault
from api.representations.shapes.games import GameStateHead, PromptShape, SeatShape, TimerShape
from api.representations.shapes.shape import Shape
from games import registry
from games.engine.board.board import Square
from games.engine.game_state import GameState
from games.engine.model import record_descriptions
from games.storage.board_store import SquareShape
from games.storage.tables import Mapped

LIVE = frozenset({"timers", "prompts"})
"""Tables of the state that are answered with their seconds left, so never from the cache."""
SHOWN_OTHERWISE: Mapping[str, type[BaseModel]] = MappingProxyType(
    {"seats": SeatShape, "timers": TimerShape, "prompts": PromptShape}
)
"""Tables whose rows are shown as they are elsewhere in the API, too."""


@cache
def state_schema(slug: str) -> type[BaseModel]:
    """The whole state of a game of a ruleset (`Gods2State`). Raises `ruleset.missing`."""
    rules = registry.ruleset(slug)
    doc = f"The whole game of {rules.title} as this viewer may see it. What is over stands in the lists of rows."
    return _state_model(slug, f"{slug.title()}State", doc, optional=False)


@cache
def state_parts_schema(slug: str) -> type[BaseModel]:
    """Some parts of the state (`Gods2StateParts`): each is there if it was asked for. Raises `ruleset.missing`."""
    rules = registry.ruleset(slug)
    doc = f"Parts of a game of {rules.title}: those that `parts` names."
    return _state_model(slug, f"{slug.title()}StateParts", doc, optional=True)


@cache
def part_types(slug: str) -> dict[str, Any]:
    """The parts of a ruleset's state by name, with their types: its tables, and what else it shows."""
    store = registry.store(slug)
    rows: dict[str, Any] = {m.table: list[row_schema(slug, m.table)] for m in store.shown_tables}  # type: ignore[misc]
    return rows | dict(store.more)


@cache
def row_schema(slug: str, table: str) -> type[BaseModel]:
    """A row of a table of a ruleset's state (`Gods2WarRecord`, and of every game's tables `CoreAnswerRecord`)."""
    if table in SHOWN_OTHERWISE:
        return SHOWN_OTHERWISE[table]
    mapped: Mapped = next(m for m in registry.store(slug).shown_tables if m.table == table)
    owner = registry.CORE if table in GameState.tables else slug
    descriptions = record_descriptions(mapped.record)
    fields: dict[str, Any] = {
        name: (_as_seen(hint), Field(description=descriptions.get(name))) for name, hint in mapped.shown_types().items()
    }
    name = f"{owner.title()}{mapped.record.__name__}Record"
    return create_model(name, __base__=Shape, __module__=__name__, __doc__=mapped.record.__doc__, **fields)


def part_names(slug: str, asked: str) -> frozenset[str]:
    """The parts that a text names, separated by commas. Raises Fault (query.invalid) that names those there are."""
    wanted, known = frozenset(asked.split(",")), part_types(slug).keys()
    if unknown := sorted(wanted - known):
        there = ", ".join(known)
        raise Fault(
            "query.invalid", f"There is no part {unknown[0]!r} of this state; there are: {there}.", parameter="parts"
        )
    return wanted


def sections_of(slug: str, parts: Collection[str] | None) -> list[str]:
    """Those of the parts, or of all where none are named, that may be kept: all but what counts its seconds."""
    return [name for name in part_types(slug) if name not in LIVE and (parts is None or name in parts)]


def own_names(slug: str) -> frozenset[str]:
    """The names of the types in a ruleset's state that are its own and no other's: its components bear its name."""
    found: set[type] = set()
    for hint in part_types(slug).values():
        _collect(hint, found)
    return frozenset(kind.__name__ for kind in found if kind.__module__.startswith(registry.folders()[slug]))


def _collect(hint: Any, found: set[type]) -> None:
    """Add the enums and models of a type."""
    for part in get_args(hint):
        _collect(part, found)
    if isinstance(hint, type) and hint not in found:
        if issubclass(hint, Enum):
            found.add(hint)
        elif issubclass(hint, BaseModel):
            found.add(hint)
            for field in hint.model_fields.values():
                _collect(field.annotation, found)


def _state_model(slug: str, name: str, doc: str, *, optional: bool) -> type[BaseModel]:
    """A model of a ruleset's state. optional: whether its parts may be left out."""
    fields: dict[str, Any] = {"ruleset": (Literal[slug], Field(description="The ruleset's slug."))}
    for part, hint in part_types(slug).items():
        fields[part] = (hint, Field(default=None)) if optional else (hint, ...)
    return create_model(name, __base__=GameStateHead, __module__=__name__, __doc__=doc, **fields)


def _as_seen(hint: Any) -> Any:
    """The type of a record's field as an API sends it: squares as `{x, y}`, tuples of any length as lists."""
    if hint is Square:
        return SquareShape
    parts = get_args(hint)
    if not parts:
        return hint
    origin: Any = get_origin(hint)
    if origin is tuple and parts[-1] is Ellipsis:
        return list[_as_seen(parts[0])]  # type: ignore[misc]
    shown = tuple(NoneType if part is NoneType else _as_seen(part) for part in parts)
    return reduce(or_, shown) if origin in (Union, UnionType) else origin[shown]
