"""Marks of a picture and the values of fields: which of them name the same thing (no database; docs/pictures.md)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from games.engine.lifecycle.row_wording import is_id

SQUARE = "square"
MAX_KIND, MAX_ID = 40, 40
"""Characters of what is said of a mark."""
XY = frozenset({"x", "y"})


@dataclass(frozen=True, slots=True)
class Mark:
    """Something that can be chosen on a picture, by its kind and its id; a square by `x,y`. Raises ValueError."""

    kind: str
    id: str

    def __post_init__(self) -> None:
        if not self.kind or not self.id or len(self.kind) > MAX_KIND or len(self.id) > MAX_ID:
            raise ValueError("a mark has a kind and an id")

    @classmethod
    def of(cls, text: str) -> "Mark":
        """That of `kind:id`. Raises ValueError."""
        kind, _, of_kind = text.partition(":")
        return cls(kind, of_kind)

    def is_named_in(self, value: Any, field: str) -> bool:
        """Whether a JSON value of a field of this name is about it."""
        if self.kind == field and str(value) == self.id:
            return True
        return (
            self in marks_within(value) if self.kind == SQUARE else self.id in (each.id for each in marks_within(value))
        )


def marks_within(value: Any) -> Iterator[Mark]:
    """What a JSON value names that could stand on a picture, however deep: squares, and ids, whose kind it does not
    say."""
    if isinstance(value, str) and is_id(value):
        yield Mark("thing", value)
    elif isinstance(value, Mapping):
        if all(type(value.get(axis)) is int for axis in XY):
            yield Mark(SQUARE, f"{value['x']},{value['y']}")
        for each in value.values():
            yield from marks_within(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from marks_within(each)
