"""Rows <-> state of the Die Tower: a record is a row, and who was shown is a person of the game's world besides."""

from collections.abc import Sequence
from uuid import UUID

from games import models
from games.dietower import models as own
from games.dietower.drawing import tower_spots, tower_svg, tower_wall_svg
from games.dietower.rules import RULESET
from games.dietower.rules.actors.rules import description
from games.dietower.rules.charts import CHAPTERS
from games.dietower.rules.state import records as rec
from games.dietower.rules.state.schema_types import Step
from games.dietower.rules.state.state import State
from games.dietower.rules.state.wording import STANDS
from games.dietower.rules.tower.tower_view import tower_view
from games.engine.kernel import EventRecord
from games.storage.drawing import Picture
from games.storage.tables import Mapped, Part, part_of
from games.storage.world_rows import WorldStore
from worlds.models import Person


def is_shown(actor: rec.Actor) -> bool:
    """Whether an actor is a person of the world: everybody knows of it (DT-CHR-8)."""
    return actor.shown


def person_of(actor: rec.Actor, state: State, game: models.Game) -> UUID | None:
    """The person of an actor."""
    return actor.id if actor.shown else None


def description_of(actor: rec.Actor, state: State, game: models.Game) -> str:
    """What the world says of an actor: what everybody knows."""
    return description(actor, state.sheets.get(actor.id))


TABLES = State.tables
DIFFERING = (
    Mapped(
        TABLES["actors"],
        (
            Part(
                Person,
                {"id": "id", "name": "name", "kind": "kind"},
                ("id",),
                "world_id",
                copies={"description": description_of},
                only=is_shown,
            ),
            part_of(TABLES["actors"], own.Actor, copies={"person_id": person_of}),
        ),
    ),
    Mapped.of(TABLES["rolls"], own.Roll, renamed={"check": "of_check_id"}),
)


class DieTowerStore(WorldStore[State]):
    """The store of the Die Tower: a world of persons, without a map."""

    drawing = Picture(tower_view, tower_svg, tower_wall_svg, tower_spots)

    def caption(self, game: models.Game) -> str:
        """The session and the step, or that it has not begun."""
        course = own.Course.objects.filter(game=game).first()
        if course is None or not course.session:
            return CHAPTERS.title(0)
        return f"{CHAPTERS.title(course.session)}: {STANDS[Step(course.step)]}"

    def heading(self, state: State) -> str:
        return CHAPTERS.title(state.course.session)

    def size(self, state: State) -> tuple[int, int]:
        return (0, 0)

    def save_before(self, state: State, game: models.Game, happened: Sequence[EventRecord]) -> None:
        super().save_before(state, game, happened)
        state.actors.dirty |= {sheet for sheet in state.sheets.dirty if sheet in state.actors}


STORE = DieTowerStore(RULESET, own, *DIFFERING)
