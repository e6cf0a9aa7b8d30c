"""After a test that has committed, the tables are as they began: on SQLite and on PostgreSQL (tests/migrated.py)."""

import pytest
from django.contrib.auth.models import Group, Permission
from django.test import TransactionTestCase

from games.gods2.packs.models import PackVersion
from tests.operations import schema_text


@pytest.mark.django_db(transaction=True)
def test_rows_that_came_went_or_changed_are_as_they_began() -> None:
    before = schema_text.lines()
    Group.objects.create(name="keepers").permissions.set(Permission.objects.all()[:3])
    Permission.objects.latest("pk").delete()
    PackVersion.objects.filter(number=1).update(note="Another one.")
    changed = schema_text.lines()
    assert set(changed) - set(before) and set(before) - set(changed)
    TransactionTestCase()._fixture_teardown()
    assert schema_text.lines() == before
