"""What a chronicle retells of public events, chapter by chapter: centuries, Ages, sessions, rounds. Reads alone."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from games.engine.audience import PUBLIC
from games.engine.kernel import Event, EventRecord


@dataclass(frozen=True, slots=True)
class ChronicleLine:
    """One sentence of a chronicle."""

    position: int
    """Which of the public events it is, from 0."""
    chapter: int
    """The chapter it happened in; 0 for before the first."""
    event: Event
    text: str
    at: datetime


def chronicle_lines(
    happened: Sequence[EventRecord],
    story: tuple[type[Event], ...],
    chapter_of: Callable[[Event], int | None],
    last: int,
) -> Iterator[ChronicleLine]:
    """The sentences of those public events that are of these kinds, in order.

    chapter_of: the number of the chapter that an event begins, None for any other event. last: the chapter after the
    last of the events.
    """
    public = [record for record in happened if record.audience == PUBLIC]
    chapter = last - sum(chapter_of(record.event) is not None for record in public)
    for position, record in enumerate(public):
        number = chapter_of(record.event)
        chapter = chapter if number is None else number
        if isinstance(record.event, story) and record.text:
            yield ChronicleLine(position, chapter, record.event, record.text, record.at)
