"""What is written to each table of each ruleset is written by statements that the database takes."""

from typing import Any
from uuid import UUID

import pytest
from django.db.models import BooleanField, CharField, Field, ForeignKey, IntegerField, UUIDField

from core.columns import Writes
from games import registry

pytestmark = pytest.mark.django_db
VALUES = {UUIDField: UUID(int=7), CharField: "none", BooleanField: False, IntegerField: 7}


def value_of(field: "Field[Any, Any]") -> Any:
    """A value that a column takes and no row has."""
    if isinstance(field, ForeignKey):
        return value_of(field.target_field)
    return next(value for kind, value in VALUES.items() if isinstance(field, kind))


@pytest.mark.parametrize("slug", registry.folders())
def test_rows_of_every_table_go_by_one_statement(slug: str, django_assert_num_queries: Any) -> None:
    """The kind: a column of a key whose values cannot be sent as an array, found when the first such row goes.

    A part without columns is written by the class of its table.
    """
    parts = [
        part for mapped in registry.store(slug).tables for part in mapped.parts if part.stands_alone and part.columns
    ]
    assert len(parts) > 3
    for part in parts:
        writes = Writes()
        writes.erase(part.eraser, [[value_of(field) for field in part.eraser.fields]])
        with django_assert_num_queries(1):
            writes.send()
