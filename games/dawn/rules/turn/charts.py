"""Ages as chapters (DW-AGE-1), and what is charted at the end of each: points (DW-PTS-1), land, cities and armies."""

from collections import Counter
from collections.abc import Iterator, Mapping
from uuid import UUID

from games.dawn.rules.setup.events import GameStarted
from games.dawn.rules.state.schema_types import Age, Life, Step
from games.dawn.rules.state.state import State
from games.dawn.rules.turn.events import AgeChanged
from games.engine.insight.charts import About, Chapters, Chart, Figure
from games.engine.kernel import Event


def points(state: State, subject: UUID | None) -> Iterator[Figure]:
    """The free points of every god."""
    for god in sorted(state.gods.values(), key=lambda g: (g.name, g.id)):
        yield Figure(str(god.id), god.name, state.balance(god.id))


def territory(state: State, subject: UUID | None) -> Iterator[Figure]:
    """The squares of every race's territory."""
    land = Counter(t.race for t in state.territory.values())
    for each in sorted(state.races.values(), key=lambda r: (r.name, r.id)):
        yield Figure(str(each.id), each.name, land[each.id], gone=each.life is Life.EXTINCT)


def armies(state: State, subject: UUID | None) -> Iterator[Figure]:
    """The armies of every race."""
    raised = Counter(army.race for army in state.armies.values())
    for each in sorted(state.races.values(), key=lambda r: (r.name, r.id)):
        yield Figure(str(each.id), each.name, raised[each.id], gone=each.life is Life.EXTINCT)


def age_opened_by(event: Event) -> int:
    """Which Age an event opens."""
    return event.age if isinstance(event, AgeChanged) else Age.LAND.value


CHAPTERS = Chapters(
    word="Age",
    opened_by=(GameStarted, AgeChanged),
    number=age_opened_by,
    ended=lambda state: state.course.step is Step.FINISHED,
    titles={0: "Before the first Age", **{age.value: f"Age of {age.name.capitalize()}" for age in Age}},
)
CHARTS: Mapping[str, Chart[State]] = {
    "points": Chart("Points", "points", About.NOBODY, points),
    "territory": Chart("Territory", "squares", About.NOBODY, territory),
    "armies": Chart("Armies", "armies", About.NOBODY, armies),
}
