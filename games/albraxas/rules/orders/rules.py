"""ORDER: sealed orders of all characters, and their reveal (AX-TRN-5, AX-TRN-6)."""

from typing import ClassVar

from games.albraxas.rules.resolve.actions import price
from games.albraxas.rules.resolve.strength import junctures
from games.albraxas.rules.state.records import Character, Written
from games.albraxas.rules.state.schema_types import Action, Mode, Order, Paper, SeatPaper, Step
from games.albraxas.rules.state.state import State
from games.engine.audience import reader
from games.engine.errors import Refused
from games.engine.kernel import Event
from games.engine.lifecycle.amend import canonical
from games.engine.prompts.sealed import AnswerSealed, AnswerWritten, unopened_seats
from games.engine.wording import listing, phrase, quantity

ROLLED = frozenset({Action.RECOVER, Action.BATTLE, Action.BACKBONE, Action.BLITZ, Action.HOLE_UP})


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


def junctures_of(character: Character) -> int:
    """Junctures that a character has in their phase (AX-TRN-6)."""
    return junctures(character.blitz, character.clones)


def convalesce_price(character: Character) -> int:
    """Dynamism for a Convalesce; a forced stay is none that costs (AX-ACT-5, AX-TRN-4)."""
    return 0 if character.forced else price(Action.CONVALESCE, character.clones)


def owing(state: State) -> list[Character]:
    """The characters who owe orders: those with a juncture, or with Dynamism to convalesce (AX-TRN-6)."""
    return [c for c in writers(state) if junctures_of(c) > 0 or convalesce_price(c) <= c.dynamism]


def writers(state: State) -> list[Character]:
    """The characters who may write orders; not all of them owe any (`owing`)."""
    return [c for c in state.in_play() if not c.conceded]


def unwritten(state: State) -> list[Character]:
    """The characters who are waited for."""
    prompt = state.question(Step.ORDER)
    return [c for c in owing(state) if state.is_played(c) and (prompt, reader(c.id)) not in state.answers]


def characters_with_digest_only(state: State) -> list[Character]:
    """The characters of whose orders only the digest is known, and who are there to open them."""
    prompt = state.question(Step.ORDER)
    seats = set(unopened_seats(state, prompt)) if prompt is not None else set()
    return [c for c in state.in_play() if c.id in seats and state.is_played(c)]


def check_paper(character: Character, paper: Paper) -> None:
    """Refuse orders that cannot be: `orders.too_many`, `action.unknown`, `dice.range`, `policy.invalid`."""
    room = 0 if paper.convalesce else junctures_of(character)
    if len(paper.orders) > room:
        raise Refused(
            "orders.too_many",
            f"{character.name} has {quantity(room, 'juncture')} for orders here; {len(paper.orders)} were written.",
            rules=("AX-TRN-6",),
            most=room,
            given=len(paper.orders),
        )
    for order in paper.orders:
        _check_order(character, order)


def _check_order(character: Character, order: Order) -> None:
    if order.action not in ROLLED:
        raise Refused(
            "action.unknown",
            f"There is no order {phrase(order.action[:40])}; there are {listing(map(phrase, sorted(ROLLED)))}.",
            rules=("AX-TRN-5",),
            known=sorted(ROLLED),
        )
    bought = order.dice
    named = order.action == Action.BLITZ
    if named is (bought is None) or (bought is not None and not 1 <= bought <= character.blitz):
        raise Refused(
            "dice.range",
            f"A blitz buys up to {quantity(character.blitz, 'die', 'dice')}; no other order names dice.",
            rules=("AX-ACT-4",),
            low=1,
            high=character.blitz,
        )
    if order.policy.max < 0 or order.policy.mode not in tuple(Mode):
        raise Refused(
            "policy.invalid",
            "A tie policy names the most Dynamism for a roll, 0 or more, and the mode: if that wins, or always.",
            rules=("AX-DIE-5",),
        )


def revelation(state: State) -> OrdersRevealed:
    """All orders as they are now: who has written none, not opened the seal, or left (AX-END-7), holes up."""
    prompt, papers = state.question(Step.ORDER), []
    for character in state.in_play():
        answer = state.answers.get((prompt, reader(character.id))) if prompt is not None else None
        known = answer is not None and answer.value != "" and state.is_played(character)
        paper = Paper.model_validate_json(answer.value) if answer is not None and known else Paper()
        salt, digest = (answer.salt, answer.digest) if answer is not None and known else ("", "")
        papers.append(
            SeatPaper(seat=character.id, convalesce=paper.convalesce, orders=paper.orders, salt=salt, digest=digest)
        )
    return OrdersRevealed(papers=tuple(papers))
