"""The story of each session: which public events its chronicle retells (DT-TBL-2). Reads alone.

Dice, windows and placings are the game's own; what people tried, what it cost and who fought whom is the story.
"""

from collections.abc import Iterator, Sequence

from games.dietower.rules.actors.events import ActorFell, ActorRevived, ActorShown, ActorStateSet, LevelRaised, Revealed
from games.dietower.rules.checks.events import CheckRequested, CheckSucceeded, RollClosed
from games.dietower.rules.combat.action_events import AttackHit, AttackMissed, HoldReleased, MonsterBeaten
from games.dietower.rules.combat.events import EncounterClosed, EncounterOpened
from games.dietower.rules.table.events import GameFinished, SessionClosed, SessionOpened
from games.dietower.rules.tower.events import (
    ConsequenceAmended,
    ConsequenceWritten,
    MiracleChosen,
    MiracleDue,
    TowerFell,
)
from games.dietower.rules.wishes.events import StoryWishDecided
from games.engine.insight.chronicle import ChronicleLine, chronicle_lines
from games.engine.kernel import Event, EventRecord

STORY: tuple[type[Event], ...] = (
    SessionOpened,
    ActorShown,
    CheckRequested,
    CheckSucceeded,
    RollClosed,
    TowerFell,
    ConsequenceWritten,
    ConsequenceAmended,
    ActorFell,
    MiracleDue,
    MiracleChosen,
    ActorRevived,
    ActorStateSet,
    LevelRaised,
    StoryWishDecided,
    Revealed,
    EncounterOpened,
    HoldReleased,
    AttackHit,
    AttackMissed,
    MonsterBeaten,
    EncounterClosed,
    SessionClosed,
    GameFinished,
)
"""What is retold; all of it is public."""


def story_lines(happened: Sequence[EventRecord], session: int) -> Iterator[ChronicleLine]:
    """What the chronicle reports of these events, in order. session: the one after the last of them."""
    lines = chronicle_lines(happened, STORY, session_of, session)
    return (line for line in lines if not _is_of_an_attack(line.event))


def session_of(event: Event) -> int | None:
    """The session that an event begins."""
    return event.session if isinstance(event, SessionOpened) else None


def _is_of_an_attack(event: Event) -> bool:
    """Whether a roll is one side of an attack, whose hit or miss says what came of it."""
    return isinstance(event, RollClosed) and event.success is None
