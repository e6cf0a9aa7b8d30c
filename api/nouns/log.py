"""The log as it is told: pages of events, outcomes of commands, dice and the chronicle, as plain JSON values.

Positions are cursors over the streams that the viewer may read: no number of the whole game is ever told.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from django.db.models import Q

from api.kit.viewer import Viewer
from games import cursors, selectors
from games.engine.audience import readable
from games.engine.kernel import Happening
from games.models import LoggedEvent
from games.selectors import EventPage, Told
from games.services import Outcome

WITH_DICE = ~Q(rolls="[]")
WITH_TEXT = ~Q(text="")


def page_json(page: EventPage) -> dict[str, Any]:
    """A page of events."""
    return {"results": [told.as_json() for told in page.results], "cursor": page.cursor, "more": page.more}


def outcome_json(outcome: Outcome, viewer: Viewer) -> dict[str, Any]:
    """What a command did, as far as this viewer may see it."""
    if outcome.replayed:
        page = selectors.events_between(viewer.game, viewer.sight, outcome.first_seq, outcome.last_seq)
    else:
        page = selectors.events_written(viewer.game, viewer.sight, outcome.written, outcome.before)
    events = [told.as_json() for told in page.results]
    return {"cursor": page.cursor, "at": outcome.at, "replayed": outcome.replayed, "events": events}


def imagined_json(outcome: Outcome, viewer: Viewer) -> dict[str, Any]:
    """What a dry run would do, as far as this viewer may see it; nothing of it was kept."""
    gm = viewer.game.pk in viewer.sight.gm_games
    seen = [h for h in outcome.imagined if readable(h.audience, viewer.sight.seats, gm)]
    cursor = selectors.cursor_for(viewer.game.pk, viewer.sight)
    return {"dry_run": True, "cursor": cursor, "at": outcome.at, "events": [_imagined(h, cursor) for h in seen]}


def _imagined(h: Happening, cursor: str) -> dict[str, Any]:
    told = Told(
        cursor=cursor,
        type=type(h.event).__name__,
        at=h.at,
        rules=list(h.rules),
        rolls=[asdict(roll) for roll in h.rolls],
        text=h.text,
        by=h.by,
        on_behalf_of=str(h.on_behalf_of) if h.on_behalf_of else None,
        fallen=False,
        fields=h.event.model_dump(mode="json"),
    )
    return told.as_json()


def told_where(viewer: Viewer, condition: Q, *, after: str, limit: int) -> EventPage:
    """The next events behind a cursor that this viewer may read and that fit a condition: two queries.

    The cursors are those of `events/`, so the two can be mixed. Raises `cursor.invalid`.
    """
    heads, read = selectors.heads_for(viewer.game.pk, viewer.sight), cursors.decode(after)
    position = {audience: min(read.get(cursors.stream_name(audience), 0), head) for audience, head in heads.items()}
    wanted = Q(pk__in=[])
    for audience, reached in position.items():
        if reached < heads[audience]:
            wanted |= Q(audience=audience, ordinal__gt=reached)
    rows = list(LoggedEvent.objects.filter(wanted, condition, game=viewer.game).order_by("seq")[: limit + 1])
    told = [selectors.tell(row, position) for row in rows[:limit]]
    return EventPage(told, cursors.encode(position if told else heads), more=len(rows) > limit)


def dice_json(viewer: Viewer, *, after: str, limit: int) -> dict[str, Any]:
    """The dice of the next `limit` events that used some, with what is needed to check them: three queries."""
    page = told_where(viewer, WITH_DICE, after=after, limit=limit)
    shown = LoggedEvent.objects.visible_to(viewer.sight).filter(game=viewer.game, type="SecretShown").first()
    return {
        "game": viewer.game.pk,
        "commitment": viewer.game.commitment,
        "secret": selectors.tell(shown, {}).fields["secret"] if shown is not None else None,
        "results": [die for told in page.results for die in _dice(told)],
        "cursor": page.cursor,
        "more": page.more,
    }


def _dice(told: Told) -> Iterator[dict[str, Any]]:
    common = {"cursor": told.cursor, "event": told.type, "at": told.at, "fallen": told.fallen}
    return ({**common, **roll} for roll in told.rolls)


def chronicle_json(page: EventPage) -> dict[str, Any]:
    """The sentences of a page of events."""
    names = ("cursor", "type", "at", "text", "rules", "fallen")
    lines = [{name: getattr(told, name) for name in names} for told in page.results]
    return {"results": lines, "cursor": page.cursor, "more": page.more}


def chronicle_text(lines: Sequence[Told]) -> str:
    """The sentences as plain text, one a line, with their time; what a rewind undid is said to be undone."""
    return "".join(f"{_moment(told)}  {'(undone) ' if told.fallen else ''}{_one_line(told.text)}\n" for told in lines)


def chronicle_markdown(title: str, lines: Sequence[Told]) -> str:
    """The sentences as Markdown, a heading a day; what a rewind undid is struck through."""
    parts, day = [f"# {_escaped(title)}\n"], ""
    for told in lines:
        if (date := told.at.strftime("%Y-%m-%d")) != day:
            parts.append(f"\n## {date}\n\n")
            day = date
        text = _escaped(_one_line(told.text))
        parts.append(f"- {told.at:%H:%M:%S} {f'~~{text}~~' if told.fallen else text}\n")
    return "".join(parts)


def _moment(told: Told) -> str:
    return told.at.strftime("%Y-%m-%d %H:%M:%S")


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _escaped(text: str) -> str:
    """Text in which Markdown and HTML find nothing to do."""
    return "".join(f"\\{letter}" if letter in "\\`*_{}[]<>#|~!&" else letter for letter in text)
