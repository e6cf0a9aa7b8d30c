"""What a decision about messages may ask of the past of its game; who keeps the log answers it."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple, Protocol
from uuid import UUID

from games.engine.audience import Audience


class PastMessage(NamedTuple):
    """A message (`MessageSent`) as it stands in the log; of an anonymous one that of its sender."""

    event: Any
    audience: Audience
    at: datetime


class MessageHistory(Protocol):
    """The messages of one game. A rewind makes none of them unsent."""

    def last_messages(self, sender: UUID | None, most: int) -> Sequence[PastMessage]:
        """The last messages of a seat, or of game-masters without one, the latest first."""

    def message(self, message: UUID) -> PastMessage | None:
        """The message of an id; None where there is none."""

    def is_reported(self, message: UUID, reporter: UUID | None) -> bool:
        """Whether a seat, or a game-master without one, has reported a message."""
