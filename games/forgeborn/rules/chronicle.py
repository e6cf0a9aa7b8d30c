"""The story of each round: which public events its chronicle retells. Reads alone."""

from collections.abc import Iterator, Sequence

from games.engine.insight.chronicle import ChronicleLine, chronicle_lines
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
from games.forgeborn.rules.conflict.purchase_events import CreationFailed
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


def story_lines(happened: Sequence[EventRecord], last: int) -> Iterator[ChronicleLine]:
    """What the chronicle reports of these events, in order. last: the round after the last of them."""
    return chronicle_lines(happened, STORY, round_of, last)


def round_of(event: Event) -> int | None:
    """The round that an event begins."""
    return event.round if isinstance(event, RoundStarted) else None
