"""The chronicle of a game: its events as the ruleset tells them, sentence by sentence, with figures, events and rules.

A sentence tells of several events of a chapter; it stands where the last of them does. So a page of the chronicle is a
page of events, as that of `events/`, with the sentences that these events complete, and a sentence that has grown is
told again to who reads on. The events are those that the viewer may read; the state that gives names is the viewer's.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from api.common.markdown import escape_markdown, one_line
from api.common.viewer import Viewer
from api.representations.log_span import Span, events_in
from games import registry
from games.models import LoggedEvent
from games.reads import history
from games.reads.muting import muted_messages
from games.reads.story import StoryLine, chapters_around, of_kinds, story_events, story_lines
from games.storage.state_cache import STATE_CACHE

INDENT = " " * 21
"""As wide as a time and the blanks behind it."""


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
        if any(event.muted for event in page.results):
            around = around.exclude(muted_messages(game.pk, viewer.user))
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
