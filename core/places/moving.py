"""Slots that move from one bucket to another, and a look at whether all rows lie where their slots are.

A slot is one transaction: its games and worlds are locked, their rows copied, compared by digest, deleted where they
were, and the slot's row says where they are now. Killed at any point, nothing has moved; who waited for a game
finds it gone, reads the table of slots anew and tries again there (`routing.has_moved`).
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.apps import apps
from django.db import IntegrityError, connection, transaction
from django.db.models import Model, UUIDField

from core.column_sql import AnyField
from core.ids import REST_BITS
from core.places.models import Bucket, Slot, State
from core.places.router import is_placed
from core.places.routing import at_place, forget

LOCKED = ("games_game", "worlds_world")
"""Whose rows are locked while a slot moves: all that changes a game or the rows of a world waits for one of them."""


class Immovable(Exception):
    """A slot that cannot move; the message says why, and what would do."""


@dataclass(frozen=True, slots=True)
class SlotTable:
    """A table whose rows lie in the slot that a column of theirs begins with."""

    name: str
    column: str
    columns: tuple[str, ...]

    @property
    def shown(self) -> str:
        """Its columns as they stand in a statement."""
        return ", ".join(f'"{column}"' for column in self.columns)

    def rows_of(self, schema: str) -> str:
        """Its rows of a slot in a bucket, as they stand in a statement with the bounds of the slot."""
        return f'"{schema}"."{self.name}" WHERE "{self.column}" BETWEEN %s AND %s'


def bounds(slot: int) -> tuple[str, str]:
    """The first and the last id of a slot, as text."""
    first = slot << REST_BITS
    last = first | ((1 << REST_BITS) - 1)
    return _as_id(first), _as_id(last)


def _as_id(number: int) -> str:
    digits = f"{number:032x}"
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))


def slot_tables() -> Iterator[SlotTable]:
    """Every table of a bucket whose rows belong to games and worlds."""
    for model in apps.get_models():
        if is_placed(model._meta.app_label) and (column := _column_with_slot(model)) is not None:
            columns = tuple(str(field.column) for field in model._meta.concrete_fields)
            yield SlotTable(model._meta.db_table, column, columns)


def _column_with_slot(model: type[Model]) -> str | None:
    """The column that begins with a row's slot: its id, else a key that it always has; None for rows of a bucket."""
    fields: Sequence[AnyField] = [model._meta.pk, *model._meta.concrete_fields]
    return next((str(field.column) for field in fields if not field.null and _is_of_slot(field)), None)


def _is_of_slot(field: AnyField) -> bool:
    if not field.is_relation:
        return field.primary_key and isinstance(field, UUIDField)
    target: Any = field.related_model
    return is_placed(target._meta.app_label) and isinstance(_end_of(field), UUIDField)


def _end_of(field: Any) -> Any:
    """The field that a key leads to in the end."""
    while field.is_relation:
        field = field.target_field
    return field


def move(slots: Iterable[int], number: int) -> Iterator[tuple[int, int]]:
    """Move slots into a bucket; each with how many rows it had. Those that lie there are left out.

    Slots without a game or world go together, the others one after the other. Raises Immovable for a bucket that is not
    in use, and for rows that the bucket has already.
    """
    bucket = Bucket.objects.filter(number=number, state=State.OPEN).first()
    if bucket is None:
        raise Immovable(f"There is no place {number} with tables; raise PLACES and run `manage.py migrate_places`.")
    _require_home(bucket)
    wanted = list(slots)
    empty = _move_empty(wanted, bucket)
    forget()
    yield from ((slot, 0) for slot in empty)
    tables = list(slot_tables())
    for slot in sorted({*wanted} - {*empty}):
        with at_place(None), transaction.atomic():
            found = Slot.objects.select_for_update().select_related("bucket").get(pk=slot)
            if found.bucket == bucket:
                continue
            _require_home(found.bucket)
            rows = _move_rows(slot, found.bucket.schema, bucket.schema, tables)
            found.bucket = bucket
            found.save(update_fields=["bucket"])
        forget()
        yield slot, rows


def _require_home(bucket: Bucket) -> None:
    """Refuse a bucket on another server: no commit holds on both, so a killed move could lose the rows of its slot."""
    if bucket.server or bucket.state != State.OPEN:
        raise Immovable(
            f"Place {bucket.number} lies on another server or is on its way; its slots move at home alone: "
            f"`places relocate {bucket.number} home`."
        )


def _move_empty(slots: Sequence[int], bucket: Bucket) -> list[int]:
    """Let slots in which there is nothing lie in a bucket; which these are. Nothing is made in them meanwhile."""
    with at_place(None), transaction.atomic(), connection.cursor() as cursor:
        rows = Slot.objects.select_for_update(of=("self",)).select_related("bucket").order_by("slot")
        locked = [row for row in rows.filter(slot__in=slots) if row.bucket != bucket]
        for row in locked:
            _require_home(row.bucket)
        full = set[int]()
        for schema in {row.bucket.schema for row in locked}:
            for name in LOCKED:
                cursor.execute(f'SELECT DISTINCT substr(id::text, 1, 3) FROM "{schema}"."{name}"')
                full |= {int(digits, 16) for (digits,) in cursor.fetchall()}
        empty = [row.slot for row in locked if row.slot not in full]
        Slot.objects.filter(slot__in=empty).update(bucket=bucket)
    return empty


def _move_rows(slot: int, here: str, there: str, tables: Sequence[SlotTable]) -> int:
    """Copy the rows of a slot, compare, and delete them where they were; how many they are."""
    span, count = bounds(slot), 0
    with connection.cursor() as cursor:
        for name in LOCKED:
            cursor.execute(f'SELECT 1 FROM "{here}"."{name}" WHERE id BETWEEN %s AND %s ORDER BY id FOR UPDATE', span)
        for table in tables:
            before = _digest(cursor, table, here, span)
            if not before[0]:
                continue
            try:
                cursor.execute(
                    f'INSERT INTO "{there}"."{table.name}" ({table.shown}) OVERRIDING SYSTEM VALUE '
                    f"SELECT {table.shown} FROM {table.rows_of(here)}",
                    span,
                )
            except IntegrityError as fault:
                raise Immovable(f"{table.name} of slot {slot:03x} does not fit into {there}: {fault}") from fault
            if _digest(cursor, table, there, span) != before:
                raise Immovable(f"{table.name} of slot {slot:03x} differs in {there}; nothing was moved.")
            count += before[0]
        for table in tables:
            cursor.execute(f"DELETE FROM {table.rows_of(here)}", span)
    return count


def _digest(cursor: Any, table: SlotTable, schema: str, span: tuple[str, str]) -> tuple[int, Any]:
    """How many rows a slot has in a table, and a sum over all that stands in them, whatever their order."""
    shown = f"sum(hashtextextended(ROW({table.shown})::text, 0)::numeric)"
    cursor.execute(f"SELECT count(*), {shown} FROM {table.rows_of(schema)}", span)
    found: tuple[int, Any] = cursor.fetchone()
    return found


def share_of(number: int, part: int, parts: int) -> list[int]:
    """Which of the slots of a bucket go where it is split: every `parts`-th, beginning with the `part`-th from 0."""
    slots = list(Slot.objects.filter(bucket=number).order_by("slot").values_list("slot", flat=True))
    return slots[part::parts]


def strays() -> Iterator[str]:
    """A line for each table of a bucket that has rows of slots which lie elsewhere; none where all is well."""
    tables = list(slot_tables())
    for bucket in Bucket.objects.exclude(state=State.NEW).order_by("number"):
        own = set(Slot.objects.filter(bucket=bucket).values_list("slot", flat=True))
        with at_place(None), connection.cursor() as cursor:
            for table in tables:
                cursor.execute(
                    f'SELECT substr("{table.column}"::text, 1, 3), count(*) FROM "{bucket.schema}"."{table.name}" '
                    "GROUP BY 1 ORDER BY 1"
                )
                lost = [(digits, count) for digits, count in cursor.fetchall() if int(digits, 16) not in own]
                for digits, count in lost:
                    yield f"{bucket.schema}.{table.name}: {count} rows of slot {digits}, which lies elsewhere"
