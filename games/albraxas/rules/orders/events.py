"""ORDER, as facts: sealed orders, and their reveal (AX-TRN-5)."""

from typing import ClassVar

from games.albraxas.rules.state.records import Written
from games.albraxas.rules.state.schema_types import Action, Mode, Paper, SeatPaper
from games.albraxas.rules.state.state import State
from games.engine.kernel import Event
from games.engine.lifecycle.amend import canonical
from games.engine.prompts.sealed import AnswerSealed, AnswerWritten


class OrdersWritten(AnswerWritten[State]):
    """A character has written orders, or handed in the digest of some; nobody else knows them before the reveal."""

    rules: ClassVar[tuple[str, ...]] = ("AX-TRN-5",)

    paper: Paper | None = None
    """Absent while only the digest is known."""

    def value(self) -> str:
        return value_of(self.paper) if self.paper is not None else ""


class OrdersSealed(AnswerSealed[State]):
    """A character's orders are in; reported once a turn."""

    rules: ClassVar[tuple[str, ...]] = ("AX-TRN-5",)

    def sentence(self, state: State) -> str:
        return f"{state.characters[self.seat].name} has written orders."


class OrdersRevealed(Event[State]):
    """All orders are shown together, with their salts."""

    rules: ClassVar[tuple[str, ...]] = ("AX-TRN-5",)
    unseals: ClassVar[bool] = True

    papers: tuple[SeatPaper, ...]

    def apply(self, state: State) -> None:
        for key in list(state.written):
            del state.written[key]
        for paper in self.papers:
            if paper.convalesce:
                state.written[paper.seat, 0] = Written(paper.seat, 0, Action.CONVALESCE, 0, 0, Mode.IF_WINS)
            for juncture, order in enumerate(paper.orders, start=1):
                state.written[paper.seat, juncture] = Written(
                    seat=paper.seat,
                    juncture=juncture,
                    action=Action(order.action),
                    dice=order.dice or 0,
                    tie_max=order.policy.max,
                    tie_mode=Mode(order.policy.mode),
                )

    def sentence(self, state: State) -> str:
        return f"All orders are shown. {' '.join(_orders_in_words(state, paper) for paper in self.papers)}"


def _orders_in_words(state: State, paper: SeatPaper) -> str:
    """The orders of a seat in words; what was not written is hole_up."""
    orders = [f"{o.action.replace('_', ' ')} {o.dice or ''}".strip() for o in paper.orders]
    written = "convalesce" if paper.convalesce else ", ".join(orders) or "hole up"
    return f"{state.characters[paper.seat].name}: {written}."


def value_of(paper: Paper) -> str:
    """Orders as the canonical JSON that is sealed."""
    return canonical(paper.model_dump(mode="json"))
