"""The items of an inbox: open questions, those about one thing together, the first to lapse in front."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from uuid import UUID

from api.pages.event.panels import Question, Remaining, ShownPanel
from games.engine.wording import capital


@dataclass(frozen=True, slots=True)
class InboxItem:
    """One item of the inbox: a question, or the questions about one thing. name: of the thing; "" for one question."""

    name: str
    questions: tuple[Question, ...]
    about: tuple[str, ...] = ()
    """What of the map is outlined for it."""

    @property
    def key(self) -> UUID:
        """By which the page knows it."""
        first = self.questions[0].row
        found: UUID = first["subject"] if self.name else first["id"]
        return found

    @property
    def title(self) -> str:
        """What it is about."""
        return capital(self.name) or str(self.questions[0].row["question"])

    @property
    def remaining(self) -> Remaining:
        """What is left until the first of its questions lapses."""
        return min((question.remaining for question in self.questions), key=Remaining.place)

    @property
    def exhibits(self) -> tuple[ShownPanel, ...]:
        """What its questions show, each once."""
        return tuple({q.exhibit.panel.key: q.exhibit for q in self.questions if q.exhibit is not None}.values())

    @property
    def contents(self) -> tuple[tuple[Question, str, bool], ...]:
        """Its questions, each with its words beside the title, and whether it has another deadline than the item."""
        prefix, soonest = f"{self.title}: ", self.remaining.seconds
        return tuple(
            (
                question,
                capital(question.row["question"].removeprefix(prefix)) if self.name else "",
                question.remaining.seconds != soonest,
            )
            for question in self.questions
        )


def inbox_items(
    questions: Iterable[Question], names: Mapping[UUID, str], abouts: Callable[[UUID | None], tuple[str, ...]]
) -> list[InboxItem]:
    """The items of an inbox, the first to lapse in front: what several questions are about stands there once.

    names: of what questions are about, where it has one. abouts: what of the map is outlined for a question about it.
    """
    groups: dict[UUID, list[Question]] = {}
    for question in sorted(questions, key=lambda each: each.remaining.place()):
        subject = question.row["subject"]
        groups.setdefault(subject if subject in names else question.row["id"], []).append(question)
    made = [
        InboxItem(names[key] if len(held) > 1 else "", tuple(held), abouts(held[0].row["subject"]))
        for key, held in groups.items()
    ]
    return sorted(made, key=lambda matter: matter.remaining.place())
