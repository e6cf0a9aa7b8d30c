"""ORDER: sealed orders of all characters, and their reveal (AX-TRN-5, AX-TRN-6)."""

from games.albraxas.rules.orders.events import OrdersRevealed
from games.albraxas.rules.resolve.actions import convalesce_price
from games.albraxas.rules.state.records import Character
from games.albraxas.rules.state.schema_types import Action, Mode, Order, Paper, SeatPaper, Step
from games.albraxas.rules.state.state import State
from games.albraxas.rules.state.strength import junctures
from games.engine.audience import reader
from games.engine.errors import Refused
from games.engine.prompts.sealed import unopened_seats
from games.engine.wording import listing, phrase, quantity

ROLLED = frozenset({Action.RECOVER, Action.BATTLE, Action.BACKBONE, Action.BLITZ, Action.HOLE_UP})


def junctures_of(character: Character) -> int:
    """Junctures that a character has in their phase (AX-TRN-6)."""
    return junctures(character.blitz, character.clones)


def owing(state: State) -> list[Character]:
    """The characters who owe orders: those with a juncture, or with Dynamism to convalesce (AX-TRN-6)."""
    return [c for c in writers(state) if junctures_of(c) > 0 or convalesce_price(c) <= c.dynamism]


def writers(state: State) -> list[Character]:
    """The characters who may write orders; not all of them owe any (`owing`)."""
    return [c for c in state.in_play() if not c.conceded]


def without_orders(state: State) -> list[Character]:
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
