"""Scalars, written as REST writes them: ids as text, times as ISO 8601 with `Z`, JSON as it is."""

from datetime import UTC, date, datetime
from typing import Any
from uuid import UUID

import strawberry
from graphql import GraphQLError
from strawberry.scalars import JSON

from api.common.plain_json import plain


def _time(value: Any) -> str:
    return value if isinstance(value, str) else str(plain(value))


def _read_time(value: Any) -> datetime:
    try:
        read = datetime.fromisoformat(value)
    except (TypeError, ValueError) as error:
        raise GraphQLError("DateTime takes ISO 8601, such as 2026-03-01T12:00:00Z.") from error
    return read if read.tzinfo else read.replace(tzinfo=UTC)


def _read_id(value: Any) -> UUID:
    try:
        return UUID(value)
    except (TypeError, ValueError, AttributeError) as error:
        raise GraphQLError("UUID takes an id such as 123e4567-e89b-12d3-a456-426614174000.") from error


SCALARS: dict[object, Any] = {
    UUID: strawberry.scalar(name="UUID", description="An id.", serialize=str, parse_value=_read_id),
    datetime: strawberry.scalar(
        name="DateTime", description="A time, ISO 8601.", serialize=_time, parse_value=_read_time
    ),
    date: strawberry.scalar(name="Date", description="A day, ISO 8601.", serialize=str, parse_value=date.fromisoformat),
    JSON: strawberry.scalar(
        name="JSON", description="Any JSON value.", serialize=plain, parse_value=lambda value: value
    ),
}
