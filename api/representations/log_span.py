"""Which events of a log are read: behind a cursor, or the last ones before one; of one chapter; about one thing.

The cursors of all of these are those of `events/`, so that one may go on where another has ended.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from uuid import UUID

from django.db.models import Q

from api.common.viewer import Viewer
from games import registry
from games.reads import history, selectors
from games.reads.positions import position_of, rows_behind, rows_up_to
from games.reads.selectors import EventPage
from games.storage import cursors, log
from games.storage.cursors import START, Head

EVERY_EVENT = Q()


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A page of the log.

    limit: events at most. after: the cursor behind which they stand. before: the cursor up to which the last ones are
    read, "" for the end of the log; None where they are read forwards. chapter: 0 for what came before the first.
    about: the id of a thing, a person or a place that they name. type: of the events, as they bear it; "" for all.
    """

    limit: int
    after: str = ""
    before: str | None = None
    chapter: int | None = None
    about: UUID | None = None
    type: str = ""


def events_in(viewer: Viewer, span: Span, condition: Q = EVERY_EVENT) -> EventPage:
    """The events of a span that this viewer may read and that fit a condition, in the game's order.

    Raises `cursor.invalid`, `cursor.ahead`, `chapter.none`, `chapter.ahead`.
    """
    if span.type:
        condition &= _of_type(viewer.game.ruleset, span.type)
    wanted, since, is_whole = condition, 1, condition == EVERY_EVENT and span.chapter is None and span.about is None
    if is_whole and span.before is None:
        return selectors.events_for(viewer.game, viewer.visibility, after=span.after, limit=span.limit)
    if is_whole:
        return selectors.events_before(viewer.game, viewer.visibility, before=span.before or "", limit=span.limit)
    if span.about is not None:
        wanted &= Q(body__contains=str(span.about))
    if span.chapter is not None:
        since, behind = history.span_of(viewer.game, span.chapter)
        wanted &= Q(seq__gte=since) if behind is None else Q(seq__gte=since, seq__lt=behind)
    return (_next if span.before is None else _last)(viewer, span, wanted, since)


def _of_type(ruleset: str, wanted: str) -> Q:
    """The events of a type; none where the game has no such type."""
    kind = wanted.rpartition(".")[2]
    known = kind in registry.ruleset(ruleset).events and registry.event_type(ruleset, kind) == wanted
    return Q(type=kind) if known else Q(pk__in=[])


def _next(viewer: Viewer, span: Span, wanted: Q, since: int) -> EventPage:
    """Two queries, and one more where the events begin behind the first: `since` is their place in the log."""
    heads = selectors.heads_for(viewer.game, viewer.visibility)
    read = position_of(viewer.game.pk, viewer.visibility, heads, span.after)
    before = log.heads_before(viewer.game.pk, heads, since) if since > 1 else {}
    position = {audience: max(reached, before.get(audience, START)) for audience, reached in read.items()}
    unread = Q(pk__in=[])
    for audience, reached in position.items():
        if reached.ordinal < heads[audience].ordinal:
            unread |= Q(audience=audience, ordinal__gt=reached.ordinal)
    rows = rows_behind(viewer.game, heads, read, unread & wanted, span.limit + 1)
    page = selectors.page_of(viewer.game, viewer.visibility, rows[: span.limit], position, more=len(rows) > span.limit)
    return page if page.results or rows else replace(page, cursor=cursors.encode(heads))


def _last(viewer: Viewer, span: Span, wanted: Q, since: int) -> EventPage:
    """Two queries, and one more where there is any event."""
    heads = selectors.heads_for(viewer.game, viewer.visibility)
    until: Mapping[str, Head] = heads
    if span.before:
        until = position_of(viewer.game.pk, viewer.visibility, heads, span.before)
    rows = [row for row, _ in rows_up_to(viewer.game, heads, until, wanted, span.limit + 1)]
    shown, position = rows[: span.limit][::-1], dict(until)
    if shown:
        position = dict.fromkeys(heads, START) | log.heads_before(viewer.game.pk, heads, shown[0].seq)
    page = selectors.page_of(viewer.game, viewer.visibility, shown, position, more=len(rows) > span.limit)
    return replace(page, cursor=cursors.encode(until))
