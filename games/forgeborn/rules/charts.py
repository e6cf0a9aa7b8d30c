"""Rounds as chapters (FB-TRN-6), and what is charted: victory points, faces of dice, the Vault."""

from collections.abc import Iterator, Mapping
from uuid import UUID

from games.engine.insight.charts import About, Chapters, Chart, Figure
from games.engine.kernel import Event
from games.forgeborn.rules.state.dice import dice_of, number_of_faces
from games.forgeborn.rules.state.schema_types import Step
from games.forgeborn.rules.state.state import State
from games.forgeborn.rules.turns.events import RoundStarted


def glory(state: State, subject: UUID | None) -> Iterator[Figure]:
    """The victory points of every player."""
    for seat in state.players():
        if seat.id in state.purses:
            yield Figure(str(seat.id), seat.name, state.purses[seat.id].vp)


def faces(state: State, subject: UUID | None) -> Iterator[Figure]:
    """The faces of all dice of every player's characters."""
    for seat in state.players():
        own = state.characters_of(seat.id)
        if own:
            yield Figure(str(seat.id), seat.name, sum(number_of_faces(dice_of(character)) for character in own))


def artifacts(state: State, subject: UUID | None) -> Iterator[Figure]:
    """How many artifacts lie in the Vault, and how many somebody holds."""
    vault = len(state.vault())
    yield Figure("vault", "In the Vault", vault)
    yield Figure("held", "Held", len(state.artifacts) - vault)


def round_started_by(event: Event) -> int:
    """Which round an event starts."""
    return event.round if isinstance(event, RoundStarted) else 0


CHAPTERS = Chapters(
    word="Round",
    opened_by=(RoundStarted,),
    number=round_started_by,
    ended=lambda state: state.course.step is Step.FINISHED,
)
CHARTS: Mapping[str, Chart[State]] = {
    "glory": Chart("Glory", "victory points", About.NOBODY, glory),
    "faces": Chart("Dice", "faces", About.NOBODY, faces),
    "artifacts": Chart("Artifacts", "artifacts", About.NOBODY, artifacts),
}
