"""Turns as chapters, and what is charted at the end of each: Tide and Ebb (AX-END-2), Backbone, Dynamism (AX-SET-8)."""

from collections.abc import Iterator, Mapping
from uuid import UUID

from games.albraxas.rules.state.schema_types import Step
from games.albraxas.rules.state.state import State
from games.albraxas.rules.turn.events import TurnStarted
from games.engine.insight.charts import About, Chapters, Chart, Figure


def strength(state: State, subject: UUID | None) -> Iterator[Figure]:
    """Tide and Ebb over all phases: what CHECK compares."""
    if state.phases:
        marks = state.marks()
        yield Figure("tide", "Tide", sum(marks.tide))
        yield Figure("ebb", "Ebb", sum(marks.ebb))


def backbone(state: State, subject: UUID | None) -> Iterator[Figure]:
    """Backbone of every character; 0 for those who fell."""
    for character in state.characters.values():
        yield Figure(str(character.id), character.name, character.backbone, gone=character.fallen)


def dynamism(state: State, subject: UUID | None) -> Iterator[Figure]:
    """Dynamism of every character."""
    for character in state.characters.values():
        yield Figure(str(character.id), character.name, character.dynamism, gone=character.fallen)


CHAPTERS = Chapters(
    word="Turn",
    opened_by=(TurnStarted,),
    number=lambda event: int(event.turn),
    ended=lambda state: state.storm.step is Step.FINISHED,
)
CHARTS: Mapping[str, Chart[State]] = {
    "strength": Chart("Tide and Ebb", "marks", About.NOBODY, strength),
    "backbone": Chart("Backbone", "points", About.NOBODY, backbone),
    "dynamism": Chart("Dynamism", "points", About.NOBODY, dynamism),
}
