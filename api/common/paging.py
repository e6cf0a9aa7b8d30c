"""Lists in pages of bounded size, by position (keyset): a page costs the same wherever it is, and nothing is skipped
or listed twice when rows come or go meanwhile.

A cursor is opaque to clients (`api.common.keyset`). DRF's own falls back to offsets where many rows share a value, and
stops at 1,000 of them: a map made in one go has all its squares at one instant.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import Model
from rest_framework.pagination import BasePagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import remove_query_param, replace_query_param
from rest_framework.views import APIView

from api.common.keyset import (
    DEFAULT_SIZE,
    LARGEST_SIZE,
    beyond,
    decode_cursor,
    encode_cursor,
    page_size,
    reverse_of,
)

Row = Model | Mapping[str, Any]
ADDRESS: dict[str, Any] = {"type": ["string", "null"], "format": "uri"}
PAGE_SCHEMA: dict[str, Any] = {
    "type": "object",
    "description": "What every page has.",
    "required": ["next", "previous"],
    "properties": {
        "next": {**ADDRESS, "description": "Address of the page after this one; null at the end."},
        "previous": {**ADDRESS, "description": "Address of the page before this one; null at the beginning."},
    },
}
"""The component `Page` of the OpenAPI document."""


class CursorPages(BasePagination):
    """`?limit=` (50; 1 to 100) and `?cursor=`; answers `{results, next, previous}`, the last two addresses or null.

    A view may set `page_ordering`, which must name each row.
    """

    ordering: Sequence[str] = ("-created_at", "id")
    default_size = DEFAULT_SIZE
    largest_size = LARGEST_SIZE
    cursor_query_param = "cursor"
    limit_query_param = "limit"

    def paginate_queryset(self, queryset: Any, request: Request, view: APIView | None = None) -> list[Any]:
        """The rows of the page asked for, of a queryset. Raises Fault (page.size, page.cursor)."""
        size = self.size(request)
        order = list(getattr(view, "page_ordering", None) or self.ordering)
        cursor = request.query_params.get(self.cursor_query_param)
        backward = False
        if cursor is not None:
            backward, values = decode_cursor(cursor, order, queryset.model)
            queryset = queryset.filter(beyond(order, values, backward))
        found = list(queryset.order_by(*(reverse_of(order) if backward else order))[: size + 1])
        return self.page(request, found, size, order, backward=backward)

    def size(self, request: Request) -> int:
        """The size of the page asked for. Raises Fault (page.size)."""
        return page_size(request.query_params.get(self.limit_query_param), self.default_size, self.largest_size)

    def page(
        self, request: Request, found: list[Any], size: int, order: Sequence[str], *, backward: bool = False
    ) -> list[Any]:
        """The rows of a page, of those found for it, one more than its size where more are there."""
        cursor = request.query_params.get(self.cursor_query_param)
        more, rows = len(found) > size, found[:size]
        if backward:
            rows.reverse()
        self.address, self.order = request.build_absolute_uri(), order
        self.after = rows[-1] if rows and (more or backward) else None
        self.before = rows[0] if rows and (more if backward else cursor is not None) else None
        return rows

    def link(self, row: Row | None, *, backward: bool) -> str | None:
        """The address of the page beyond a row."""
        if row is None:
            return None
        names = [name.lstrip("-") for name in self.order]
        values = [row[name] if isinstance(row, Mapping) else getattr(row, name) for name in names]
        address = remove_query_param(self.address, self.cursor_query_param)
        return str(replace_query_param(address, self.cursor_query_param, encode_cursor(self.order, backward, values)))

    def get_paginated_response(self, data: Any) -> Response:
        """The page and the addresses of its neighbours."""
        following, former = self.link(self.after, backward=False), self.link(self.before, backward=True)
        return Response({"results": data, "next": following, "previous": former})

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        """For the OpenAPI document: the rows of a page, beside what every page has."""
        results = {"type": "array", "maxItems": self.largest_size, "items": schema.get("items", schema)}
        own = {"type": "object", "required": ["results"], "properties": {"results": results}}
        return {"allOf": [{"$ref": "#/components/schemas/Page"}, own]}

    def get_schema_operation_parameters(self, view: APIView) -> list[dict[str, Any]]:
        """For the OpenAPI document."""
        bounds = {"type": "integer", "minimum": 1, "maximum": self.largest_size, "default": self.default_size}
        return [
            {"name": self.limit_query_param, "in": "query", "description": "Rows of a page.", "schema": bounds},
            {
                "name": self.cursor_query_param,
                "in": "query",
                "description": "Where the page begins: taken from `next` or `previous`.",
                "schema": {"type": "string"},
            },
        ]
