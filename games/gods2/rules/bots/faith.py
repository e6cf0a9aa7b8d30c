"""What a bot does about pantheons: drafts and signatures.

It asks for a little more where it holds little, first where it would teach: that is its price. Everybody counts who
runs away with the worshippers of the Earth and who is left behind. Who runs away gets no signature for more; who is
left behind is spared more and invited, as a god who has nothing to lose strikes the whole Earth and stirs turmoils.
"""

from uuid import UUID

from games.engine.dice import Tray
from games.engine.kernel import Command
from games.gods2.rules.bots.view import TENTHS, View
from games.gods2.rules.pantheon.commands import (
    DraftPantheonOrder,
    DropPantheonOrder,
    HandInPantheonOrder,
    SignPantheonOrder,
    UnsignPantheonOrder,
)
from games.gods2.rules.pantheon.orders import objection
from games.gods2.rules.state.gods import god_members
from games.gods2.rules.state.records import PantheonOrder, Phase
from games.gods2.rules.state.shares import JEALOUS, RISE, cult, share_list

RULE = "bot"
WILL_LOSE = 300  # hundredths of a percent that a bot signs away
WILL_SPARE = 600  # that it signs away to who is left behind, or for peace
WILL_YIELD = 1000  # that who is far ahead signs away to who is left behind
LEAST_LEFT = 1000  # it signs nothing away of less
WISHES, NEEDS = 200, 500  # what it asks for, and what it asks for where it is left behind
GIFT, ABUNDANCE = 200, 3000  # what a trader gives to a god who is no member, out of so much
PLENTY = 2000  # of so much who has more than the mean gives what is needed to who is left behind
MEAN = 100  # percent
CROWD = 5  # a pantheon of so many members takes in no more
MOST_GUESTS = 3  # beside them, of those who are left behind


def paper(view: View, *_: object) -> Command | None:
    """Drafts: sign what serves, take back what serves no more, hand in what all have signed, drop what is void."""
    state, seat = view.state, view.god.id
    for order in sorted((o for o in state.orders.values() if not o.deferred), key=lambda o: o.id):
        if order.race not in view.shares:
            continue
        serves = is_of_use(view, order)
        if (seat in order.signed) is not serves:
            return _change_of_mind(order, seat, serves=serves)
        if order.drafter == seat and set(god_members(state, order.race)) <= set(order.signed):
            is_void = objection(state, order) is not None
            return DropPantheonOrder(order=order.id) if is_void else HandInPantheonOrder(order=order.id)
        if order.drafter == seat and seat in order.signed and state.era.phase in (Phase.RECKONING, Phase.CLOSED):
            return DropPantheonOrder(order=order.id)
    return None


def _change_of_mind(order: PantheonOrder, seat: UUID, *, serves: bool) -> Command | None:
    """A signature for shares that serve; those that do not serve any more are dropped, or unsigned where another's."""
    if serves:
        return SignPantheonOrder(order=order.id)
    return DropPantheonOrder(order=order.id) if order.drafter == seat else UnsignPantheonOrder(order=order.id)


def is_of_use(view: View, order: PantheonOrder) -> bool:
    """Whether a bot signs: it gains, or loses nothing that goes to who is far ahead, or little of much.

    Who is left behind may have more of it. For peace it gives up a little of little too.
    """
    before, after = view.pantheon(order.race), dict(order.pantheon)
    own, left = before.get(view.me, 0), after.get(view.me, 0)
    if left > own:
        return True
    if view.state.races[order.race].turmoil:
        return own - left <= WILL_SPARE and left * TENTHS >= own * (TENTHS - 1)
    gains = {member: after[member] - before.get(member, 0) for member in after if member not in JEALOUS}
    winner = max(gains, key=lambda member: (gains[member], member), default=view.me)
    if winner == view.me or gains[winner] <= 0 or view.is_ahead(winner):
        return False
    spares = (WILL_YIELD if view.is_ahead(view.me) else WILL_SPARE) if view.is_behind(winner) else WILL_LOSE
    return left == own or (own - left <= spares and left >= LEAST_LEFT)


def price(view: View) -> Command | None:
    """The points that the bot asks for where it has no foothold, before it serves that people as one of its own."""
    poor = [race for race in view.shares if race not in view.followers]
    return next((order for race in sorted(poor) if (order := _more(view, race)) is not None), None)


def draft(view: View, tray: Tray, use: str) -> Command | None:
    """New shares that the bot wants: a guest in a pantheon of its own, or a little more for itself.

    Who is left behind asks where its points are worth most, the others first where somebody is far ahead.
    """
    invited = _invitation(view) if view.standing(view.me) >= MEAN else None
    if invited is not None:
        return invited
    wanted = {race: order for race in sorted(view.shares) if (order := _more(view, race)) is not None}
    if wanted and view.is_behind(view.me):
        return wanted[max(wanted, key=lambda race: (view.units(race), race))]
    guest = _guest(view, tray, use)
    if guest is not None:
        return guest
    first = [order for race, order in wanted.items() if view.is_mainstay(race)]
    return tray.draw(f"{use}/draft", first or list(wanted.values()), RULE) if wanted else None


def _is_drafting(view: View) -> bool:
    """Whether a draft of the bot's own is open: it makes one at a time."""
    return any(order.drafter == view.god.id for order in view.state.orders.values())


def _gift(view: View, race: UUID, giver: str, taker: str, points: int) -> Command | None:
    """A draft in which one member gives so many points to another god; None where that is void, or nobody gives it.

    Diabolism and atheism rise with each order that they let pass (G2-PAN-5): who is far ahead pays for one of them.
    """
    held = view.pantheon(race)
    jealous = [member for member in held if member in JEALOUS]
    price = points + RISE * len(jealous)
    payable = WILL_YIELD if view.is_ahead(giver) else points
    if _is_drafting(view) or price > payable or held[giver] - price < LEAST_LEFT:
        return None
    wanted = {**held, giver: held[giver] - price, taker: held.get(taker, 0) + points}
    return DraftPantheonOrder(race=race, pantheon=share_list({**wanted, **{m: held[m] + RISE for m in jealous}}))


def _more(view: View, race: UUID) -> Command | None:
    """A little more for the bot: from who is far ahead, else from the largest of the others, where they would sign.

    Who is far ahead itself asks for nothing: nobody would sign.
    """
    held = view.pantheon(race)
    wish = NEEDS if view.is_behind(view.me) else WISHES
    others = [member for member in held if member != view.me and held[member] - wish >= LEAST_LEFT]
    giver = max(others, key=lambda m: (view.is_ahead(m), held[m], m), default=None)
    return None if giver is None or view.is_ahead(view.me) else _gift(view, race, giver, view.me, wish)


def peace(view: View) -> Command | None:
    """Shares that end the turmoil of a people of the bot's own (G2-TURM-7).

    Diabolism and atheism agree when they rise, so all others make room for that; the largest member gives to the one
    who is left behind most.
    """
    for race in sorted(view.shares):
        if view.state.races[race].turmoil and not _is_drafting(view):
            held = view.pantheon(race)
            shared = cult(held, {member: RISE for member in JEALOUS if member in held})
            poor = [member for member in held if member != view.me and view.is_behind(member)]
            if poor and held[view.me] == max(held.values()) and held[view.me] - NEEDS >= LEAST_LEFT and shared == held:
                first = min(poor, key=lambda member: (view.flocks[member], member))
                shared = {**held, first: held[first] + NEEDS, view.me: held[view.me] - NEEDS}
            return DraftPantheonOrder(race=race, pantheon=share_list(shared))
    return None


def _invitation(view: View) -> Command | None:
    """Points of the bot's own for a god who is left behind, the last one first, in the largest people that it can.

    Who is no member yet; a member too, where the bot is far ahead.
    """
    behind = sorted(filter(view.is_behind, view.flocks), key=lambda member: (view.flocks[member], member))
    for race in sorted(view.shares, key=lambda race: (-view.units(race), race)) if behind else ():
        held = view.pantheon(race)
        guest = next((member for member in behind if member not in held or view.is_ahead(view.me)), None)
        if guest is not None and held[view.me] >= PLENTY and (guest in held or len(held) < CROWD + MOST_GUESTS):
            invited = _gift(view, race, view.me, guest, NEEDS)
            if invited is not None:
                return invited
    return None


def _guest(view: View, tray: Tray, use: str) -> Command | None:
    """A trader invites others too, where few are members: its people has one god more who cares."""
    open_to = [race for race in sorted(view.shares) if view.shares[race] >= ABUNDANCE]
    roomy = [race for race in open_to if len(view.pantheon(race)) < CROWD]
    if not view.temper.invites or not roomy:
        return None
    race = tray.draw(f"{use}/draft", roomy, RULE)
    able = [m for m in view.flocks if m not in view.pantheon(race) and not view.is_ahead(m)]
    return _gift(view, race, view.me, tray.draw(f"{use}/guest", able, RULE), GIFT) if able else None
