"""The log as a viewer reads it: pages of events, outcomes of commands, dice and the chronicle, as plain JSON values.

Positions are cursors over the streams that the viewer may read: no number of the whole game is ever shown.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any
from uuid import UUID

from django.db.models import Q

from api.common.markdown import escape_markdown, one_line
from api.common.viewer import Viewer
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


def events_where(viewer: Viewer, condition: Q, *, after: str, limit: int, since: int = 1) -> EventPage:
    """The next events behind a cursor that this viewer may read and that fit a condition: two queries.

    since: the place in the log from which events are listed, one query more. The cursors are those of `events/`, so the
    two can be mixed. Raises `cursor.invalid`, `cursor.ahead`.
    """
    heads = selectors.heads_for(viewer.game, viewer.visibility)
    read = selectors.position_of(viewer.game.pk, viewer.visibility, heads, after)
    before = history.heads_before(viewer.game, heads, since) if since > 1 else {}
    position = {audience: max(reached, before.get(audience, 0)) for audience, reached in read.items()}
    wanted = Q(pk__in=[])
    for audience, reached in position.items():
        if reached < heads[audience]:
            wanted |= Q(audience=audience, ordinal__gt=reached)
    rows = list(LoggedEvent.objects.filter(wanted, condition, game=viewer.game).order_by("seq")[: limit + 1])
    page = selectors.page_of(viewer.game, rows[:limit], position, more=len(rows) > limit)
    return page if page.results else replace(page, cursor=cursors.encode(heads))


def dice_json(viewer: Viewer, *, after: str, limit: int) -> dict[str, Any]:
    """The dice of the next `limit` events that used some, with what is needed to check them: three queries."""
    page = events_where(viewer, WITH_DICE, after=after, limit=limit)
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


def chronicle(viewer: Viewer, *, after: str, limit: int, chapter: int | None, about: UUID | None = None) -> EventPage:
    """The next events that have a sentence; of one chapter where it is given.

    about: only events that name the thing, person or place of this id. Raises `cursor.invalid`, `cursor.ahead`,
    `chapter.none`, `chapter.ahead`.
    """
    wanted = WITH_TEXT if about is None else WITH_TEXT & Q(body__contains=str(about))
    if chapter is None:
        return events_where(viewer, wanted, after=after, limit=limit)
    first, behind = history.span_of(viewer.game, chapter)
    if behind is not None:
        wanted &= Q(seq__lt=behind)
    return events_where(viewer, wanted, after=after, limit=limit, since=first)


def chronicle_json(page: EventPage, times: Times) -> dict[str, Any]:
    """The sentences of a page of events."""
    names = ("cursor", "type", "at", "text", "rules", "undone")
    lines = [
        {name: getattr(event, name) for name in names} | {"event": event.number, "chapter": times.chapter_of(event)}
        for event in page.results
    ]
    return {"results": lines, "cursor": page.cursor, "more": page.more}


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
