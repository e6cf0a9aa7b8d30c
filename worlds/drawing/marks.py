"""Marks: what of a picture can be chosen, said by attributes of what is drawn (pure; docs/pictures.md).

`data-kind` says of what kind it is, `data-id` by which id, or ids with blanks between them, a command names it. The
even grid of a map has `data-columns` and `data-rows` in place of an id; its squares count from 0, from the upper left.
"""

from uuid import UUID

from worlds.drawing.labels import plain, xml

KIND = 40
"""Characters of a kind, at most."""


def mark(kind: str, *ids: UUID | str | int | None) -> str:
    """The attributes of something that can be chosen, with a blank in front; of nothing by its id where it has none."""
    known = " ".join(str(each) for each in ids if each not in (None, ""))
    named = f' data-id="{xml(known)}"' if known else ""
    return f' data-kind="{xml(plain(kind, KIND))}"{named}'


def grid(columns: int, rows: int) -> str:
    """The attributes of the rectangle over which the squares of a map lie, with a blank in front."""
    return f' data-kind="square" data-columns="{columns}" data-rows="{rows}"'
