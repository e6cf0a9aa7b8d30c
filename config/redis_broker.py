"""The broker on Redis: Kombu's, whose workers outlive a Redis that goes away while they hold messages.

A worker holds each message whose moment has not come (ADR 133). Where the connection is lost, Kombu wants to give these
back over it, after it has forgotten where Redis was, and the worker ends of that. They stay in Redis as they are:
any worker takes them again when their time there is up; until then a sweep finds what they ask for by its row.
"""

from typing import Any

from kombu.transport import redis


class QoS(redis.QoS):
    """The messages that a channel holds."""

    def restore_unacked_once(self, stderr: Any = None) -> None:
        """Give back what is held, unless the connection is lost already."""
        if self.channel.connection.client is None:
            self._on_collect.cancel()
            return
        super().restore_unacked_once(stderr)


class Channel(redis.Channel):
    """A channel that holds messages so."""

    QoS = QoS


class Transport(redis.Transport):
    """Kombu's transport of Redis with these channels."""

    Channel = Channel
