"""Rows <-> state of Dawn: common entities in `worlds` with sheets beside them, all else in rows of its own.

The chronicle of the world retells what happens in it, as it happens; what a rewind undoes is taken out of it.
"""

from collections.abc import Sequence
from typing import Any, ClassVar

from games import models
from games.dawn import models as own
from games.dawn.pictures import plan_of
from games.dawn.rules import RULESET
from games.dawn.rules.chronicle import square_of
from games.dawn.rules.races.events import RaceCreated, SubraceCreated
from games.dawn.rules.state import records as rec
from games.dawn.rules.state.schema_types import Life
from games.dawn.rules.state.state import State
from games.dawn.rules.turn.charts import CHAPTERS
from games.engine.kernel import Event, EventRecord
from games.storage.drawing import Squares
from games.storage.tables import Mapped, Part, part_of, square_id_at
from games.storage.world_rows import WorldStore
from worlds.drawing.map_view import PlanLand
from worlds.ids import square_xy
from worlds.models import Adjacency, Army, Avatar, City, Deity, Order, Race, Square


def extinct(race: rec.Race, state: State, game: models.Game) -> bool:
    """Whether a race is no more (DW-MIR-5)."""
    return race.life is Life.EXTINCT


def race_of(record: rec.Edge, state: State, game: models.Game) -> Any:
    """The race that an edge belongs to; None for that of a city."""
    return record.target if record.target in state.races else None


def city_of(record: rec.Edge, state: State, game: models.Game) -> Any:
    """The city that an edge belongs to; None for that of a race."""
    return record.target if record.target in state.cities else None


def home_of(army: rec.Army, state: State, game: models.Game) -> int:
    """The square of the city that an army stands in (DW-WAR-12)."""
    city = state.cities[army.city]
    return square_id_at(game, city.x, city.y)


def standing_on(avatar: rec.Avatar, state: State, game: models.Game) -> int | None:
    """The square of a living avatar."""
    return square_id_at(game, avatar.x, avatar.y) if avatar.alive else None


def founding_in_words(order: rec.Order, state: State, game: models.Game) -> str:
    """When an order was founded, in words."""
    return f"Age {order.age}, round {order.round}"


TABLES = State.tables
DIFFERING = (
    Mapped.of_sheet(TABLES["gods"], Deity, own.GodSheet, sheet_copies={"seat_id": "id"}),
    Mapped(
        TABLES["squares"],
        (
            Part(
                Square,
                {"x": "x", "y": "y", "terrain": "terrain"},
                ("x", "y"),
                "world_id",
                at="id",
                unique=("id",),
            ),
            part_of(
                TABLES["squares"],
                own.SquareSheet,
                ("x", "y", "climate", "fantastic", "floating", "shaped_by", "region"),
            ),
        ),
        via={"terrain": "square__terrain"},
    ),
    Mapped.of_sheet(TABLES["races"], Race, own.RaceSheet, at="home_id", noun_copies={"extinct": extinct}),
    Mapped.of_sheet(TABLES["cities"], City, own.CitySheet),
    Mapped.of(TABLES["edges"], own.Edge, copies={"race_id": race_of, "city_id": city_of}),
    Mapped.of(TABLES["armies"], Army, where="race__dawn_sheet__game_id", copies={"square_id": home_of}),
    Mapped.of_sheet(TABLES["orders"], Order, own.OrderSheet, noun_copies={"founded": founding_in_words}),
    Mapped.of_sheet(
        TABLES["avatars"],
        Avatar,
        own.AvatarSheet,
        noun_copies={"square_id": standing_on},
        renamed={"owner": "deity_id"},
    ),
)


class DawnStore(WorldStore[State]):
    """The store of Dawn: a world beside the tables, whose map is drawn from the state; it is retold as a setting."""

    drawing = Squares(plan_of, from_rows=False)
    adjacency: ClassVar[Adjacency] = Adjacency.SIDES
    peopled: ClassVar[tuple[type[Event], ...]] = (RaceCreated, SubraceCreated)

    def caption(self, game: models.Game) -> str:
        course = own.Course.objects.filter(game=game).first()
        if course is None or not course.age:
            return CHAPTERS.title(0)
        return f"{CHAPTERS.title(course.age)}, round {course.round} of {course.length}"

    def heading(self, state: State) -> str:
        return CHAPTERS.title(state.chapter)

    def size(self, state: State) -> tuple[int, int]:
        return (state.course.width, state.course.height) if state.squares else (0, 0)

    def lands(self, game: models.Game) -> Sequence[PlanLand]:
        held: dict[tuple[str, Any], list[tuple[int, int]]] = {}
        rows = own.SquareSheet.objects.filter(game=game, region__isnull=False)
        rows = rows.order_by("region__name", "region", "square")
        for name, region, square in rows.values_list("region__name", "region", "square"):
            held.setdefault((name, region), []).append(square_xy(square, game.world.width if game.world else 0))
        return [PlanLand(name, tuple(squares)) for (name, _), squares in held.items()]

    def save_before(self, state: State, game: models.Game, happened: Sequence[EventRecord]) -> None:
        super().save_before(state, game, happened)
        moved = state.cities.dirty
        state.armies.dirty |= {army.id for army in state.armies.values() if army.city in moved}

    def square_of(self, event: Event) -> tuple[int, int] | None:
        return square_of(event)


STORE = DawnStore(RULESET, own, *DIFFERING)
