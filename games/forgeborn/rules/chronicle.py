"""The story of each round: which public events its chronicle retells. Reads alone."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from games.engine.audience import PUBLIC
from games.engine.kernel import Event, EventRecord
from games.forgeborn.rules.claims.events import ArtifactHanded, ArtifactTaken, ClaimMade, ClaimUsed, ClaimVoided
from games.forgeborn.rules.turns.events import GameFinished, LastTurnsStarted, RoundStarted

STORY: tuple[type[Event], ...] = (
    RoundStarted,
    ArtifactTaken,
    ArtifactHanded,
    ClaimMade,
    ClaimUsed,
    ClaimVoided,
    LastTurnsStarted,
    GameFinished,
)
"""What is retold; all of it is public."""


@dataclass(frozen=True, slots=True)
class ChronicleLine:
    """One sentence of the chronicle."""

    place: int
    """Which of the events it is, from 0."""
    round: int
    """The round it happened in; 0 for before the first."""
    text: str
    at: datetime


def chronicle_lines(happened: Sequence[EventRecord], last: int) -> Iterator[ChronicleLine]:
    """What the chronicle reports of these public events, in order. last: the round after the last of them."""
    now = last - sum(isinstance(h.event, RoundStarted) for h in happened)
    for place, h in enumerate(happened):
        now = h.event.round if isinstance(h.event, RoundStarted) else now
        if isinstance(h.event, STORY) and h.audience == PUBLIC and h.text:
            yield ChronicleLine(place, now, h.text, h.at)
