"""What a ruleset gives to look at: its chapters, the figures of its charts, its trees.

Plain values, nothing is drawn.

A ruleset names functions of the state as somebody may see it; so no secret reaches a picture that its viewer may not
know. Nothing here names a game.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Generic
from uuid import UUID

from games.engine.game_state import S, S_contra
from games.engine.kernel import Event


@dataclass(frozen=True, slots=True)
class Chapters(Generic[S_contra]):
    """The chapters of a game: centuries, Ages, turns; counted from 1. What comes before the first is 0."""

    word: str
    """One of them: `Century`."""
    opened_by: tuple[type[Event], ...]
    """The public events that open one."""
    number: Callable[[Any], int]
    """Which one such an event opens; the next is always one more."""
    ended: Callable[[S_contra], bool]
    """Whether the one that a state is in has nothing more to come."""
    titles: Mapping[int, str] = field(default_factory=dict)
    """What single ones are called instead: `Age of Land`."""

    def title(self, number: int) -> str:
        """What stands over a chapter: `Century 3`, `Before the first century`."""
        plain = f"{self.word} {number}" if number else f"Before the first {self.word.lower()}"
        return self.titles.get(number, plain)


class About(StrEnum):
    """Whether a chart is drawn for one subject: a race, a character."""

    NOBODY = "nobody"
    ANYBODY = "anybody"
    SUBJECT = "subject"


@dataclass(frozen=True, slots=True)
class Figure:
    """One number of a chart at one moment. key: whose it is, the same at all moments."""

    key: str
    name: str
    amount: int
    gone: bool = False
    """Whether it is no more, as an extinct race: the legend leaves it out."""


def no_label(event: Any) -> str:
    """The label of an event that is named by its number in order."""
    return ""


@dataclass(frozen=True, slots=True)
class Chart(Generic[S_contra]):
    """A chart: figures that are taken at the end of each chapter, or right after each of some events.

    Raises ValueError where events are named and not what one of them is called, or the other way round.
    """

    title: str
    unit: str
    about: About
    figures: Callable[[S_contra, UUID | None], Iterable[Figure]]
    """Of a state as its viewer may see it; of one subject where one is named."""
    over: int = 1
    """A value is amount / over."""
    shared: bool = False
    """Whether the figures are parts of one whole."""
    taken_at: tuple[type[Event], ...] = ()
    """The events after which they are taken, as far as a viewer may read them; none: at the ends of chapters."""
    word: str = ""
    """What one of these events is called: `Placement`."""
    label: Callable[[Any], str] = no_label
    """What stands under such an event, some six characters; "" for its number in order."""

    def __post_init__(self) -> None:
        if bool(self.taken_at) is not bool(self.word):
            raise ValueError(f"the chart {self.title} names its events and what one of them is called, or neither")


@dataclass(frozen=True, slots=True)
class Moment:
    """The end of a chapter, or now, in the chapter that is still running; or right after an event of a chapter."""

    chapter: int
    ended: bool
    event: str = ""
    """The position of the event, `public/255`; "" for the end of a chapter."""
    label: str = ""
    """What the event is called among the others; "" for the end of a chapter."""


@dataclass(frozen=True, slots=True)
class Row:
    """What a chart shows of one key: an amount for each moment, None where there was none."""

    key: str
    name: str
    amounts: tuple[int | None, ...]
    gone: bool = False
    colour: str = ""
    """The same on the map and in all charts, "#rrggbb"; "" where the chart finds one itself."""


@dataclass(frozen=True, slots=True)
class Series:
    """A chart with its values: moments in order, rows by the last amount, most first, then by name.

    A chart at events has no moment before the first of them. Rows of what is no more come last.
    """

    chart: Chart
    word: str
    """What a moment is the end of, or the event after which it is: `Century`, `Placement`."""
    moments: tuple[Moment, ...]
    rows: tuple[Row, ...]
    of_subject: str = ""
    """The name of the subject it is about; "" for none."""


@dataclass(frozen=True, slots=True)
class Node:
    """A node of a tree. level: from 1, above that of all it needs."""

    key: str
    name: str
    level: int
    code: str
    needs: tuple[str, ...]
    """Keys of what must be there before."""
    asks: tuple[str, ...]
    """What else must hold, in words."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a subject has come in a tree. All keys sorted; a node is in exactly one of the three."""

    subject: UUID
    name: str
    known: tuple[str, ...]
    next: tuple[str, ...]
    locked: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Tree:
    """A tree with all its nodes by level and name, and how far its subjects have come."""

    title: str
    known: str
    """The word for a node that a subject has."""
    nodes: tuple[Node, ...]
    progress: tuple[Progress, ...]

    @property
    def edges(self) -> list[tuple[str, str]]:
        """(what is needed, what needs it), in order of the nodes."""
        return [(need, node.key) for node in self.nodes for need in node.needs]


TreeOf = Callable[[S, UUID | None], Tree]
