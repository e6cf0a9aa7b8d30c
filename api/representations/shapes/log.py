"""The shapes of the log: events, dice, the chronicle, and what a rewind would undo."""

from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from api.representations.shapes.shape import EventJson, Shape


class RollShape(Shape):
    """A die of an event."""

    label: str
    """What it is bound to: `<rewinds>/<use>`."""
    index: int
    sides: int
    value: int
    source: Literal["server", "entered", "test"]
    rule: str


class AnyEvent(Shape):
    """An event of any type; each is one of `GameEvent`, which only `events/` spells out."""

    cursor: str
    """Right after this event: the next `after`, the id in the stream."""
    type: str
    """`<ruleset>.<Class>`: which event of `GameEvent` it is."""
    at: datetime
    """The game's time."""
    rules: list[str]
    """Ids of the rules it follows."""
    rolls: list[RollShape]
    """Its dice."""
    text: str
    """One sentence with its figures; empty to stay silent."""
    by: str
    """`deadline`, `clock` or `bot`; empty when somebody acted."""
    on_behalf_of: UUID | None
    """The absent seat that a game-master acted for."""
    undone: bool
    """Whether a rewind undid it."""
    muted: bool
    """Whether it is a message of a seat that you mute; its `text` and that of its `data` are empty then."""
    data: dict[str, Any]
    """Its own fields."""


class EventPage(Shape):
    """Events in their order."""

    results: list[EventJson]
    start: str
    """Before the first of them: the next `before`."""
    cursor: str
    """Behind the last of them: the next `after`."""
    more: bool
    """Whether more are there already: later ones, or earlier ones where `before` or `last` was asked."""


class MutedSeats(Shape):
    """The seats of a game that the viewer mutes."""

    results: list[UUID]
    """Their ids."""


class RewindPreviewEventShape(Shape):
    """An event behind a moment, which a rewind to that moment would undo."""

    number: int
    """Which event it is of those that game-masters may read; `rewind` goes back to the end of its command."""
    type: str
    at: datetime
    text: str
    by: str
    stays: bool
    """Whether it stays in force all the same: who sits where."""


class RewindPreviewShape(Shape):
    """What a rewind would undo, the latest first."""

    cursor: str
    """The position for which this holds: the `expected` of the rewind."""
    to: int
    """The event whose command would stand last; 0: the latest events of all."""
    moment: datetime | None
    """When that was."""
    count: int
    results: list[RewindPreviewEventShape]
    more: bool


class DieShape(Shape):
    """One die that was rolled."""

    cursor: str
    """Of the event that used it."""
    event: str
    """The type of that event."""
    at: datetime
    label: str
    """What it is bound to: `<rewinds>/<use>`."""
    index: int
    sides: int
    value: int
    source: Literal["server", "entered", "test"]
    rule: str
    undone: bool
    """Whether a rewind undid it."""


class DicePage(Shape):
    """The dice that the viewer may see, and what is needed to check them."""

    game: UUID
    """Part of each die's message: HMAC-SHA256(secret, "game:label:index:try")."""
    commitment: str
    secret: str | None
    """In hexadecimal; null until it is shown at the end of the game."""
    results: list[DieShape]
    cursor: str
    more: bool


class ChronicleLine(Shape):
    """One sentence of the chronicle. It tells of one event, or of several of a chapter; the last completes it."""

    cursor: str
    """Right after the last of its events."""
    type: str
    """The type of the last of its events."""
    at: datetime
    """When the last of them happened."""
    text: str
    """The sentence, without figures."""
    figures: str
    """The numbers beside it, such as units, shares, squares; empty for none."""
    rules: list[str]
    """Ids of the rules that its events follow."""
    undone: bool
    """Whether a rewind undid it."""
    event: str
    """The number of the last of its events in its stream, as `public/12`."""
    events: list[str]
    """The numbers of all events that it tells of, in order."""
    chapter: int | None
    """The chapter in which it happened, 0 before the first; null where the ruleset has none."""


class ChroniclePage(Shape):
    """What happened, as it is told: the sentences that a page of events completes, each once a chapter."""

    results: list[ChronicleLine]
    start: str
    """Before the first of them: the next `before`."""
    cursor: str
    """Behind the last of them: the next `after`."""
    more: bool
    """Whether more are there already: later ones, or earlier ones where `before` or `last` was asked."""
