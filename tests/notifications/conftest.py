"""A game whose people are told of it."""

import pytest

from tests.notifications.told import Told, told


@pytest.fixture
def game(db) -> Told:
    """A running game of Cairns, which nobody has looked at yet."""
    return told()
