"""A game whose people are told of it."""

import pytest

from tests.api.conftest import no_connection_outlives_the_tests
from tests.notifications.told import Told, told

__all__ = ["no_connection_outlives_the_tests"]


@pytest.fixture
def game(db) -> Told:
    """A running game of Cairns, which nobody has looked at yet."""
    return told()
