"""What bots wish beside powers: points for a friend, an offer, a place, a dispute, a longer Age, a word in advance.

A wish names a command that the rules accept, or none. Each is thrown for and rare, so that a turn comes to its end.
"""

from datetime import timedelta
from uuid import UUID

from games.dawn.rules.bots.conflict import contests
from games.dawn.rules.conflict.commands import OpenDispute
from games.dawn.rules.races.commands import CreateRace
from games.dawn.rules.standing_answers.commands import SetStandingAnswer
from games.dawn.rules.state.constants import MOST_ROUNDS
from games.dawn.rules.state.schema_types import AdvanceKind, AdvanceWord, Cause, OfferKind
from games.dawn.rules.state.state import State
from games.dawn.rules.trade.commands import (
    OFFERS,
    AcceptOffer,
    CancelOffer,
    DeclineOffer,
    GivePoints,
    MakeOffer,
    OfferPlace,
)
from games.dawn.rules.trade.rules import payable
from games.dawn.rules.turn.motion_commands import OpenMotion
from games.engine.dice import Tray
from games.engine.economy.trade_offers import Exchange, require_room
from games.engine.errors import Refused
from games.engine.game_state import Prompt
from games.engine.kernel import Command

RULE = "bot"
SIDES = 24
"""Sides of the die that says whether it deals at all; each deal is one of them."""
MOST = 3
"""Points that a bot gives, offers or asks for at once."""
DISPUTES = ("Whose is the morning?", "Who was here first?", "Which song shall be sung?")


def deal(state: State, seat: UUID, tray: Tray) -> Command | None:
    """Now and then one of the deals that it can make now."""
    use = f"bot/{seat}/{state.info.timers_set}/deal"
    cast = tray.roll(use, SIDES, RULE)
    partners, free = state.partners(seat), state.balance(seat)
    if not partners:
        return None
    other = tray.draw(f"{use}/other", partners, RULE)
    points = tray.roll(f"{use}/points", MOST, RULE)
    match cast:
        case 1 if free >= points:
            return GivePoints(to=other, amount=points, memo="For a good neighbour.")
        case 2 | 3 if free >= points and _room(state, OfferKind.POINTS, seat, other):
            want = min(tray.roll(f"{use}/want", MOST, RULE), state.balance(other))
            return MakeOffer(to=other, give=points, want=want)
        case 4 | 5 | 6 if _sells(state, seat, other):
            return OfferPlace(to=other, price=min(points - 1, state.balance(other)))
        case 7 if contests(state, seat, None):
            return OpenDispute(against=other, text=tray.draw(f"{use}/words", DISPUTES, RULE))
        case 8 if not state.motions and state.course.length < MOST_ROUNDS:
            return OpenMotion(length=state.course.length + 1)
        case 9:
            return _word(tray, use, points)
    return None


def patience(state: State) -> timedelta:
    """How long a bot waits for what comes of its offer, unless it is answered before.

    An offer stands until the end of the turn (section 9); a bot gives a god as long as any question inside it does,
    and leaves itself half of its turn.
    """
    return min(state.window("answer"), state.window("turn") / 2)


def _room(state: State, kind: OfferKind, seat: UUID, other: UUID) -> bool:
    try:
        require_room(state.offers, kind, seat, other, rules=OFFERS)
    except Refused:
        return False
    return True


def _sells(state: State, seat: UUID, buyer: UUID) -> bool:
    """Whether its place is for sale to this god (DW-ORD-3, DW-ORD-4)."""
    course = state.course
    late = buyer in course.order and buyer not in (*course.acted, *course.bought)
    return not course.begun and late and _room(state, OfferKind.PLACE, seat, buyer)


def _word(tray: Tray, use: str, points: int) -> Command:
    """Something said in advance, or cleared; of bids only how far it goes in a dispute, which is worth little."""
    kind = tray.draw(f"{use}/kind", tuple(AdvanceKind), RULE)
    if kind is AdvanceKind.MAX_BID:
        return SetStandingAnswer(kind=kind, cause=Cause.DISPUTE, max_bid=points)
    return SetStandingAnswer(kind=kind, answer=tray.draw(f"{use}/answer", (*AdvanceWord, None), RULE))


def retract(state: State, seat: UUID, coin: bool) -> Command | None:
    """Take an offer of its own back that nobody has answered, if the coin says so."""
    own = sorted(offer.id for offer in state.offers.values() if offer.maker == seat)
    return CancelOffer(offer=own[0]) if own and coin else None


def answer_offer(state: State, offer: Exchange, coin: bool) -> Command | None:
    """Accept what costs it nothing, else if the coin says so; nothing while points stand still (DW-PTS-6)."""
    if state.conflicts:
        return None
    if payable(state, offer) and (coin or offer.give >= offer.want):
        return AcceptOffer(offer=offer.id)
    return DeclineOffer(offer=offer.id)


def share_of(state: State, seat: UUID, prompt: Prompt) -> int:
    """What a god pays who agrees to what is asked: their share of a joint creation (DW-RACE-4)."""
    power = state.powers.get(prompt.subject) if prompt.subject else None
    if power is None or power.does != CreateRace.slug():
        return 0
    creation = CreateRace.model_validate_json(power.arguments)
    return sum(each.share for each in creation.co_creators if each.seat == seat)
