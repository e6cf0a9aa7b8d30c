"""The log as a viewer reads it: pages of events, outcomes of commands and dice, as plain JSON values.

Positions are cursors over the streams that the viewer may read: no number of the whole game is ever shown.
"""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from django.db.models import Q

from api.common.viewer import Viewer
from api.representations.log_span import Span, events_in
from games import registry
from games.engine.kernel import EventRecord
from games.models import LoggedEvent
from games.reads import selectors
from games.reads.selectors import EventPage, EventView
from games.services import Outcome
from games.storage import cursors

WITH_DICE = ~Q(rolls="[]")


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
