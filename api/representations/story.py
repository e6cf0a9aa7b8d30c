"""The chronicle of a game: its events as the ruleset tells them, sentence by sentence, with figures, events and rules.

A sentence tells of several events of a chapter; it stands where the last of them does. So a page of the chronicle is a
page of events, as that of `events/`, with the sentences that these events complete, and a sentence that has grown is
told again to who reads on. The events are those that the viewer may read; the state that gives names is the viewer's.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

import orjson
from django.db.models import Q

from api.common.markdown import escape_markdown, one_line
from api.common.viewer import Viewer
from api.representations.log_span import Span, events_in
from games import registry
from games.engine.audience import PUBLIC
from games.engine.insight.chronicle import tell
from games.engine.kernel import Event, EventRecord
from games.models import Game, LoggedEvent
from games.reads import history
from games.storage import cursors, log
from games.storage.state_cache import STATE_CACHE

MAX_EVENTS = 20_000
"""Events that are told of at once: the last ones."""
INDENT = " " * 21
"""As wide as a time and the blanks behind it."""


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


@dataclass(frozen=True, slots=True)
class StoryPage:
    """What a page of events completes, and the positions before the first and after the last of them."""

    lines: Sequence[StoryLine]
    start: str
    cursor: str
    more: bool


def story_page(viewer: Viewer, span: Span) -> StoryPage:
    """The sentences that the events of a span complete. Raises what `events_in` raises."""
    game = viewer.game
    page = events_in(viewer, span, of_kinds(registry.ruleset(game.ruleset).pages.story.sentence_kinds))
    found = {event.seq: event for event in page.results}
    lines: list[StoryLine] = []
    if found:
        opened = history.openings(game)
        around = LoggedEvent.objects.visible_to(viewer.visibility).filter(
            story_events(game), chapters_around(game, opened, min(found), max(found)), game=game
        )
        with STATE_CACHE.reading(game) as state:
            seen = history.state_for(state, game, viewer.visibility)
        told = story_lines(game, seen, around.order_by("seq"), opened)
        wanted = (lambda event: str(span.about) in event.body) if span.about is not None else (lambda event: True)
        lines = list(_on_page(told, wanted, {seq: event.cursor for seq, event in found.items()}))
    return StoryPage(lines, page.start, page.cursor, page.more)


def _on_page(
    told: Iterable[StoryLine], wanted: Callable[[LoggedEvent], bool], cursor_of: dict[int, str]
) -> Iterator[StoryLine]:
    """The sentences whose last event that is wanted is on a page."""
    for line in told:
        last = next((event for event in reversed(line.events) if wanted(event)), None)
        if last is not None and last.seq in cursor_of:
            yield replace(line, cursor=cursor_of[last.seq])


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


def story_json(page: StoryPage) -> dict[str, Any]:
    """A page of the chronicle."""
    return {"results": list(map(line_json, page.lines)), "start": page.start, "cursor": page.cursor, "more": page.more}


def line_json(line: StoryLine) -> dict[str, Any]:
    """One sentence with its figures, its events and their rules."""
    return {
        "cursor": line.cursor,
        "type": line.type,
        "at": line.last.at,
        "text": line.text,
        "figures": line.figures,
        "rules": line.rules,
        "undone": line.undone,
        "event": line.numbers[-1],
        "events": line.numbers,
        "chapter": line.chapter,
    }


def story_text(page: StoryPage) -> str:
    """The chronicle as plain text: time, event, rules, sentence; its figures in a second line, if there are any.

    `2026-03-01 12:00:00  public/12 [G2-WAR-1]  Norsemen march on Riverlanders and are beaten back.`
    What a rewind undid says so.
    """
    parts: list[str] = []
    for line in page.lines:
        undone = "(undone) " if line.undone else ""
        parts.append(f"{line.last.at:%Y-%m-%d %H:%M:%S}  {_source(line)}  {undone}{one_line(line.text)}\n")
        parts.append(f"{INDENT}{one_line(line.figures)}\n" if line.figures else "")
    return "".join(parts)


def story_markdown(title: str, page: StoryPage) -> str:
    """The chronicle as Markdown: a heading a chapter, or a day where there are none, and a paragraph a sentence.

    Figures, time and source stand in its second line; what a rewind undid is struck.
    """
    parts = [f"# {escape_markdown(title)}\n"]
    for heading, lines in groupby(page.lines, key=lambda line: line.heading):
        parts.append(f"\n## {heading}\n")
        for line in lines:
            text = escape_markdown(one_line(line.text))
            figures = f"{escape_markdown(one_line(line.figures))} · " if line.figures else ""
            told = f"~~{text}~~" if line.undone else text
            parts.append(f"\n{told}  \n*{figures}{line.last.at:%H:%M:%S}* `{_source(line)}`\n")
    return "".join(parts)


def _source(line: StoryLine) -> str:
    """Where a sentence comes from: the event that completes it, and the rules."""
    return f"{line.numbers[-1]} [{', '.join(line.rules)}]" if line.rules else line.numbers[-1]
