"""The log, written and read: append events, fold them back into a state, check the chain of digests."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from hashlib import sha256
from operator import attrgetter
from typing import Any
from uuid import UUID

import orjson
from django.db.models import OuterRef, Q, QuerySet, Subquery

from core.columns import RowWriter, Writes
from core.prepared_queries import Statement
from games import registry
from games.engine.audience import PUBLIC, Audience
from games.engine.kernel import Event, EventRecord
from games.engine.kernel import fold as fold_events
from games.engine.lifecycle.messages import MessageSent
from games.engine.lifecycle.reports import MessageReported
from games.engine.message_history import PastMessage
from games.models import Die, Game, LoggedEvent, Receipt, Stream
from games.models.log import OF_MESSAGES, AnyEventRow, EventRow, ReceiptRow
from games.storage.cursors import START, Head
from games.storage.moments import moment_at

EVENT_COLUMNS = tuple(field.attname for field in LoggedEvent._meta.concrete_fields if not field.primary_key)
EVENTS, event_values = RowWriter(LoggedEvent, EVENT_COLUMNS), attrgetter(*EVENT_COLUMNS)
STREAMS = RowWriter(Stream, ("game_id", "audience", "head", "mark"), ("game_id", "audience"), ("head", "mark"))
RECEIPTS = RowWriter(Receipt, ReceiptRow._fields)
DICE = RowWriter(
    Die,
    ("game_id", "seq", "audience", "label", "index", "sides", "value", "source", "rule"),
    computed={
        "event_id": f"(SELECT id FROM {LoggedEvent._meta.db_table} e WHERE e.game_id = {{game_id}} AND e.seq = {{seq}})"
    },
)


def canonical(value: Any) -> str:
    """JSON with sorted keys, no spaces, and text as it is."""
    try:
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode()
    except TypeError:  # a number of more than 64 bits
        return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def _heads_before(game_id: UUID, seq: int) -> QuerySet[Stream, tuple[str, int, str]]:
    before = LoggedEvent.objects.filter(game=game_id, audience=OuterRef("audience"), seq__lt=seq).order_by("-ordinal")
    rows = Stream.objects.filter(game=game_id).annotate(
        last=Subquery(before.values("ordinal")[:1]), last_mark=Subquery(before.values("mark")[:1])
    )
    return rows.filter(last__isnull=False).values_list("audience", "last", "last_mark")


HEADS = Statement(lambda game_id: Stream.objects.filter(game=game_id).values_list("audience", "head", "mark"), UUID)
HEADS_BEFORE = Statement(_heads_before, UUID, int)


def heads_of(game: Game) -> dict[str, Head]:
    """The head of every stream of a game: one query."""
    return {audience: Head(head, mark) for audience, head, mark in HEADS.rows(game.pk)}


def heads_before(game_id: UUID, audiences: Iterable[str], seq: int) -> dict[str, Head]:
    """The heads of some streams as they stood before event `seq`, of those that had begun: one query."""
    wanted = frozenset(audiences)
    found = HEADS_BEFORE.rows(game_id, seq)
    return {audience: Head(last, mark) for audience, last, mark in found if audience in wanted}


def write(
    game: Game, rows: Sequence[EventRow], happened: Sequence[EventRecord], heads: Mapping[str, Head], writes: Writes
) -> None:
    """Write the rows of events (`rows_of`), their dice, and where the streams are now. They know no primary keys."""
    writes.write(EVENTS, map(event_values, rows))
    writes.write(
        STREAMS, [[game.pk, audience, *heads[audience]] for audience in sorted({row.audience for row in rows})]
    )
    writes.write(
        DICE,
        [
            [game.pk, row.seq, row.audience, r.label, r.index, r.sides, r.value, str(r.source), r.rule]
            for row, h in zip(rows, happened, strict=True)
            for r in h.rolls
        ],
    )


def write_receipts(receipts: Sequence[ReceiptRow], writes: Writes) -> None:
    """Acknowledge: the same key again returns the outcome."""
    writes.write(RECEIPTS, receipts)


def rows_of(game: Game, happened: Sequence[EventRecord], heads: dict[str, Head], cause: str) -> list[EventRow]:
    """The rows of events, numbered and chained behind `game.seq` and `game.digest`, which move on.

    `heads` is brought up to date as well, and `game.public_at` and `game.listed_at` by what is public.
    """
    rows: list[EventRow] = []
    for h in happened:
        before = heads.get(h.audience, START)
        game.seq += 1
        if h.audience == PUBLIC:
            game.public_at = h.at
            game.listed_at = minute_of(h.at)
        row = EventRow(
            game_id=game.pk,
            seq=game.seq,
            audience=h.audience,
            ordinal=before.ordinal + 1,
            type=type(h.event).__name__,
            v=h.event.v,
            at=h.at,
            body=canonical(h.event.model_dump(mode="json")),
            rules=canonical(h.rules),
            rolls=canonical([asdict(roll) for roll in h.rolls]),
            text=h.text,
            by=h.by,
            on_behalf_of=h.on_behalf_of,
            cause=cause,
            attacked=canonical([str(seat) for seat in h.attacked]) if h.attacked else "",
        )
        row.digest = game.digest = digest_of(row, game.digest)
        row.mark = mark_of(row, before.mark)
        heads[h.audience] = Head(row.ordinal, row.mark)
        rows.append(row)
    return rows


def minute_of(at: datetime) -> datetime:
    """The minute that a time lies in."""
    return at.replace(second=0, microsecond=0)


def digest_of(row: AnyEventRow, before: str) -> str:
    """The digest of an event: it covers the digest before and everything the row says."""
    text = canonical([row.seq, row.audience, *_values_shown(row)])
    return sha256(f"{before}\n{text}".encode()).hexdigest()


def mark_of(row: AnyEventRow, before: str) -> str:
    """The mark of an event: it covers the mark before in its stream, and what the stream's readers are shown of it.

    So it says nothing of other streams, and of two logs that differ for these readers it is another in each.
    """
    text = canonical(_values_shown(row))
    return sha256(f"{before}\n{text}".encode()).hexdigest()[:8]


def _values_shown(row: AnyEventRow) -> list[Any]:
    """What the readers of an event are shown of it."""
    at = row.at.astimezone(UTC)  # what the database gives back, whatever zone it came in
    author = str(row.on_behalf_of or "")
    return [row.ordinal, row.type, row.v, at, row.body, row.rules, row.rolls, row.text, row.by, author]


def event_of(ruleset: str, row: LoggedEvent) -> Event:
    """The event of a row, in today's shape."""
    kind = registry.event_class(ruleset, row.type)
    if row.v == kind.v:
        return kind.model_validate_json(row.body)
    return kind.model_validate_json(json.dumps(kind.upcast(row.v, json.loads(row.body))))


def main_line(game: Game, until: int | None = None) -> Iterator[tuple[Event, datetime]]:
    """The events that stand, in order: none that fell behind a rewind, except those that last (who sits where).

    until: the `seq` of the last event that counts; later events that survive a rewind are left out too.
    """
    return ((event, at) for _, event, at in numbered_line(game, until))


def numbered_line(game: Game, until: int | None = None) -> Iterator[tuple[int, Event, datetime]]:
    """The main line with the `seq` of each event."""
    rows = LoggedEvent.objects.filter(game=game).order_by("seq")
    if until is not None:
        rows = rows.filter(seq__lte=until)
    for row in rows.iterator(chunk_size=2000):
        if row.fallen is None or registry.event_class(game.ruleset, row.type).survives_rewind:
            yield row.seq, event_of(game.ruleset, row), row.at


def fold(game: Game, until: int | None = None) -> Any:
    """The state that the log leads to."""
    return fold_events(registry.store(game.ruleset).new_state(game.pk), main_line(game, until))


class LoggedHistory:
    """The past of a game, read from its log."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def at(self, number: int) -> tuple[int, Any]:
        """The position in the log of the moment of event `number`, and the state then. Raises `history.missing`."""
        seq = moment_at(self.game, number).seq
        return seq, fold(self.game, until=seq)

    def lasting_behind(self, position: int) -> Iterator[Event]:
        """The events behind a position that survive a rewind to it, in their order."""
        rows = LoggedEvent.objects.filter(game=self.game, seq__gt=position).order_by("seq")
        for row in rows.iterator(chunk_size=2000):
            if registry.event_class(self.game.ruleset, row.type).survives_rewind:
                yield event_of(self.game.ruleset, row)

    def last_messages(self, sender: UUID | None, most: int) -> Sequence[PastMessage]:
        """The last messages of a seat, or of game-masters without one, the latest first: one query."""
        rows = self._of_kind(MessageSent, sender=sender).order_by("-seq")[:most]
        return [self._message_of(row) for row in rows]

    def message(self, message: UUID) -> PastMessage | None:
        """The message of an id; None where there is none: one query."""
        row = self._of_kind(MessageSent, message=message).first()
        return None if row is None else self._message_of(row)

    def is_reported(self, message: UUID, reporter: UUID | None) -> bool:
        """Whether a seat, or a game-master without one, has reported a message: one query."""
        return self._of_kind(MessageReported, message=message, reporter=reporter).exists()

    def _message_of(self, row: LoggedEvent) -> PastMessage:
        return PastMessage(event_of(self.game.ruleset, row), Audience(row.audience), row.at)

    def _of_kind(self, kind: type[Event], **fields: UUID | None) -> QuerySet[LoggedEvent]:
        """The events of a class with these ids in their fields, by the index of messages.

        A body is canonical JSON: in what people write a quotation mark has a backslash before it, so that no text of
        theirs passes for a field.
        """
        wanted = Q(
            *(Q(body__contains=f"{canonical(name)}:{canonical(str(v) if v else None)}") for name, v in fields.items())
        )
        return LoggedEvent.objects.filter(wanted, OF_MESSAGES, game=self.game, type=kind.__name__)


def mark_fallen(game: Game, to: int, by: int) -> None:
    """Mark the events after `to` and before `by` as fallen behind the rewind `by`."""
    LoggedEvent.objects.filter(game=game, seq__gt=to, seq__lt=by, fallen__isnull=True).update(fallen=by)


def broken_links(game: Game) -> Iterable[int]:
    """The `seq` of every event whose digest, number or order does not fit the one before, or mark that in its stream.

    What was written by a release without marks has none, and the one behind it may go on from any.
    """
    before, expected, marks = "", 1, dict[str, str]()
    for row in LoggedEvent.objects.filter(game=game).order_by("seq").iterator(chunk_size=2000):
        last = marks.get(row.audience, "")
        is_marked = not row.mark or (row.ordinal > 1 and not last) or row.mark == mark_of(row, last)
        if row.seq != expected or row.digest != digest_of(row, before) or not is_marked:
            yield row.seq
        before, expected, marks[row.audience] = row.digest, row.seq + 1, row.mark
