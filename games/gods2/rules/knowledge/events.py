"""Knowledges learned and lost, as facts (G2-KNOW-*)."""

from dataclasses import replace
from typing import ClassVar
from uuid import UUID

from games.engine.kernel import Event
from games.gods2.rules.state.state import State


class KnowledgeLearned(Event[State]):
    """A race has learned something."""

    rules: ClassVar[tuple[str, ...]] = ("G2-KNOW-1", "G2-KPOW-1")

    race: UUID
    knowledge: str
    first: bool
    """Whether no race knew it before."""
    cause: str
    casting: UUID | None = None

    def apply(self, state: State) -> None:
        race = state.races[self.race]
        state.races[self.race] = replace(race, knowledges=tuple(sorted({*race.knowledges, self.knowledge})))
        state.set_era(learned=tuple(sorted({*state.era.learned, self.knowledge})))

    def sentence(self, state: State) -> str:
        what = state.pack.knowledges[self.knowledge].name
        return f"{state.races[self.race].name} learn {what}{' first of all peoples' if self.first else ''}."


class KnowledgeLost(Event[State]):
    """A race has forgotten something."""

    rules: ClassVar[tuple[str, ...]] = ("G2-KNOW-3", "G2-KNOW-4")

    race: UUID
    knowledges: tuple[str, ...]
    cause: str
    casting: UUID | None = None

    def apply(self, state: State) -> None:
        race = state.races[self.race]
        remaining = tuple(k for k in race.knowledges if k not in self.knowledges)
        state.races[self.race] = replace(race, knowledges=remaining)

    def sentence(self, state: State) -> str:
        what = ", ".join(state.pack.knowledges[k].name for k in self.knowledges)
        return f"{state.races[self.race].name} forget {what}."
