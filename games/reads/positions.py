"""How far a cursor has read in a game's log, and whether it is this log that it has read (ADR 98).

A cursor of a log that was restored from an earlier copy is refused, whether the new log has come as far or not.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache, reduce
from operator import or_
from typing import Any
from uuid import UUID

from django.db.models import BooleanField, ExpressionWrapper, OuterRef, Q, QuerySet, Subquery

from core.prepared_queries import Statement, column_names, instance
from games.engine.audience import GM, PUBLIC, seat_and_gm, seats
from games.engine.errors import Refused
from games.models import Game, LoggedEvent
from games.storage import cursors
from games.storage.cursors import START, Head
from worlds.visibility import Visibility

Heads = Mapping[str, Head]


def position_of(game_id: UUID, visibility: Visibility, heads: Heads, cursor: str) -> dict[str, Head]:
    """How far a cursor has read in each stream of `heads`, the streams that this viewer may read.

    Raises `cursor.invalid`, and `cursor.ahead` where the cursor has read what the log does not hold: the log was
    restored from an earlier copy. Streams that this viewer may not read count for nothing, so nothing is said of them.
    What it has read of a stream that goes on is compared as that is read (`rows_behind`, `rows_up_to`).
    """
    read = cursors.decode(cursor)
    likely = [PUBLIC, *(seats(seat) for seat in visibility.seats), *(seat_and_gm(seat) for seat in visibility.seats)]
    if game_id in visibility.gm_games:
        likely.append(GM)
    for audience, head in (dict.fromkeys(likely, START) | dict(heads)).items():  # one may have begun since the copy
        reached = read.get(cursors.stream_name(audience), START)
        if reached.ordinal > head.ordinal or reached.contradicts(head):
            raise _of_another_log()
    return {audience: read.get(cursors.stream_name(audience), START) for audience in heads}


def rows_behind(game: Game, heads: Heads, read: Heads, unread: Q, limit: int) -> list[LoggedEvent]:
    """The first rows that fit a condition, all of them unread, in the game's order: one query.

    read: how far a cursor has read. Raises `cursor.ahead` where that was another log: the last event that it has read
    of a stream comes along where the stream goes on, and precedes what is unread of it.
    """
    last_read = _last_read(heads, read)
    wanted = reduce(or_, last_read, unread)
    rows = list(LoggedEvent.objects.filter(wanted, game=game).order_by("seq")[: limit + len(last_read)])
    _compare(read, rows)
    return [row for row in rows if row.ordinal > read[row.audience].ordinal][:limit]


def rows_up_to(game: Game, heads: Heads, until: Heads, condition: Q, limit: int) -> Sequence[tuple[LoggedEvent, Head]]:
    """The last rows up to a position that fit a condition, the latest first: one query.

    Each with the head of its stream before it. Raises `cursor.ahead` where the position is of another log.
    """
    if not condition:
        streams = [_last_of(audience, head, limit) for audience, head in until.items()]
        if not streams:
            return []
        read = _last_rows(len(streams), limit).rows(game.pk, *(value for stream in streams for value in stream))
        found = [(instance(LoggedEvent, row[:-1]), row[-1]) for row in read]
        _compare(until, [row for row, _ in found])
        return [(row, Head(row.ordinal - 1, before or "")) for row, before in found]
    last_read = _last_read(heads, until)
    rows = _rows_of(game.pk, [_last_of(audience, head, None) for audience, head in until.items()])
    fits = ExpressionWrapper(condition, output_field=BooleanField())
    some = list(rows.annotate(fits=fits).filter(reduce(or_, last_read, Q(fits=True)))[: limit + len(last_read)])
    _compare(until, some)
    return [(row, Head(row.ordinal - 1, row.before or "")) for row in some if row.fits][:limit]


def _last_of(audience: str, head: Head, most: int | None) -> tuple[str, int, int]:
    """A stream up to its head, behind an event: the last so many, where that is given.

    Of no stream are more wanted than are asked for in all; where a condition chooses among them, any may be.
    """
    return audience, head.ordinal, 0 if most is None else max(head.ordinal - most, 0)


def _rows_of(game: Any, streams: Iterable[tuple[Any, Any, Any]]) -> QuerySet[Any]:
    """The events of these streams, each up to one and behind another, the latest first, with the mark before each."""
    before = LoggedEvent.objects.filter(game=game, audience=OuterRef("audience"), ordinal=OuterRef("ordinal") - 1)
    wanted = (Q(audience=audience, ordinal__lte=last, ordinal__gt=behind) for audience, last, behind in streams)
    rows = LoggedEvent.objects.filter(reduce(or_, wanted, Q(pk__in=[])), game=game)
    return rows.annotate(before=Subquery(before.order_by().values("mark")[:1])).order_by("-seq")


@lru_cache(maxsize=1_000)
def _last_rows(streams: int, limit: int) -> Statement:
    """Rows of so many streams: asked for by each log on a page, so it is built once."""

    def make(game: UUID, *values: Any) -> QuerySet[Any, Any]:
        rows = _rows_of(game, zip(values[::3], values[1::3], values[2::3], strict=True))
        return rows.values_list(*column_names(LoggedEvent), "before")[:limit]

    return Statement(make, UUID, *[str, int, int] * streams)


def require_this_log(game: Game, heads: Heads, read: Heads) -> None:
    """Raise `cursor.ahead` where a cursor has read another log; one query for one that is behind, none else."""
    if last_read := _last_read(heads, read):
        _compare(read, LoggedEvent.objects.filter(reduce(or_, last_read), game=game))


def _last_read(heads: Heads, read: Heads) -> Sequence[Q]:
    """The last event that was read of each stream that goes on, where its mark is known."""
    return [
        Q(audience=audience, ordinal=reached.ordinal)
        for audience, reached in read.items()
        if reached.mark and reached.ordinal < heads[audience].ordinal
    ]


def _compare(read: Heads, rows: Iterable[LoggedEvent]) -> None:
    if any(read[row.audience].contradicts(Head(row.ordinal, row.mark)) for row in rows):
        raise _of_another_log()


def _of_another_log() -> Refused:
    return Refused(
        "cursor.ahead",
        "This cursor has read what the game's log does not hold: it was restored from an earlier copy; "
        "forget what you know of this game, read its state again, and go on from there.",
    )
