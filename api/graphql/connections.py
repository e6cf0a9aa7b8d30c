"""Lists of rows: cursor connections with filters and orders, as wide as a page and seen by one visibility.

All of it is strawberry-graphql-django's: the optimizer fetches what stands below a list in a fixed number of
statements, whatever the number of rows. Ours is what bounds a page, and how a bad cursor is refused.
"""

from copy import copy
from typing import Any

from django.db.models import F, Model, OrderBy, QuerySet
from django.db.models.expressions import Col
from strawberry.annotation import StrawberryAnnotation
from strawberry.extensions import SchemaExtension
from strawberry.types.arguments import StrawberryArgument
from strawberry.types.fields.resolver import StrawberryResolver
from strawberry_django.fields.field import StrawberryDjangoConnectionExtension, StrawberryDjangoField
from strawberry_django.optimizer import DjangoOptimizerExtension, is_optimized_by_prefetching
from strawberry_django.relay import DjangoCursorConnection
from strawberry_django.relay.cursor_connection import OrderedCollectionCursor, annotate_ordering_fields

from api.common.exceptions import Fault
from api.common.keyset import DEFAULT_SIZE, LARGEST_SIZE, MAX_CURSOR_CHARACTERS
from api.graphql.filters import require_bounded
from api.graphql.flat_pages import FlatPages, extras_of_flat_page
from api.graphql.visibility import visibility_of_worlds_at

Order = tuple[OrderBy, ...]
PAGE_ARGUMENTS = frozenset({"first", "last", "before", "after"})


class Optimizer(DjangoOptimizerExtension):
    """The optimizer, for the fields of rows alone: those ask for it themselves, so no other field passes through it."""

    resolve = SchemaExtension.resolve  # type: ignore[assignment]


class Connection(StrawberryDjangoConnectionExtension):
    """Pages forward: `first`, which has a default and a bound, and `after`."""

    def __init__(self, *, max_results: int, flat: FlatPages | None = None) -> None:
        """max_results: rows of a page at most. flat: what gives first rows of which nothing but columns is asked."""
        super().__init__(max_results=max_results)
        self.flat = flat

    def apply(self, field: Any) -> None:
        """Give the field its arguments."""
        super().apply(field)
        own = [argument for argument in field.arguments if argument.python_name not in PAGE_ARGUMENTS]
        field.arguments = [*own, _argument("first", int, DEFAULT_SIZE), _argument("after", str | None, None)]

    def resolve(  # type: ignore[override]  # the arguments that `apply` leaves
        self, next_: Any, source: Any, info: Any, *, first: int = DEFAULT_SIZE, after: str | None = None, **wanted: Any
    ) -> Any:
        """A page. Raises Fault (page.size, page.cursor, query.invalid)."""
        assert self.max_results is not None
        require_page_size(first, self.max_results)
        flat = self._flat_page(source, info, first, after, wanted)
        if flat is not None:
            return flat
        rows = next_(source, info, **wanted)
        if after is not None and not is_optimized_by_prefetching(rows):
            require_cursor(rows, after)
        page: Any = self.connection_type.resolve_connection(
            rows, info=info, first=first, after=after, max_results=self.max_results, **wanted
        )
        if after is None and is_optimized_by_prefetching(rows) and not rows:
            page.total_count_qs = rows.model._default_manager.none()  # counted without asking
        return page

    def _flat_page(self, source: Any, info: Any, first: int, after: str | None, wanted: dict[str, Any]) -> Any:
        """The page from a statement that is kept; None where anything was asked that takes more."""
        if self.flat is None or after is not None or wanted.get("filters") or wanted.get("ordering"):
            return None
        asked = extras_of_flat_page(source, info)
        if asked is None or (visibility := visibility_of_worlds_at(info)).admin:
            return None
        return self.flat.page(self.connection_type, source, visibility, first, has_cursors=bool(asked))


def _argument(name: str, hint: Any, default: Any) -> StrawberryArgument:
    annotation = StrawberryAnnotation(hint)
    return StrawberryArgument(python_name=name, graphql_name=None, type_annotation=annotation, default=default)


class Rows(StrawberryDjangoField):
    """A list of rows. Its rows are ordered as its resource says where no order is given."""

    default_order: Order = ()
    most: int = LARGEST_SIZE

    def __copy__(self) -> "Rows":
        made: Rows = super().__copy__()
        made.default_order, made.most = self.default_order, self.most
        return made

    def get_queryset(
        self, queryset: Any, info: Any, *, first: int = DEFAULT_SIZE, after: str | None = None, **wanted: Any
    ) -> Any:
        """The rows that are asked for. Raises Fault (page.size, page.cursor, query.invalid)."""
        if is_optimized_by_prefetching(queryset):
            return queryset
        require_page_size(first, self.most)
        for name in ("filters", "ordering"):
            require_bounded(wanted.get(name), name)
        found = super().get_queryset(queryset.order_by(*self.default_order), info, **wanted)
        if wanted.get("ordering"):
            found = found.order_by(*found.query.order_by, *self.default_order)
        if after is not None:
            require_cursor(found, after)
        return found


def require_page_size(first: int, most: int) -> None:
    """Raise Fault (page.size) for a page of too many rows, or of fewer than none: 0 asks for the count alone."""
    if not 0 <= first <= most:
        raise Fault("page.size", f"A page has 0 to {most} rows.", parameter="first", least=0, most=most)


def require_cursor(rows: QuerySet[Any], cursor: str) -> None:
    """Raise Fault (page.cursor) for a cursor that was not made for these rows in this order."""
    unfit = Fault("page.cursor", "This cursor was not made for this list; begin without one.", parameter="after")
    if len(cursor) > MAX_CURSOR_CHARACTERS:
        raise unfit
    try:
        _, descriptors, _ = annotate_ordering_fields(rows)
        values = OrderedCollectionCursor.from_cursor(cursor, descriptors).field_values
    except (ValueError, TypeError, RecursionError) as error:
        raise unfit from error
    if any(isinstance(value, str) and "\0" in value for value in values):
        raise unfit


class Column(StrawberryDjangoField):
    """A shown column: read from the row as it is, or by `shape` from what was read."""

    attname: str = ""
    shape: Any = None

    def __copy__(self) -> "Column":
        made: Column = super().__copy__()
        made.attname, made.shape = self.attname, self.shape
        return made

    @property
    def is_basic_field(self) -> bool:
        """Nothing of the field machinery is needed to read an attribute."""
        return True

    def get_result(self, source: Any, info: Any, args: Any, kwargs: Any) -> Any:
        """The value of the column."""
        value = getattr(source, self.attname)
        return value if self.shape is None or value is None else self.shape(value)


class Link(StrawberryDjangoField):
    """A row that another leads to; null where there is none that the viewer may see."""

    def get_result(self, source: Any, info: Any, args: Any, kwargs: Any) -> Any:
        """The row that was fetched with the page; else it is asked for, as its type shows it."""
        relation = source._meta.get_field(self.django_name)
        if relation.is_cached(source):
            return relation.get_cached_value(source)
        return self._fetch(source, relation, info)

    def cached_row(self, source: Model, info: None) -> Any:
        """The row, if it was fetched with the page. Raises KeyError."""
        relation: Any = source._meta.get_field(str(self.django_name))
        return relation.get_cached_value(source)

    def _fetch(self, source: Model, relation: Any, info: Any) -> Any:
        assert self.django_type is not None and self.django_model is not None
        if relation.concrete:
            wanted = {relation.target_field.attname: getattr(source, relation.attname)}
        else:
            wanted = {relation.field.name: source.pk}
        rows = self.django_model._default_manager.filter(**wanted)
        return self.get_queryset(rows, info).first()


def rows_field(
    *,
    order: Order,
    most: int,
    hint: Any,
    accessor: str | None = None,
    resolver: Any = None,
    description: str,
    flat: FlatPages | None = None,
) -> Any:
    """A list of rows: the rows that lead here (`accessor`), or those that a resolver gives.

    order: how rows are ordered where no order is asked for, the last column unique. most: rows of a page at most.
    flat: what gives the first rows of a world where nothing but their columns is asked for.
    """
    field = Rows(
        django_name=accessor,
        base_resolver=StrawberryResolver(resolver) if resolver is not None else None,
        description=description,
        extensions=[Connection(max_results=most, flat=flat)],
        type_annotation=StrawberryAnnotation(hint),
    )
    field.default_order, field.most = order, most
    return field


def connection_of(kind: Any) -> Any:
    """The hint of a page of rows of a type."""
    return DjangoCursorConnection[kind]


class OwnColumn(F):
    """A column as it stands in the row: a link is ordered by its key, not as what it leads to is.

    is_last: it ends an order that is unique, so the cursor needs no primary key (a running number, which is shown to
    nobody): it takes this column for one.
    """

    def __init__(self, column: Any, *, is_last: bool) -> None:
        super().__init__(column.attname)
        self.column, self.shown = column, copy(column)
        self.shown.primary_key = is_last

    def resolve_expression(self, query: Any = None, *args: Any, **kwargs: Any) -> Col:
        """The column of the queried table itself."""
        return Col(query.get_initial_alias(), self.column, self.shown)


def order_of(model: type[Model], names: tuple[str, ...]) -> Order:
    """An order by columns of a model's own, the last of which is unique, or unique with those before it."""
    last = names[-1]
    return tuple(
        OrderBy(
            OwnColumn(model._meta.get_field(name.lstrip("-")), is_last=name == last), descending=name.startswith("-")
        )
        for name in names
    )
