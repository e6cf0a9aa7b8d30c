"""The shapes of charts, trees and cards."""

from typing import Literal
from uuid import UUID

from api.representations.shapes.games import ChapterShape
from api.representations.shapes.shape import Shape


class ChartInList(Shape):
    """A chart that can be asked for."""

    name: str
    """Its part of the address."""
    title: str
    unit: str
    about: Literal["nobody", "anybody", "subject"]
    """Whether `subject` must be left out, may be given, or must be given."""


class TreeInList(Shape):
    """A tree that can be asked for."""

    name: str
    """Its part of the address."""


class CardInList(Shape):
    """A card that can be asked for."""

    id: UUID
    """Its part of the address."""
    name: str


class DeckShape(Shape):
    """The cards of one kind that this viewer may see."""

    kind: str
    """Its part of the address."""
    title: str
    cards: list[CardInList]


class Pictures(Shape):
    """The charts, trees and cards of a game, and its chapter."""

    chapter: ChapterShape | None
    """The chapter it is in; null where the ruleset has none."""
    charts: list[ChartInList]
    trees: list[TreeInList]
    cards: list[DeckShape]


class MomentShape(Shape):
    """The end of a chapter, or now; in a chart at events right after one of them."""

    chapter: int
    """0: right before the first."""
    ended: bool
    """Whether it is over; the last moment is now while it is not."""
    event: str | None = None
    """The number of the event, as the chronicle has it; left out of the end of a chapter."""
    label: str = ""
    """What the event is called among the others, at most some six characters; left out of the end of a chapter."""


class ChartRow(Shape):
    """The values of one row, such as a race, a god or a member."""

    key: str
    name: str
    amounts: list[int | None]
    """One for each moment; null where there was none. The value is amount / over."""


class ChartShape(Shape):
    """A chart, as this viewer may know it."""

    name: str
    title: str
    unit: str
    subject: UUID | None
    """Whom it is about; null: nobody alone."""
    over: int
    """A value is amount / over, exactly."""
    moments: list[MomentShape]
    rows: list[ChartRow]
    """By the last amount, most first."""


class TreeNode(Shape):
    """A node of a tree."""

    key: str
    name: str
    level: int
    """From 1: the length of the longest chain that leads to it."""
    code: str
    prerequisites: list[str]
    """Keys of what must be there before."""
    asks: list[str]
    """What else must hold, in words."""


class TreeEdge(Shape):
    """An edge of a tree."""

    source: str
    """What is needed."""
    target: str
    """What needs it."""


class TreeProgress(Shape):
    """How far a subject, such as a race, has come: each key of the tree stands in one of the three lists."""

    subject: UUID
    name: str
    known: list[str]
    next: list[str]
    """What it can have next."""
    locked: list[str]


class TreeShape(Shape):
    """A tree, as this viewer may know it."""

    name: str
    title: str
    nodes: list[TreeNode]
    edges: list[TreeEdge]
    progress: list[TreeProgress]
