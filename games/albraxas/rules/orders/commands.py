"""The commands of ORDER: write orders, or hand in their digest and open them when all are in (AX-TRN-5)."""

from collections.abc import Iterator
from typing import ClassVar
from uuid import UUID

from pydantic import Field

from games.albraxas.rules.orders.events import OrdersSealed, OrdersWritten, value_of
from games.albraxas.rules.orders.forecast import forecast_orders
from games.albraxas.rules.orders.rules import ROLLED, characters_with_digest_only, check_paper, junctures_of
from games.albraxas.rules.resolve.actions import convalesce_price
from games.albraxas.rules.state.records import Character
from games.albraxas.rules.state.schema_types import (
    MOST_WRITTEN,
    OPENING,
    PROPOSED_TIE,
    Action,
    Mode,
    Order,
    Paper,
    Step,
)
from games.albraxas.rules.state.state import State
from games.engine.errors import Refused
from games.engine.insight.domains import Case, Choices, Domain, Fields, Flag, FreeText, ListOf, OneOf, Range
from games.engine.insight.forecast import Forecast, Forecastable
from games.engine.insight.legal_commands import Enumerable, LegalCommand
from games.engine.kernel import Actor, Context, Event
from games.engine.model import IN_ORDER
from games.engine.prompts.prompt import answer
from games.engine.prompts.sealed import (
    DIGEST,
    SHORTEST_SALT,
    ClientSealed,
    SealedAnswer,
    commit_digest,
    open_answer,
    owing,
    seal_answer,
)


class WriteOrders(Forecastable[State]):
    """Write an order for each juncture, or convalesce; secret until all are in, replaceable until then."""

    rules: ClassVar[tuple[str, ...]] = ("AX-TRN-5", "AX-TRN-6")

    convalesce: bool = False
    """Sit the whole phase out; then there are no orders."""
    orders: tuple[Order, ...] = Field(default=(), max_length=MOST_WRITTEN, json_schema_extra=IN_ORDER)
    """An order for each juncture; a missing tail is `hole_up`."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        character, prompt = ordering(state, ctx.actor)
        paper = Paper(convalesce=self.convalesce, orders=self.orders)
        check_paper(character, paper)
        yield from hand_in(state, ctx, seal_answer(state, ctx, prompt, value_of(paper)), paper)

    def forecast(self, state: State, ctx: Context, actor: Actor) -> Forecast:
        character, _ = ordering(state, actor)
        paper = Paper(convalesce=self.convalesce, orders=self.orders)
        check_paper(character, paper)
        return forecast_orders(state, character, paper)

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        character, prompt = ordering(state, actor)
        owing(state, actor, prompt)
        yield LegalCommand(
            cls.slug(),
            orders_domains(character),
            cases=(CONVALESCING,),
            price=convalesce_price(character),
            note="The price is that of convalescing.",
        )


class SealOrders(Enumerable[State], ClientSealed):
    """Hand in the digest of your orders alone and keep them to yourself; open them when all are in."""

    rules: ClassVar[tuple[str, ...]] = ("AX-TRN-5", "AX-AMB-31")

    digest: str = Field(pattern=DIGEST, max_length=64)
    """SHA-256, hexadecimal, of salt, colon and the orders as canonical JSON with the keys `convalesce` and `orders`."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        _, prompt = ordering(state, ctx.actor)
        yield from hand_in(state, ctx, commit_digest(state, ctx, prompt, self.digest), None)

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        _, prompt = ordering(state, actor)
        owing(state, actor, prompt)
        yield LegalCommand(cls.slug(), {"digest": FreeText()})


class OpenOrders(Enumerable[State], ClientSealed):
    """Open the orders of which you have handed in the digest.

    Its legal entry is `partial`: only what fits your digest is taken, and that is known to you alone.
    """

    rules: ClassVar[tuple[str, ...]] = ("AX-TRN-5", "AX-AMB-31")

    convalesce: bool = False
    """As sealed."""
    orders: tuple[Order, ...] = Field(default=(), max_length=MOST_WRITTEN, json_schema_extra=IN_ORDER)
    """As sealed."""
    salt: str = Field(max_length=200)
    """Your salt: 16 characters at least."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        character, opening = self._opening(state, ctx.actor)
        paper = Paper(convalesce=self.convalesce, orders=self.orders)
        stamp = open_answer(state, ctx, opening, value_of(paper), self.salt)
        check_paper(character, paper)
        yield from answer(state, ctx, opening, '"opened"')
        yield from hand_in(state, ctx, stamp, paper)

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        character, _ = cls._opening(state, actor)
        if character in characters_with_digest_only(state):
            arguments = {**orders_domains(character), "salt": FreeText(low=SHORTEST_SALT)}
            yield LegalCommand(cls.slug(), arguments, cases=(CONVALESCING,), partial=True)

    @staticmethod
    def _opening(state: State, actor: Actor) -> tuple[Character, UUID]:
        character, _ = ordering(state, actor)
        opening = state.question(OPENING)
        if opening is None:
            raise Refused("prompt.closed", "There is nothing to open yet; wait until all are in.", rules=("AX-AMB-31",))
        return character, opening


CONVALESCING = Case({"convalesce": Choices((True,))}, {"orders": None})
"""Who convalesces writes no orders."""


def orders_domains(character: Character) -> dict[str, Domain]:
    """What a character's paper may say: a blitz names its dice, no other order does (AX-TRN-6, AX-ACT-4)."""
    tie = Fields({"max": Range(low=0, proposed=PROPOSED_TIE.max), "mode": Choices.of(mode.value for mode in Mode)})
    others = Choices.of(sorted(ROLLED - {Action.BLITZ}))
    blitz = {"action": Choices((Action.BLITZ.value,)), "dice": Range(low=1, high=character.blitz), "tie": tie}
    forms: tuple[Domain, ...] = (Fields({"action": others, "tie": tie}),)
    if character.blitz > 0:
        forms = (*forms, Fields(blitz, required=("dice",)))
    most = junctures_of(character)
    return {"convalesce": Flag(), "orders": ListOf(OneOf(forms), high=most, unique=False)}


def ordering(state: State, actor: Actor) -> tuple[Character, UUID]:
    """The character who acts in ORDER, and the question. Raises `phase.closed`, `character.out`."""
    state.require(Step.ORDER)
    character, prompt = state.acting(actor), state.question(Step.ORDER)
    if prompt is None:
        raise RuntimeError("ORDER without a question")
    return character, prompt


def hand_in(state: State, ctx: Context, stamp: SealedAnswer, paper: Paper | None) -> Iterator[Event]:
    """Orders, or their digest, are in; the first time it is reported to everybody."""
    yield OrdersWritten(prompt=stamp.prompt, seat=stamp.seat, salt=stamp.salt, digest=stamp.digest, paper=paper)
    if stamp.first:
        yield OrdersSealed(prompt=stamp.prompt, seat=stamp.seat, digest=stamp.digest)
