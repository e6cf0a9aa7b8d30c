"""Rows <-> state of Forgeborn: places, ways, persons, artifacts of a world without squares, and sheets beside them."""

from typing import ClassVar
from uuid import UUID

from core.ids import derived_id
from games import models
from games.engine.kernel import Event
from games.forgeborn import models as own
from games.forgeborn.drawing import realm_spots, realm_svg, realm_wall_svg
from games.forgeborn.rules import RULESET
from games.forgeborn.rules.charts import CHAPTERS
from games.forgeborn.rules.claims.events import ArtifactHanded, ArtifactTaken, ClaimUsed
from games.forgeborn.rules.forge.events import ArtifactMade
from games.forgeborn.rules.realm.realm_view import realm_view
from games.forgeborn.rules.state import records as rec
from games.forgeborn.rules.state.schema_types import Step
from games.forgeborn.rules.state.state import State
from games.forgeborn.rules.state.wording import STANDS
from games.storage.drawing import Picture
from games.storage.tables import Mapped, Part
from games.storage.world_rows import WorldStore
from worlds.models import Artifact, Person, Place, Route


def way_id(way: rec.Way, state: State, game: models.Game) -> UUID:
    """The id of a route: it follows from the places that it joins."""
    return derived_id(way.a, f"way/{way.b}")


def kind_of(record: rec.Place | rec.Character, state: State, game: models.Game) -> str:
    """What a place or a person of the world is."""
    return record.kind.value


def standing_at(character: rec.Character, state: State, game: models.Game) -> UUID:
    """Where a person of the world is."""
    return character.place


def holding_place(artifact: rec.Artifact, state: State, game: models.Game) -> UUID | None:
    """The Citadel for an artifact in the Vault."""
    return artifact.holder if artifact.holder in state.places else None


def holding_person(artifact: rec.Artifact, state: State, game: models.Game) -> UUID | None:
    """The Smith or Heroine who holds an artifact."""
    return artifact.holder if artifact.holder in state.characters else None


TABLES = State.tables
DIFFERING = (
    Mapped.of_sheet(TABLES["places"], Place, own.Place, noun_copies={"kind": kind_of}),
    Mapped(
        TABLES["ways"],
        (
            Part(
                Route,
                {"a": "from_place_id", "b": "to_place_id", "kind": "kind"},
                ("a", "b"),
                "world_id",
                copies={"id": way_id},
                unique=("id",),
            ),
        ),
        where="world_id",
    ),
    Mapped.of_sheet(
        TABLES["characters"],
        Person,
        own.Character,
        noun_copies={"kind": kind_of, "place_id": standing_at},
        renamed={"text": "description"},
    ),
    Mapped.of_sheet(
        TABLES["artifacts"],
        Artifact,
        own.Artifact,
        noun_copies={"place_id": holding_place, "person_id": holding_person},
        renamed={"text": "description"},
    ),
)


class ForgebornStore(WorldStore[State]):
    """The store of Forgeborn: a world of places, ways, persons and artifacts, without squares."""

    drawing = Picture(realm_view, realm_svg, realm_wall_svg, realm_spots)
    handing: ClassVar[tuple[type[Event], ...]] = (ArtifactMade, ArtifactTaken, ArtifactHanded, ClaimUsed)

    def caption(self, game: models.Game) -> str:
        """The round and the step, or that it has not begun."""
        course = own.Course.objects.filter(game=game).first()
        if course is None or not course.round:
            return CHAPTERS.title(0)
        return f"{CHAPTERS.title(course.round)}: {STANDS[Step(course.step)]}"

    def size(self, state: State) -> tuple[int, int]:
        return (0, 0)

    def heading(self, state: State) -> str:
        return CHAPTERS.title(state.course.round)


STORE = ForgebornStore(RULESET, own, *DIFFERING)
