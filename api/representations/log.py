"""The log as a viewer reads it: pages of events, outcomes of commands, dice and the chronicle, as plain JSON values.

Positions are cursors over the streams that the viewer may read: no number of the whole game is ever shown.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from django.db.models import Q

from api.common.markdown import escape_markdown, one_line
from api.common.viewer import Viewer
from api.representations.log_span import Span, events_in
from games import registry
from games.engine.kernel import EventRecord
from games.models import LoggedEvent
from games.reads import history, selectors
from games.reads.selectors import EventPage, EventView
from games.services import Outcome
from games.storage import cursors

WITH_DICE = ~Q(rolls="[]")
WITH_TEXT = ~Q(text="")


@dataclass(frozen=True, slots=True)
class Times:
    """In which chapter an event happened; in none where a game is not divided into chapters."""

    word: str
    opened: tuple[history.Opening, ...]

    @classmethod
    def of(cls, viewer: Viewer) -> "Times":
        """Those of a game: one query, or none."""
        chapters = registry.ruleset(viewer.game.ruleset).chapters
        return cls(chapters.word if chapters else "", tuple(history.openings(viewer.game)))

    def chapter_of(self, event: EventView) -> int | None:
        """Its chapter; 0 before the first."""
        begun = [opening.number for opening in self.opened if opening.seq <= event.seq]
        return (begun[-1] if begun else 0) if self.word else None

    def heading_of(self, event: EventView) -> str:
        """What stands over it: its chapter, or its day."""
        chapter = self.chapter_of(event)
        if chapter is None:
            return event.at.strftime("%Y-%m-%d")
        return f"{self.word} {chapter}" if chapter else f"Before the first {self.word.lower()}"


def page_json(page: EventPage) -> dict[str, Any]:
    """A page of events."""
    results = [event.as_json() for event in page.results]
    return {"results": results, "start": page.start, "cursor": page.cursor, "more": page.more}


def outcome_json(outcome: Outcome, viewer: Viewer) -> dict[str, Any]:
    """What a command did, as far as this viewer may see it."""
    if outcome.replayed:
        page = selectors.events_between(viewer.game, viewer.visibility, outcome.first_seq, outcome.last_seq)
    else:
        page = selectors.events_of_rows(viewer.game, viewer.visibility, outcome.written, outcome.before)
    events = [event.as_json() for event in page.results]
    return {"cursor": page.cursor, "at": outcome.at, "replayed": outcome.replayed, "events": events}


def dry_run_json(outcome: Outcome, viewer: Viewer) -> dict[str, Any]:
    """What a dry run would do, as far as this viewer may see it; nothing of it was stored."""
    may_read = selectors.can_read(viewer.game.pk, viewer.visibility)
    seen = [h for h in outcome.dry_run_events if may_read(h.audience)]
    cursor = cursors.encode({audience: head for audience, head in outcome.before.items() if may_read(audience)})
    return {
        "dry_run": True,
        "cursor": cursor,
        "at": outcome.at,
        "events": [_dry_run_event(viewer.game.ruleset, h, cursor) for h in seen],
    }


def _dry_run_event(slug: str, h: EventRecord, cursor: str) -> dict[str, Any]:
    view = EventView(
        cursor=cursor,
        type=registry.event_type(slug, type(h.event).__name__),
        at=h.at,
        rules=list(h.rules),
        rolls=[asdict(roll) for roll in h.rolls],
        text=h.text,
        by=h.by,
        on_behalf_of=str(h.on_behalf_of) if h.on_behalf_of else None,
        undone=False,
        data=h.event.model_dump(mode="json"),
    )
    return view.as_json()


def dice_json(viewer: Viewer, *, after: str, limit: int) -> dict[str, Any]:
    """The dice of the next `limit` events that used some, with what is needed to check them: three queries."""
    page = events_in(viewer, Span(after=after, limit=limit), WITH_DICE)
    shown = LoggedEvent.objects.visible_to(viewer.visibility).filter(game=viewer.game, type="SecretShown").first()
    return {
        "game": viewer.game.pk,
        "commitment": viewer.game.commitment,
        "secret": selectors.render(viewer.game.ruleset, shown, {}).data["secret"] if shown is not None else None,
        "results": [die for event in page.results for die in _dice(event)],
        "cursor": page.cursor,
        "more": page.more,
    }


def _dice(event: EventView) -> Iterator[dict[str, Any]]:
    common = {"cursor": event.cursor, "event": event.type, "at": event.at, "undone": event.undone}
    return ({**common, **roll} for roll in event.rolls)


def chronicle(viewer: Viewer, span: Span) -> EventPage:
    """The events of a span that have a sentence. Raises what `events_in` raises."""
    return events_in(viewer, span, WITH_TEXT)


def chronicle_json(page: EventPage, times: Times) -> dict[str, Any]:
    """The sentences of a page of events."""
    names = ("cursor", "type", "at", "text", "rules", "undone")
    lines = [
        {name: getattr(event, name) for name in names} | {"event": event.number, "chapter": times.chapter_of(event)}
        for event in page.results
    ]
    return {"results": lines, "start": page.start, "cursor": page.cursor, "more": page.more}


def chronicle_text(lines: Sequence[EventView]) -> str:
    """The sentences as plain text, one a line: time, the event's number, rules, sentence; what a rewind undid says so.

    `2026-03-01 12:00:00  public/12 [G2-WAR-1]  War is declared.`
    """
    return "".join(
        f"{_moment(event)}  {_source(event)}  {'(undone) ' if event.undone else ''}{one_line(event.text)}\n"
        for event in lines
    )


def chronicle_markdown(title: str, lines: Sequence[EventView], times: Times) -> str:
    """The sentences as Markdown, a heading a chapter, or a day where there are none; what a rewind undid is struck."""
    parts, heading = [f"# {escape_markdown(title)}\n"], ""
    for event in lines:
        if (here := times.heading_of(event)) != heading:
            parts.append(f"\n## {here}\n\n")
            heading = here
        text = escape_markdown(one_line(event.text))
        parts.append(f"- {event.at:%H:%M:%S} {f'~~{text}~~' if event.undone else text} `{_source(event)}`\n")
    return "".join(parts)


def _source(event: EventView) -> str:
    """Where a sentence comes from: the event's number and its rules."""
    return f"{event.number} [{', '.join(event.rules)}]" if event.rules else event.number


def _moment(event: EventView) -> str:
    return event.at.strftime("%Y-%m-%d %H:%M:%S")
