"""Channels, served once for a module, and a game of Cairns that they are told of."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.chat_hooks.channels import Channel, opened, serving
from tests.chat_hooks.told import Told
from tests.games.cairns import table


@pytest.fixture(scope="module")
def server() -> Iterator[Any]:
    with serving() as handler:
        yield handler


@pytest.fixture
def channels(server: Any) -> dict[str, Channel]:
    return opened(server)


@pytest.fixture
def discord(channels: dict[str, Channel]) -> Channel:
    return channels["discord"]


@pytest.fixture
def slack(channels: dict[str, Channel]) -> Channel:
    return channels["slack"]


@pytest.fixture
def private_nets(settings) -> None:
    settings.WEBHOOK_PRIVATE_NETS = True


@pytest.fixture
def game(db, private_nets) -> Told:
    return Told(table('{"tide_seconds": 3600, "vote_seconds": 600, "tides": 3}'))
