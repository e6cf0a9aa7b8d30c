"""What is done by hand, as facts: tasks settled or void, laws (section 12.1)."""

from typing import ClassVar
from uuid import UUID

from games.engine.kernel import Event
from games.gods2.rules.state.effect_records import Law
from games.gods2.rules.state.state import State


class TaskSettled(Event[State]):
    """A GM has done by hand what a casting asked for."""

    rules: ClassVar[tuple[str, ...]] = ("G2-MISC-1",)

    task: UUID
    casting: UUID | None = None
    words: str
    """What was done."""

    def apply(self, state: State) -> None:
        del state.tasks[self.task]

    def sentence(self, state: State) -> str:
        return f"Done by the GM: {self.words}"


class TaskVoided(Event[State]):
    """A task is void: what was paid is given back."""

    rules: ClassVar[tuple[str, ...]] = ("G2-MISC-1",)

    task: UUID
    casting: UUID | None = None
    reason: str

    def apply(self, state: State) -> None:
        del state.tasks[self.task]

    def sentence(self, state: State) -> str:
        return f"What the GM was to do is void: {self.reason}"


class LawPassed(Event[State]):
    """The council has passed a law."""

    rules: ClassVar[tuple[str, ...]] = ("G2-MANA-7", "G2-TIME-4")

    name: str
    words: str
    century: int

    def apply(self, state: State) -> None:
        state.laws[self.name] = Law(self.name, self.words, self.century)

    def sentence(self, state: State) -> str:
        return f"The council passes a law: {self.name}. {self.words}".strip()
