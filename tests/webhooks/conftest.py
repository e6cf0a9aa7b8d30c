"""Receivers, started once for a module, and a game whose events they want."""

from collections.abc import Iterator

import pytest

from tests.webhooks.receivers import Receiver, receiving
from tests.webhooks.subscribed import Subscribed, subscribed


@pytest.fixture(scope="module")
def server() -> Iterator[Receiver]:
    with receiving() as receiver:
        yield receiver


@pytest.fixture
def receiver(server: Receiver) -> Receiver:
    """The module's, with nothing in it."""
    server.got.clear()
    return server


@pytest.fixture
def private_nets(settings) -> None:
    settings.WEBHOOK_PRIVATE_NETS = True


@pytest.fixture
def game(db, private_nets) -> Subscribed:
    """A game of Cairns."""
    return subscribed()
