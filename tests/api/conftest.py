"""What the tests of the APIs share."""

import pytest
from asgiref.sync import SyncToAsync
from django.db import connections


@pytest.fixture(scope="session", autouse=True)
def no_connection_outlives_the_tests(django_db_setup):
    """Close what `sync_to_async` has opened in its thread, or the test database could not be dropped."""
    yield
    SyncToAsync.single_thread_executor.submit(connections.close_all).result()
