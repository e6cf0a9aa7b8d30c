"""Rows <-> state of the Die Tower: a record is a row, and who was shown is a person of the game's world besides."""

from collections.abc import Iterator, Sequence
from typing import ClassVar
from uuid import UUID

from games import models
from games.dietower import models as own
from games.dietower.drawing import tower_svg, tower_wall_svg
from games.dietower.rules import RULESET
from games.dietower.rules.actors.rules import description
from games.dietower.rules.chronicle import STORY, chronicle_lines
from games.dietower.rules.state import records as rec
from games.dietower.rules.state.schema_types import Step
from games.dietower.rules.state.state import State
from games.dietower.rules.state.wording import STANDS
from games.dietower.rules.tower.tower_view import tower_view
from games.engine.audience import PUBLIC
from games.engine.kernel import Event, EventRecord
from games.storage.chronicle import Entry, entry_of
from games.storage.drawing import Drawing, colours_of
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


class TowerPicture(Drawing):
    """The tower, the same for everybody."""

    def svg(self, state: State, game: models.Game, subtitle: str) -> str | None:
        return tower_svg(tower_view(state), f"{game.name}: {subtitle}", self._inks(state, game))

    def wall_svg(self, state: State, game: models.Game, subtitle: str) -> str | None:
        return tower_wall_svg(tower_view(state), f"{game.name}: {subtitle}", self._inks(state, game))

    def _inks(self, state: State, game: models.Game) -> dict[str, str]:
        return {str(key): colour for key, colour in colours_of(game, state).items()}


class DieTowerStore(WorldStore[State]):
    """The store of the Die Tower: a world of persons, without a map."""

    drawing = TowerPicture()
    chronicle_events: ClassVar[tuple[type[Event], ...]] = STORY

    def is_more_dirty(self, state: State) -> bool:
        return False

    def caption(self, game: models.Game) -> str:
        """The session and the step, or that it has not begun."""
        course = own.Course.objects.filter(game=game).first()
        if course is None or not course.session:
            return "Before the first session"
        return f"Session {course.session}: {STANDS[Step(course.step)]}"

    def size(self, state: State) -> tuple[int, int]:
        return (0, 0)

    def entries(self, state: State, game: models.Game, happened: Sequence[EventRecord], head: int) -> Iterator[Entry]:
        """The sentences of the story, under their session."""
        lines = list(chronicle_lines([h for h in happened if h.audience == PUBLIC], state.course.session))
        for each in lines:
            heading = f"Session {each.session}" if each.session else "Before the first session"
            yield Entry(entry_of(game.pk, head + each.place + 1), each.at, each.session, heading, each.text)

    def entry_id(self, logged: models.LoggedEvent) -> UUID:
        return entry_of(logged.game_id, logged.ordinal)

    def save_before(self, state: State, game: models.Game, happened: Sequence[EventRecord]) -> None:
        super().save_before(state, game, happened)
        state.actors.dirty |= {sheet for sheet in state.sheets.dirty if sheet in state.actors}


STORE = DieTowerStore(RULESET, own, *DIFFERING)
