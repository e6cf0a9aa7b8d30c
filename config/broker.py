"""The broker of the single machine: folders, whose messages appear whole or not at all.

Kombu's own transport opens a message under its final name and writes it afterwards, so that a worker may take it while
it is still empty, and dies of that. Here a message is written under another name, and then given its own.
"""

import os
import uuid
from pathlib import Path
from time import monotonic
from typing import Any

from kombu.exceptions import ChannelError
from kombu.transport import TRANSPORT_ALIASES, filesystem
from kombu.utils.json import dumps

NAME, ON_REDIS = "config.broker:Transport", "config.redis_broker:Transport"


class Channel(filesystem.Channel):
    """A channel whose messages are never seen half written."""

    def _put(self, queue: str, payload: Any, **_: Any) -> None:  # type: ignore[override]  # as the parent does
        """Put a message into a queue. Raises ChannelError when the folder takes no file."""
        name = f"{round(monotonic() * 1000)}_{uuid.uuid4()}.{queue}.msg"
        whole = Path(self.data_folder_out) / name
        part = whole.with_name(f"{name}.part")
        try:
            part.write_bytes(dumps(payload).encode())
            os.replace(part, whole)
        except OSError as error:
            raise ChannelError(f"Cannot add {name} to the folder of messages") from error


class Transport(filesystem.Transport):
    """Kombu's transport of folders with these channels."""

    Channel = Channel


def register() -> None:
    """Let `filesystem://` mean this transport, `redis://` and `rediss://` that of `config.redis_broker`."""
    TRANSPORT_ALIASES.update(filesystem=NAME, redis=ON_REDIS, rediss=ON_REDIS)
