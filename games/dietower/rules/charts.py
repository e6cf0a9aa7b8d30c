"""Sessions as chapters (DT-TBL-2), and what is charted: the tower die by die, Wishes, falls and miracles."""

from collections.abc import Iterator, Mapping
from uuid import UUID

from games.dietower.rules.state.schema_types import PlacementStatus, Step
from games.dietower.rules.state.state import State
from games.dietower.rules.table.events import SessionOpened
from games.dietower.rules.tower.events import DiePlaced, TowerFell, TowerReset, TowerTakenDown
from games.engine.insight.charts import About, Chapters, Chart, Figure
from games.engine.kernel import Event

ENDED = "end"
"""What stands under a tower that is taken down or built anew."""


def height(state: State, subject: UUID | None) -> Iterator[Figure]:
    """The height of the tower."""
    yield Figure("height", "Height", state.tower.height)


def wishes(state: State, subject: UUID | None) -> Iterator[Figure]:
    """The Wishes of every character, as all read them: what a story Wish holds is among them (DT-WSH-6)."""
    for actor in state.player_characters():
        yield Figure(str(actor.id), actor.name, state.sheets[actor.id].wishes)


def outcomes(state: State, subject: UUID | None) -> Iterator[Figure]:
    """How many dice have stood so far, how many towers have fallen, how many were miracles."""
    placements = state.placements.values()
    yield Figure("stood", "Dice that stood", sum(p.status is PlacementStatus.STOOD for p in placements))
    yield Figure("fell", "Towers that fell", sum(p.status is PlacementStatus.FELL for p in placements))
    yield Figure("miracles", "Miracles", len(state.miracles))


def label_of_die(event: Event) -> str:
    """What stands under a die: the height it came to, or that the tower fell."""
    match event:
        case DiePlaced():
            return str(event.height)
        case TowerFell():
            return "fell"
    return ENDED


def session_opened_by(event: Event) -> int:
    """Which session an event opens."""
    return event.session if isinstance(event, SessionOpened) else 0


CHAPTERS = Chapters(
    word="Session",
    opened_by=(SessionOpened,),
    number=session_opened_by,
    ended=lambda state: state.course.step is Step.FINISHED,
)
CHARTS: Mapping[str, Chart[State]] = {
    "height": Chart(
        "Height of the tower",
        "dice",
        About.NOBODY,
        height,
        taken_at=(DiePlaced, TowerFell, TowerTakenDown, TowerReset),
        word="Placement",
        label=label_of_die,
    ),
    "wishes": Chart("Wishes", "Wishes", About.NOBODY, wishes),
    "outcomes": Chart("Falls and miracles", "times", About.NOBODY, outcomes),
}
