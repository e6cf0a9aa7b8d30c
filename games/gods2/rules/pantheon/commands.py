"""Pantheons (G2-PAN-1 to 7): change orders are drafted, signed by every member god, handed in, accepted or vetoed.

An order that is handed in during the Calculation Phase is judged again when the next century opens (AMB-32).
"""

from collections.abc import Iterator
from typing import Annotated, ClassVar
from uuid import UUID

from pydantic import Field

from games.engine.audience import reader
from games.engine.errors import Refused
from games.engine.insight.domains import Choices
from games.engine.insight.legal_commands import Enumerable, LegalCommand
from games.engine.kernel import Actor, Context, Event
from games.engine.prompts.prompt import AnswerWithdrawn, PromptAnswered
from games.engine.prompts.questions import ask_row
from games.gods2.rules.cascade.aftermath import run_and_settle
from games.gods2.rules.pantheon.events import (
    PantheonOrderDeferred,
    PantheonOrderDrafted,
    PantheonOrderRefused,
    PantheonOrderSigned,
    PantheonOrderUnsigned,
    drop_draft,
    prompt_of,
    readers_of_draft,
)
from games.gods2.rules.pantheon.orders import (
    SHARING,
    accept_order,
    check_shares,
    member,
    objection,
    open_order,
    pantheon_domain,
)
from games.gods2.rules.state.gods import god_members, god_of
from games.gods2.rules.state.questions import Asked
from games.gods2.rules.state.records import (
    ACTING,
    RECKONING,
    God,
    PantheonOrder,
)
from games.gods2.rules.state.shares import describe_shares, share_list
from games.gods2.rules.state.state import State
from games.gods2.rules.state.value_types import ShareOf

Pantheon = Annotated[tuple[ShareOf, ...], Field(min_length=1, max_length=40)]


class DraftPantheonOrder(Enumerable[State]):
    """Draft new shares for the pantheon of a race; every member god has to sign them."""

    rules: ClassVar[tuple[str, ...]] = ("G2-PAN-3", "G2-PAN-4")

    race: UUID
    """The race."""
    pantheon: Pantheon
    """Every member with its share in hundredths of a percent, 10 000 in all."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        race = state.race(self.race)
        if race.extinct:
            raise Refused("race.extinct", f"{race.name} are no more.", rules=("G2-POP-5",))
        god = member(state, ctx.actor, race.id)
        shares = check_shares(state, self.pantheon)
        state.require(*ACTING)
        readers = readers_of_draft(state, race.id, shares)
        order = ctx.mint(readers)
        yield PantheonOrderDrafted(order=order, race=race.id, pantheon=share_list(shares), seat=god.id)
        yield from ask_row(
            state,
            ctx,
            Asked.SIGN,
            order,
            owners=[reader(g) for g in god_members(state, race.id)],
            readers=readers,
            race=race.name,
            shares=describe_shares(state, shares),
        )

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        state.require(*ACTING)
        god = god_of(state, actor)
        races = Choices.of(r.id for r in state.living() if (r.id, str(god.id)) in state.shares)
        if not races.values:
            raise Refused("member.missing", f"{god.name} is a member of no pantheon.", rules=("G2-PAN-3",))
        yield LegalCommand(cls.slug(), {"race": races, "pantheon": pantheon_domain(state)}, note=SHARING)


class OrderCommand(Enumerable[State], abstract=True):
    """A command about an open draft."""

    rules: ClassVar[tuple[str, ...]] = ("G2-PAN-3",)

    order: UUID
    """The draft."""

    @classmethod
    def fits(cls, state: State, order: PantheonOrder, god: God) -> bool:
        """Whether this god may issue the command about this draft."""
        return god.id in god_members(state, order.race)

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        state.require(*ACTING)
        god = god_of(state, actor)
        fitting = [o.id for o in state.orders.values() if not o.deferred and cls.fits(state, o, god)]
        if fitting:
            yield LegalCommand(cls.slug(), {"order": Choices.of(sorted(fitting))})


class SignPantheonOrder(OrderCommand):
    """Sign a draft, once."""

    @classmethod
    def fits(cls, state: State, order: PantheonOrder, god: God) -> bool:
        return super().fits(state, order, god) and god.id not in order.signed

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        order = open_order(state, self.order, ctx.actor)
        god = member(state, ctx.actor, order.race)
        if god.id in order.signed:
            raise Refused(
                "signature.given", f"{god.name} has signed this draft already.", rules=("G2-PAN-3",),
                signed=len(order.signed),
            )  # fmt: skip
        state.require(*ACTING)
        prompt = prompt_of(state, order.id)
        if prompt is not None and reader(god.id) in state.prompts[prompt].owners:
            yield PromptAnswered(prompt=prompt, owner=reader(god.id), answer="true")
        yield PantheonOrderSigned(order=order.id, seat=god.id)


class UnsignPantheonOrder(OrderCommand):
    """Take your signature back."""

    @classmethod
    def fits(cls, state: State, order: PantheonOrder, god: God) -> bool:
        return god.id in order.signed

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        order, god = open_order(state, self.order, ctx.actor), god_of(state, ctx.actor)
        if god.id not in order.signed:
            raise Refused("signature.missing", f"{god.name} has not signed this draft.", rules=("G2-PAN-3",))
        state.require(*ACTING)
        prompt = prompt_of(state, order.id)
        if prompt is not None and (prompt, reader(god.id)) in state.answers:
            yield AnswerWithdrawn(prompt=prompt, owner=reader(god.id))
        yield PantheonOrderUnsigned(order=order.id, seat=god.id)


class HandInPantheonOrder(OrderCommand):
    """Hand a draft in: it takes effect when every member god has signed it and nobody vetoes.

    Missing signatures and vetoes are no refusal; the order is void and the draft stays open.
    """

    rules: ClassVar[tuple[str, ...]] = ("G2-PAN-3", "G2-PAN-5", "G2-PAN-6")

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        order = open_order(state, self.order, ctx.actor)
        member(state, ctx.actor, order.race)
        state.require(*ACTING)
        against = objection(state, order)
        if against is not None:
            yield PantheonOrderRefused(order=order.id, reason=against[0], member=against[1])
        elif state.era.phase in RECKONING:
            yield PantheonOrderDeferred(order=order.id, century=state.era.century + 1)
        else:
            yield from run_and_settle(state, ctx, accept_order(state, ctx, order), "pantheon")


class DropPantheonOrder(OrderCommand):
    """Drop your own draft."""

    @classmethod
    def fits(cls, state: State, order: PantheonOrder, god: God) -> bool:
        return god.id == order.drafter

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        order = open_order(state, self.order, ctx.actor)
        if order.drafter != god_of(state, ctx.actor).id:
            raise Refused("order.closed", "Only its drafter drops a draft.", rules=("G2-PAN-3",))
        state.require(*ACTING)
        yield from drop_draft(state, order.id)
