"""The commands between gods: give points, make and answer offers, sell one's place (DW-PTS-*, DW-ORD-3, DW-ORD-4)."""

from collections.abc import Iterator
from typing import ClassVar
from uuid import UUID

from pydantic import Field

from games.dawn.rules.state.constants import PAID
from games.dawn.rules.state.records import God
from games.dawn.rules.state.schema_types import OfferKind, Step, Text
from games.dawn.rules.state.state import State
from games.dawn.rules.trade.events import OfferMade, PlaceSold, PointsGiven
from games.dawn.rules.trade.rules import end_offer, payable
from games.dawn.rules.turn.rules import pass_turn, start_turn
from games.engine.bots import wake_bots
from games.engine.economy import purses
from games.engine.economy.trade_offers import Exchange, Result, between, make_offer, offer_by, offer_to, require_room
from games.engine.errors import Refused
from games.engine.insight.domains import Choices, FreeText, Range
from games.engine.insight.legal_commands import Enumerable, LegalCommand
from games.engine.kernel import Actor, Command, Context, Event
from games.engine.wording import quantity

OFFERS = ("DW-PTS-5",)
MOST_POINTS = 1_000_000


class GivePoints(Enumerable[State]):
    """Give points to another god, at once and for good; you or the other must be the active god."""

    rules: ClassVar[tuple[str, ...]] = ("DW-PTS-2", "DW-PTS-3")

    to: UUID
    """The god who gets them."""
    amount: int = Field(ge=1, le=MOST_POINTS)
    """How many."""
    memo: Text = ""
    """What was promised for it; nobody enforces that (DW-PTS-4)."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        god = _dealing(state, ctx.actor)
        state.require_pair(god.id, self.to)
        purses.require(state.purses, god.id, self.amount, "This gift", rules=PAID)
        yield PointsGiven(giver=god.id, receiver=self.to, amount=self.amount, memo=self.memo)

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        god = _dealing(state, actor)
        partners = _partners(state, god.id)
        purses.require(state.purses, god.id, 1, "A gift", rules=PAID)
        amount = Range(low=1, high=state.balance(god.id))
        yield LegalCommand(cls.slug(), {"to": Choices.of(partners), "amount": amount, "memo": FreeText()})


class MakeOffer(Enumerable[State]):
    """Offer another god points for points; it lapses at the end of the turn."""

    rules: ClassVar[tuple[str, ...]] = OFFERS

    to: UUID
    """The other god; one of you must be the active one."""
    give: int = Field(ge=0, le=MOST_POINTS)
    """What you give."""
    want: int = Field(ge=0, le=MOST_POINTS)
    """What you ask for: no more than the other god has now."""
    memo: Text = ""
    """What was promised beside; nobody enforces that."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        god = _dealing(state, ctx.actor)
        state.require_pair(god.id, self.to)
        require_room(state.offers, OfferKind.POINTS, god.id, self.to, rules=OFFERS)
        purses.require(state.purses, god.id, self.give, "This offer", rules=PAID)
        _require_means(state, self.to, self.want)
        yield from _make_offer(state, ctx, god, self.to, OfferKind.POINTS, self.give, self.want, self.memo)

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        god = _dealing(state, actor)
        takers = _free_for(state, OfferKind.POINTS, god.id, _partners(state, god.id))
        give = Range(low=0, high=state.balance(god.id))
        for taker in takers:
            want = Range(low=0, high=state.balance(taker))
            yield LegalCommand(cls.slug(), {"to": Choices.of((taker,)), "give": give, "want": want, "memo": FreeText()})


class OfferPlace(Enumerable[State]):
    """Offer a later god to act right before you, for points; only before your first power of the turn."""

    rules: ClassVar[tuple[str, ...]] = ("DW-ORD-3", "DW-ORD-4", "DW-PTS-5")

    to: UUID
    """The god who would act before you."""
    price: int = Field(ge=0, le=MOST_POINTS)
    """What the other god pays you: no more than they have now."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        god = _selling(state, ctx.actor)
        state.require_pair(god.id, self.to)
        _require_buyer(state, self.to)
        require_room(state.offers, OfferKind.PLACE, god.id, self.to, rules=OFFERS)
        _require_means(state, self.to, self.price)
        yield from _make_offer(state, ctx, god, self.to, OfferKind.PLACE, 0, self.price, "")

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        god = _selling(state, actor)
        buyers = _free_for(state, OfferKind.PLACE, god.id, _buyers(state, god.id))
        for buyer in buyers:
            price = Range(low=0, high=state.balance(buyer))
            yield LegalCommand(cls.slug(), {"to": Choices.of((buyer,)), "price": price})


class AcceptOffer(Enumerable[State]):
    """Accept an offer: what both sides named moves at once."""

    rules: ClassVar[tuple[str, ...]] = ("DW-PTS-5", "DW-ORD-3")

    offer: UUID
    """The offer."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        god = _trading(state, ctx.actor)
        offer = offer_to(state.offers, self.offer, god.id, rules=OFFERS)
        state.require_no_conflict()
        if not payable(state, offer):
            purses.require(state.purses, god.id, offer.want, "This offer", rules=PAID)
            raise Refused("points.short", f"{state.title(offer.maker)} can no longer pay it.", rules=OFFERS)
        yield from end_offer(state, offer, Result.ACCEPTED)
        yield from wake_bots(state, ctx, (offer.maker,))
        if offer.kind == OfferKind.PLACE:
            yield from _sell_place(state, ctx, offer)
        else:
            for giver, receiver, amount in (
                (offer.maker, offer.taker, offer.give),
                (offer.taker, offer.maker, offer.want),
            ):
                if amount:
                    yield PointsGiven(giver=giver, receiver=receiver, amount=amount, memo=offer.memo)

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        state.require_no_conflict()
        for legal in _answers(cls, state, actor, made=False):
            offers = legal.choices("offer")
            able = [offer for offer in offers if payable(state, state.offers[offer])]
            if not able:
                raise Refused("points.short", "One of you cannot pay it now.", rules=OFFERS)
            yield LegalCommand(cls.slug(), {"offer": Choices.of(able)})


class DeclineOffer(Enumerable[State]):
    """Decline an offer."""

    rules: ClassVar[tuple[str, ...]] = OFFERS

    offer: UUID
    """The offer."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        god = _trading(state, ctx.actor)
        offer = offer_to(state.offers, self.offer, god.id, rules=OFFERS)
        yield from end_offer(state, offer, Result.DECLINED)
        yield from wake_bots(state, ctx, (offer.maker,))

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        yield from _answers(cls, state, actor, made=False)


class CancelOffer(Enumerable[State]):
    """Take an offer of yours back."""

    rules: ClassVar[tuple[str, ...]] = OFFERS

    offer: UUID
    """The offer."""

    def decide(self, state: State, ctx: Context) -> Iterator[Event]:
        god = _trading(state, ctx.actor)
        yield from end_offer(state, offer_by(state.offers, self.offer, god.id, rules=OFFERS), Result.CANCELLED)

    @classmethod
    def legal_commands(cls, state: State, actor: Actor) -> Iterator[LegalCommand]:
        yield from _answers(cls, state, actor, made=True)


def order_with_buyer(order: tuple[UUID, ...], buyer: UUID, seller: UUID) -> tuple[UUID, ...]:
    """The order with the buyer right before the seller; all others as they were (DW-AMB-6)."""
    rest = [seat for seat in order if seat != buyer]
    place = rest.index(seller)
    return (*rest[:place], buyer, *rest[place:])


def _sell_place(state: State, ctx: Context, offer: Exchange) -> Iterator[Event]:
    """The active god sells their place: the turn passes to the buyer."""
    _require_buyer(state, offer.taker)
    yield from pass_turn(state, "sold")
    order = order_with_buyer(state.course.order, offer.taker, offer.maker)
    yield PlaceSold(seller=offer.maker, buyer=offer.taker, price=offer.want, order=order)
    yield from start_turn(state, ctx, offer.taker)


def _require_buyer(state: State, buyer: UUID) -> None:
    """Refuse who cannot buy a place: `place.acted`, `place.limit`, `seat.missing`."""
    course, name = state.course, state.title(buyer)
    if buyer in course.acted:
        raise Refused("place.acted", f"{name} has acted in this round already.", rules=("DW-ORD-4",))
    if buyer in course.bought:
        raise Refused("place.limit", f"{name} has bought a place in this round.", rules=("DW-ORD-4",))
    if buyer not in course.order:
        raise Refused("seat.missing", f"{name} has no place in this round.", rules=("DW-ORD-3",))


def _require_means(state: State, taker: UUID, want: int) -> None:
    """Refuse (`points.short`) to ask for more than a god has now (DW-PTS-5)."""
    have = state.balance(taker)
    if want > have:
        raise Refused(
            "points.short",
            f"{state.title(taker)} has {have} points; an offer asks for no more than that, not for {want}.",
            rules=("DW-PTS-5",),
            need=want,
            have=have,
        )


def _buyers(state: State, seller: UUID) -> list[UUID]:
    """Who may act before a god in this round, in turn order. Raises what bars the last of the others, if all are."""
    found, barred = list[UUID](), Refused("seat.missing", "Nobody else is in the game.", rules=("DW-ORD-3",))
    for seat in state.present(god.id for god in state.playing() if god.id != seller):
        try:
            _require_buyer(state, seat)
            found.append(seat)
        except Refused as why:
            barred = why
    if not found:
        raise barred
    return found


def _partners(state: State, seat: UUID) -> list[UUID]:
    """Whom a god may deal with now. Raises `pair.inactive`."""
    found = state.partners(seat)
    if not found:
        raise Refused("pair.inactive", "Nobody is there whom you could deal with now.", rules=("DW-PTS-2",))
    return found


def _free_for(state: State, kind: OfferKind, maker: UUID, takers: list[UUID]) -> list[UUID]:
    """Those to whom no offer of this kind is open. Raises `offer.pending` if one is open to each of them."""
    found = [taker for taker in takers if _has_room(state, kind, maker, taker)]
    if not found:
        raise Refused("offer.pending", "Each of them has an offer of this kind with you; settle one.", rules=OFFERS)
    return found


def _has_room(state: State, kind: OfferKind, maker: UUID, taker: UUID) -> bool:
    try:
        require_room(state.offers, kind, maker, taker, rules=OFFERS)
    except Refused:
        return False
    return True


def _make_offer(
    state: State, ctx: Context, god: God, to: UUID, kind: OfferKind, give: int, want: int, memo: str
) -> Iterator[Event]:
    offer = ctx.mint(between(god.id, to))
    made = OfferMade(offer=offer, maker=god.id, taker=to, kind=kind, give=give, want=want, memo=memo)
    given = f"the place before {god.name}" if kind is OfferKind.PLACE else quantity(give, "point")
    yield from make_offer(state, ctx, made, maker=god.name, given=given, wanted=quantity(want, "point"))


def _dealing(state: State, actor: Actor) -> God:
    god = _trading(state, actor)
    state.require_no_conflict()
    return god


def _trading(state: State, actor: Actor) -> God:
    state.require(Step.TURN)
    return state.acting(actor)


def _selling(state: State, actor: Actor) -> God:
    """The active god at the start of their turn. Raises `turn.begun`."""
    god = state.active(actor)
    if state.course.begun:
        raise Refused("turn.begun", "A place is sold before the first power of the turn.", rules=("DW-ORD-3",))
    return god


def _answers(command: type[Command], state: State, actor: Actor, *, made: bool) -> Iterator[LegalCommand]:
    god = _trading(state, actor)
    mine = [o.id for o in state.offers.values() if (o.maker if made else o.taker) == god.id]
    if not mine:
        raise Refused("offer.closed", "There is no such offer.", rules=OFFERS)
    yield LegalCommand(command.slug(), {"offer": Choices.of(mine)})
