"""The story of each round: which public events its chronicle retells. Reads alone."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from games.engine.audience import PUBLIC
from games.engine.kernel import Event, EventRecord
from games.forgeborn.rules.claims.events import ArtifactHanded, ArtifactTaken, ClaimMade, ClaimUsed, ClaimVoided
from games.forgeborn.rules.conflict.events import (
    ActionDeclared,
    ConflictFailed,
    ConflictWon,
    DangerDescribed,
    DragonSlain,
    PrinceSwayed,
    ProblemSet,
    RuinsFound,
    RuinsSpent,
    SteppedBack,
)
from games.forgeborn.rules.conflict.purchases import CreationFailed
from games.forgeborn.rules.forge.events import ArtifactBegun, ArtifactMade, HeroineRecruited
from games.forgeborn.rules.setup.events import GameStarted
from games.forgeborn.rules.story.events import PlaceNamed, SceneTold, ThreatSet
from games.forgeborn.rules.turns.events import GameFinished, LastTurnsStarted, RoundStarted, SeatLeft, TimeCalled

STORY: tuple[type[Event], ...] = (
    PlaceNamed,
    ThreatSet,
    GameStarted,
    SceneTold,
    ActionDeclared,
    DangerDescribed,
    SteppedBack,
    ConflictWon,
    ConflictFailed,
    PrinceSwayed,
    ProblemSet,
    RuinsSpent,
    RuinsFound,
    ArtifactBegun,
    ArtifactMade,
    CreationFailed,
    HeroineRecruited,
    ArtifactTaken,
    ArtifactHanded,
    ClaimMade,
    ClaimUsed,
    ClaimVoided,
    SeatLeft,
    TimeCalled,
    DragonSlain,
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
