"""The broker on Redis: Kombu's, whose workers outlive a Redis that goes away while they hold messages.

A worker holds each message whose moment has not come (ADR 133), and those of the tasks that it is doing. Where the
connection is lost, Kombu wants to give these back, or to acknowledge them, over a channel that has forgotten where
Redis was, and the worker ends of that. They stay in Redis as they are: any worker takes them again when their time
there is up, and what they ask for is done once; until then a sweep finds it by its row.
"""

from typing import Any

from kombu.transport import redis
from redis.exceptions import ConnectionError as RedisConnectionError


class QoS(redis.QoS):
    """The messages that a channel holds."""

    def restore_unacked_once(self, stderr: Any = None) -> None:
        """Give back what is held, unless the connection is lost already."""
        if self.channel.is_lost:
            self._on_collect.cancel()
            return
        super().restore_unacked_once(stderr)


class Channel(redis.Channel):
    """A channel that holds messages so."""

    QoS = QoS

    @property
    def is_lost(self) -> bool:
        """Whether it has forgotten where Redis is: it is closed, or its connection is."""
        return self.connection is None or self.connection.client is None

    def _connparams(self, asynchronous: bool = False) -> dict[str, Any]:
        """Where Redis is. Raises redis' ConnectionError, which callers know, where this is forgotten."""
        if self.is_lost:
            raise RedisConnectionError("the channel is closed: its connection to Redis was lost")
        found: dict[str, Any] = super()._connparams(asynchronous)
        return found


class Transport(redis.Transport):
    """Kombu's transport of Redis with these channels."""

    Channel = Channel
