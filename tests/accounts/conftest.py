"""What the tests of accounts share: empty budgets, a person, an application."""

import pytest
from django.core.cache import caches

from accounts.models import User
from accounts.oauth.models import Application
from core.process_cache import clear_process_caches
from tests.accounts.frontend import PASSWORD, Frontend, register
from tests.api.conftest import no_connection_outlives_the_tests, one_window

__all__ = ["no_connection_outlives_the_tests", "one_window"]


@pytest.fixture
def ruth(db: None) -> User:
    """A user with a password."""
    return User.objects.create_user("Ruth", password=PASSWORD)


@pytest.fixture
def atlas(db: None) -> Application:
    """An application that may ask for everything."""
    return register("Atlas", scope_words="read play gm")


@pytest.fixture
def frontend(atlas: Application, ruth: User) -> Frontend:
    """The application's program, in the browser of a person who is logged in; no budget is spent."""
    caches["throttles"].clear()
    clear_process_caches()
    return Frontend(atlas, ruth)
