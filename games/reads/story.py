"""The sentences in which a ruleset tells what has happened, chapter by chapter: for the chronicle and what quotes it.

A sentence tells of several events of a chapter; it stands where the last of them does.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import orjson
from django.db.models import Q

from games import registry
from games.engine.audience import PUBLIC
from games.engine.insight.chronicle import tell
from games.engine.kernel import Event, EventRecord
from games.models import Game, LoggedEvent
from games.reads import history
from games.storage import cursors, log

MAX_EVENTS = 20_000
"""Events that are told of at once: the last ones."""


@dataclass(frozen=True, slots=True)
class StoryLine:
    """A sentence of a chronicle. chapter: None where the game is not divided into chapters."""

    text: str
    figures: str
    events: tuple[LoggedEvent, ...]
    """Those that it tells of, in order."""
    type: str
    """The type of the last of them."""
    chapter: int | None
    heading: str
    """What stands over it: its chapter, or its day."""
    cursor: str = ""
    """Right after the last of its events on the page that it was read from."""

    @property
    def last(self) -> LoggedEvent:
        """The event that completes it."""
        return self.events[-1]

    @property
    def undone(self) -> bool:
        """Whether a rewind undid it."""
        return self.last.fallen is not None

    @property
    def numbers(self) -> list[str]:
        """The numbers of its events in their streams."""
        return [cursors.number_of(event.audience, event.ordinal) for event in self.events]

    @property
    def rules(self) -> list[str]:
        """Ids of the rules that its events follow."""
        return list(dict.fromkeys(rule for event in self.events for rule in orjson.loads(event.rules)))


def story_events(game: Game) -> Q:
    """The events that the chronicle of a game is told from, with those that say why."""
    return of_kinds(registry.ruleset(game.ruleset).pages.story.kinds)


def of_kinds(kinds: Sequence[type[Event]]) -> Q:
    """The events of some kinds; all that have a sentence where a ruleset names none."""
    return Q(type__in=[kind.__name__ for kind in kinds]) if kinds else ~Q(text="")


def chapters_around(game: Game, opened: Sequence[history.Opening], first: int, last: int) -> Q:
    """The events of the chapters in which two events happened, and of those between; where nothing is merged, or there
    are no chapters, from the one to the other. first, last: their places in the log."""
    if not registry.ruleset(game.ruleset).pages.story.kinds or not opened:
        return Q(seq__gte=first, seq__lte=last)
    since = max((opening.seq for opening in opened if opening.seq <= first), default=0)
    until = min((opening.seq for opening in opened if opening.seq > last), default=None)
    return Q(seq__gte=since) if until is None else Q(seq__gte=since, seq__lt=until)


def public_story(game: Game, state: Any, *, chapter: int | None = None, until: int | None = None) -> list[StoryLine]:
    """What the chronicle tells to strangers, of one chapter or of all; nothing that a rewind undid. Two queries.

    state: as strangers see it. until: the place in the log of the last event that counts, None for all.
    """
    opened = history.openings(game, until)
    events = LoggedEvent.objects.filter(story_events(game), game=game, audience=PUBLIC, fallen__isnull=True)
    if until is not None:
        events = events.filter(seq__lte=until)
    if chapter is not None:
        since = next((opening.seq for opening in opened if opening.number == chapter), 0)
        behind = next((opening.seq for opening in opened if opening.number == chapter + 1), None)
        events = events.filter(seq__gte=since) if behind is None else events.filter(seq__gte=since, seq__lt=behind)
    return story_lines(game, state, list(events.order_by("-seq")[:MAX_EVENTS])[::-1], opened)


def story_lines(
    game: Game, state: Any, events: Iterable[LoggedEvent], opened: Sequence[history.Opening]
) -> list[StoryLine]:
    """The sentences of events in order, chapter by chapter; what a rewind undid is told apart.

    state: as the viewer sees it. opened: the chapters of the game.
    """
    chapters = registry.ruleset(game.ruleset).chapters

    def chapter_of(event: LoggedEvent) -> int | None:
        begun = [opening.number for opening in opened if opening.seq <= event.seq]
        return (begun[-1] if begun else 0) if chapters is not None else None

    lines: list[StoryLine] = []
    for chapter, group in groupby(events, key=chapter_of):
        within, told = list(group), list[StoryLine]()
        for undone in (False, True):
            some = [event for event in within if (event.fallen is not None) is undone]
            records = [
                EventRecord(log.event_of(game.ruleset, event), PUBLIC, event.at, text=event.text) for event in some
            ]
            for line in tell(registry.ruleset(game.ruleset).pages.story, state, records):
                its = tuple(some[place] for place in line.events)
                day = f"{its[-1].at:%Y-%m-%d}"
                heading = chapters.title(chapter) if chapters is not None and chapter is not None else day
                kind = registry.event_type(game.ruleset, its[-1].type)
                told.append(StoryLine(line.text, line.figures, its, kind, chapter, heading))
        lines += sorted(told, key=lambda line: line.last.seq)
    return lines
